import { connect, createServer, type Socket } from "node:net";

/** A network between a browser and a server that can be cut. */
export interface Network {
  url: string;
  /** Ends every connection and takes no other one. */
  cut(): void;
  mend(): void;
  stop(): Promise<void>;
}

export async function openNetwork(port: number): Promise<Network> {
  const open = new Set<Socket>();
  let isCut = false;
  const listener = createServer((near) => {
    if (isCut) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(port, "127.0.0.1");
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((done) => listener.listen(0, "127.0.0.1", done));
  const address = listener.address();
  if (!address || typeof address === "string") throw new Error("no port");
  const destroyAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    cut() {
      isCut = true;
      destroyAll();
    },
    mend() {
      isCut = false;
    },
    async stop() {
      destroyAll();
      await new Promise((done) => listener.close(done));
    },
  };
}
