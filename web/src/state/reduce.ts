import type { ServerMessage } from "../protocol";
import { type AppState, INITIAL, type Notice, type Pending, type Room } from "./model";
import { acted, heardGame, heardOfGame } from "./room";

/** What happens to the client. */
export type AppEvent =
  | { type: "connecting"; attempt: number }
  | { type: "lost"; retryAt: number | null }
  | { type: "signedOut" }
  | { type: "received"; message: ServerMessage; now: number }
  | { type: "acted"; gameId: number; pending: Pending }
  | { type: "arrivedShown" }
  | { type: "noticeRead"; id: number };

/** The state after an event. */
export function reduce(state: AppState, event: AppEvent): AppState {
  switch (event.type) {
    case "connecting":
      return {
        ...state,
        connection: { phase: "connecting", attempt: event.attempt, retryAt: null, problem: null },
      };
    case "lost":
      return {
        ...state,
        connection: {
          ...state.connection,
          phase: event.retryAt === null ? "ended" : "waiting",
          retryAt: event.retryAt,
        },
      };
    case "signedOut":
      return { ...INITIAL, builds: state.builds };
    case "received":
      return received(state, event.message, event.now);
    case "acted":
      return inRoom(state, event.gameId, (room) => acted(room, event.pending));
    case "arrivedShown":
      return { ...state, arrived: null };
    case "noticeRead":
      return { ...state, notices: state.notices.filter((notice) => notice.id !== event.id) };
  }
}

function received(state: AppState, message: ServerMessage, now: number): AppState {
  switch (message.type) {
    case "welcome":
      return {
        ...state,
        connection: { phase: "online", attempt: 0, retryAt: null, problem: null },
        me: { id: message.id, name: message.name },
        resumed: message.playing,
      };
    case "lobby":
      return { ...state, lobby: message };
    case "builds":
      return { ...state, builds: message };
    case "analysis":
      return { ...state, analysis: message };
    case "deepAnalysis":
      return { ...state, deep: message };
    case "game": {
      const room = heardGame(state.rooms[message.id], message, now);
      if (!room) return state;
      const isNew = !state.rooms[message.id] && !message.result && message.id !== state.resumed;
      return {
        ...state,
        rooms: { ...state.rooms, [message.id]: room },
        arrived: isNew ? message.id : state.arrived,
      };
    }
    case "leftGame": {
      const { [message.gameId]: _, ...rooms } = state.rooms;
      return { ...state, rooms };
    }
    case "botThinking":
    case "botQueued":
    case "drawOffer":
    case "presence":
      return inRoom(state, message.gameId, (room) => heardOfGame(room, message, now));
    case "challengeEnded":
      return message.reason === "declined"
        ? noticed(state, { code: "challengeEnded", message: message.reason })
        : state;
    case "error": {
      if (state.connection.phase === "connecting") {
        // The handshake was refused: another name is to be given.
        return {
          ...state,
          connection: { phase: "idle", attempt: 0, retryAt: null, problem: message },
          me: null,
        };
      }
      const { gameId } = message;
      const after =
        gameId === undefined ? state : inRoom(state, gameId, (room) => heardOfGame(room, message, now));
      // Who asks for a game that has ended is shown its record instead.
      return message.code === "unknownGame" ? after : noticed(after, message);
    }
    default:
      return state;
  }
}

function inRoom(state: AppState, id: number, change: (room: Room) => Room): AppState {
  const room = state.rooms[id];
  return room ? { ...state, rooms: { ...state.rooms, [id]: change(room) } } : state;
}

function noticed(state: AppState, { code, message }: Omit<Notice, "id">): AppState {
  const id = (state.notices.at(-1)?.id ?? 0) + 1;
  return { ...state, notices: [...state.notices.slice(1 - MOST_NOTICES), { id, code, message }] };
}

const MOST_NOTICES = 3;
