import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ClientMessage, DeepAnalysis } from "../protocol";
import { INITIAL } from "../state/model";
import { useApp } from "../state/store";
import { DeepPanel } from "./DeepPanel";

const sent = vi.hoisted((): ClientMessage[] => []);
vi.mock("../state/client", () => ({ send: (message: ClientMessage) => sent.push(message) > 0 }));

const RUNNING: DeepAnalysis = {
  position: "p",
  by: "cluster",
  state: "running",
  whiteScore: 341,
  mateIn: null,
  proved: null,
  lines: [
    {
      whiteScore: 341,
      mateIn: null,
      proved: { value: "win", plies: 7, exact: false },
      action: { source: { x: 0, y: 0 }, target: { x: 0, y: 1 }, count: 1 },
      line: ["1a1a2", "1h8h7"],
    },
    {
      whiteScore: null,
      mateIn: null,
      proved: null,
      action: { source: { x: 0, y: 0 }, target: { x: 1, y: 0 }, count: 1 },
      line: ["1a1b1"],
    },
  ],
  jobs: 12,
  nodes: 9_121_034,
  workers: ["forge", "anvil"],
  timeMs: 12_400,
  waiting: null,
  problem: null,
};

describe("the panel of deep analyses", () => {
  afterEach(() => {
    cleanup();
    sent.length = 0;
    vi.useRealTimers();
  });

  const onAction = vi.fn();
  const panel = (position: string) => (
    <DeepPanel position={position} turn="black" isOver={false} onHint={() => {}} onAction={onAction} />
  );
  const hear = (change: Partial<DeepAnalysis>) =>
    useApp.setState({
      ...INITIAL,
      connection: { ...INITIAL.connection, phase: "online" },
      deep: { ...RUNNING, ...change },
    });
  const show = (change: Partial<DeepAnalysis> = {}) => {
    vi.useFakeTimers();
    hear(change);
    const shown = render(panel("p"));
    fireEvent.click(screen.getByRole("button", { name: "Analyse deeply" }));
    return shown;
  };

  it("shows who works on it, and lines that can be played", () => {
    show();
    screen.getByText("cluster: forge, anvil · 12 jobs · 9.1M positions · 12 s");
    fireEvent.click(screen.getByText("1a1a2 1h8h7"));
    expect(onAction).toHaveBeenCalledWith(RUNNING.lines[0]!.action);
    const [first, second] = screen.getAllByRole("listitem");
    expect(first!.textContent).toBe("+3.4wins1a1a2 1h8h7");
    expect(second!.textContent).toBe("1a1b1");
  });

  it("asks for where whoever steps through a line ends, and ends what is left", () => {
    const { rerender, unmount } = show();
    rerender(panel("q"));
    rerender(panel("r"));
    vi.advanceTimersByTime(1_000);
    const asked = sent.filter(({ type }) => type === "deepAnalyze");
    expect(asked).toEqual([{ type: "deepAnalyze", position: "r" }]);
    unmount();
    expect(sent.at(-1)).toEqual({ type: "endDeepAnalysis" });
  });

  it("says what is certain, and of whom", () => {
    show({ state: "done", proved: { value: "loss", plies: 6, exact: true } });
    expect(screen.getByRole("status").textContent).toBe("Black loses in 6 plies, by the tables");
    expect(screen.queryByRole("button", { name: "Go on" })).toBeNull();
  });

  it("says why nothing happens, and goes on where it ended undecided", () => {
    const { rerender } = show({ waiting: "no worker is there", problem: "the line is cut" });
    screen.getByText("Waiting: no worker is there.");
    expect(screen.getByRole("alert").textContent).toBe("the line is cut");
    hear({ state: "done" });
    rerender(panel("p"));
    vi.advanceTimersByTime(1_000);
    fireEvent.click(screen.getByRole("button", { name: "Go on" }));
    vi.advanceTimersByTime(1_000);
    expect(sent.filter(({ type }) => type === "deepAnalyze").length).toBe(2);
  });
});
