import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { enter, openBrowser, openTab, type Tab } from "./support/browser";
import { type Cluster, startCluster } from "./support/cluster";
import { until } from "./support/programs";
import { startServer, type TestServer } from "./support/server";

/** White wins in three plies, and no table is there to say so. */
const WON = "7a/8/6A1/8/8/8/8/A7 w";

describe("a deep analysis", () => {
  let cluster: Cluster;
  let alone: TestServer;
  let server: TestServer;
  let browser: Browser;
  let tab: Tab;

  beforeAll(async () => {
    cluster = await startCluster();
    const followed = ["--coordinator", cluster.url, "--coordinator-secret", cluster.secret];
    alone = await startServer();
    server = await startServer({ arguments: ["--no-build", ...followed] });
    browser = await openBrowser();
    tab = await openTab(browser);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await alone?.stop();
    await cluster?.stop();
  });

  const panel = () => tab.page.getByRole("region", { name: "Deep analysis" });
  const begin = async (url: string, position: string) => {
    await tab.page.goto(`${url}/analysis?position=${encodeURIComponent(position)}`);
    await panel().getByRole("button", { name: "Analyse deeply" }).click();
  };
  /** The figures change while somebody looks. */
  const changes = async () => {
    const seen = new Set<string>();
    await until(async () => {
      seen.add(
        (await panel()
          .getByText(/ jobs? · /)
          .textContent()) ?? "",
      );
      return seen.size >= 4;
    }, 40_000);
  };

  it("needs a name", async () => {
    await tab.page.goto(`${alone.url}/analysis`);
    await panel()
      .getByText(/^Choose a name/)
      .waitFor();
    expect(await panel().getByRole("button").count()).toBe(0);
  });

  it("by the server alone is seen to go on, proves a win, and plays its lines", async () => {
    const { page } = tab;
    await enter(page, alone.url, "Ada");
    await begin(alone.url, "standard");
    await panel()
      .getByText(/^this server · /)
      .waitFor();
    await changes();
    await panel().getByRole("button", { name: "Stop the analysis" }).click();
    expect(
      await panel()
        .getByText(/ jobs? · /)
        .count(),
    ).toBe(0);

    await begin(alone.url, WON);
    await panel()
      .getByText(/^White wins: proved, in at most \d+ plies$/)
      .waitFor();
    const best = panel().getByRole("listitem").first().getByRole("button");
    expect(await best.textContent()).toContain("1g6g7");
    await best.click();
    await until(async () => new URL(page.url()).searchParams.get("position") !== WON);
    await panel()
      .getByText(/^Black loses: proved, in at most \d+ plies$/)
      .waitFor();
    expect(tab.complaints).toEqual([]);
  });

  it("by a cluster names its workers, and is the same for whoever looks", async () => {
    const { page } = tab;
    await enter(page, server.url, "Ada");
    await begin(server.url, "standard");
    await panel().getByText("Waiting: no worker is there.").waitFor();
    cluster.work("forge");
    await panel()
      .getByText(/^cluster: forge · /)
      .waitFor();
    await changes();
    const jobs = async (at: Tab) => {
      const figures = at.page.getByRole("region", { name: "Deep analysis" }).getByText(/ jobs? · /);
      return Number(/(\d+) jobs?/.exec((await figures.textContent())!)![1]);
    };
    const before = await jobs(tab);
    const other = await openTab(browser);
    await enter(other.page, server.url, "Grace");
    await other.page.goto(page.url());
    await other.page.getByRole("button", { name: "Analyse deeply" }).click();
    await until(async () => (await jobs(other)) >= before);
    const all = await (await fetch(`${cluster.url}/api/analyses`)).json();
    expect(all.length).toBe(1);
    await other.context.close();

    await begin(server.url, WON);
    await panel()
      .getByText(/^White wins: proved, in at most \d+ plies$/)
      .waitFor();
    expect(tab.complaints).toEqual([]);
  }, 120_000);

  it("goes on when the server was started again", async () => {
    const { page } = tab;
    await begin(server.url, "standard");
    await changes();
    await server.restart();
    await changes();
    expect(await page.getByRole("region", { name: "Deep analysis" }).count()).toBe(1);
  }, 120_000);
});
