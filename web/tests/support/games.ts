import type { Page } from "playwright-core";
import { click, drag, walk } from "./board";
import { until } from "./programs";

/** How a player acts. */
export type Hand = "click" | "drag" | "keys";

/** Two players in two tabs begin a game; the first one has White. */
export async function beginGame(white: Page, black: Page, blackName: string): Promise<void> {
  const players = white.getByRole("region", { name: "Players" });
  await players.getByText("Settings of the game").click();
  await players.getByRole("radio", { name: "White" }).check();
  await players.getByRole("button", { name: `Challenge ${blackName}` }).click();
  await black.getByRole("button", { name: "Accept" }).click();
  for (const page of [white, black]) await page.getByRole("grid").waitFor();
}

/** Takes an action: `d2d3` moves the whole stack, `xd2` explodes it. */
export async function act(page: Page, action: string, hand: Hand = "click"): Promise<void> {
  const turn = page.getByText("Your turn", { exact: true });
  await turn.waitFor();
  // A bot may answer before anybody sees that it was its turn, but what was done stays in the list.
  const moves = page.getByRole("list", { name: "Moves" }).getByRole("button");
  const before = await moves.count();
  const isBoom = action.startsWith("x");
  const source = isBoom ? action.slice(1) : action.slice(0, 2);
  const target = action.slice(2);
  if (hand === "keys") {
    await tabToBoard(page);
    await walk(page, source);
    await page.keyboard.press("Enter");
    if (isBoom) await page.keyboard.press("b");
    else await walk(page, target);
    await page.keyboard.press("Enter");
  } else if (isBoom) {
    await click(page, source);
    await page.getByRole("button", { name: /^Boom!? White/ }).click();
  } else if (hand === "drag") {
    await drag(page, source, target);
  } else {
    await click(page, source);
    await click(page, target);
  }
  await until(async () => (await moves.count()) > before);
}

async function tabToBoard(page: Page): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await page.evaluate(() => document.activeElement?.hasAttribute("data-name"))) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("the board is not reached by Tab");
}

/** White's actions and Black's: a stack of two walks up to Black's ranks and takes all of them along. */
export const BOOM_WIN: readonly (readonly [string, string])[] = [
  ["d2d1", "h7h8"],
  ["d1d3", "h8h7"],
  ["d3d5", "h7h8"],
  ["d5d6", "h8h7"],
];
