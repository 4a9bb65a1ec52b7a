import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { end, program, until } from "./programs";

/** A coordinator of a test, with a folder of its own. */
export interface Cluster {
  /** Of its HTTP interface. */
  url: string;
  /** The file of its admin secret. */
  secret: string;
  /** Starts a worker, which ends with the cluster. */
  work(name: string): void;
  stop(): Promise<void>;
}

export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "boombots-cluster-"));
  const data = join(folder, "data");
  const binary = program("boombots-coordinator");
  const children: ChildProcess[] = [];
  const begin = (file: string, args: string[]) =>
    children.push(spawn(file, args, { stdio: ["ignore", "ignore", "ignore"] }));
  begin(binary, ["--data", data, "serve", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0"]);
  let url = "";
  await until(async () => {
    const [http] = readFileSync(join(data, "addresses"), "utf8").split("\n");
    url = `http://${http}`;
    return (await fetch(`${url}/healthz`)).ok;
  });
  const token = execFileSync(binary, ["--data", data, "token"], { encoding: "utf8" }).trim();
  return {
    url,
    secret: join(data, "identity/admin-secret"),
    work(name) {
      const limits = ["--threads", "1", "--memory", "1GB", "--cache", join(folder, name)];
      begin(program("boombots-worker"), ["--join", token, "--name", name, ...limits]);
    },
    async stop() {
      await Promise.all(children.map(end));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
