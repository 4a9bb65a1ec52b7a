import { describe, expect, it } from "vitest";
import { cornerOf, nameOf, neighbour, SIDE, SQUARES, squareAt, UNIT } from "./geometry";

describe("the geometry of a board of squares", () => {
  it("finds each square where it is drawn, either way round", () => {
    for (const flipped of [false, true]) {
      for (const square of SQUARES) {
        const { x, y } = cornerOf(square, flipped);
        for (const inset of [1, 50, 99]) {
          const found = squareAt((x + inset) / (SIDE * UNIT), (y + inset) / (SIDE * UNIT), flipped);
          expect(found).toBe(square);
        }
      }
      expect(squareAt(1, 0.5, flipped)).toBeNull();
      expect(squareAt(0.5, -0.01, flipped)).toBeNull();
    }
  });

  it("goes about by arrows as they look", () => {
    const at = (name: string) => SQUARES.find((square) => nameOf(square) === name)!;
    expect(nameOf(neighbour(at("d4"), "ArrowUp", false))).toBe("d5");
    expect(nameOf(neighbour(at("d4"), "ArrowUp", true))).toBe("d3");
    expect(nameOf(neighbour(at("d4"), "ArrowLeft", true))).toBe("e4");
    expect(nameOf(neighbour(at("a1"), "ArrowLeft", false))).toBe("a1");
    expect(nameOf(neighbour(at("h8"), "Enter", false))).toBe("h8");
  });
});
