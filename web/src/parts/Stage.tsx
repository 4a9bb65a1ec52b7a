import type { ReactNode } from "react";
import styles from "./stage.module.css";

interface Props {
  above: ReactNode;
  board: ReactNode;
  below: ReactNode;
  /** What stands beside the board, if anything. */
  gauge?: ReactNode;
  side: ReactNode;
}

/** A board with players above and below it and panels at its side; one under another on a phone. */
export function Stage({ above, board, below, gauge, side }: Props) {
  return (
    <div className={styles.stage}>
      <div className={styles.main} data-gauge={gauge ? true : undefined}>
        {gauge && <div className={styles.gauge}>{gauge}</div>}
        <div className={styles.above}>{above}</div>
        <div className={styles.board}>{board}</div>
        <div className={styles.below}>{below}</div>
      </div>
      <div className={styles.side}>{side}</div>
    </div>
  );
}
