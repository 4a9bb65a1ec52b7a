import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { click, said, shows, square } from "./support/board";
import { enter, openBrowser, openTab, type Tab } from "./support/browser";
import { act, BOOM_WIN, beginGame, type Hand } from "./support/games";
import { startServer, type TestServer } from "./support/server";

describe("two tabs play", () => {
  let server: TestServer;
  let browser: Browser;
  let ada: Tab;
  let bob: Tab;

  beforeAll(async () => {
    server = await startServer();
    browser = await openBrowser();
    ada = await openTab(browser);
    bob = await openTab(browser);
    await enter(ada.page, server.url, "Ada");
    await enter(bob.page, server.url, "Bob");
    await beginGame(ada.page, bob.page, "Bob");
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const playToTheEnd = async (white: Tab, black: Tab, hand: Hand) => {
    for (const [whites, blacks] of BOOM_WIN) {
      await act(white.page, whites, hand);
      await act(black.page, blacks, hand);
    }
    await act(white.page, "xd6", hand);
    for (const { page } of [white, black]) {
      await page.getByText("White wins by explosion").waitFor();
      await shows(page, "d6", "d6, empty");
      expect(await page.getByRole("log").textContent()).toContain(
        "White’s stack on d6 explodes: White loses 2 bots, Black loses 16 bots.",
      );
    }
  };

  it("to a boom win by click, with the boom shown before", async () => {
    await click(ada.page, "a2");
    await ada.page.getByRole("button", { name: /^Boom!? White/ }).hover();
    await shows(ada.page, "h1", "would go");
    expect(await said(ada.page, "h8")).not.toContain("would go");
    await ada.page.keyboard.press("Escape");
    await playToTheEnd(ada, bob, "click");
  });

  it("again with sides changed, by drag", async () => {
    await ada.page.getByRole("button", { name: "Rematch" }).click();
    await bob.page.getByRole("button", { name: "Accept" }).click();
    await playToTheEnd(bob, ada, "drag");
  });

  it("and once more, by keys alone", async () => {
    await bob.page.getByRole("button", { name: "Rematch" }).click();
    await ada.page.getByRole("button", { name: "Accept" }).click();
    await playToTheEnd(ada, bob, "keys");
    expect([...ada.complaints, ...bob.complaints]).toEqual([]);
  });

  it("and the games can be played over afterwards", async () => {
    const { page } = ada;
    await page.getByRole("link", { name: "Games", exact: true }).click();
    await page
      .getByRole("link", { name: /^Replay/ })
      .first()
      .click();
    await page.getByRole("grid").waitFor();
    await shows(page, "d6", "d6, empty");
    await page.keyboard.press("ArrowLeft");
    await shows(page, "d6", "d6, White, 2 bots");
    await page.keyboard.press("Home");
    await shows(page, "d2", "d2, White, 1 bot");
    await page.keyboard.press("f");
    expect(await square(page, "a8").boundingBox()).toMatchObject({ y: expect.any(Number) });
  });

  it("with an offer of a draw", async () => {
    for (const { page } of [ada, bob]) await page.goto(server.url);
    await beginGame(ada.page, bob.page, "Bob");
    await ada.page.getByRole("button", { name: "Offer a draw" }).click();
    await bob.page.getByRole("button", { name: "Accept draw" }).click();
    await ada.page.getByText("Draw by agreement").waitFor();
  });
});
