import { existsSync } from "node:fs";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";

const EXECUTABLES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? EXECUTABLES.find((path) => existsSync(path));
  if (!executablePath) throw new Error("no Chromium: apt-get install chromium, or name it in CHROMIUM");
  return chromium.launch({
    executablePath,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** A tab of its own user. What the page complains of fails the test that asks for it. */
export interface Tab {
  page: Page;
  context: BrowserContext;
  complaints: string[];
}

export async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    // A refused policy is an error of the console; that the network is away is not the page's fault.
    if (message.type() === "error" && !/ERR_|WebSocket|status of/.test(message.text())) {
      complaints.push(message.text());
    }
  });
  return { page, context, complaints };
}

/** Opens a view and gives a name if one is asked for. */
export async function enter(page: Page, url: string, name: string): Promise<void> {
  await page.goto(url);
  await page.getByRole("textbox").fill(name);
  await page.getByRole("button", { name: "Enter the lobby" }).click();
  await page.getByText(name, { exact: true }).first().waitFor();
}
