import type { Game, ServerMessage, Team } from "../protocol";
import type { Pending, Room } from "./model";

/** A room after a `game` message; nothing if a message before it was missed and no room is there. */
export function heardGame(room: Room | undefined, game: Game, now: number): Room | undefined {
  if (game.history && game.start !== undefined) return entered(room, game, game.start, game.history, now);
  if (!room || game.revision <= room.game.revision) return room;
  if (game.revision !== room.game.revision + 1) return { ...room, isStale: true };
  // A revision without another position is an end by something else than an action.
  const acted = game.state.position !== room.game.state.position && game.lastAction;
  const history = acted ? [...room.history, acted.text] : room.history;
  return {
    ...room,
    game,
    history,
    evaluations: { ...room.evaluations, [history.length]: game.botEvaluations },
    heardAt: now,
    thinking: null,
    queued: null,
    away: game.result ? {} : room.away,
    pending: null,
  };
}

function entered(
  room: Room | undefined,
  game: Game,
  start: string,
  history: readonly string[],
  now: number,
): Room {
  const away: Room["away"] = {
    ...(game.players.white.connected ? {} : { white: null }),
    ...(game.players.black.connected ? {} : { black: null }),
  };
  const pending = room?.pending ?? null;
  return {
    game,
    start,
    history,
    evaluations: { ...room?.evaluations, [history.length]: game.botEvaluations },
    heardAt: now,
    thinking: game.result ? null : (room?.thinking ?? null),
    queued: null,
    away: game.result ? {} : away,
    // What was sent before the connection was lost may not have arrived.
    pending: pending && pending.revision === game.revision && !game.result ? pending : null,
    isStale: false,
  };
}

/** A room after a message about its game. */
export function heardOfGame(room: Room, message: ServerMessage, now: number): Room {
  switch (message.type) {
    case "botThinking":
      return { ...room, thinking: { team: message.team, until: now + message.budgetMs }, queued: null };
    case "botQueued":
      return { ...room, queued: { team: message.team, ahead: message.ahead } };
    case "drawOffer":
      return { ...room, game: { ...room.game, drawOffer: message.team } };
    case "presence": {
      const away = { ...room.away };
      if (message.connected) delete away[message.team];
      else away[message.team] = message.graceMs === undefined ? null : now + message.graceMs;
      return { ...room, away };
    }
    case "error":
      return message.actionId && message.actionId === room.pending?.id ? { ...room, pending: null } : room;
    default:
      return room;
  }
}

/** A room in which we have acted. */
export function acted(room: Room, pending: Pending): Room {
  return { ...room, pending };
}

/** The side a user plays. */
export function sideOf(game: Game, user: number | undefined): Team | null {
  if (user === undefined) return null;
  if (game.players.white.id === user) return "white";
  return game.players.black.id === user ? "black" : null;
}

/** Milliseconds a side has left. */
export function timeLeft(room: Room, team: Team, now: number): number | null {
  const clocks = room.game.clocks;
  if (!clocks) return null;
  const left = team === "white" ? clocks.whiteMs : clocks.blackMs;
  return Math.max(0, clocks.running === team ? left - (now - room.heardAt) : left);
}
