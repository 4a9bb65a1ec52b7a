import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { enter, openBrowser, openTab } from "./support/browser";
import { startServer, type TestServer } from "./support/server";

const SCRIPT_BYTES = 120 * 1024;
const FIRST_BOARD_MS = 1000;

describe("the page is light", () => {
  let server: TestServer;
  let browser: Browser;

  beforeAll(async () => {
    server = await startServer({ arguments: ["--no-build", "--bot-budget-ms", "100"] });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** Counts what the page loads of scripts, as if it were compressed on the way. */
  const countScripts = (page: Page) => {
    const bodies: Promise<Buffer>[] = [];
    page.on("response", (response) => {
      if (response.request().resourceType() === "script") bodies.push(response.body());
    });
    return async () => (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body).length, 0);
  };

  it("120 KB of script at most for lobby and game", async () => {
    const { page, context } = await openTab(browser);
    const bytes = countScripts(page);
    await enter(page, server.url, "Ada");
    await page.getByRole("button", { name: "Start a bot match" }).click();
    await page.getByRole("grid").waitFor();
    const found = await bytes();
    console.info(`script of lobby and game: ${(found / 1024).toFixed(1)} KB compressed`);
    expect(found).toBeLessThanOrEqual(SCRIPT_BYTES);
    await context.close();
  });

  it("the first board a second after the page was asked for", async () => {
    const { page, context } = await openTab(browser);
    await enter(page, server.url, "Ada");
    await page.getByRole("button", { name: "Start a bot match" }).click();
    await page.getByRole("grid").waitFor();
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (!document.querySelector("[role=grid]")) return;
        observer.disconnect();
        performance.mark("board");
      }).observe(document, { subtree: true, childList: true });
    });
    const times: number[] = [];
    // The machine may be busy for a moment.
    for (let load = 0; load < 5; load += 1) {
      await page.reload();
      await page.getByRole("grid").waitFor();
      times.push(await page.evaluate(() => performance.getEntriesByName("board")[0]!.startTime));
    }
    console.info(`first board after ${times.map(Math.round).join(", ")} ms`);
    expect(Math.min(...times)).toBeLessThanOrEqual(FIRST_BOARD_MS);
    await context.close();
  });

  it("and runs under a policy without inline script or style", async () => {
    const response = await fetch(server.url);
    const policy = response.headers.get("content-security-policy") ?? "";
    const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? "";
    expect(scripts).toContain("'self'");
    expect(scripts).not.toContain("unsafe-inline");
    expect(scripts).not.toMatch(/'unsafe-eval'|https?:|\*/);
    const styles = /style-src ([^;]*)/.exec(policy)?.[1] ?? "";
    expect(styles).toContain("'self'");
    expect(styles).not.toMatch(/unsafe-inline|https?:|\*/);
    const html = readFileSync("dist/index.html", "utf8");
    for (const [tag] of html.matchAll(/<script[^>]*>/g)) expect(tag).toContain("src=");
    expect(html).not.toMatch(/ on\w+=|style=/);
  });
});
