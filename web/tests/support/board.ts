import type { Locator, Page } from "playwright-core";

/** A square by its name. */
export function square(page: Page, name: string): Locator {
  return page.locator(`[data-name="${name}"]`);
}

/** What a screen reader says of a square. */
export async function said(page: Page, name: string): Promise<string> {
  return (await square(page, name).getAttribute("aria-label")) ?? "";
}

/** Waits until a screen reader says something of a square. */
export async function shows(page: Page, name: string, text: string): Promise<void> {
  await page.locator(`[data-name="${name}"][aria-label*="${text}"]`).waitFor({ state: "attached" });
}

/** The middle of a square on the screen. */
export async function middle(page: Page, name: string): Promise<{ x: number; y: number }> {
  const box = await square(page, name).locator("rect").first().boundingBox();
  if (!box) throw new Error(`${name} is not on the screen`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

export async function click(page: Page, name: string): Promise<void> {
  const { x, y } = await middle(page, name);
  await page.mouse.click(x, y);
}

export async function drag(page: Page, from: string, to: string): Promise<void> {
  const start = await middle(page, from);
  const end = await middle(page, to);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 4 });
  await page.mouse.move(end.x, end.y, { steps: 4 });
  await page.mouse.up();
}

/** Goes to a square by arrow keys alone; the board must have the focus. */
export async function walk(page: Page, to: string): Promise<void> {
  const at = await page.evaluate(() => document.activeElement?.getAttribute("data-name") ?? "");
  if (!at) throw new Error("the board has not the focus");
  const [from, end] = [await middle(page, at), await middle(page, to)];
  const side = (await square(page, to).locator("rect").first().boundingBox())!.width;
  const across = Math.round((end.x - from.x) / side);
  const up = Math.round((from.y - end.y) / side);
  for (let step = 0; step < Math.abs(across); step += 1) {
    await page.keyboard.press(across > 0 ? "ArrowRight" : "ArrowLeft");
  }
  for (let step = 0; step < Math.abs(up); step += 1) {
    await page.keyboard.press(up > 0 ? "ArrowUp" : "ArrowDown");
  }
}
