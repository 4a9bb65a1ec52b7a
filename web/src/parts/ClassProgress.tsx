import type { ClassBuild } from "../protocol";
import { durationText, figure, shortFigure, text } from "../text/text";
import styles from "../views/builds.module.css";

/** A class that is being built. */
export function ClassProgress({ build }: { build: ClassBuild }) {
  const { phase, done, all, ply, decided, rate, elapsedSeconds, remainingSeconds, waiting } = build;
  const share = all > 0 ? Math.min(1, done / all) : 0;
  const figures = [
    [text.builds.ply, figure(ply)],
    [text.builds.decided, shortFigure(decided)],
    [text.builds.rate, rate === null ? "–" : text.builds.perSecond(shortFigure(rate))],
    [text.builds.eta, remainingSeconds === null ? "–" : durationText(remainingSeconds)],
    [text.builds.elapsed, durationText(elapsedSeconds)],
  ];
  const name = `${build.class}, ${text.builds.phases[phase] ?? phase}`;
  return (
    <div className={styles.class} data-class={build.class}>
      <p className={styles.heading}>
        <strong>{build.class}</strong>
        <span>{text.builds.phases[phase] ?? phase}</span>
        <span className={styles.percent}>{Math.round(share * 100)} %</span>
      </p>
      <progress className={styles.progress} max={1} value={share} aria-label={name} />
      <dl className={styles.figures}>
        {figures.map(([caption, value]) => (
          <div key={caption}>
            <dt>{caption}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {waiting && <p className={styles.problem}>{waiting}</p>}
    </div>
  );
}
