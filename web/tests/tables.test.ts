import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shows } from "./support/board";
import { openBrowser, openTab, type Tab } from "./support/browser";
import { until } from "./support/programs";
import { startServer, type TestServer } from "./support/server";

const POSITION = "1a6/1a1a4/3A3A/8/8/8/6A1/8 w";

describe("tables", () => {
  let server: TestServer;
  let browser: Browser;
  let tab: Tab;

  beforeAll(async () => {
    server = await startServer({ arguments: ["--build-up-to", "3v3"] });
    browser = await openBrowser();
    tab = await openTab(browser);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  it("are built in sight, up to 3v3", async () => {
    const { page } = tab;
    await page.goto(`${server.url}/builds`);
    const classes = page.locator("[data-ready] li");
    const bar = page.locator("[data-class] progress");
    const seen = new Set<string>();
    const figures = new Set<string>();
    await until(async () => {
      for (const name of await classes.allTextContents()) seen.add(name);
      // In one look, since the bar goes when its class is built.
      const shown = await bar.evaluateAll((bars) =>
        bars.map((one) => `${one.getAttribute("aria-label")} ${one.getAttribute("value")}`),
      );
      for (const figure of shown) figures.add(figure);
      return seen.has("3v3");
    }, 120_000);
    expect(figures.size).toBeGreaterThan(2);
    await page.getByText("Nothing is being built.").waitFor();
  }, 130_000);

  it("show the value of every action of a 3v3 position, and play out the win", async () => {
    const { page } = tab;
    await page.goto(`${server.url}/analysis?position=${encodeURIComponent(POSITION)}`);
    await page.getByText("Tablebase 3v3").waitFor();
    const headline = page.getByText(/^White wins in \d+ pl/);
    await headline.waitFor();
    const plies = Number(/\d+/.exec((await headline.textContent())!)![0]);
    const answer = await (
      await fetch(`${server.url}/api/tablebase?position=${encodeURIComponent(POSITION)}`)
    ).json();
    expect(plies).toBe(answer.plies);
    const rows = page.locator("[data-action]");
    expect(await rows.count()).toBe(answer.actions.length);
    expect(await rows.first().getAttribute("data-action")).toBe(answer.actions[0].text);

    // A boom that is pointed at shows what would go.
    const boom = answer.actions.find((action: { text: string }) => action.text.startsWith("x"));
    await page.locator(`[data-action="${boom.text}"]`).hover();
    await shows(page, boom.text.slice(1), "would go");

    const addresses = [page.url()];
    for (let ply = plies; ply > 0; ply -= 1) {
      await page.locator("[data-table=here]").waitFor();
      await page.getByText(new RegExp(`(wins|loses) in ${ply} pl`)).waitFor();
      await page.keyboard.press("Space");
      await until(async () => page.url() !== addresses.at(-1));
      addresses.push(page.url());
    }
    await page.getByText("White wins by explosion").waitFor();

    // The address holds the position: back and forward go along the line.
    await page.goBack();
    await until(async () => page.url() === addresses.at(-2));
    await page.getByText(/wins in 1 ply/).waitFor();
    await page.goForward();
    await page.getByText("White wins by explosion").waitFor();
    await page.keyboard.press("Home");
    await headline.waitFor();
    expect(tab.complaints).toEqual([]);
  });

  it("are asked for positions that are set up on the board", async () => {
    const { page } = tab;
    await page.getByRole("button", { name: "Edit position" }).click();
    await page.getByRole("button", { name: "Clear" }).click();
    await page.locator('[data-name="a1"]').click();
    await page.locator('[data-name="a1"]').click();
    await page.getByRole("radio", { name: "Black bot" }).check();
    await page.locator('[data-name="h8"]').click();
    await page.getByRole("radio", { name: "Black", exact: true }).check();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByText("Tablebase 2v1").waitFor();
    expect(new URL(page.url()).searchParams.get("position")).toBe("7a/8/8/8/8/8/8/B7 b");
    await page.getByLabel("Position", { exact: true }).fill("nonsense");
    await page.getByRole("button", { name: "Set", exact: true }).click();
    await page.getByRole("alert").waitFor();
  });
});
