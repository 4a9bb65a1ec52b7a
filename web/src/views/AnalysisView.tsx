import { useState } from "react";
import { DeepPanel } from "../parts/DeepPanel";
import { EnginePanel } from "../parts/EnginePanel";
import { EvaluationBar } from "../parts/Evaluation";
import { judged } from "../parts/evaluation";
import { MoveList } from "../parts/MoveList";
import { PlayerBar } from "../parts/PlayerBar";
import { PositionBar } from "../parts/PositionBar";
import { Stage } from "../parts/Stage";
import side from "../parts/side.module.css";
import { TablePanel } from "../parts/TablePanel";
import { useCopyPosition } from "../parts/useCopyPosition";
import { describedOf, stepKeys } from "../parts/useSteps";
import { evaluationOfTable, useTable } from "../parts/useTable";
import { EditorBoard } from "../play/EditorBoard";
import { useEffectOfStep } from "../play/effects";
import { PlayBoard } from "../play/PlayBoard";
import { useKeys } from "../play/useKeys";
import { useLine } from "../play/useLine";
import type { Action } from "../protocol";
import { useApp } from "../state/store";
import { text } from "../text/text";

/** Free play from any position, with what the tables and the engine say of it. */
export default function AnalysisView() {
  const line = useLine();
  const { described, steps, index } = line;
  const { state, over, winner } = described;
  const [flipped, setFlipped] = useState(false);
  const [isEditing, setIsEditing] = useState(false);
  const [hint, setHint] = useState<{ at: string; action: Action } | null>(null);
  const table = useTable(described);
  const analysis = useApp((app) => (app.analysis?.position === state.position ? app.analysis : null));
  const deep = useApp((app) => (app.deep?.position === state.position ? app.deep : null));
  const effect = useEffectOfStep(line.start, steps, index);
  const copyPosition = useCopyPosition(state.position);
  const best = table.answer?.actions?.[0];
  useKeys({
    ...stepKeys(line),
    f: () => setFlipped((now) => !now),
    p: copyPosition,
    ...(best && !isEditing ? { " ": () => line.act(best.action) } : {}),
  });

  const onHint = (action: Action | null) => setHint(action && { at: state.position, action });
  const evaluation =
    evaluationOfTable(state.turn, table.answer) ?? (deep && judged(deep)) ?? analysis?.lines[0] ?? null;
  const seat = (team: "white" | "black") => (
    <PlayerBar
      name={text.side[team]}
      team={team}
      detail=""
      bots={described.bots[team]}
      isToMove={!over && state.turn === team}
      clockMs={null}
    />
  );
  return (
    <>
      <h1 className="visually-hidden">{text.analysis.title}</h1>
      <Stage
        above={seat(flipped ? "white" : "black")}
        below={seat(flipped ? "black" : "white")}
        gauge={isEditing ? undefined : <EvaluationBar evaluation={evaluation} flipped={flipped} />}
        board={
          isEditing ? (
            <EditorBoard described={described} flipped={flipped} onPosition={(to) => line.begin(to, true)} />
          ) : (
            <PlayBoard
              described={described}
              flipped={flipped}
              isEnabled={!over}
              isReadOnly={false}
              last={steps[index - 1] ?? null}
              effect={effect}
              hint={hint?.at === state.position ? hint.action : null}
              status={over ? text.game.result(winner, "boom") : ""}
              onAction={line.act}
            />
          )
        }
        side={
          <>
            <PositionBar
              key={state.position}
              position={state.position}
              problem={line.problem}
              isEditing={isEditing}
              onEdit={setIsEditing}
              onFlip={() => setFlipped((now) => !now)}
              onPosition={line.begin}
            />
            <TablePanel table={table} turn={state.turn} isOver={over} onHint={onHint} onAction={line.act} />
            <EnginePanel position={state.position} isOver={over} onHint={onHint} onAction={line.act} />
            <DeepPanel
              position={state.position}
              turn={state.turn}
              isOver={over}
              onHint={onHint}
              onAction={line.act}
            />
            <div className={side.panel}>
              <MoveList
                first={describedOf(line.start).state.turn}
                steps={steps}
                index={index}
                onIndex={line.go}
              />
            </div>
          </>
        }
      />
    </>
  );
}
