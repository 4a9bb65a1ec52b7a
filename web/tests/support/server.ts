import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { end, program, until } from "./programs";

/** A game server of a test, with a folder of its own. */
export interface TestServer {
  port: number;
  url: string;
  /** Stops it as an operator would, and starts it again on the same port with the same folder. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  tables?: string;
  arguments?: string[];
}

/** Starts a server, which serves the client that was built. */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), "boombots-web-"));
  const port = await freePort();
  const start = async () => {
    const child = spawn(
      program("boombots-server", process.env.BOOMBOTS_SERVER),
      [
        ...["--addr", `127.0.0.1:${port}`, "--web", resolve("dist")],
        ...["--tables", options.tables ?? join(folder, "tables")],
        ...["--database", join(folder, "games.sqlite")],
        ...(options.arguments ?? ["--no-build"]),
      ],
      { stdio: ["ignore", "ignore", process.env.BOOMBOTS_SERVER_LOG ? "inherit" : "ignore"] },
    );
    await until(async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).ok);
    return child;
  };
  let child = await start();
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async restart() {
      await end(child);
      child = await start();
    },
    async stop() {
      await end(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const listener = createServer();
  await new Promise<void>((done) => listener.listen(0, "127.0.0.1", done));
  const address = listener.address();
  await new Promise((done) => listener.close(done));
  if (!address || typeof address === "string") throw new Error("no port");
  return address.port;
}
