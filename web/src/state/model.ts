import type {
  Action,
  Analysis,
  BotEvaluations,
  Builds,
  DeepAnalysis,
  ErrorCode,
  Game,
  Lobby,
  Problem,
  Team,
} from "../protocol";

/** Everything the client knows, as plain data. */
export interface AppState {
  connection: Connection;
  /** Who we are, once the server has said so. */
  me: { id: number; name: string } | null;
  lobby: Lobby | null;
  /** Games we play or watch, by number. */
  rooms: Readonly<Record<number, Room>>;
  /** A game that has just begun and is to be shown. */
  arrived: number | null;
  /** The game that went on when we connected. */
  resumed: number | null;
  analysis: Analysis | null;
  deep: DeepAnalysis | null;
  builds: Builds | null;
  notices: readonly Notice[];
}

export interface Connection {
  /** `idle` before a name is given; `ended` when another tab took over. */
  phase: "idle" | "connecting" | "online" | "waiting" | "ended";
  /** Failed attempts in a row. */
  attempt: number;
  /** When the next attempt begins. */
  retryAt: number | null;
  /** Why the handshake was refused. */
  problem: Problem | null;
}

/** A game and what was heard of it. */
export interface Room {
  game: Game;
  start: string;
  /** The texts of all actions. */
  history: readonly string[];
  /** What bots thought, by the number of actions taken then. */
  evaluations: Readonly<Record<number, BotEvaluations>>;
  /** When the last clocks were heard. */
  heardAt: number;
  thinking: { team: Team; until: number } | null;
  queued: { team: Team; ahead: number } | null;
  /** Players who are away, and when that costs the game. */
  away: Readonly<Partial<Record<Team, number | null>>>;
  /** Our action that the server has not answered. */
  pending: Pending | null;
  /** A message was missed: the whole game is to be asked for. */
  isStale: boolean;
}

export interface Pending {
  id: string;
  revision: number;
  action: Action;
}

export interface Notice {
  id: number;
  code: ErrorCode | "challengeEnded";
  message: string;
}

export const INITIAL: AppState = {
  connection: { phase: "idle", attempt: 0, retryAt: null, problem: null },
  me: null,
  lobby: null,
  rooms: {},
  arrived: null,
  resumed: null,
  analysis: null,
  deep: null,
  builds: null,
  notices: [],
};
