// A large organization with a long history: 20,000 people, 1,000 channels and 5,000,000 messages.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Turns, turnsOfServer } from "../../support/stalls/turns.ts";
import { type Bench, compared, type Part, perOperation, withServers } from "../bench.ts";
import { cpuMs, median, residentMb } from "../figures.ts";
import type { Cost, Repetition } from "../jobs.ts";
import { newFolder, output } from "../processes.ts";
import { confabCommand, prepareKept, type Server, startBare, startConfab } from "../servers.ts";
import type { Limit } from "../table.ts";
import { huge } from "../worlds.ts";
import { clientOfToday } from "./standing.ts";

const compressed = { "Accept-Encoding": "zstd, br, gzip" };
const readers = 8;
const newestPage = "/messages?anchor=newest&num_before=99&num_after=0&apply_markdown=true";

export const large: Part = {
  name: "huge",
  async run(bench) {
    const { hugeUsers, hugeChannels, hugeMessages } = bench.sizes;
    bench.progress(`${hugeMessages} messages, filled once and kept in dist/bench`);
    const kept = await prepareKept(huge(hugeUsers, hugeChannels, hugeMessages));
    const first = turnsOfServer();
    await withServers([startConfab(kept, first.env)], async (confab) => {
      await measureRegister(bench, confab);
      await measureUsers(bench, confab);
      await measureUnread(bench, confab);
      await measureOthers(bench, confab, await first.open());
    });
    const second = turnsOfServer();
    await withServers([startConfab(kept, second.env)], async (confab) =>
      measureStalls(bench, confab, await second.open()),
    );
    await withServers([startBare(), startConfab(kept)], (bare, confab) => measurePages(bench, bare, confab));
    await measureCommands(bench, kept.folder);
  },
};

/** The cost of an idle server. */
export const idle: Part = {
  name: "idle",
  run: (bench) =>
    withServers([bench.openTeam()], async (confab) => {
      // Waits until the work after a start is done. The longest is Bun's garbage collector, which runs each second for half a minute.
      await Bun.sleep(bench.sizes.settleMs);
      const before = cpuMs(confab.pid);
      const begin = performance.now();
      await Bun.sleep(bench.sizes.idleCpuMs);
      const after = cpuMs(confab.pid);
      if (before === null || after === null) return;
      const share = ((after - before) / (performance.now() - begin)) * 100;
      bench.add({
        what: "CPU of a server that nobody uses",
        unit: "% of a core",
        base: null,
        confab: share,
        limit: { most: 0.1 },
      });
    }),
};

const registering = ({ sizes }: Bench) =>
  `register, ${sizes.hugeUsers} users, in all of ${sizes.hugeChannels} channels`;

/** Without measuring turns: the event loop would not rest meanwhile. */
async function measureRegister(bench: Bench, confab: Server): Promise<void> {
  const what = registering(bench);
  const job = { account: readerOf(confab), paths: ["/register"], form: clientOfToday };
  // After a start, the server reads ahead what all clients get.
  await Bun.sleep(bench.sizes.warmMs);
  add(bench, `${what}, first`, await confab.run("repeat", { ...job, ms: 0 }), { most: 50 });
  for (const include_subscribers of ["partial", "true"])
    await confab.run("repeat", { ...job, form: { ...clientOfToday, include_subscribers }, ms: 0 });
  const again = await confab.run("repeat", { ...job, ms: bench.sizes.registerMs });
  add(bench, `${what}, again`, again, { most: 30 });
  const packed = { ...job, headers: compressed, ms: bench.sizes.registerMs };
  await confab.run("repeat", { ...packed, ms: 0 });
  const wire = await confab.run("repeat", packed);
  add(bench, `${what}, compressed`, wire, { most: 50 });
  const confabMb = wire.bytes / 1_000_000;
  bench.add({ what: `${what}, on the wire`, unit: "MB", base: null, confab: confabMb, limit: { most: 1 } });
}

/** How long others wait while the first ones after a start are answered. */
async function measureStalls(bench: Bench, confab: Server, turns: Turns): Promise<void> {
  const job = { account: readerOf(confab), paths: ["/register"] };
  await Bun.sleep(bench.sizes.warmMs);
  const stalls: number[] = [];
  for (const include_subscribers of ["false", "partial", "true"]) {
    await turns.begin();
    await confab.run("repeat", { ...job, form: { ...clientOfToday, include_subscribers }, ms: 0 });
    stalls.push(await turns.end());
  }
  turns.close();
  const what = `${registering(bench)}, longest stall of another request`;
  bench.add({ what, unit: "ms", base: null, confab: Math.max(...stalls), limit: { most: 50 } });
}

async function measureUsers(bench: Bench, confab: Server): Promise<void> {
  const job = { account: readerOf(confab), paths: ["/users"], ms: bench.sizes.registerMs };
  await confab.run("repeat", { ...job, ms: 0 });
  add(bench, "GET /users again", await confab.run("repeat", job), { most: 5 });
  const known = await confab.run("repeat", { ...job, revalidate: true });
  bench.progress(`GET /users with its ETag: ${known.bytes} bytes`);
  add(bench, "GET /users again, with its ETag", known, { most: 5 });
}

async function measureUnread(bench: Bench, confab: Server): Promise<void> {
  const path = "/messages?anchor=first_unread&num_before=50&num_after=50";
  const job: Repetition = { account: readerOf(confab), paths: [path], ms: bench.sizes.registerMs };
  await confab.run("repeat", { ...job, ms: 0 });
  const what = `combined feed from the first unread, ${bench.sizes.hugeChannels} channels`;
  add(bench, what, await confab.run("repeat", job), { most: 15 });
}

/** How long others wait while each kind of long answer is made, and the memory after the run. */
async function measureOthers(bench: Bench, confab: Server, turns: Turns): Promise<void> {
  const { hugeUsers, idleMs, pagesMs } = bench.sizes;
  const account = readerOf(confab);
  const feed = "/messages?anchor=first_unread&num_before=50&num_after=50";
  const found = `narrow=${encodeURIComponent(JSON.stringify([{ operator: "search", operand: "meeting" }]))}`;
  const asked: [string, Repetition][] = [
    [
      "register, compressed",
      { account, paths: ["/register"], form: clientOfToday, headers: compressed, ms: 0 },
    ],
    ["users, compressed", { account, paths: ["/users"], headers: compressed, ms: 0 }],
    ["the feed from the first unread", { account, paths: [feed], ms: 0 }],
    ["a search", { account, paths: [`/messages?anchor=newest&num_before=100&num_after=0&${found}`], ms: 0 }],
    ["5000 messages", { account, paths: ["/messages?anchor=newest&num_before=5000&num_after=0"], ms: 0 }],
    ["pages", { account, paths: [newestPage], clients: readers, ms: pagesMs }],
  ];
  let longest = 0;
  for (const [what, repetition] of asked) {
    await turns.begin();
    await confab.run("repeat", repetition);
    const span = await turns.end();
    bench.progress(`during ${what}: ${span.toFixed(1)} ms`);
    longest = Math.max(longest, span);
  }
  turns.close();
  const world = `${hugeUsers} users, all channels`;
  const what = `${world}, lists, feeds, searches: longest stall`;
  bench.add({ what, unit: "ms", base: null, confab: longest, limit: { most: 50 } });
  await Bun.sleep(idleMs);
  const resident = residentMb(confab.pid) ?? 0;
  bench.add({
    what: `${world}, resident after these`,
    unit: "MB",
    base: null,
    confab: resident,
    limit: null,
  });
}

async function measurePages(bench: Bench, bare: Server, confab: Server): Promise<void> {
  const burst = { accounts: bare.accounts, channel: 1, connections: 8, ms: 0, count: 1000 };
  await bare.run("burst", burst);
  const paths = [newestPage];
  const page = (server: Server) =>
    server.run("repeat", { account: readerOf(server), paths, clients: readers, ms: bench.sizes.pagesMs * 4 });
  const taken = { base: [] as number[], confab: [] as number[] };
  for (let round = -1; round < bench.sizes.rounds; round++) {
    const costs = [perOperation(await page(bare)), perOperation(await page(confab))] as const;
    if (round < 0) continue;
    taken.base.push(costs[0]);
    taken.confab.push(costs[1]);
  }
  const what = `page of 100, ${readers} readers, vs a bare select`;
  bench.add(compared(what, "ms CPU / page", taken, { ratio: 2 }));
}

async function measureCommands(bench: Bench, folder: string): Promise<void> {
  const archive = join(newFolder("backup"), "backup.tar.gz");
  const { hugeMessages } = bench.sizes;
  for (const [name, most, args] of [
    ["backup", 12, [archive]],
    ["stats", 0.3, []],
  ] as const) {
    const begin = performance.now();
    await output([...confabCommand, name, ...args, "--data", folder]);
    const seconds = (performance.now() - begin) / 1000;
    bench.progress(`${name}: ${seconds.toFixed(2)} s`);
    bench.add({
      what: `${name}, ${hugeMessages} messages`,
      unit: "s",
      base: null,
      confab: seconds,
      limit: { most },
    });
  }
  rmSync(archive, { force: true });
}

function add(bench: Bench, what: string, cost: Cost & { eachMs: number[] }, limit: Limit): void {
  bench.progress(`${what}: ${cost.count} times, ${median(cost.eachMs).toFixed(1)} ms each`);
  bench.add({ what, unit: "ms CPU", base: null, confab: perOperation(cost), limit });
}

/** The last account, which is in every channel. */
function readerOf({ accounts }: Server) {
  return accounts.at(-1) ?? { email: "", apiKey: "" };
}
