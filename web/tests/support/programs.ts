import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";

/** Where a program of the workspace was built. */
export function program(name: string, named?: string): string {
  const target = resolve("..", process.env.CARGO_TARGET_DIR ?? "target");
  const found = [named, `${target}/debug/${name}`, `${target}/release/${name}`];
  const binary = found.find((file) => file && existsSync(file));
  if (!binary) throw new Error(`no ${name}: cargo build --workspace`);
  return binary;
}

/** Ends a program as an operator would. */
export async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((done) => child.once("exit", done));
  if (child.exitCode !== null) return;
  child.kill("SIGTERM");
  await ended;
}

/** Tries until something holds; what fails in between is not yet so. */
export async function until(holds: () => Promise<boolean>, forMs = 20_000): Promise<void> {
  const end = Date.now() + forMs;
  for (;;) {
    const isSo = await holds().catch(() => false);
    if (isSo) return;
    if (Date.now() > end) throw new Error(`not so after ${forMs} ms: ${holds}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
