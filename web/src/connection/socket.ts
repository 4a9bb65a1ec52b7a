import type { ClientMessage, ServerMessage } from "../protocol";

/** What happens to the connection. */
export interface SocketListener {
  /** An attempt begins. */
  connecting(attempt: number): void;
  /** A connection is open; the handshake is to be sent. */
  opened(): void;
  /** A message came. */
  received(message: ServerMessage): void;
  /** The connection is gone. With `retryInMs` another attempt follows by itself. */
  lost(code: number, retryInMs: number | null): void;
}

/** What a socket needs of the world; tests bring their own. */
export interface SocketWorld {
  open(url: string): WebSocket;
  random(): number;
}

/**
 * A connection that comes back by itself, and notices when nobody is there any more. Of several
 * endpoints the first that answers is kept.
 */
export class GameSocket {
  private socket: WebSocket | null = null;
  private attempt = 0;
  private retry: Timer;
  private probe: Timer;
  private deadline: Timer;
  private stopped = true;

  constructor(
    private urls: readonly string[],
    private readonly listener: SocketListener,
    private readonly world: SocketWorld = BROWSER,
  ) {}

  /** Connects, and keeps connected until `stop`. */
  start(): void {
    this.stopped = false;
    this.attempt = 0;
    this.connect();
  }

  /** Disconnects for good. */
  stop(): void {
    this.stopped = true;
    this.drop();
  }

  /** Sends, if the connection is open; says whether it did. */
  send(message: ClientMessage): boolean {
    if (this.socket?.readyState !== OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** The network or the page is back: connects at once, or asks whether the other end still hears. */
  wake(): void {
    if (this.stopped) return;
    if (this.socket?.readyState === OPEN) this.ask(WAKE_PATIENCE_MS);
    else if (!this.socket) this.connect();
  }

  private connect(): void {
    this.drop();
    this.attempt += 1;
    this.listener.connecting(this.attempt);
    const url = this.urls[(this.attempt - 1) % this.urls.length]!;
    const socket = this.world.open(url);
    this.socket = socket;
    this.deadline = setTimeout(() => this.fail(socket, ABNORMAL), CONNECT_PATIENCE_MS);
    socket.onopen = () => {
      clearTimeout(this.deadline);
      this.urls = [url];
      this.listener.opened();
      this.probe = setTimeout(() => this.ask(PATIENCE_MS), PROBE_AFTER_MS);
    };
    socket.onmessage = (event) => this.heard(JSON.parse(String(event.data)) as ServerMessage);
    socket.onclose = (event) => this.fail(socket, event.code);
  }

  private heard(message: ServerMessage): void {
    clearTimeout(this.probe);
    clearTimeout(this.deadline);
    this.probe = setTimeout(() => this.ask(PATIENCE_MS), PROBE_AFTER_MS);
    if (message.type === "welcome") this.attempt = 0;
    if (message.type !== "pong") this.listener.received(message);
  }

  /** Browsers do not show the server's pings, so that a dead connection is only found by asking. */
  private ask(patience: number): void {
    const socket = this.socket;
    if (!socket || !this.send({ type: "ping" })) return;
    clearTimeout(this.deadline);
    this.deadline = setTimeout(() => this.fail(socket, ABNORMAL), patience);
  }

  private fail(socket: WebSocket, code: number): void {
    if (socket !== this.socket) return;
    this.drop();
    if (this.stopped) return;
    if (FINAL_CODES.includes(code)) {
      this.stopped = true;
      this.listener.lost(code, null);
      return;
    }
    // Each endpoint is tried once before anything is waited for.
    const isUntried = this.urls.length > 1 && this.attempt < this.urls.length;
    const wait = isUntried ? 0 : backOff(this.attempt, this.world.random());
    this.retry = setTimeout(() => this.connect(), wait);
    this.listener.lost(code, wait);
  }

  private drop(): void {
    for (const timer of [this.retry, this.probe, this.deadline]) clearTimeout(timer);
    const socket = this.socket;
    this.socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }
}

/** Milliseconds before an attempt: twice as long each time, between bounds, and not all clients at once. */
export function backOff(attempt: number, random: number): number {
  const bound = Math.min(LONGEST_WAIT_MS, SHORTEST_WAIT_MS * 2 ** Math.max(0, attempt - 1));
  return Math.round(bound * (0.5 + random / 2));
}

type Timer = ReturnType<typeof setTimeout> | undefined;

const BROWSER: SocketWorld = { open: (url) => new WebSocket(url), random: Math.random };
const OPEN = 1;
const ABNORMAL = 1006;
const SHORTEST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
const CONNECT_PATIENCE_MS = 10_000;
const PROBE_AFTER_MS = 20_000;
const PATIENCE_MS = 10_000;
const WAKE_PATIENCE_MS = 3_000;
/** The user is connected from elsewhere: two tabs would throw each other out for ever. */
export const CONNECTED_ELSEWHERE = 4000;
const FINAL_CODES = [CONNECTED_ELSEWHERE];
