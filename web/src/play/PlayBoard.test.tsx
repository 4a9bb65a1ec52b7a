import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { rules } from "../rules/rules";
import { loadRealRules } from "../test/rules";
import { PlayBoard } from "./PlayBoard";

const POSITION = "8/8/8/3a4/2C5/8/8/A6A w";

describe("a board to play on", () => {
  beforeAll(loadRealRules);
  afterEach(cleanup);

  const show = (isEnabled = true) => {
    const onAction = vi.fn();
    render(
      <PlayBoard
        described={rules().describe(POSITION).ok!}
        flipped={false}
        isEnabled={isEnabled}
        isReadOnly={false}
        last={null}
        effect={null}
        hint={null}
        status=""
        onAction={onAction}
      />,
    );
    return onAction;
  };
  const cell = (label: RegExp) => screen.getByRole("gridcell", { name: label });
  const press = (key: string, on: Element = document.body) => fireEvent.keyDown(on, { key });
  const choose = (label: RegExp) => {
    fireEvent.focus(cell(label));
    press("Enter", cell(label));
  };

  it("is played by keys: a stack, a count, a target", () => {
    const onAction = show();
    choose(/^c4/);
    expect(cell(/^c4/).getAttribute("aria-selected")).toBe("true");
    expect(cell(/^c7/).getAttribute("aria-label")).toContain("target");
    press("2");
    expect(screen.getByText("2 of 3")).toBeTruthy();
    press("+");
    expect(screen.getByText("3 of 3")).toBeTruthy();
    press("-");
    choose(/^c7/);
    expect(onAction).toHaveBeenCalledWith({ source: { x: 2, y: 3 }, target: { x: 2, y: 6 }, count: 2 });
  });

  it("shows a boom before it happens", () => {
    const onAction = show();
    choose(/^c4/);
    press("b");
    expect(cell(/^d5/).getAttribute("aria-label")).toBe("d5, Black, 1 bot, would go");
    press("Escape");
    expect(cell(/^d5/).getAttribute("aria-label")).toBe("d5, Black, 1 bot");
    choose(/^c4/);
    press("b");
    press("Enter", cell(/^h8/));
    expect(onAction).toHaveBeenCalledWith({ source: { x: 2, y: 3 }, target: { x: 2, y: 3 }, count: 0 });
  });

  it("needs two taps of a finger for a boom", () => {
    const onAction = show();
    choose(/^c4/);
    fireEvent.click(screen.getByRole("button", { name: /^Boom/ }));
    expect(onAction).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole("button", { name: /^Boom!/ }));
    expect(onAction).toHaveBeenCalledOnce();
  });

  it("gives nothing to choose to whom it is not the turn of", () => {
    const onAction = show(false);
    choose(/^c4/);
    expect(cell(/^c4/).getAttribute("aria-selected")).toBe("false");
    expect(onAction).not.toHaveBeenCalled();
  });
});
