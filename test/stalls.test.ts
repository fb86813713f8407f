// No request may delay another for more than 50 ms; on a slower machine, for longer than a fixed amount of work takes. Runs the
// slowest requests of every endpoint one after another, on the executable with a large organization, while a probe keeps sending
// small requests.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { domains } from "@/domains.ts";
import type { Endpoint } from "@/kernel/endpoint.ts";
import { largestRequest } from "./support/random.ts";
import { type Case, inFrontOfAll, worstCases } from "./support/stalls/cases.ts";
import { isAsMeant, openTrial, shortest, startStalling, type Trial } from "./support/stalls/measure.ts";

const mostMs = 50;
type Stalling = Awaited<ReturnType<typeof startStalling>>;

describe("the probe", () => {
  let stalling: Stalling;
  beforeAll(async () => {
    stalling = await startStalling();
  });
  afterAll(() => stalling.end());

  const sorted = async (tries: number, measure: () => Promise<number>) => {
    const all: number[] = [];
    for (let i = 0; i < tries; i++) all.push(await measure());
    return all.sort((a, b) => a - b);
  };

  test.each(["compute", "sleep"] as const)("sees a server %s", async (how) => {
    // Not in every try: on a busy machine, the probe may not run at that moment.
    const [, , , middle] = await sorted(7, () => stalling.longestDuring(how, 65));
    expect(middle).toBeGreaterThan(mostMs);
  });

  test("does not count what other programs do", async () => {
    const spin = "for (const end = performance.now() + 2000; performance.now() < end; );";
    const others = Array.from({ length: 6 }, () => Bun.spawn([process.execPath, "-e", spin]));
    await Bun.sleep(200);
    const [shortest] = await sorted(6, () => stalling.longestDuring("compute", 15));
    expect(shortest).toBeLessThan(mostMs);
    for (const other of others) other.kill();
    await Promise.all(others.map((other) => other.exited));
  });
});

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial();
}, 120_000);
afterAll(() => trial.end());

/** In the order of their cases, because the last ones delete what others need; endpoints without cases come first. */
const order = Object.keys(worstCases);
const endpoints = domains
  .flatMap((domain) => domain.endpoints ?? [])
  .toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id));

/** The slowest requests of an endpoint; if it has no case, a request with the largest parameters. */
function casesOf(endpoint: Endpoint): readonly Case[] {
  const { path, ...request } = largestRequest(endpoint);
  const ask = { ...request, path: endpoint.root ? path : `/api/v1${path}`, as: "owner" as const };
  return worstCases[endpoint.id] ?? [{ what: "the largest parameters", isAnyAnswer: true, ask: () => ask }];
}

/** The limit on this machine now: a slow or busy one needs longer for the same work. */
async function mostMsHere(): Promise<number> {
  const stalling = await startStalling();
  const times: number[] = [];
  for (let i = 0; i < 5; i++) times.push(await stalling.longestDuring("work"));
  await stalling.end();
  return Math.max(mostMs, times.sort((a, b) => a - b)[2] ?? 0);
}

test("the worst requests are those of endpoints", () => {
  const ids = endpoints.map(({ id }) => id);
  expect(Object.keys(worstCases).filter((id) => !ids.includes(id))).toEqual([]);
});

async function stallsOf(cases: readonly Case[]): Promise<string[]> {
  const stalls: string[] = [];
  for (const one of cases) {
    const measured = await shortest(trial, one, mostMs);
    if (measured.longest > mostMs) {
      const allowed = await mostMsHere();
      if (measured.longest > allowed)
        stalls.push(`${one.what}: ${Math.round(measured.longest)} ms, of ${Math.round(allowed)} allowed`);
    }
    if (!isAsMeant(one, measured)) stalls.push(`${one.what}: answered ${measured.status}`);
  }
  return stalls;
}

test("what concerns everybody keeps nobody waiting while everybody listens", async () => {
  const leave = await trial.listen();
  expect(await stallsOf(inFrontOfAll)).toEqual([]);
  await leave();
}, 120_000);

test.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
  "%s keeps nobody waiting",
  async (_, endpoint) => expect(await stallsOf(casesOf(endpoint))).toEqual([]),
  300_000,
);
