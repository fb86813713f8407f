// Several nodes on one machine. The table's first figure is that of one node without a cluster, in the same run. All
// processes share cores and disk, so the CPU of each process says more than times.
import { alternate, type Bench, compared, type Part, perOperation } from "../bench.ts";
import { median, openFileLimit, percentile, residentMb } from "../figures.ts";
import type { Repetition } from "../jobs.ts";
import { type BenchNode, cpuDuring, type Nodes, startNodes } from "../nodes.ts";
import { type Account, messageText } from "../requests.ts";
import type { Server } from "../servers.ts";
import type { Limit } from "../table.ts";
import { large } from "../worlds.ts";
import { accountsOf } from "./sending.ts";
import { clientOfToday } from "./standing.ts";

const perSecond = 50;
const otherFiles = 200;
const channels = 20;
/** After a fan-out, its clients poll again; this is part of its cost. */
const pollsMs = 1_500;
const afterStartMs = 3_000;
/** In this time after a message, each waiting client gets one heartbeat, and polls again. */
const heartbeatMs = 60_000;

export const several: Part = {
  name: "cluster",
  async run(bench) {
    const nodes = await startNodes(large(bench.sizes.nodeWaiting, channels));
    try {
      await sending(bench, nodes);
      await acknowledging(bench, nodes);
      await reading(bench, nodes);
      await idling(bench, nodes);
      await recovering(bench, nodes);
      await waiting(bench, nodes);
    } finally {
      await nodes.end();
    }
  },
};

/** CPU time of each process per message, in milliseconds. */
type Shares = { one: number; leader: number; follower: number; nats: number };

/** Runs the same load at one node and at the leader; `load` returns the number of messages. */
async function sharesOf(nodes: Nodes, load: (server: Server) => Promise<number>): Promise<Shares> {
  const [leader, [follower]] = [await nodes.leader(), await nodes.followers()];
  const pids = [leader.pid, follower?.pid ?? 0, ...nodes.nats.map(({ pid }) => pid)];
  const alone = await cpuDuring([nodes.one.pid], () => load(nodes.one));
  const together = await cpuDuring(pids, () => load(leader));
  const each = ({ cpu, result }: typeof alone) => cpu.map((ms) => (ms ?? Number.NaN) / result);
  const [one = Number.NaN] = each(alone);
  const [first = Number.NaN, second = Number.NaN, ...servers] = each(together);
  return { one, leader: first, follower: second, nats: mean(servers) };
}

function addShares({ add }: Bench, what: string, rounds: Shares[]): void {
  const base = rounds.map(({ one }) => one);
  for (const [name, key] of [
    ["leader", "leader"],
    ["follower", "follower"],
    ["nats-server", "nats"],
  ] as const) {
    const confab = rounds.map((one) => one[key]);
    add(compared(`${what}, ${name}`, "ms CPU / message", { base, confab }, null));
  }
}

async function sharesByRound(
  { sizes, progress }: Bench,
  nodes: Nodes,
  load: (server: Server, round: number) => Promise<number>,
  after?: (round: number) => Promise<unknown>,
): Promise<Shares[]> {
  const rounds: Shares[] = [];
  for (let round = -1; round < sizes.nodeRounds; round++) {
    const shares = await sharesOf(nodes, (server) => load(server, round));
    if (round >= 0) rounds.push(shares);
    const text = Object.entries(shares).map(([name, ms]) => `${name} ${ms.toFixed(3)}`);
    progress(`ms of CPU a message: ${text.join(", ")}`);
    await after?.(round);
  }
  return rounds;
}

/** As many messages as the nodes can take. */
async function sending(bench: Bench, nodes: Nodes): Promise<void> {
  const { senders, burstMessages } = bench.sizes;
  const what = `nodes: send, ${senders} senders`;
  const rates = { base: [] as number[], confab: [] as number[] };
  let sent = 0;
  const before = await nodes.logBytes();
  const rounds = await sharesByRound(bench, nodes, async (server, round) => {
    const job = { ...placeIn(server), connections: senders, ms: 0, count: burstMessages };
    const { count, wallMs } = await server.run("burst", job);
    if (server !== nodes.one) sent += count;
    if (round >= 0) rates[server === nodes.one ? "base" : "confab"].push((count / wallMs) * 1000);
    return count;
  });
  addShares(bench, what, rounds);
  bench.add(compared(`${what}, in a second`, "messages", rates, null));
  addLogBytes(bench, what, ((await nodes.logBytes()) - before) / sent);
}

/** A steady rate at which two messages rarely share a commit. */
async function acknowledging(bench: Bench, nodes: Nodes): Promise<void> {
  const [leader, [follower = leader]] = [await nodes.leader(), await nodes.followers()];
  const taken = { one: [] as number[][], leader: [] as number[][], follower: [] as number[][] };
  const steady = async (server: Server, name: keyof typeof taken, round: number) => {
    const job = { ...placeIn(server), perSecond, ms: bench.sizes.steadyMs };
    const found = await server.run("acknowledge", job);
    if (round >= 0) taken[name].push(found);
    const [p50, p99] = [percentile(found, 0.5), percentile(found, 0.99)];
    bench.progress(`acknowledged by ${name}: p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`);
    return found.length;
  };
  const before = await nodes.logBytes();
  const shares = await sharesByRound(
    bench,
    nodes,
    (server, round) => steady(server, server === nodes.one ? "one" : "leader", round),
    (round) => steady(follower, "follower", round),
  );
  const what = `nodes: send, ${perSecond}/s`;
  addShares(bench, what, shares);
  const rounds = bench.sizes.nodeRounds + 1;
  const sent = (2 * rounds * perSecond * bench.sizes.steadyMs) / 1000;
  addLogBytes(bench, what, ((await nodes.logBytes()) - before) / sent);
  const add = (where: string, rounds: number[][], name: string, share: number, limit: Limit | null) => {
    const of = (list: number[][]) => list.map((one) => percentile(one, share));
    const what = `nodes: acknowledged ${where} at ${perSecond}/s, ${name}`;
    bench.add(compared(what, "ms", { base: of(taken.one), confab: of(rounds) }, limit));
  };
  add("by the leader", taken.leader, "p50", 0.5, { ratio: 3 });
  add("by the leader", taken.leader, "p99", 0.99, { ratio: 5 });
  add("through a follower", taken.follower, "p50", 0.5, null);
  add("through a follower", taken.follower, "p99", 0.99, null);
}

/** The size of a message in the log, including its indexing. */
function addLogBytes({ add }: Bench, what: string, bytes: number): void {
  add({ what: `${what}, in the log`, unit: "bytes / message", base: null, confab: bytes, limit: null });
}

async function reading(bench: Bench, nodes: Nodes): Promise<void> {
  const [leader, [follower = leader]] = [await nodes.leader(), await nodes.followers()];
  const { rounds, pagesMs, warmMs } = bench.sizes;
  const page = "/messages?anchor=newest&num_before=99&num_after=0&apply_markdown=true";
  const queues = new Map<Server, string>();
  for (const [what, pathOf, form] of [
    ["page of 100", () => page, undefined],
    ["register", () => "/register", clientOfToday],
    ["poll that finds nothing", (server: Server) => queues.get(server) ?? "", undefined],
  ] as const) {
    const cost = async (server: Server, ms: number) => {
      const job: Repetition = {
        account: first(server),
        paths: [pathOf(server)],
        ms,
        ...(form ? { form } : {}),
      };
      return perOperation(await server.run("repeat", job));
    };
    // The queues that registering opened may have ended an earlier one: a person has only so many.
    for (const server of [nodes.one, follower]) queues.set(server, await pollPath(server));
    // One node has also run the sends. What it has compiled for them, the follower compiles with its first reads.
    for (const server of [nodes.one, follower]) await cost(server, warmMs);
    const taken = await alternate(
      rounds,
      () => cost(nodes.one, pagesMs * 3),
      () => cost(follower, pagesMs * 3),
    );
    bench.progress(
      `${what}: ${median(taken.base).toFixed(3)} ms alone, ${median(taken.confab).toFixed(3)} by a follower`,
    );
    bench.add(compared(`nodes: ${what}, follower`, "ms CPU", taken, { ratio: 1.1 }));
  }
}

/** A poll that is answered at once, because it uses a new queue and `dont_block`. */
async function pollPath(server: Server): Promise<string> {
  const form = { event_types: '["submessage"]', fetch_event_types: '["message"]' };
  const answer = await asked(server, "/register", form);
  return `/events?queue_id=${encodeURIComponent(answer.queue_id)}&last_event_id=${answer.last_event_id}&dont_block=true`;
}

async function idling(bench: Bench, nodes: Nodes): Promise<void> {
  const [leader, [follower]] = [await nodes.leader(), await nodes.followers()];
  await Bun.sleep(afterStartMs);
  const pids = [nodes.one.pid, leader.pid, follower?.pid ?? 0, ...nodes.nats.map(({ pid }) => pid)];
  const { cpu, wallMs } = await cpuDuring(pids, () => Bun.sleep(bench.sizes.idleCpuMs));
  const [one = 0, first = 0, second = 0, ...servers] = cpu.map((ms) => ((ms ?? Number.NaN) / wallMs) * 100);
  const nats = mean(servers);
  for (const [name, share] of [
    ["leader", first],
    ["follower", second],
    ["nats-server", nats],
  ] as const) {
    const what = `nodes: nobody uses it, ${name}`;
    bench.add({ what, unit: "% of a core", base: one, confab: share, limit: null });
  }
}

async function recovering(bench: Bench, nodes: Nodes): Promise<void> {
  const took: number[] = [];
  for (let kill = 0; kill < bench.sizes.kills; kill++) {
    const leader = await nodes.leader();
    const others = await nodes.followers();
    const before = await sendUntil(others, (count) => count >= 20);
    if (before.length < 20) throw new Error("No message was sent before the kill.");
    nodes.kill(leader);
    const begin = performance.now();
    const [after = Number.NaN] = await sendUntil(others, (count) => count >= 1);
    took.push(after - begin);
    bench.progress(`the leader was killed; a send succeeds after ${(after - begin).toFixed(0)} ms`);
    await nodes.restart(leader);
  }
  const add = (name: string, ms: number, most: number) =>
    bench.add({
      what: `nodes: leader killed, next send, ${name} of ${took.length}`,
      unit: "s",
      base: null,
      confab: ms / 1000,
      limit: { most },
    });
  add("p50", median(took), 3);
  add("longest", Math.max(...took), 12);
}

/** Sends one message after another, each through another node, until enough have succeeded; returns the time of each. */
async function sendUntil(through: BenchNode[], isEnough: (count: number) => boolean): Promise<number[]> {
  const done: number[] = [];
  const until = performance.now() + 60_000;
  for (let i = 0; !isEnough(done.length) && performance.now() < until; i++) {
    const server = through[i % through.length];
    if (!server) break;
    const sent = await say(server, server.channels.fifty ?? 0, messageText(i)).catch(() => null);
    if (sent?.result === "success") done.push(performance.now());
    else await Bun.sleep(50);
  }
  return done;
}

async function waiting(bench: Bench, nodes: Nodes): Promise<void> {
  const wanted = Math.min(bench.sizes.nodeWaiting, openFileLimit() - otherFiles);
  const leader = await nodes.leader();
  const alone = await crowd(bench, wanted, [nodes.one], nodes.one, []);
  const together = await crowd(
    bench,
    wanted,
    [leader, ...(await nodes.followers())],
    leader,
    nodes.nats.map(({ pid }) => pid),
  );
  const [base] = alone.nodes;
  const [first, ...others] = together.nodes;
  if (!base || !first || others.length === 0) return;
  const what = `nodes: ${wanted} clients wait at each`;
  for (const [name, unit, key] of [
    ["memory", "MB", "megabytes"],
    ["a delivery", "ms CPU / delivery", "delivery"],
    ["at rest", "% of a core", "idle"],
  ] as const) {
    const row = (who: string, confab: number) =>
      bench.add({ what: `${what}, ${who}, ${name}`, unit, base: base[key], confab, limit: null });
    row("leader", first[key]);
    row("follower", mean(others.map((one) => one[key])));
  }
  const [one, confab] = [alone.lastMs, together.lastMs];
  bench.add({ what: `${what}, the last has it`, unit: "ms", base: one, confab, limit: null });
}

type Crowded = { megabytes: number; delivery: number; idle: number };

/** Opens waiting clients on nodes, and sends to all of them. */
async function crowd(bench: Bench, count: number, nodes: Server[], sender: Server, natsPids: number[]) {
  for (const server of nodes) {
    await server.run("listen", { accounts: accountsOf(server, count) });
    bench.progress(`${server.name}: ${count} clients wait, ${(residentMb(server.pid) ?? 0).toFixed(0)} MB`);
  }
  const pids = nodes.map(({ pid }) => pid);
  const lastMs: number[] = [];
  const costs: number[][] = pids.map(() => []);
  for (let i = 0; i < bench.sizes.fanouts; i++) {
    const { result, cpu } = await cpuDuring([...pids, ...natsPids], () => tellAll(bench, nodes, sender, i));
    lastMs.push(result);
    for (const [at, ms] of cpu.slice(0, pids.length).entries()) costs[at]?.push((ms ?? Number.NaN) / count);
    bench.progress(`${nodes.length * count} clients have a message after ${result.toFixed(0)} ms`);
  }
  const idleMs = Math.min(heartbeatMs, bench.sizes.idleCpuMs * 2);
  const idle = await cpuDuring(pids, () => Bun.sleep(idleMs));
  return {
    lastMs: median(lastMs),
    nodes: pids.map((pid, at): Crowded => {
      return {
        megabytes: residentMb(pid) ?? Number.NaN,
        delivery: median(costs[at] ?? []),
        idle: ((idle.cpu[at] ?? Number.NaN) / idle.wallMs) * 100,
      };
    }),
  };
}

async function tellAll(bench: Bench, nodes: Server[], sender: Server, i: number): Promise<number> {
  const token = `zq${process.pid}all${i}x${nodes.length}zq`;
  await Promise.all(nodes.map((server) => server.run("expectEveryone", { token })));
  const content = `${token} ${messageText(i)}`.slice(0, 120);
  const until = performance.now() + 60_000;
  for (;;) {
    const begin = performance.timeOrigin + performance.now();
    const { result, msg } = await say(sender, sender.channels.everyone ?? 0, content).catch(unanswered);
    if (result === "success") {
      const ends = await Promise.all(nodes.map((server) => server.run("seen", {})));
      await Bun.sleep(pollsMs);
      return Math.max(...ends) - begin;
    }
    // A machine that is too busy for its nodes elects another leader.
    bench.progress(`the message to all was refused: ${msg}`);
    if (performance.now() > until) throw new Error(`The message to all was refused for a minute: ${msg}`);
    await Bun.sleep(500);
  }
}

function unanswered(error: Error): { result: string; msg: string } {
  return { result: "error", msg: error.message };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function placeIn(server: Server): { accounts: Account[]; channel: number } {
  return { accounts: server.accounts.slice(0, 10), channel: server.channels.fifty ?? 0 };
}

function first(server: Server): Account {
  return server.accounts[0] ?? { email: "", apiKey: "" };
}

function say(server: Server, channel: number, content: string) {
  return asked(server, "/messages", { type: "stream", to: String(channel), topic: "bench", content });
}

async function asked(server: Server, path: string, form: Record<string, string>) {
  const { email, apiKey } = first(server);
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1${path}`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${email}:${apiKey}`)}` },
    body: new URLSearchParams(form),
    signal: AbortSignal.timeout(15_000),
  });
  return (await answer.json()) as { result: string; msg: string; queue_id: string; last_event_id: number };
}
