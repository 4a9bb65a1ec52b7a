import type { ClusterBuilds } from "../protocol";
import { text } from "../text/text";
import styles from "../views/builds.module.css";
import { ClassProgress } from "./ClassProgress";

/** What a cluster builds, and who works on it. */
export function ClusterPanel({ cluster }: { cluster: ClusterBuilds }) {
  const { connected, problem, classes, published, workers, events } = cluster;
  return (
    <section className={styles.panel} aria-labelledby="cluster">
      <h2 id="cluster">{text.builds.cluster}</h2>
      {!connected && <p className={styles.problem}>{problem ?? text.builds.disconnected}</p>}
      {classes.map((build) => (
        <ClassProgress key={build.class} build={build} />
      ))}
      <div className={styles.classes}>
        <h3>{text.builds.published}</h3>
        <ul data-ready>
          {published.map((name) => (
            <li key={name}>{name}</li>
          ))}
          {published.length === 0 && <li className="muted">{text.builds.none}</li>}
        </ul>
      </div>
      {workers.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        <div className={styles.scroll} tabIndex={0} role="group" aria-label={text.builds.workers}>
          <table>
            <thead>
              <tr>
                <th scope="col">{text.builds.worker}</th>
                <th scope="col">{text.builds.state}</th>
                <th scope="col">{text.builds.does}</th>
                <th scope="col">{text.builds.threads}</th>
                <th scope="col">{text.builds.shards}</th>
              </tr>
            </thead>
            <tbody>
              {workers.map((worker) => (
                <tr key={worker.name}>
                  <td>{worker.name}</td>
                  <td data-state={worker.state}>{worker.state}</td>
                  <td>{worker.reason ?? worker.note}</td>
                  <td>{worker.threads}</td>
                  <td>{worker.shards.join(", ")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {events.length > 0 && (
        <>
          <h3>{text.builds.events}</h3>
          <ul className={styles.events}>
            {events.toReversed().map((event, place) => (
              <li key={events.length - place}>{event}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
