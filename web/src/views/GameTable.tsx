import { useEffect, useState } from "react";
import { EvaluationBar } from "../parts/Evaluation";
import { GameControls } from "../parts/GameControls";
import { MoveList } from "../parts/MoveList";
import { Seat } from "../parts/Seat";
import { Stage } from "../parts/Stage";
import side from "../parts/side.module.css";
import { Thoughts } from "../parts/Thoughts";
import { useCopyPosition } from "../parts/useCopyPosition";
import { evaluationAt, useRecord } from "../parts/useRecord";
import { describedOf, stepKeys } from "../parts/useSteps";
import { useEffectOfStep } from "../play/effects";
import { PlayBoard } from "../play/PlayBoard";
import { useKeys } from "../play/useKeys";
import { act } from "../state/client";
import type { Room } from "../state/model";
import { sideOf } from "../state/room";
import { useApp } from "../state/store";
import { text } from "../text/text";

/** A game with its players, moves and controls. */
export function GameTable({ room }: { room: Room }) {
  const { game } = room;
  const me = useApp((state) => state.me);
  const mine = sideOf(game, me?.id);
  const record = useRecord(room);
  const { steps, index, described } = record;
  const [isTurned, setIsTurned] = useState(false);
  const flipped = (mine === "black") !== isTurned;
  const isLive = index === steps.length;
  const isOver = game.result !== null;
  const isMyTurn = !isOver && mine === game.state.turn && !room.pending;
  const effect = useEffectOfStep(record.start, steps, index);
  const copyPosition = useCopyPosition(described.state.position);
  useKeys({ ...stepKeys(record), f: () => setIsTurned((now) => !now), p: copyPosition });

  const { white, black } = game.players;
  const title = text.game.title(white.name, black.name);
  useEffect(() => {
    document.title = `${isMyTurn ? `● ${text.game.yourTurn} · ` : ""}${title} · ${text.name}`;
    return () => {
      document.title = text.name;
    };
  }, [title, isMyTurn]);

  // Whoever plays does not see what the bot thinks before the end.
  const hasBots = Boolean(white.bot || black.bot) && (mine === null || isOver);
  const mover = described.state.turn === "white" ? "black" : "white";
  const evaluation = hasBots ? evaluationAt(room.evaluations, index, mover) : null;
  const first = describedOf(record.start).state.turn;
  const status = statusOf(room, mine, isLive, isMyTurn);
  const seat = (team: "white" | "black") => (
    <Seat
      room={room}
      team={team}
      bots={described.bots[team]}
      isToMove={!isOver && described.state.turn === team}
    />
  );
  return (
    <>
      <h1 className="visually-hidden">{title}</h1>
      <Stage
        above={seat(flipped ? "white" : "black")}
        below={seat(flipped ? "black" : "white")}
        gauge={hasBots ? <EvaluationBar evaluation={evaluation} flipped={flipped} /> : undefined}
        board={
          <PlayBoard
            described={described}
            flipped={flipped}
            isEnabled={isMyTurn && isLive}
            isReadOnly={mine === null}
            last={steps[index - 1] ?? null}
            effect={effect}
            hint={null}
            status={isLive ? (isMyTurn ? text.play.choose : "") : text.play.old}
            onAction={(action) => act(game.id, game.revision, action)}
          />
        }
        side={
          <>
            <div className={side.padded}>
              <p className={side.status} role="status">
                {status}
              </p>
              <GameControls room={room} mine={mine} position={described.state.position} />
            </div>
            {hasBots && <Thoughts room={room} index={index} length={steps.length} onIndex={record.go} />}
            <div className={side.panel}>
              <MoveList first={first} steps={steps} index={index} onIndex={record.go} />
            </div>
          </>
        }
      />
    </>
  );
}

function statusOf(room: Room, mine: "white" | "black" | null, isLive: boolean, isMyTurn: boolean): string {
  const { result, state, players } = room.game;
  if (result) return text.game.result(result.winner, result.reason);
  if (room.pending) return text.game.sending;
  if (isMyTurn) return text.game.yourTurn;
  if (!isLive) return text.play.old;
  return mine ? text.game.theirTurn(players[state.turn].name) : text.game.watching(state.turn);
}
