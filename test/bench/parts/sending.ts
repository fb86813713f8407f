// Sending: compared with the baseline, with and without listeners, and as a channel grows.
import { alternate, type Bench, compared, type Part, perOperation, withServers } from "../bench.ts";
import { residentMb } from "../figures.ts";
import { type Server, startBare } from "../servers.ts";

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

function sendAgainstBare(bench: Bench, listening: number) {
  return withServers([startBare(), bench.openTeam()], async (bare, confab) => {
    for (const server of [bare, confab])
      await server.run("listen", { accounts: accountsOf(server, listening) });
    const { sizes } = bench;
    const what = `send, ${sizes.senders} senders, 50 subscribers, ${listening} listening`;
    let bursts = 0;
    const toBare = () => {
      bursts++;
      return burst(bench, bare, "fifty");
    };
    const toConfab = () => burst(bench, confab, "fifty");
    const measure = async (row: string) =>
      bench.add(compared(row, unit, await alternate(sizes.bursts, toBare, toConfab), { ratio: 2.5 }));
    await measure(what);
    // By turns here too, so that both are equally warm, and neither has rested longer.
    while (bursts * sizes.burstMessages < sizes.warmMessages) {
      await toBare();
      await toConfab();
    }
    await measure(`${what}, after ${sizes.warmMessages} sends`);
  });
}

async function burst({ sizes, progress }: Bench, server: Server, channel: string): Promise<number> {
  const cost = await server.run("burst", {
    accounts: server.accounts.slice(0, 10),
    channel: server.channels[channel] ?? 0,
    connections: sizes.senders,
    // By number and not by time, so that both are equally warm even on a busy machine.
    ms: 0,
    count: sizes.burstMessages,
  });
  progress(`${server.name}, ${channel}: ${Math.round((cost.count / cost.wallMs) * 1000)} messages/s`);
  return perOperation(cost);
}

/** As many accounts as asked for; repeats some if the world has fewer. */
export function accountsOf({ accounts }: Server, count: number) {
  return Array.from({ length: count }, (_, i) => accounts[i % accounts.length] ?? { email: "", apiKey: "" });
}
