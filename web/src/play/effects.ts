import { useEffect, useState } from "react";
import { durationOf, type Effect } from "../board/effect";
import { squareOf } from "../board/geometry";
import type { Stack } from "../protocol";
import { type Played, rules } from "../rules/rules";

/** What is seen of an action, taken in the position `before`. */
export function effectOf(played: Played, before: readonly (Stack | null)[], key: string): Effect {
  const from = squareOf(played.action.source);
  if (played.boom) {
    const waves = played.boom.waves.map((wave) => wave.map((square) => ({ square, stack: before[square]! })));
    return { kind: "boom", key, waves };
  }
  const to = squareOf(played.action.target!);
  const moved = { team: before[from]!.team, stack: played.action.count };
  return { kind: "move", key, from, to, moved, before: before[to] ?? null };
}

/**
 * The effect of the step that was just taken. Only a step forward is animated, a key or a press ends
 * it early, and there is none for people who want less motion.
 */
export function useEffectOfStep(start: string, steps: readonly Played[], index: number): Effect | null {
  const [shown, setShown] = useState({ index, effect: null as Effect | null });
  if (shown.index !== index) {
    const played = steps[index - 1];
    const isNext = index === shown.index + 1 && played && !wantsLessMotion();
    const before = isNext && rules().describe(steps[index - 2]?.position ?? start).ok?.state.board;
    setShown({ index, effect: before ? effectOf(played, before, `${index}${played.text}`) : null });
  }
  const { effect } = shown;
  useEffect(() => {
    if (!effect) return;
    const end = () => setShown((now) => (now.effect === effect ? { ...now, effect: null } : now));
    const timer = setTimeout(end, durationOf(effect));
    window.addEventListener("pointerdown", end);
    window.addEventListener("keydown", end);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("pointerdown", end);
      window.removeEventListener("keydown", end);
    };
  }, [effect]);
  return effect;
}

function wantsLessMotion(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}
