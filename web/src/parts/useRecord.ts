import type { BotEvaluation, BotEvaluations, Team } from "../protocol";
import { rules } from "../rules/rules";
import type { Room } from "../state/model";
import { useSteps } from "./useSteps";

/** A room's game, with our own action shown before the server has answered it. */
export function useRecord(room: Room) {
  const { pending, history, start } = room;
  const played = pending ? rules().play(room.game.state.position, pending.action).ok : undefined;
  return useSteps(start, played ? [...history, played.text] : history);
}

/** What was thought of a position: by whoever moved into it, or else by the other bot, or else before. */
export function evaluationAt(
  evaluations: Readonly<Record<number, BotEvaluations>>,
  index: number,
  mover: Team,
): BotEvaluation | null {
  for (let at = index; at >= 0; at -= 1) {
    const both = evaluations[at];
    const found = both && (both[mover] ?? both.white ?? both.black);
    if (found) return found;
  }
  return null;
}
