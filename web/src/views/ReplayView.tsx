import { useState } from "react";
import { Link } from "wouter";
import { MoveList } from "../parts/MoveList";
import { PlayerBar } from "../parts/PlayerBar";
import { Stage } from "../parts/Stage";
import side from "../parts/side.module.css";
import { useCopyPosition } from "../parts/useCopyPosition";
import { useFetched } from "../parts/useFetched";
import { describedOf, stepKeys, useSteps } from "../parts/useSteps";
import { useEffectOfStep } from "../play/effects";
import { PlayBoard } from "../play/PlayBoard";
import { useKeys } from "../play/useKeys";
import type { FinishedGame } from "../protocol";
import { text } from "../text/text";

/** A finished game, played over. */
export default function ReplayView({ id }: { id: number }) {
  const fetched = useFetched<FinishedGame>(`/api/games/${id}`);
  if (fetched.state === "loading") return null;
  if (fetched.state === "failed") {
    return <p role="alert">{fetched.status === 404 ? text.game.missing : text.games.failed}</p>;
  }
  return <Replay game={fetched.value} />;
}

function Replay({ game }: { game: FinishedGame }) {
  const record = useSteps(game.start, game.history);
  const { steps, index, described } = record;
  const [flipped, setFlipped] = useState(false);
  const effect = useEffectOfStep(record.start, steps, index);
  const copyPosition = useCopyPosition(described.state.position);
  useKeys({ ...stepKeys(record), f: () => setFlipped((now) => !now), p: copyPosition });
  const seat = (team: "white" | "black") => (
    <PlayerBar
      name={game[team]}
      team={team}
      detail=""
      bots={described.bots[team]}
      isToMove={!described.over && described.state.turn === team}
      clockMs={null}
    />
  );
  return (
    <>
      <h1 className="visually-hidden">{text.game.title(game.white, game.black)}</h1>
      <Stage
        above={seat(flipped ? "white" : "black")}
        below={seat(flipped ? "black" : "white")}
        board={
          <PlayBoard
            described={described}
            flipped={flipped}
            isEnabled={false}
            isReadOnly
            last={steps[index - 1] ?? null}
            effect={effect}
            hint={null}
            status=""
            onAction={() => {}}
          />
        }
        side={
          <>
            <div className={side.padded}>
              <p className={side.status}>{text.game.result(game.winner, game.reason)}</p>
              <div className={side.buttons}>
                <button type="button" onClick={() => setFlipped((now) => !now)}>
                  {text.game.flip}
                </button>
                <Link
                  className="button"
                  href={`/analysis?position=${encodeURIComponent(described.state.position)}`}
                >
                  {text.game.analyse}
                </Link>
                <a className="button" href={`/api/games/${game.id}?format=text`}>
                  {text.games.record}
                </a>
                <Link className="button" href="/games">
                  {text.games.back}
                </Link>
              </div>
            </div>
            <div className={side.panel}>
              <MoveList
                first={describedOf(record.start).state.turn}
                steps={steps}
                index={index}
                onIndex={record.go}
              />
            </div>
          </>
        }
      />
    </>
  );
}
