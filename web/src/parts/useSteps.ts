import { useMemo, useState } from "react";
import { type Described, type Replayed, rules } from "../rules/rules";

/** A game that is stepped through. While the last position is shown, it follows the game. */
export function useSteps(start: string, history: readonly string[]) {
  const key = history.join(" ");
  const replayed: Replayed = useMemo(
    () => rules().replay(start, key ? key.split(" ") : []).ok ?? { start, steps: [] },
    [start, key],
  );
  const [chosen, setChosen] = useState<number | null>(null);
  const { steps } = replayed;
  const index = chosen === null ? steps.length : Math.min(chosen, steps.length);
  const go = (to: number) => {
    const bounded = Math.min(steps.length, Math.max(0, to));
    setChosen(bounded === steps.length ? null : bounded);
  };
  return { start: replayed.start, steps, index, go, described: describedAt(replayed, index) };
}

export function describedAt({ start, steps }: Replayed, index: number): Described {
  return describedOf(steps[index - 1]?.position ?? start);
}

/** A position that is known to be one. */
export function describedOf(position: string): Described {
  const answer = rules().describe(position);
  if (!answer.ok) throw new Error(answer.error);
  return answer.ok;
}

/** The keys that step through a game. */
export function stepKeys({ index, steps, go }: Pick<ReturnType<typeof useSteps>, "index" | "steps" | "go">) {
  return {
    ArrowLeft: () => go(index - 1),
    ArrowRight: () => go(index + 1),
    Home: () => go(0),
    End: () => go(steps.length),
  };
}
