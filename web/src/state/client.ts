import { endpoints } from "../connection/endpoint";
import { GameSocket } from "../connection/socket";
import { type Action, type ClientMessage, PROTOCOL_VERSION, type ServerMessage } from "../protocol";
import { sideOf } from "./room";
import { readSession, type Session, writeName, writeSession } from "./session";
import { dispatch, useApp } from "./store";

let session: Session | { name: string; token?: undefined } | null = readSession();
let sent = 0;

const socket = new GameSocket(endpoints(window.location, import.meta.env.VITE_WS_URL), {
  connecting: (attempt) => dispatch({ type: "connecting", attempt }),
  opened() {
    if (!session) return;
    const { name, token } = session;
    send({
      type: "handshake",
      name,
      protocolVersion: PROTOCOL_VERSION,
      ...(token ? { resumeToken: token } : {}),
    });
  },
  received,
  lost(_, wait) {
    dispatch({ type: "lost", retryAt: wait === null ? null : Date.now() + wait });
  },
});

/** Connects under a name, or goes on with the session of this tab; says whether there was one. */
export function signIn(name?: string): boolean {
  if (name !== undefined) session = { name };
  if (!session) return false;
  socket.start();
  return true;
}

export function signOut(): void {
  socket.stop();
  session = null;
  writeSession(null);
  dispatch({ type: "signedOut" });
}

/** Sends a message, if there is a connection. */
export function send(message: ClientMessage): boolean {
  return socket.send(message);
}

/** Takes an action in a game. It is sent again after a lost connection, and counts once. */
export function act(gameId: number, revision: number, action: Action): void {
  sent += 1;
  const pending = { id: `${Date.now().toString(36)}-${sent}`, revision, action };
  dispatch({ type: "acted", gameId, pending });
  sendPending(gameId);
}

/** Asks for a game; its whole state comes. Only so many can be watched, and the oldest makes room. */
export function watch(gameId: number): void {
  const { rooms, me } = useApp.getState();
  const others = Object.values(rooms).filter(
    ({ game }) => game.id !== gameId && sideOf(game, me?.id) === null,
  );
  if (others.length >= MOST_WATCHED) send({ type: "leaveGame", gameId: others[0]!.game.id });
  send({ type: "spectate", gameId });
}

function received(message: ServerMessage): void {
  const before = useApp.getState();
  dispatch({ type: "received", message, now: Date.now() });
  const { rooms, connection } = useApp.getState();
  if (message.type === "welcome") {
    session = { name: message.name, token: message.resumeToken };
    writeSession(session);
    writeName(message.name);
    // Whoever was watched goes on being watched; the game we play comes by itself.
    for (const room of Object.values(before.rooms)) {
      if (room.game.id !== message.playing && !room.game.result) watch(room.game.id);
    }
  } else if (message.type === "game") {
    if (rooms[message.id]?.isStale) watch(message.id);
    else if (message.history) sendPending(message.id);
  } else if (message.type === "error" && connection.phase === "idle") {
    socket.stop();
    session = null;
    writeSession(null);
  }
}

function sendPending(gameId: number): void {
  const pending = useApp.getState().rooms[gameId]?.pending;
  if (!pending) return;
  const { action, revision, id } = pending;
  send({ type: "gameAction", gameId, action, revision, actionId: id });
}

const MOST_WATCHED = 8;

window.addEventListener("online", () => socket.wake());
window.addEventListener("focus", () => socket.wake());
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") socket.wake();
});
