import type { Action } from "../protocol";
import styles from "./table.module.css";

export interface BestLine {
  action: Action;
  /** What is thought of it, in a few characters. */
  value: string;
  /** What is certain of it. */
  certain?: string;
  actions: readonly string[];
}

interface Props {
  lines: readonly BestLine[];
  /** Points an action out on the board. */
  onHint(action: Action | null): void;
  onAction(action: Action): void;
}

/** Best play, a line for each of the best actions; choosing one plays its first action. */
export function BestLines({ lines, onHint, onAction }: Props) {
  return (
    <ul className={styles.engine}>
      {lines.map(({ action, value, certain, actions }) => (
        <li key={actions[0]}>
          <button
            type="button"
            onPointerEnter={() => onHint(action)}
            onPointerLeave={() => onHint(null)}
            onFocus={() => onHint(action)}
            onBlur={() => onHint(null)}
            onClick={() => onAction(action)}
          >
            <strong>{value}</strong>
            {certain && <em>{certain}</em>}
            <span>{actions.join(" ")}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
