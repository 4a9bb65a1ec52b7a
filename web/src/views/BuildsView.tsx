import { ClassProgress } from "../parts/ClassProgress";
import { ClusterPanel } from "../parts/ClusterPanel";
import { useFetched } from "../parts/useFetched";
import type { Builds } from "../protocol";
import { useApp } from "../state/store";
import { text } from "../text/text";
import styles from "./builds.module.css";

/** Builds of tables as they go: told by the server, or asked for where there is no connection. */
export default function BuildsView() {
  const told = useApp((state) => (state.connection.phase === "online" ? state.builds : null));
  const asked = useFetched<Builds>(told ? null : "/api/builds", ASK_EVERY_MS);
  const builds = told ?? (asked.state === "here" ? asked.value : null);
  if (!builds) return asked.state === "failed" ? <p role="alert">{text.builds.failed}</p> : null;
  const { local, cluster } = builds;
  return (
    <div className={styles.builds}>
      <header>
        <h1>{text.builds.title}</h1>
        <p className="muted">{text.builds.lead}</p>
      </header>
      <section className={styles.panel} aria-labelledby="here">
        <h2 id="here">{text.builds.here}</h2>
        {local.current && <ClassProgress build={local.current} />}
        {local.problem && <p className={styles.problem}>{local.problem}</p>}
        {!local.enabled && <p>{text.builds.disabled}</p>}
        {local.enabled && !local.current && local.waiting.length === 0 && <p>{text.builds.idle}</p>}
        <Classes caption={text.builds.ready} classes={local.ready} isReady />
        {local.waiting.length > 0 && <Classes caption={text.builds.waiting} classes={local.waiting} />}
      </section>
      {cluster && <ClusterPanel cluster={cluster} />}
    </div>
  );
}

interface ClassesProps {
  caption: string;
  classes: readonly string[];
  isReady?: boolean;
}

function Classes({ caption, classes, isReady }: ClassesProps) {
  return (
    <div className={styles.classes}>
      <h3>{caption}</h3>
      <ul data-ready={isReady || undefined}>
        {classes.length === 0 ? (
          <li className="muted">{text.builds.none}</li>
        ) : (
          classes.map((name) => <li key={name}>{name}</li>)
        )}
      </ul>
    </div>
  );
}

const ASK_EVERY_MS = 1000;
