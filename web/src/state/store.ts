import { create } from "zustand";
import { type AppState, INITIAL, type Room } from "./model";
import { type AppEvent, reduce } from "./reduce";

/** The state of the client; it changes by events only. */
export const useApp = create<AppState>(() => INITIAL);

export function dispatch(event: AppEvent): void {
  useApp.setState((state) => reduce(state, event));
}

export function useRoom(id: number): Room | undefined {
  return useApp((state) => state.rooms[id]);
}
