import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { enter, openBrowser, openTab, type Tab } from "./support/browser";
import { act } from "./support/games";
import { until } from "./support/programs";
import { startServer, type TestServer } from "./support/server";

describe("bots", () => {
  let server: TestServer;
  let browser: Browser;
  let ada: Tab;

  beforeAll(async () => {
    // A match takes two dozen actions at least: long enough to be looked at.
    server = await startServer({ arguments: ["--no-build", "--bot-budget-ms", "2000"] });
    browser = await openBrowser();
    ada = await openTab(browser);
    await enter(ada.page, server.url, "Ada");
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  it("play a match that is watched with what they think", async () => {
    const { page } = ada;
    await page.getByRole("button", { name: "Start a bot match" }).click();
    await page.getByRole("img", { name: /^Evaluation [+−#\d]/ }).waitFor();
    for (const team of ["white", "black"]) {
      const thought = page.locator(`[data-thought=${team}]`);
      await until(async () => /\d/.test((await thought.textContent()) ?? ""));
    }
    const moves = page.getByRole("list", { name: "Moves" }).getByRole("button");
    await until(async () => (await moves.count()) >= 3);
    // Somebody else comes by the shared address and sees the same.
    const bob = await openTab(browser);
    await enter(bob.page, page.url(), "Bob");
    await bob.page.getByRole("grid").waitFor();
    await until(
      async () => (await bob.page.getByRole("list", { name: "Moves" }).getByRole("button").count()) >= 3,
    );
    // Stepping back holds still while the match goes on.
    await page.getByRole("button", { name: "First position" }).click();
    await page.getByText("An earlier position").first().waitFor();
    await page.keyboard.press("End");
    await page
      .getByText(/to move$/)
      .first()
      .waitFor();
    await bob.context.close();
    await page.getByRole("button", { name: "To the lobby" }).click();
    await page.getByRole("heading", { name: "Bot match" }).waitFor();
  });

  it("play against a person, who may resign and ask for another game", async () => {
    const { page } = ada;
    await page.getByRole("slider").fill("1");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await act(page, "d2d3");
    await act(page, "e2e3");
    await page.getByText("Your turn", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Resign" }).click();
    await page.getByRole("button", { name: "Really resign?" }).click();
    await page.getByText("Black wins by resignation").waitFor();
    const before = page.url();
    await page.getByRole("button", { name: "Rematch" }).click();
    await until(async () => page.url() !== before);
    await act(page, "d7d6");
    expect(ada.complaints).toEqual([]);
  });
});
