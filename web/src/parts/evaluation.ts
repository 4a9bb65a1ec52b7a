import type { BotEvaluation } from "../protocol";

/** Where White stands, from 0 (lost) to 1 (won). */
export function shareOf({ whiteScore }: BotEvaluation): number {
  if (Math.abs(whiteScore) > DECIDED) return whiteScore > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-whiteScore / BOTS_3));
}

/** A judgement, where there is one. */
export function judged(given: { whiteScore: number | null; mateIn: number | null }): BotEvaluation | null {
  const { whiteScore, mateIn } = given;
  return whiteScore === null ? null : { whiteScore, mateIn };
}

/** A judgement as text: in bots, or `#5` for an end in five moves. */
export function evaluationText({ whiteScore, mateIn }: BotEvaluation): string {
  if (mateIn !== null) return `${mateIn < 0 ? "−" : ""}#${Math.abs(mateIn)}`;
  const bots = (Math.abs(whiteScore) / 100).toFixed(1);
  if (bots === "0.0") return "0.0";
  return whiteScore > 0 ? `+${bots}` : `−${bots}`;
}

const DECIDED = 900_000;
const BOTS_3 = 300;
