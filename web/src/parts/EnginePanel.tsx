import { useEffect, useState } from "react";
import type { Action } from "../protocol";
import { send } from "../state/client";
import { useApp } from "../state/store";
import { shortFigure, text } from "../text/text";
import { BestLines } from "./BestLines";
import { evaluationText } from "./evaluation";
import side from "./side.module.css";
import styles from "./table.module.css";

interface Props {
  position: string;
  isOver: boolean;
  onHint(action: Action | null): void;
  onAction(action: Action): void;
}

/** What the server's engine finds. */
export function EnginePanel({ position, isOver, onHint, onAction }: Props) {
  const isOnline = useApp((state) => state.connection.phase === "online");
  const analysis = useApp((state) => (state.analysis?.position === position ? state.analysis : null));
  const [isOn, setIsOn] = useState(false);

  useEffect(() => {
    if (!isOn || isOver || !isOnline) return;
    // Whoever steps through a line quickly asks for where it ends.
    const timer = setTimeout(
      () => send({ type: "analyze", position, lines: LINES, budgetMs: BUDGET_MS }),
      SETTLED_MS,
    );
    return () => clearTimeout(timer);
  }, [isOn, isOver, isOnline, position]);

  return (
    <section className={side.panel} aria-label={text.analysis.engine}>
      <header className={styles.header}>
        <h2>{text.analysis.engine}</h2>
        {isOnline && (
          <button type="button" aria-pressed={isOn} onClick={() => setIsOn(!isOn)}>
            {isOn ? text.analysis.engineOff : text.analysis.engineOn}
          </button>
        )}
      </header>
      {!isOnline && <p className={styles.none}>{text.analysis.engineNeedsName}</p>}
      {isOn && !isOver && (
        <p className={styles.none} role="status">
          {analysis
            ? text.analysis.depth(analysis.depth, shortFigure(analysis.nodes))
            : text.analysis.searching}
        </p>
      )}
      {isOn && analysis && (
        <BestLines
          lines={analysis.lines.map((line) => ({
            action: line.action,
            value: evaluationText(line),
            actions: line.line,
          }))}
          onHint={onHint}
          onAction={onAction}
        />
      )}
    </section>
  );
}

const LINES = 3;
const BUDGET_MS = 4000;
const SETTLED_MS = 250;
