import type { Stack } from "../protocol";

/** Something that is seen to happen: bots that slide, or stacks that go wave by wave. */
export type Effect =
  | { kind: "move"; key: string; from: number; to: number; moved: Stack; before: Stack | null }
  | { kind: "boom"; key: string; waves: { square: number; stack: Stack }[][] };

export const MOVE_MS = 220;
export const WAVE_MS = 130;
export const BLAST_MS = 420;

export function durationOf(effect: Effect): number {
  return effect.kind === "move" ? MOVE_MS : (effect.waves.length - 1) * WAVE_MS + BLAST_MS;
}
