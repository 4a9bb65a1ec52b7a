import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { middle, shows } from "./support/board";
import { openBrowser, openTab } from "./support/browser";
import { startServer, type TestServer } from "./support/server";

/** A window of a browser zoomed by so much: fewer and larger pixels. */
const zoomed = (percent: number): BrowserContextOptions => ({
  viewport: { width: Math.round(128_000 / percent), height: Math.round(86_000 / percent) },
  deviceScaleFactor: percent / 100,
});

const SCREENS: Record<string, BrowserContextOptions> = {
  "a phone, by touch": {
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
    deviceScaleFactor: 3,
  },
  "zoom 67 %": zoomed(67),
  "zoom 100 %": zoomed(100),
  "zoom 150 %": zoomed(150),
  "zoom 200 %": zoomed(200),
};

/** Those on which the board is tried turned round as well. */
const TURNED = ["a phone, by touch", "zoom 100 %"];

const NAMES = Array.from({ length: 64 }, (_, at) => `${"abcdefgh"[at % 8]}${Math.floor(at / 8) + 1}`);

describe("every square is hit where it is shown", () => {
  let server: TestServer;
  let browser: Browser;

  beforeAll(async () => {
    server = await startServer();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  for (const [screen, options] of Object.entries(SCREENS)) {
    const bothWays = [false, true].slice(0, TURNED.includes(screen) ? 2 : 1);
    for (const flipped of bothWays) {
      it(`${screen}${flipped ? ", flipped" : ""}`, async () => {
        const { page, context } = await openTab(browser, options);
        await page.goto(`${server.url}/analysis`);
        if (flipped) await page.keyboard.press("f");
        await page.getByRole("button", { name: "Edit position" }).click();
        // A side has at most 16 bots.
        for (let from = 0; from < 64; from += 16) {
          await page.getByRole("button", { name: "Clear" }).click();
          const names = NAMES.slice(from, from + 16);
          for (const name of names) await press(page, name, Boolean(options.hasTouch));
          for (const name of names) await shows(page, name, `${name}, White, 1 bot`);
        }
        await context.close();
      });
    }
  }

  it("and a touch moves bots without scrolling the page", async () => {
    const { page, context } = await openTab(browser, SCREENS["a phone, by touch"]);
    await page.goto(`${server.url}/analysis`);
    const before = await page.evaluate(() => window.scrollY);
    const [from, to] = [await middle(page, "c2"), await middle(page, "c3")];
    const session = await context.newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", points: { x: number; y: number }[]) =>
      session.send("Input.dispatchTouchEvent", { type, touchPoints: points });
    await touch("touchStart", [from]);
    for (let step = 1; step <= 5; step += 1) {
      await touch("touchMove", [{ x: from.x, y: from.y + ((to.y - from.y) * step) / 5 }]);
    }
    await touch("touchEnd", []);
    await shows(page, "c3", "c3, White, 1 bot");
    expect(await page.evaluate(() => window.scrollY)).toBe(before);
    await context.close();
  });
});

async function press(page: Page, name: string, byTouch: boolean): Promise<void> {
  await page.locator(`[data-name="${name}"]`).scrollIntoViewIfNeeded();
  const { x, y } = await middle(page, name);
  if (byTouch) await page.touchscreen.tap(x, y);
  else await page.mouse.click(x, y);
}
