// Shared by all parts of the bench: sizes, progress, and taking turns.
import { median } from "./figures.ts";
import type { Cost } from "./jobs.ts";
import { discard, type Server } from "./servers.ts";
import type { Limit, Row } from "./table.ts";

export type Sizes = {
  rounds: number;
  /** Sends are cheap to repeat: many short bursts, taken in turn, average out the load of other programs. */
  bursts: number;
  burstMessages: number;
  /** How many pairs of bursts are compared whose costs differ by little, and the messages of each burst. */
  keyPairs: number;
  keyMessages: number;
  /** How often servers are started to send to them, for how long without a pause, and how often once they are warm. */
  sendStarts: number;
  sendMs: number;
  sendRounds: number;
  /** Sends after which the code is compiled that they need, and few compilations are left to count. */
  warmMessages: number;
  senders: number;
  latencyMs: number;
  users: number;
  channels: number;
  waiting: number;
  imported: number;
  importMs: number;
  fanouts: number;
  fewMessages: number;
  manyMessages: number;
  pagedMessages: number;
  pagesMs: number;
  searchesMs: number;
  registerMs: number;
  diskMessages: number;
  starts: number;
  idleMs: number;
  settleMs: number;
  warmMs: number;
  idleCpuMs: number;
  loadMessages: number;
  hugeUsers: number;
  hugeChannels: number;
  hugeMessages: number;
  /** The number of waiting clients on each of several nodes, how often the leader is killed, and how long each rate is held. */
  nodeWaiting: number;
  kills: number;
  nodeRounds: number;
  steadyMs: number;
  /** How long keys are typed while messages arrive. */
  typingMs: number;
  /** Keys that are pressed in the console, one after the other. */
  consoleKeys: number;
};

export type Bench = {
  sizes: Sizes;
  progress(text: string): void;
  /** Adds the row to the table, so that it appears even if its part fails later. */
  add(row: Row): void;
  /** Confab's side of a comparison with the baseline; with --self, a second baseline. */
  openTeam(): Promise<Server>;
  openLarge(): Promise<Server>;
};

export type Part = { name: string; run(bench: Bench): Promise<void> };

export const full: Sizes = {
  rounds: 7,
  bursts: 11,
  burstMessages: 4000,
  keyPairs: 80,
  keyMessages: 1000,
  sendStarts: 3,
  sendMs: 10_000,
  sendRounds: 5,
  warmMessages: 100_000,
  senders: 64,
  latencyMs: 2500,
  users: 10_000,
  channels: 1000,
  waiting: 5000,
  imported: 10_000,
  importMs: 20_000,
  fanouts: 4,
  fewMessages: 10_000,
  manyMessages: 1_000_000,
  pagedMessages: 100_000,
  pagesMs: 350,
  searchesMs: 1500,
  registerMs: 2500,
  diskMessages: 20_000,
  starts: 5,
  idleMs: 4000,
  settleMs: 35_000,
  warmMs: 5_000,
  idleCpuMs: 30_000,
  loadMessages: 200_000,
  hugeUsers: 20_000,
  hugeChannels: 1000,
  hugeMessages: 5_000_000,
  nodeWaiting: 10_000,
  kills: 5,
  nodeRounds: 5,
  steadyMs: 5_000,
  typingMs: 15_000,
  consoleKeys: 300,
};

export const quick: Sizes = {
  ...full,
  rounds: 2,
  bursts: 4,
  burstMessages: 1000,
  keyPairs: 40,
  keyMessages: 500,
  sendStarts: 2,
  sendMs: 1000,
  sendRounds: 2,
  warmMessages: 10_000,
  latencyMs: 1000,
  users: 1000,
  channels: 100,
  waiting: 500,
  imported: 1000,
  importMs: 4000,
  fanouts: 5,
  manyMessages: 50_000,
  pagedMessages: 5000,
  pagesMs: 200,
  searchesMs: 400,
  registerMs: 500,
  diskMessages: 5000,
  starts: 2,
  idleMs: 1000,
  settleMs: 5000,
  warmMs: 1000,
  idleCpuMs: 5000,
  loadMessages: 20_000,
  hugeUsers: 2000,
  hugeChannels: 100,
  hugeMessages: 50_000,
  nodeWaiting: 500,
  kills: 2,
  nodeRounds: 2,
  steadyMs: 2_000,
  typingMs: 6_000,
  consoleKeys: 100,
};

/** Runs A B A B …; the first rounds of each only warm up. Returns the figures of both by round. */
export async function alternate<T>(
  rounds: number,
  base: () => Promise<T>,
  confab: () => Promise<T>,
): Promise<{ base: T[]; confab: T[] }> {
  const taken = { base: [] as T[], confab: [] as T[] };
  const warmUps = Math.ceil(rounds / 4);
  for (let round = 0; round < warmUps + rounds; round++) {
    const figures = [await base(), await confab()] as const;
    if (round < warmUps) continue;
    taken.base.push(figures[0]);
    taken.confab.push(figures[1]);
  }
  return taken;
}

/** Milliseconds of server CPU per operation; of wall time where CPU time cannot be read. */
export function perOperation(cost: Cost): number {
  return (cost.cpuMs ?? cost.wallMs) / cost.count;
}

export function compared(
  what: string,
  unit: string,
  rounds: { base: number[]; confab: number[] },
  limit: Limit | null,
): Row {
  return { what, unit, base: median(rounds.base), confab: median(rounds.confab), limit, rounds };
}

/** As `compared`, by the median of the ratios of pairs: what slows the machine down slows both of a pair. */
export function paired(
  what: string,
  unit: string,
  rounds: { base: number[]; confab: number[] },
  limit: Limit | null,
): Row {
  const base = median(rounds.base);
  const ratios = rounds.confab.map((cost, i) => cost / (rounds.base[i] ?? Number.NaN));
  return { what, unit, base, confab: base * median(ratios), limit, rounds };
}

/** Runs `work` with servers that stop afterwards, whatever happens. */
export async function withServers(
  opening: Promise<Server>[],
  work: (...servers: [Server, Server]) => Promise<void>,
): Promise<void> {
  const settled = await Promise.allSettled(opening);
  const servers = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  try {
    for (const one of settled) if (one.status === "rejected") throw one.reason;
    const [first, second = first] = servers;
    if (first && second) await work(first, second);
  } finally {
    await Promise.all(servers.map(discard));
  }
}
