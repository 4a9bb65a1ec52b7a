import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Builds } from "../../src/protocol";
import { click } from "./board";
import { enter, openTab } from "./browser";
import { act, beginGame } from "./games";
import { until } from "./programs";
import type { TestServer } from "./server";

/** A view as it is shown to be looked at. */
export interface View {
  name: string;
  open(page: Page, server: TestServer, browser: Browser, options: BrowserContextOptions): Promise<void>;
}

let users = 0;
const newName = (name: string) => {
  users += 1;
  return `${name} ${users}`;
};

export const VIEWS: readonly View[] = [
  {
    name: "connect",
    async open(page, server) {
      await page.goto(server.url);
      await page.getByRole("textbox").waitFor();
    },
  },
  {
    name: "lobby",
    async open(page, server, browser) {
      await enter(page, server.url, newName("Ada"));
      const other = await openTab(browser);
      await enter(other.page, server.url, newName("Grace"));
      await other.page
        .getByRole("button", { name: /^Challenge Ada/ })
        .last()
        .click();
      await page.getByRole("button", { name: "Accept" }).waitFor();
    },
  },
  {
    name: "game",
    async open(page, server, browser) {
      const [ada, bob] = [newName("Ada"), newName("Bob")];
      await enter(page, server.url, ada);
      const other = await openTab(browser);
      await enter(other.page, server.url, bob);
      await page.getByRole("region", { name: "Players" }).getByText("Settings of the game").click();
      await page.getByRole("region", { name: "Players" }).getByLabel("Clock").selectOption("blitz");
      await page.getByRole("region", { name: "Players" }).getByText("Settings of the game").click();
      await beginGame(page, other.page, bob);
      const game: [string, string][] = [
        ["d2d1", "e7e8"],
        ["d1d3", "e8e6"],
        ["f2f1", "c7c8"],
        ["d3d5", "b7b6"],
      ];
      for (const [white, black] of game) {
        await act(page, white);
        await act(other.page, black);
      }
      await page.getByText("Your turn", { exact: true }).waitFor();
      await click(page, "d5");
      await page.keyboard.press("b");
    },
  },
  {
    name: "watch",
    async open(page, server) {
      await enter(page, server.url, newName("Ada"));
      await page.getByRole("button", { name: "Start a bot match" }).click();
      const moves = page.getByRole("list", { name: "Moves" }).getByRole("button");
      await until(async () => (await moves.count()) >= 12, 40_000);
    },
  },
  {
    name: "analysis",
    async open(page, server) {
      const position = encodeURIComponent("8/8/8/8/8/1a6/8/A2A4 w");
      await page.goto(`${server.url}/analysis?position=${position}`);
      await page.locator("[data-table=here]").waitFor();
      await page.locator("[data-action]").first().focus();
    },
  },
  {
    name: "deep",
    async open(page, server) {
      await enter(page, server.url, newName("Ada"));
      const position = encodeURIComponent("1a4A1/8/8/4a3/B1a5/7A/5aA1/5a2 w");
      await page.goto(`${server.url}/analysis?position=${position}`);
      const panel = page.getByRole("region", { name: "Deep analysis" });
      await panel.getByRole("button", { name: "Analyse deeply" }).click();
      await panel.getByRole("listitem").nth(4).waitFor();
      await panel.scrollIntoViewIfNeeded();
    },
  },
  {
    name: "editor",
    async open(page, server) {
      await page.goto(
        `${server.url}/analysis?position=${encodeURIComponent("2d5/1b4c1/8/8/3F4/8/6C1/A6A b")}`,
      );
      await page.getByRole("button", { name: "Edit position" }).click();
    },
  },
  {
    name: "games",
    async open(page, server) {
      await page.goto(`${server.url}/games`);
      await page.getByRole("table").waitFor();
    },
  },
  {
    name: "replay",
    async open(page, server) {
      await page.goto(`${server.url}/games`);
      await page
        .getByRole("link", { name: /^Replay/ })
        .last()
        .click();
      await page.getByRole("grid").waitFor();
      await page.keyboard.press("ArrowLeft");
    },
  },
  {
    name: "builds",
    async open(page, server) {
      await page.route("**/api/builds", (route) => route.fulfill({ json: BUILDS }));
      await page.goto(`${server.url}/builds`);
      await page.getByRole("progressbar").first().waitFor();
    },
  },
  {
    name: "help",
    async open(page, server) {
      await page.goto(server.url);
      await page.getByRole("button", { name: "Keys and help" }).click();
      await page.getByRole("dialog").waitFor();
    },
  },
];

const BUILDS: Builds = {
  local: {
    enabled: true,
    ready: ["1v1", "2v1", "2v2", "3v1"],
    waiting: ["3v3"],
    current: {
      class: "3v2",
      phase: "plies",
      done: 31,
      all: 52,
      ply: 31,
      decided: 48_210_334,
      elapsedSeconds: 6.4,
      rate: 5.1,
      remainingSeconds: 4.2,
      waiting: null,
    },
    problem: null,
  },
  cluster: {
    connected: true,
    problem: null,
    classes: [
      {
        class: "4v3",
        phase: "booms",
        done: 2_410_000,
        all: 9_316_000,
        ply: 0,
        decided: 0,
        elapsedSeconds: 312,
        rate: 7720,
        remainingSeconds: 894,
        waiting: null,
      },
    ],
    published: ["1v1", "2v1", "2v2", "3v1", "3v2", "3v3", "4v1", "4v2"],
    workers: [
      {
        name: "forge",
        state: "working",
        reason: null,
        threads: 16,
        note: "4v3 booms",
        shards: ["4v3/0", "4v3/3"],
      },
      { name: "anvil", state: "working", reason: null, threads: 8, note: "4v3 booms", shards: ["4v3/1"] },
      {
        name: "tongs",
        state: "idle",
        reason: "no shard needs another worker",
        threads: 4,
        note: "",
        shards: [],
      },
    ],
    events: ["4v2 is published", "tongs joined", "4v3 is begun"],
  },
};
