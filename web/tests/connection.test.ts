import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { click, middle, shows, square } from "./support/board";
import { enter, openBrowser, openTab, type Tab } from "./support/browser";
import { act, beginGame } from "./support/games";
import { type Network, openNetwork } from "./support/proxy";
import { startServer, type TestServer } from "./support/server";

describe("a game goes on", () => {
  let server: TestServer;
  let network: Network;
  let browser: Browser;
  let ada: Tab;
  let bob: Tab;

  beforeAll(async () => {
    server = await startServer();
    network = await openNetwork(server.port);
    browser = await openBrowser();
    ada = await openTab(browser);
    bob = await openTab(browser);
    await enter(ada.page, network.url, "Ada");
    await enter(bob.page, server.url, "Bob");
    await beginGame(ada.page, bob.page, "Bob");
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
    await server?.stop();
  });

  const isUp = (tab: Tab) => tab.page.getByText("Connection lost").waitFor({ state: "detached" });

  it("when the network is cut and comes back", async () => {
    await act(ada.page, "d2d3");
    network.cut();
    await ada.page.getByText("Connection lost").first().waitFor();
    await bob.page.getByText("away").first().waitFor();
    await act(bob.page, "e7e6");
    network.mend();
    await isUp(ada);
    await ada.page.getByText("Your turn", { exact: true }).waitFor();
    await shows(ada.page, "e6", "e6, Black, 1 bot");
  });

  it("and an action that was sent meanwhile counts once", async () => {
    network.cut();
    await ada.page.getByText("Connection lost").first().waitFor();
    await click(ada.page, "d3");
    await click(ada.page, "d4");
    await ada.page.getByText("Sending…").waitFor();
    network.mend();
    await act(bob.page, "e6e5");
    await ada.page.getByText("Your turn", { exact: true }).waitFor();
    const moves = ada.page.getByRole("list", { name: "Moves" }).getByRole("button");
    expect(await moves.allTextContents()).toEqual(["1d2d3", "1e7e6", "1d3d4", "1e6e5"]);
  });

  it("when the server restarts", async () => {
    await server.restart();
    await Promise.all([isUp(ada), isUp(bob)]);
    await act(ada.page, "d4c4");
    await act(bob.page, "e5f5");
    await shows(bob.page, "c4", "c4, White, 1 bot");
    await shows(ada.page, "f5", "f5, Black, 1 bot");
  });

  it("when the page is loaded again", async () => {
    await ada.page.reload();
    await act(ada.page, "c4d4");
    await act(bob.page, "f5e5");
  });

  it("in a tab that was in the background", async () => {
    const other = await ada.context.newPage();
    await other.bringToFront();
    // What a browser does to a tab nobody sees: its connection is lost without a word.
    network.cut();
    await ada.page.waitForTimeout(200);
    network.mend();
    await other.close();
    await ada.page.bringToFront();
    await ada.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await act(ada.page, "d4d5");
    await act(bob.page, "h7h6");
    await shows(ada.page, "h6", "h6, Black, 1 bot");
  });

  it("after the board was resized and scrolled", async () => {
    await ada.page.setViewportSize({ width: 620, height: 420 });
    await ada.page.mouse.wheel(0, 120);
    await square(ada.page, "h2").scrollIntoViewIfNeeded();
    const { x, y } = await middle(ada.page, "h2");
    await ada.page.mouse.click(x, y);
    expect(await square(ada.page, "h2").getAttribute("aria-selected")).toBe("true");
    expect([...ada.complaints, ...bob.complaints]).toEqual([]);
  });
});
