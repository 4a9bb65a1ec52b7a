import type { BotEvaluation, BotEvaluations, Team } from "../protocol";
import { text } from "../text/text";
import { evaluationText, shareOf } from "./evaluation";
import styles from "./evaluation.module.css";

/** Beside the board: how much of the bar is White's. */
export function EvaluationBar({
  evaluation,
  flipped,
}: {
  evaluation: BotEvaluation | null;
  flipped: boolean;
}) {
  const share = evaluation ? shareOf(evaluation) : 0.5;
  const said = evaluation ? evaluationText(evaluation) : "–";
  return (
    <div
      className={styles.bar}
      data-flipped={flipped || undefined}
      role="img"
      aria-label={text.game.evaluationOf(said)}
    >
      <div className={styles.white} style={{ flexGrow: share }} />
      <div className={styles.black} style={{ flexGrow: 1 - share }} />
      <span className={share >= 0.5 ? styles.onWhite : styles.onBlack}>{said}</span>
    </div>
  );
}

interface GraphProps {
  evaluations: Readonly<Record<number, BotEvaluations>>;
  length: number;
  index: number;
  onIndex(index: number): void;
}

/** Both bots' judgements over the game: White's line whole, Black's dashed. */
export function EvaluationGraph({ evaluations, length, index, onIndex }: GraphProps) {
  const last = Math.max(1, length);
  const line = (team: Team) =>
    Object.entries(evaluations)
      .flatMap(([at, both]) => {
        const evaluation = both[team];
        if (!evaluation) return [];
        const y = HEIGHT * (1 - shareOf(evaluation)) * 0.92 + HEIGHT * 0.04;
        return [`${((Number(at) / last) * WIDTH).toFixed(1)},${y.toFixed(1)}`];
      })
      .join(" ");
  return (
    <div className={styles.graphBox}>
      <svg
        className={styles.graph}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path className={styles.middle} d={`M0 ${HEIGHT / 2}H${WIDTH}`} />
        <path className={styles.now} d={`M${(index / last) * WIDTH} 0V${HEIGHT}`} />
        <polyline className={styles.whiteLine} points={line("white")} />
        <polyline className={styles.blackLine} points={line("black")} />
      </svg>
      <input
        className={styles.slider}
        type="range"
        min={0}
        max={length}
        value={index}
        aria-label={text.game.graph}
        onChange={(event) => onIndex(Number(event.target.value))}
      />
    </div>
  );
}

const WIDTH = 300;
const HEIGHT = 80;
