import { useEffect, useState } from "react";
import type { Action, DeepAnalysis, DeepLine, Team } from "../protocol";
import { send } from "../state/client";
import { useApp } from "../state/store";
import { durationText, shortFigure, text } from "../text/text";
import { type BestLine, BestLines } from "./BestLines";
import { evaluationText, judged } from "./evaluation";
import side from "./side.module.css";
import styles from "./table.module.css";

interface Props {
  position: string;
  turn: Team;
  isOver: boolean;
  onHint(action: Action | null): void;
  onAction(action: Action): void;
}

/** A position worked on for as long as it is looked at, by a cluster where there is one. */
export function DeepPanel({ position, turn, isOver, onHint, onAction }: Props) {
  const isOnline = useApp((state) => state.connection.phase === "online");
  const deep = useApp((state) => (state.deep?.position === position ? state.deep : null));
  const [isOn, setIsOn] = useState(false);
  const [asked, setAsked] = useState(0);

  // A change of `asked` asks again.
  useEffect(() => {
    if (!isOn || isOver || !isOnline) return;
    // Whoever steps through a line quickly asks for where it ends.
    const timer = setTimeout(() => send({ type: "deepAnalyze", position }), SETTLED_MS);
    return () => {
      clearTimeout(timer);
      send({ type: "endDeepAnalysis" });
    };
  }, [isOn, isOver, isOnline, position, asked]);

  const hasEnded = deep !== null && deep.state !== "running" && deep.proved === null;
  return (
    <section className={side.panel} aria-label={text.deep.title} data-deep={deep?.state}>
      <header className={styles.header}>
        <h2>{text.deep.title}</h2>
        {isOnline && (
          <button type="button" aria-pressed={isOn} onClick={() => setIsOn(!isOn)}>
            {isOn ? text.deep.off : text.deep.on}
          </button>
        )}
      </header>
      {!isOnline && <p className={styles.none}>{text.deep.needsName}</p>}
      {isOn && !isOver && !deep && (
        <p className={styles.none} role="status">
          {text.deep.begins}
        </p>
      )}
      {isOn && deep && (
        <>
          {deep.proved && (
            <p className={styles.headline} data-value={deep.proved.value} role="status">
              {text.deep.proved(turn, deep.proved)}
            </p>
          )}
          <p className={styles.none}>{figures(deep)}</p>
          {deep.waiting && <p className={styles.none}>{text.deep.waits(deep.waiting)}</p>}
          {deep.problem && (
            <p className={styles.problem} role="alert">
              {deep.problem}
            </p>
          )}
          {hasEnded && (
            <p className={styles.again}>
              <span>{deep.state === "cancelled" ? text.deep.cancelled : text.deep.timeOver}</span>
              <button type="button" onClick={() => setAsked(asked + 1)}>
                {text.deep.goOn}
              </button>
            </p>
          )}
          <BestLines lines={deep.lines.map(shown)} onHint={onHint} onAction={onAction} />
        </>
      )}
    </section>
  );
}

function figures({ by, workers, jobs, nodes, timeMs }: DeepAnalysis): string {
  const who = by === "cluster" ? text.deep.cluster(workers) : text.deep.server;
  const seconds = durationText(timeMs / 1000);
  return [who, text.deep.jobs(jobs), text.deep.nodes(shortFigure(nodes)), seconds].join(" · ");
}

function shown(line: DeepLine): BestLine {
  const evaluation = judged(line);
  return {
    action: line.action,
    value: evaluation ? evaluationText(evaluation) : "",
    certain: line.proved ? text.deep.certain[line.proved.value] : undefined,
    actions: line.line,
  };
}

const SETTLED_MS = 250;
