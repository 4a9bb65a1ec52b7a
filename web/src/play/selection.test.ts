import { beforeAll, describe, expect, it } from "vitest";
import { nameOf, SQUARES } from "../board/geometry";
import { type Described, rules } from "../rules/rules";
import { loadRealRules } from "../test/rules";
import { boomOf, choose, doomedBy, moveOf, withCount } from "./selection";

const at = (name: string) => SQUARES.find((square) => nameOf(square) === name)!;

describe("a selection", () => {
  let described: Described;
  beforeAll(() => {
    loadRealRules();
    described = rules().describe("8/8/8/3a4/2C5/8/8/A6A w").ok!;
  });

  it("is a stack of the side to move, whole at first", () => {
    expect(choose(described, null, at("c4"))).toEqual({
      selection: { source: at("c4"), count: 3, isArmed: false },
      action: null,
    });
    expect(choose(described, null, at("d5")).selection).toBeNull();
    expect(choose(described, null, at("e5")).selection).toBeNull();
  });

  it("makes an action with a target, is changed by another stack, and ends with its own", () => {
    const selected = choose(described, null, at("c4")).selection!;
    const two = withCount(described, selected, 2);
    expect(choose(described, two, at("c7")).action).toEqual({
      source: { x: 2, y: 3 },
      target: { x: 2, y: 6 },
      count: 2,
    });
    expect(choose(described, selected, at("a1")).selection?.source).toBe(at("a1"));
    expect(choose(described, selected, at("c4"))).toEqual({ selection: null, action: null });
    expect(choose(described, selected, at("h8"))).toEqual({ selection: null, action: null });
  });

  it("keeps its count between one and the height, and puts the boom away", () => {
    const armed = { source: at("c4"), count: 3, isArmed: true };
    expect(withCount(described, armed, 9)).toEqual({ ...armed, isArmed: false });
    expect(withCount(described, armed, 0).count).toBe(1);
  });

  it("knows what its boom takes, wave by wave", () => {
    expect([...doomedBy(described, at("c4"))]).toEqual([
      [at("c4"), 0],
      [at("d5"), 1],
    ]);
  });

  it("offers exactly what the rules allow", () => {
    const { position } = described.state;
    for (const stack of described.stacks) {
      const selection = { source: stack.square, count: stack.height, isArmed: false };
      for (const square of SQUARES) {
        const isLegal = rules().play(position, moveOf(selection, square)).ok !== undefined;
        expect(stack.targets.includes(square)).toBe(isLegal);
      }
      expect(rules().play(position, boomOf(selection)).ok?.boom).toEqual(stack.boom);
    }
  });
});
