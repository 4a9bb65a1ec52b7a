import type { ClockSettings, ColorChoice } from "../protocol";
import type { text } from "../text/text";

export type ClockName = keyof typeof text.lobby.clocks;
export type StartName = keyof typeof text.lobby.starts;

/** How a game is to be played; what the server takes for granted is left out. */
export interface Settings {
  color: ColorChoice;
  start: StartName;
  clock: ClockName;
}

export const USUAL: Settings = { color: "random", start: "standard", clock: "none" };

export function settingsMessage({ color, start, clock }: Settings) {
  const settings = CLOCKS[clock];
  return { color, start, ...(settings ? { clock: settings } : {}) };
}

const minutes = (initial: number, increment: number): ClockSettings => ({
  initialMs: initial * 60_000,
  incrementMs: increment * 1000,
});

const CLOCKS: Record<ClockName, ClockSettings | null> = {
  none: null,
  bullet: minutes(1, 1),
  blitz: minutes(3, 2),
  rapid: minutes(10, 5),
  slow: minutes(30, 10),
};
