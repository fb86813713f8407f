// Delivery from a sender to waiting clients: latency, and the cost with thousands of them.
import { alternate, type Bench, compared, type Part, perOperation, withServers } from "../bench.ts";
import { median, openFileLimit, percentile } from "../figures.ts";
import { type Server, startBare } from "../servers.ts";
import type { Row } from "../table.ts";
import { accountsOf } from "./sending.ts";

const perSecond = 50;
const otherFiles = 100;

export const latency: Part = {
  name: "latency",
  run: (bench) =>
    withServers([startBare(), bench.openTeam()], async (bare, confab) => {
      for (const server of [bare, confab]) await server.run("listen", { accounts: accountsOf(server, 1) });
      const { base, confab: own } = await alternate(
        bench.sizes.rounds,
        () => delays(bench, bare),
        () => delays(bench, confab),
      );
      const row = (name: string, share: number, ratio: number): Row => {
        const rounds = {
          base: base.map((one) => percentile(one, share)),
          confab: own.map((one) => percentile(one, share)),
        };
        return compared(`send -> delivered at ${perSecond}/s, ${name}`, "ms", rounds, { ratio });
      };
      bench.add(row("p50", 0.5, 1.5));
      bench.add(row("p99", 0.99, 3));
    }),
};

export const fanout: Part = {
  name: "fanout",
  run: (bench) =>
    withServers([startBare(), bench.openLarge()], async (bare, confab) => {
      const waiting = Math.min(bench.sizes.waiting, openFileLimit() - otherFiles);
      for (const server of [bare, confab]) {
        bench.progress(`${server.name}: ${waiting} clients begin to wait`);
        await server.run("listen", { accounts: accountsOf(server, waiting) });
      }
      const { base, confab: own } = await alternate(
        bench.sizes.rounds,
        () => tellAll(bench, bare),
        () => tellAll(bench, confab),
      );
      const cpu = { base: base.map(perOperation), confab: own.map(perOperation) };
      const last = {
        base: base.map((one) => median(one.lastMs)),
        confab: own.map((one) => median(one.lastMs)),
      };
      const what = `fan-out to ${waiting} waiting clients`;
      bench.add(compared(what, "ms CPU / delivery", cpu, { ratio: 1.5 }));
      bench.add(compared(`${what}, the last has it`, "ms", last, { ratio: 1.5 }));
    }),
};

async function delays({ sizes, progress }: Bench, server: Server): Promise<number[]> {
  const taken = await server.run("latency", {
    accounts: server.accounts.slice(0, 10),
    channel: server.channels.fifty ?? 0,
    perSecond,
    ms: sizes.latencyMs,
  });
  progress(
    `${server.name}: p50 ${median(taken).toFixed(2)} ms, p99 ${percentile(taken, 0.99).toFixed(2)} ms`,
  );
  return taken;
}

async function tellAll({ sizes, progress }: Bench, server: Server) {
  const [account = { email: "", apiKey: "" }] = server.accounts;
  const channel = server.channels.everyone ?? 0;
  const cost = await server.run("fanout", { account, channel, messages: sizes.fanouts });
  progress(`${server.name}: the last of them after ${median(cost.lastMs).toFixed(0)} ms`);
  return cost;
}
