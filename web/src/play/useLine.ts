import { useState } from "react";
import { useLocation, useSearch } from "wouter";
import type { Action } from "../protocol";
import { rules } from "../rules/rules";

interface Line {
  start: string;
  history: readonly string[];
  index: number;
}

/**
 * A line of analysis. The address holds the position that is shown, so that it can be shared, and
 * going back and forward works; a position that is not of the line begins another.
 */
export function useLine() {
  const [, navigate] = useLocation();
  const asked = new URLSearchParams(useSearch()).get("position") ?? "standard";
  const answer = rules().describe(asked);
  const described = answer.ok ?? rules().describe("standard").ok!;
  const shown = described.state.position;

  const [line, setLine] = useState<Line>({ start: shown, history: [], index: 0 });
  const { start, steps } = rules().replay(line.start, line.history).ok!;
  const positionAt = (index: number) => steps[index - 1]?.position ?? start;
  if (positionAt(line.index) !== shown) {
    const found = [...Array(steps.length + 1).keys()].findLast((index) => positionAt(index) === shown);
    setLine(found === undefined ? { start: shown, history: [], index: 0 } : { ...line, index: found });
  }

  const show = (position: string, replace: boolean) =>
    navigate(`/analysis?position=${encodeURIComponent(position)}`, { replace });
  return {
    start,
    steps,
    described,
    index: line.index,
    /** Why the position of the address is none. */
    problem: answer.error ?? null,
    go(index: number) {
      const to = Math.min(steps.length, Math.max(0, index));
      if (to === line.index) return;
      setLine({ ...line, index: to });
      show(positionAt(to), true);
    },
    act(action: Action) {
      const played = rules().play(shown, action).ok;
      if (!played) return;
      // The same action again goes along the line; another one replaces the rest of it.
      const isNext = steps[line.index]?.text === played.text;
      const history = isNext ? line.history : [...line.history.slice(0, line.index), played.text];
      setLine({ start, history, index: line.index + 1 });
      show(played.position, false);
    },
    /** Begins anew from a position. */
    begin(position: string, replace = false) {
      show(position, replace);
    },
  };
}
