import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { endpoints } from "./endpoint";
import { backOff, CONNECTED_ELSEWHERE, GameSocket } from "./socket";

class FakeSocket {
  readyState = 0;
  sent: string[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  constructor(readonly url: string) {}
  send(text: string) {
    this.sent.push(text);
  }
  close() {
    this.readyState = 3;
  }
  open() {
    this.readyState = 1;
    this.onopen?.();
  }
}

describe("the socket", () => {
  let sockets: FakeSocket[];
  const heard: string[] = [];
  const make = (...urls: string[]) =>
    new GameSocket(
      urls,
      {
        connecting: (attempt) => heard.push(`connecting ${attempt}`),
        opened: () => heard.push("opened"),
        received: (message) => heard.push(message.type),
        lost: (code, wait) => heard.push(`lost ${code} ${wait}`),
      },
      {
        open(url) {
          const socket = new FakeSocket(url);
          sockets.push(socket);
          return socket as unknown as WebSocket;
        },
        random: () => 1,
      },
    );

  beforeEach(() => {
    vi.useFakeTimers();
    sockets = [];
    heard.length = 0;
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("comes back after a while, twice as long each time", () => {
    make("ws://a").start();
    sockets[0]!.onclose?.({ code: 1006 });
    vi.advanceTimersByTime(500);
    sockets[1]!.onclose?.({ code: 1006 });
    expect(heard).toEqual(["connecting 1", "lost 1006 500", "connecting 2", "lost 1006 1000"]);
    vi.advanceTimersByTime(1000);
    sockets[2]!.open();
    sockets[2]!.onmessage?.({ data: '{"type":"welcome"}' });
    sockets[2]!.onclose?.({ code: 1001 });
    expect(heard.slice(-3)).toEqual(["opened", "welcome", "lost 1001 500"]);
    expect([1, 2, 5, 9].map((attempt) => backOff(attempt, 0))).toEqual([250, 500, 4000, 5000]);
  });

  it("asks whether anybody is there, and gives a dead connection up", () => {
    make("ws://a").start();
    sockets[0]!.open();
    vi.advanceTimersByTime(20_000);
    expect(sockets[0]!.sent).toEqual(['{"type":"ping"}']);
    sockets[0]!.onmessage?.({ data: '{"type":"pong"}' });
    vi.advanceTimersByTime(30_000);
    expect(heard.at(-1)).toMatch(/^lost 1006/);
    expect(heard).not.toContain("pong");
  });

  it("connects at once when the page is looked at again", () => {
    const socket = make("ws://a");
    socket.start();
    sockets[0]!.open();
    socket.wake();
    vi.advanceTimersByTime(3_000);
    expect(heard.at(-1)).toMatch(/^lost/);
    socket.wake();
    expect(sockets).toHaveLength(2);
  });

  it("tries each endpoint and stays with the one that answers", () => {
    make("ws://a", "ws://b").start();
    sockets[0]!.onclose?.({ code: 1006 });
    vi.advanceTimersByTime(0);
    sockets[1]!.open();
    sockets[1]!.onclose?.({ code: 1001 });
    vi.advanceTimersByTime(10_000);
    expect(sockets.map((socket) => socket.url)).toEqual(["ws://a", "ws://b", "ws://b"]);
  });

  it("does not throw another tab of the same user out, and stays away after a stop", () => {
    const socket = make("ws://a");
    socket.start();
    sockets[0]!.open();
    sockets[0]!.onclose?.({ code: CONNECTED_ELSEWHERE });
    expect(heard.at(-1)).toBe(`lost ${CONNECTED_ELSEWHERE} null`);
    socket.wake();
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(1);
    expect(socket.send({ type: "ping" })).toBe(false);
  });
});

describe("endpoints", () => {
  const page = (protocol: string, host: string) => ({ protocol, host, hostname: host.split(":")[0]! });

  it("are the page's own origin and port 8008 of its host, encrypted where the page is", () => {
    expect(endpoints(page("http:", "localhost:5173"))).toEqual([
      "ws://localhost:5173/ws",
      "ws://localhost:8008/ws",
    ]);
    expect(endpoints(page("https:", "example.org"))).toEqual([
      "wss://example.org/ws",
      "wss://example.org:8008/ws",
    ]);
    expect(endpoints(page("http:", "localhost:8008"))).toEqual(["ws://localhost:8008/ws"]);
    expect(endpoints(page("https:", "example.org"), "wss://game.example/ws")).toEqual([
      "wss://game.example/ws",
    ]);
  });
});
