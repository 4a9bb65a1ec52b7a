import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seriousProblems } from "./support/axe";
import { enter, openBrowser, openTab } from "./support/browser";
import { act, BOOM_WIN, beginGame } from "./support/games";
import { until } from "./support/programs";
import { startServer, type TestServer } from "./support/server";
import { VIEWS } from "./support/views";

const SIZES = {
  wide: { viewport: { width: 1280, height: 860 } },
  phone: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
};

// Those of the documentation are made anew by `make screenshots`.
const FOLDER = process.env.BOOMBOTS_SCREENSHOTS
  ? resolve("../docs/screenshots")
  : mkdtempSync(join(tmpdir(), "boombots-screenshots-"));

describe("views", () => {
  let server: TestServer;
  let browser: Browser;

  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    server = await startServer({ arguments: ["--build-up-to", "2v2", "--bot-budget-ms", "60"] });
    browser = await openBrowser();
    await until(async () => {
      const builds = await (await fetch(`${server.url}/api/builds`)).json();
      return builds.local.ready.includes("2v2");
    }, 60_000);
    const [ada, bob] = [await openTab(browser), await openTab(browser)];
    await enter(ada.page, server.url, "Ada");
    await enter(bob.page, server.url, "Bob");
    await beginGame(ada.page, bob.page, "Bob");
    for (const [white, black] of BOOM_WIN) {
      await act(ada.page, white);
      await act(bob.page, black);
    }
    await act(ada.page, "xd6");
    await ada.context.close();
    await bob.context.close();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  for (const view of VIEWS) {
    for (const [size, options] of Object.entries(SIZES)) {
      it(`${view.name} (${size}): nothing serious for axe, nothing wider than the screen, light and dark`, async () => {
        const { page, complaints } = await openTab(browser, { ...options, colorScheme: "light" });
        await view.open(page, server, browser, options);
        await page.evaluate(() => window.scrollTo(0, 0));
        for (const theme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme: theme });
          await page.screenshot({ path: join(FOLDER, `${view.name}-${size}-${theme}.png`), scale: "css" });
          expect(await seriousProblems(page)).toEqual([]);
        }
        const overflow = () =>
          page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        expect(await overflow()).toBeLessThanOrEqual(0);
        if (size === "phone") {
          await page.setViewportSize({ width: 320, height: 640 });
          expect(await overflow()).toBeLessThanOrEqual(0);
        }
        expect(complaints).toEqual([]);
        for (const context of browser.contexts()) await context.close();
      });
    }
  }
});
