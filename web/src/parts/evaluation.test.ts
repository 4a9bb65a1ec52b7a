import { describe, expect, it } from "vitest";
import { clockText, durationText } from "../text/text";
import { evaluationText, shareOf } from "./evaluation";
import { evaluationOfTable } from "./useTable";

describe("figures for people", () => {
  it("tell judgements in bots and ends in moves", () => {
    const text = (whiteScore: number, mateIn: number | null = null) => evaluationText({ whiteScore, mateIn });
    expect([text(0), text(4), text(120), text(-250)]).toEqual(["0.0", "0.0", "+1.2", "−2.5"]);
    expect([text(999_991, 5), text(-999_998, -1)]).toEqual(["#5", "−#1"]);
    expect(shareOf({ whiteScore: 0, mateIn: null })).toBe(0.5);
    expect(shareOf({ whiteScore: 999_991, mateIn: 5 })).toBe(1);
  });

  it("tell a table's value from White's side", () => {
    const answer = (value: "win" | "loss" | "draw", plies: number | null) => ({
      position: "",
      class: "2v1",
      value,
      plies,
    });
    expect(evaluationOfTable("white", answer("win", 5))).toEqual({ whiteScore: 999_995, mateIn: 3 });
    expect(evaluationOfTable("white", answer("loss", 4))).toEqual({ whiteScore: -999_996, mateIn: -2 });
    expect(evaluationOfTable("black", answer("loss", 4))).toEqual({ whiteScore: 999_996, mateIn: 2 });
    expect(evaluationOfTable("black", answer("draw", null))).toEqual({ whiteScore: 0, mateIn: null });
    expect(evaluationOfTable("black", null)).toBeNull();
  });

  it("tell times", () => {
    expect([0, 9_540, 60_000, 3_725_000].map(clockText)).toEqual(["0:00.0", "0:09.5", "1:00", "1:02:05"]);
    expect([4.4, 75, 7300].map(durationText)).toEqual(["4 s", "1 min 15 s", "2 h 2 min"]);
  });
});
