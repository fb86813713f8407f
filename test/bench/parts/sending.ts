// Sending: compared with the baseline, with and without listeners, and as a channel grows.
import { existsSync } from "node:fs";
import { alternate, type Bench, compared, type Part, paired, perOperation, withServers } from "../bench.ts";
import { residentMb } from "../figures.ts";
import type { Cost } from "../jobs.ts";
import { databaseIn, type Server, startBare } from "../servers.ts";

const unit = "ms CPU / message";

export const send: Part = { name: "send", run: (bench) => sendAgainstBare(bench, 0) };
export const listen: Part = { name: "listen", run: (bench) => sendAgainstBare(bench, 50) };

export const wide: Part = {
  name: "wide",
  run: (bench) =>
    withServers([bench.openLarge()], async (confab) => {
      const { bursts, users } = bench.sizes;
      const taken = await alternate(
        bursts,
        () => burst(bench, confab, "ten"),
        () => burst(bench, confab, "everyone"),
      );
      bench.add(compared(`send to ${users} subscribers vs 10`, unit, taken, { ratio: 1.2 }));
    }),
};

/** What an `Idempotency-Key` adds to a send: a few per cent, so it is the median of many pairs of short bursts, side by side in time. */
export const keys: Part = {
  name: "keys",
  run: (bench) =>
    withServers([bench.openTeam()], async (confab) => {
      const { keyPairs, keyMessages, warmMessages } = bench.sizes;
      for (const hasKeys of [false, true])
        await burst(bench, confab, "fifty", { hasKeys, count: warmMessages / 2 });
      const taken = { base: [] as number[], confab: [] as number[] };
      for (let pair = 0; pair < keyPairs; pair++) {
        // Either is first as often as the other: the second one pays for garbage that the first has left.
        for (const hasKeys of pair % 2 === 0 ? [false, true] : [true, false])
          taken[hasKeys ? "confab" : "base"].push(
            await burst(bench, confab, "fifty", { hasKeys, count: keyMessages }),
          );
      }
      bench.add(paired("send with an Idempotency-Key vs without", unit, taken, { ratio: 1.1 }));
    }),
};

/** Memory after many sends, and whether it grows with as many again. */
export const load: Part = {
  name: "load",
  run: (bench) =>
    withServers([bench.openTeam()], async (confab) => {
      const { loadMessages, senders } = bench.sizes;
      const before = await largestRest(bench, confab);
      const what = `resident after ${loadMessages} sends by ${senders} senders`;
      bench.add({ what, unit: "MB", base: null, confab: before, limit: { most: 150 } });
      const after = await largestRest(bench, confab);
      const again = `resident after ${loadMessages * 2} sends, vs the first half`;
      bench.add({ what: again, unit: "MB", base: before, confab: after, limit: { ratio: 1.1 } });
    }),
};

/** Sends in four bursts, each followed by a rest; returns the most megabytes that were resident after one. */
async function largestRest({ sizes, progress }: Bench, confab: Server): Promise<number> {
  const steps: number[] = [];
  for (let step = 1; step <= 4; step++) {
    await confab.run("burst", {
      accounts: confab.accounts.slice(0, 10),
      channel: confab.channels.fifty ?? 0,
      connections: sizes.senders,
      ms: 0,
      count: sizes.loadMessages / 4,
    });
    await Bun.sleep(sizes.idleMs);
    steps.push(residentMb(confab.pid) ?? 0);
    progress(`${(step * sizes.loadMessages) / 4} messages: ${steps.at(-1)?.toFixed(0)} MB`);
  }
  return Math.max(...steps);
}

/** The first seconds after a start, compilation included, of several starts; then, after many messages, by turns on the last. */
async function sendAgainstBare(bench: Bench, listening: number): Promise<void> {
  const { senders, sendStarts, sendMs, sendRounds, warmMessages } = bench.sizes;
  const what = `send, ${senders} people, 50 subscribers, ${listening} listening`;
  const taken = { base: [] as number[], confab: [] as number[] };
  for (let nth = 1; nth <= sendStarts; nth++) {
    await withServers([startBare(), bench.openTeam()], async (bare, confab) => {
      for (const server of [bare, confab])
        await server.run("listen", { accounts: accountsOf(server, listening) });
      const toBare = () => stream(bench, bare);
      const toConfab = () => stream(bench, confab);
      taken.base.push(perOperation(await toBare()));
      taken.confab.push(perOperation(await toConfab()));
      if (nth < sendStarts) return;
      bench.add(compared(`${what}, the first ${sendMs / 1000} s`, unit, taken, { ratio: 3 }));
      // By turns here too, so that both are equally warm, and neither has rested longer.
      for (let [ofBare, ofConfab] = [0, 0]; Math.min(ofBare, ofConfab) < warmMessages; ) {
        ofBare += (await toBare()).count;
        ofConfab += (await toConfab()).count;
      }
      const warm = { base: [] as number[], confab: [] as number[] };
      for (let round = 0; round < sendRounds; round++) {
        warm.base.push(perOperation(await toBare()));
        warm.confab.push(perOperation(await toConfab()));
      }
      bench.add(compared(`${what}, after ${warmMessages} sends`, unit, warm, { ratio: 3 }));
    });
  }
}

/** Sends without a pause, each connection as another person; the cost until everything can be found. */
async function stream({ sizes, progress }: Bench, server: Server): Promise<Cost> {
  const cost = await server.run("burst", {
    accounts: server.accounts.slice(0, sizes.senders),
    channel: server.channels.fifty ?? 0,
    connections: sizes.senders,
    ms: sizes.sendMs,
    indexOf: indexOf(server),
  });
  progress(
    `${server.name}: ${Math.round((cost.count / cost.wallMs) * 1000)} messages/s, ${perOperation(cost).toFixed(4)} ${unit}`,
  );
  return cost;
}

/** The database whose index is part of a send's cost; the bare server has none. */
function indexOf({ folder }: Server): string | undefined {
  const database = databaseIn(folder);
  return existsSync(database) ? database : undefined;
}

async function burst(
  { sizes, progress }: Bench,
  server: Server,
  channel: string,
  { hasKeys = false, count = sizes.burstMessages } = {},
): Promise<number> {
  const cost = await server.run("burst", {
    accounts: server.accounts.slice(0, 10),
    channel: server.channels[channel] ?? 0,
    connections: sizes.senders,
    // By number and not by time, so that both are equally warm even on a busy machine.
    ms: 0,
    count,
    hasKeys,
    indexOf: indexOf(server),
  });
  const what = `${channel}${hasKeys ? ", with keys" : ""}`;
  progress(`${server.name}, ${what}: ${Math.round((cost.count / cost.wallMs) * 1000)} messages/s`);
  return perOperation(cost);
}

/** As many accounts as asked for; repeats some if the world has fewer. */
export function accountsOf({ accounts }: Server, count: number) {
  return Array.from({ length: count }, (_, i) => accounts[i % accounts.length] ?? { email: "", apiKey: "" });
}
