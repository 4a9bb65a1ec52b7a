import { pointOf } from "../board/geometry";
import type { Action } from "../protocol";
import type { Described, OwnStack } from "../rules/rules";

/** A stack that was chosen, how many of its bots would go, and whether its boom is shown instead. */
export interface Selection {
  source: number;
  count: number;
  isArmed: boolean;
}

/** What is chosen after a square was, and the action if that made one. */
export interface Choice {
  selection: Selection | null;
  action: Action | null;
}

export function stackAt(described: Described, square: number): OwnStack | undefined {
  return described.stacks.find((stack) => stack.square === square);
}

/** A square is chosen: a target of the selected stack, or another stack, or neither. */
export function choose(described: Described, selection: Selection | null, square: number): Choice {
  const selected = selection && stackAt(described, selection.source);
  if (selected?.targets.includes(square)) {
    return { selection: null, action: moveOf(selection!, square) };
  }
  const stack = stackAt(described, square);
  if (!stack || square === selection?.source) return { selection: null, action: null };
  return { selection: { source: square, count: stack.height, isArmed: false }, action: null };
}

/** Another count, kept between one and the stack's height; that also puts the boom away. */
export function withCount(described: Described, selection: Selection, count: number): Selection {
  const height = stackAt(described, selection.source)?.height ?? 1;
  return { ...selection, count: Math.min(height, Math.max(1, count)), isArmed: false };
}

export function moveOf({ source, count }: Selection, target: number): Action {
  return { source: pointOf(source), target: pointOf(target), count };
}

export function boomOf({ source }: Selection): Action {
  return { source: pointOf(source), target: pointOf(source), count: 0 };
}

/** The squares a boom takes, with the numbers of their waves. */
export function doomedBy(described: Described, source: number): ReadonlyMap<number, number> {
  const waves = stackAt(described, source)?.boom.waves ?? [];
  return new Map(waves.flatMap((wave, number) => wave.map((square) => [square, number] as const)));
}
