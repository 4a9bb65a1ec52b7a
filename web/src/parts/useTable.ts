import type { BotEvaluation, TableAnswer, Team } from "../protocol";
import type { Described } from "../rules/rules";
import { useApp } from "../state/store";
import { useFetched } from "./useFetched";

export interface TableState {
  state: "asking" | "failed" | "none" | "here";
  answer: TableAnswer | null;
}

/** What the tables say of a position; asked again when another table is ready. */
export function useTable({ state, over }: Described): TableState {
  const ready = useApp((app) => app.builds?.local.ready.length ?? 0);
  const question = `/api/tablebase?position=${encodeURIComponent(state.position)}`;
  const fetched = useFetched<TableAnswer>(over ? null : `${question}#${ready}`);
  if (over) return { state: "none", answer: null };
  if (fetched.state === "loading") return { state: "asking", answer: null };
  if (fetched.state === "failed") return { state: "failed", answer: null };
  return fetched.value.value === null
    ? { state: "none", answer: null }
    : { state: "here", answer: fetched.value };
}

/** A table's value as a judgement from White's point of view. */
export function evaluationOfTable(turn: Team, answer: TableAnswer | null): BotEvaluation | null {
  if (!answer?.value) return null;
  if (answer.value === "draw" || answer.plies === null) return { whiteScore: 0, mateIn: null };
  const isWhites = (answer.value === "win") === (turn === "white");
  const sign = isWhites ? 1 : -1;
  return { whiteScore: sign * (WON - answer.plies), mateIn: sign * Math.ceil(answer.plies / 2) };
}

const WON = 1_000_000;
