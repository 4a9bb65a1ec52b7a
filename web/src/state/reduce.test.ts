import { describe, expect, it } from "vitest";
import type { Game, ServerMessage } from "../protocol";
import { type AppState, INITIAL } from "./model";
import { reduce } from "./reduce";
import { sideOf, timeLeft } from "./room";

const NOW = 1_000_000;
const seat = (id: number | null, name: string) => ({ id, name, connected: true });

function game(change: Partial<Game> = {}): ServerMessage {
  return {
    type: "game",
    id: 3,
    game: "boombots",
    players: { white: seat(1, "Ada"), black: seat(2, "Bob") },
    state: { turn: "white", board: [], position: "p0" },
    revision: 0,
    lastAction: null,
    result: null,
    clocks: null,
    botEvaluations: { white: null, black: null },
    drawOffer: null,
    ...change,
  };
}

const whole = (change: Partial<Game> = {}) => game({ start: "standard", history: [], ...change });
const action = (revision: number, text: string, actionId?: string) =>
  game({
    revision,
    state: { turn: "black", board: [], position: `p${revision}` },
    lastAction: {
      team: "white",
      action: { source: { x: 0, y: 1 }, count: 0 },
      text,
      ...(actionId ? { actionId } : {}),
    },
  });

function after(...messages: ServerMessage[]): AppState {
  const signedIn: AppState = {
    ...INITIAL,
    connection: { ...INITIAL.connection, phase: "online" },
    me: { id: 1, name: "Ada" },
  };
  return messages.reduce(
    (state, message) => reduce(state, { type: "received", message, now: NOW }),
    signedIn,
  );
}

const pending = (id: string, revision: number) =>
  ({
    type: "acted",
    gameId: 3,
    pending: { id, revision, action: { source: { x: 0, y: 1 }, count: 0 } },
  }) as const;
const received = (message: ServerMessage) => ({ type: "received", message, now: NOW }) as const;

describe("a room", () => {
  it("grows by an action for each revision, and hears each once", () => {
    const state = after(whole(), action(1, "xa2"), action(1, "xa2"), action(2, "xh7"));
    expect(state.rooms[3]?.history).toEqual(["xa2", "xh7"]);
    expect(state.rooms[3]?.isStale).toBe(false);
  });

  it("is stale when a revision was missed, until the whole game comes", () => {
    const missed = after(whole(), action(2, "xh7"));
    expect(missed.rooms[3]?.isStale).toBe(true);
    const resynced = reduce(missed, received(whole({ revision: 2, history: ["xa2", "xh7"] })));
    expect(resynced.rooms[3]).toMatchObject({ isStale: false, history: ["xa2", "xh7"] });
  });

  it("ends by resignation without another action", () => {
    const result = { winner: "black", reason: "resignation" } as const;
    const state = after(
      whole(),
      action(1, "xa2"),
      game({ revision: 2, state: { turn: "black", board: [], position: "p1" }, result }),
    );
    expect(state.rooms[3]).toMatchObject({ history: ["xa2"], game: { result } });
  });

  it("keeps an action that was not answered over a lost connection, and only that one", () => {
    const sent = reduce(after(whole()), pending("mine", 0));
    expect(reduce(sent, received(whole())).rooms[3]?.pending?.id).toBe("mine");
    expect(reduce(sent, received(whole({ revision: 1, history: ["xa2"] }))).rooms[3]?.pending).toBeNull();
    expect(reduce(sent, received(action(1, "xa2", "mine"))).rooms[3]?.pending).toBeNull();
  });

  it("takes a refused action back and says why", () => {
    const sent = reduce(after(whole()), pending("mine", 0));
    const error = {
      type: "error",
      code: "illegalAction",
      message: "no",
      gameId: 3,
      actionId: "mine",
    } as const;
    const state = reduce(sent, received(error));
    expect(state.rooms[3]?.pending).toBeNull();
    expect(state.notices).toMatchObject([{ message: "no" }]);
  });

  it("knows who is away, who thinks, and who offers a draw", () => {
    const state = after(
      whole(),
      { type: "presence", gameId: 3, team: "black", connected: false, graceMs: 5000 },
      { type: "botThinking", gameId: 3, team: "black", budgetMs: 700 },
      { type: "drawOffer", gameId: 3, team: "white" },
    );
    expect(state.rooms[3]).toMatchObject({
      away: { black: NOW + 5000 },
      thinking: { team: "black", until: NOW + 700 },
      game: { drawOffer: "white" },
    });
    const back = reduce(state, received({ type: "presence", gameId: 3, team: "black", connected: true }));
    expect(back.rooms[3]?.away).toEqual({});
  });

  it("counts the clock of the side to move down", () => {
    const clocks = { whiteMs: 5000, blackMs: 6000, incrementMs: 0, running: "white" as const };
    const room = after(whole({ clocks })).rooms[3]!;
    expect(timeLeft(room, "white", NOW + 1500)).toBe(3500);
    expect(timeLeft(room, "black", NOW + 1500)).toBe(6000);
    expect(timeLeft(room, "white", NOW + 9000)).toBe(0);
    expect([sideOf(room.game, 1), sideOf(room.game, 2), sideOf(room.game, 9)]).toEqual([
      "white",
      "black",
      null,
    ]);
  });
});

describe("the client", () => {
  const welcome = (playing: number | null): ServerMessage => ({
    type: "welcome",
    id: 1,
    name: "Ada",
    resumeToken: "T",
    resumed: true,
    protocolVersion: 1,
    serverVersion: "1",
    tableClasses: [],
    playing,
  });

  it("is led to a game that begins, and not to one that went on", () => {
    expect(after(welcome(null), whole()).arrived).toBe(3);
    expect(after(welcome(3), whole()).arrived).toBeNull();
    expect(reduce(after(welcome(null), whole()), { type: "arrivedShown" }).arrived).toBeNull();
  });

  it("asks for another name when the handshake is refused", () => {
    const connecting = reduce(INITIAL, { type: "connecting", attempt: 1 });
    const refused = reduce(connecting, received({ type: "error", code: "nameTaken", message: "taken" }));
    expect(refused.connection).toMatchObject({ phase: "idle", problem: { code: "nameTaken" } });
  });

  it("waits while the connection is lost, and forgets everything on leaving", () => {
    const waiting = reduce(after(whole()), { type: "lost", retryAt: NOW });
    expect(waiting.connection).toMatchObject({ phase: "waiting", retryAt: NOW });
    expect(waiting.rooms[3]).toBeDefined();
    expect(reduce(waiting, { type: "signedOut" })).toEqual(INITIAL);
    expect(reduce(waiting, { type: "lost", retryAt: null }).connection.phase).toBe("ended");
  });

  it("leaves a game, and ignores what it does not know", () => {
    expect(after(whole(), { type: "leftGame", gameId: 3 }).rooms).toEqual({});
    const strange = { type: "somethingNew" } as unknown as ServerMessage;
    expect(after(strange)).toEqual(after());
  });
});
