import { useCallback, useState } from "react";
import type { Action } from "../protocol";
import type { Described } from "../rules/rules";
import { boomOf, choose, type Selection, withCount } from "./selection";

/** Choosing an action step by step; nothing that is illegal can be chosen. */
export function usePlay(described: Described, isEnabled: boolean, onAction: (action: Action) => void) {
  const [held, setHeld] = useState<{ at: string; selection: Selection | null }>({ at: "", selection: null });
  const at = described.state.position;
  // What was selected in another position is selected no longer.
  const selection = isEnabled && held.at === at ? held.selection : null;
  const set = useCallback((next: Selection | null) => setHeld({ at, selection: next }), [at]);

  const pick = (square: number) => {
    if (!isEnabled) return;
    const choice = choose(described, selection, square);
    set(choice.selection);
    if (choice.action) onAction(choice.action);
  };
  const drop = (from: number, to: number) => {
    if (!isEnabled || selection?.source !== from) return;
    const choice = choose(described, selection, to);
    if (choice.action) {
      set(null);
      onAction(choice.action);
    }
  };
  const count = (next: number) => selection && set(withCount(described, selection, next));
  const arm = (isArmed: boolean) => selection && set({ ...selection, isArmed });
  const boom = () => {
    if (!selection) return;
    set(null);
    onAction(boomOf(selection));
  };
  return { selection, pick, drop, count, arm, boom, cancel: () => set(null) };
}

export type Play = ReturnType<typeof usePlay>;
