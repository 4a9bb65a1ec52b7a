import type { Described, Played, Replayed } from "../../rules-wasm/bindings/rules";
import type { Action, State } from "../protocol";

/** What was asked for, or a sentence that says why there is none. */
export type Answer<T> = { ok: T; error?: undefined } | { ok?: undefined; error: string };

/** The rules: the Rust crate, compiled to WebAssembly. */
export interface Rules {
  /** What can be done in a position, given as text or as the name of a start. */
  describe(position: string): Answer<Described>;
  /** Where an action leads. */
  play(position: string, action: Action): Answer<Played>;
  /** Every position of a game. */
  replay(start: string, history: readonly string[]): Answer<Replayed>;
  /** The position of stacks that were put down one by one. */
  place(state: Pick<State, "turn" | "board">): Answer<Described>;
}

/** The questions, by the names of the exports. */
export type Question = "describe" | "play" | "replay" | "place";

type Exports = {
  memory: WebAssembly.Memory;
  allocate(bytes: number): number;
  release(memory: number, bytes: number): void;
} & Record<Question, (question: number, bytes: number) => number>;

/** Asks an instance; JSON text in, JSON text out. */
export function asker(instance: WebAssembly.Instance): (name: Question, question: string) => string {
  const exports = instance.exports as unknown as Exports;
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  return (name, text) => {
    const question = encoder.encode(text);
    const asked = exports.allocate(question.length);
    // The memory may have grown, so that its buffer is another one after each call.
    new Uint8Array(exports.memory.buffer).set(question, asked);
    const answered = exports[name](asked, question.length);
    exports.release(asked, question.length);
    const length = new DataView(exports.memory.buffer).getUint32(answered, true);
    const answer = decoder.decode(new Uint8Array(exports.memory.buffer, answered + 4, length));
    exports.release(answered, length + 4);
    return answer;
  };
}

/** The rules of an instance. Positions that were described lately are remembered. */
export function rulesOf(instance: WebAssembly.Instance): Rules {
  const ask = asker(instance);
  const put = <T>(name: Question, question: unknown): Answer<T> => {
    const reply = JSON.parse(ask(name, JSON.stringify(question)));
    return "ok" in reply ? { ok: reply.ok } : { error: reply.error };
  };
  const described = new Map<string, Answer<Described>>();
  return {
    describe(position) {
      const known = described.get(position);
      if (known) return known;
      const answer = put<Described>("describe", { position });
      if (described.size >= REMEMBERED) described.delete(described.keys().next().value as string);
      described.set(position, answer);
      return answer;
    },
    play: (position, action) => put("play", { position, action }),
    replay: (start, history) => put("replay", { start, history }),
    place: (state) => put("place", state),
  };
}

const REMEMBERED = 512;
