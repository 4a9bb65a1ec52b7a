import type { Team } from "../protocol";
import type { Room } from "../state/model";
import { text } from "../text/text";
import { EvaluationGraph } from "./Evaluation";
import { evaluationText } from "./evaluation";
import side from "./side.module.css";

interface Props {
  room: Room;
  index: number;
  length: number;
  onIndex(index: number): void;
}

/** What each bot thinks of the position that is shown, and thought over the game. */
export function Thoughts({ room, index, length, onIndex }: Props) {
  const thought = (team: Team) => {
    for (let at = index; at >= 0; at -= 1) {
      const evaluation = room.evaluations[at]?.[team];
      if (!evaluation) continue;
      const { mateIn } = evaluation;
      const mate = mateIn && text.game.mateIn(mateIn > 0 ? "white" : "black", Math.abs(mateIn));
      return mate || evaluationText(evaluation);
    }
    return "–";
  };
  const teams = (["white", "black"] as const).filter((team) => room.game.players[team].bot);
  return (
    <section className={side.padded} aria-label={text.game.evaluation}>
      <dl className={side.thoughts}>
        {teams.map((team) => (
          <div key={team}>
            <dt>
              <span className={side.legend} data-team={team} />
              {text.game.thinks(text.side[team])}
            </dt>
            <dd data-thought={team}>{thought(team)}</dd>
          </div>
        ))}
      </dl>
      <EvaluationGraph evaluations={room.evaluations} length={length} index={index} onIndex={onIndex} />
    </section>
  );
}
