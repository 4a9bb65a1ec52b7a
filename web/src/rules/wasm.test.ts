import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { asker, type Question, rulesOf } from "./wasm";

// Another file than the committed one is checked when it was built anew.
const FILE = process.env.BOOMBOTS_RULES_WASM ?? "rules-wasm/rules.wasm";
const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(FILE)));

describe("the rules as WebAssembly", () => {
  it("answer the corpus exactly as the Rust crate does", () => {
    const ask = asker(instance);
    const lines = readFileSync("rules-wasm/corpus.txt", "utf8").trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(500);
    for (const line of lines) {
      const [, name, digest, question] = /^(\w+) (\w+) (.*)$/.exec(line)!;
      const answer = ask(name as Question, question!);
      const found = createHash("sha256").update(answer).digest("hex").slice(0, 16);
      expect(found, `${name} ${question} → ${answer}`).toBe(digest);
    }
  });

  it("say what can be done, and why something cannot", () => {
    const rules = rulesOf(instance);
    const start = rules.describe("standard").ok!;
    expect(start.bots).toEqual({ white: 16, black: 16 });
    expect(start.stacks).toHaveLength(16);
    expect(start.stacks.find((stack) => stack.square === 8)?.targets).toEqual([0, 9, 16]);
    const after = rules.play("standard", { source: { x: 0, y: 1 }, target: { x: 0, y: 2 }, count: 1 });
    expect(after.ok?.text).toBe("1a2a3");
    const illegal = rules.play("standard", { source: { x: 0, y: 1 }, target: { x: 2, y: 2 }, count: 1 });
    expect(illegal.error).toContain("a2");
    expect(rules.describe("nonsense").error).toBeTruthy();
    expect(rules.describe("standard")).toBe(rules.describe("standard"));
  });

  it("tell a boom's waves outward from its source", () => {
    const described = rulesOf(instance).describe("8/8/8/3a4/2B5/8/8/A6A w").ok!;
    const boom = described.stacks.find((stack) => stack.square === 26)!.boom;
    expect(boom).toEqual({ waves: [[26], [35]], losses: { white: 2, black: 1 } });
  });
});
