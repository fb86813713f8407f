// The law: no request keeps another waiting for more than 50 ms. The worst requests of every endpoint, one after another,
// on the executable with a large organization, while a probe beside them asks for something small without pause.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { domains } from "@/domains.ts";
import type { Endpoint } from "@/kernel/endpoint.ts";
import { largestRequest } from "./support/random.ts";
import { type Case, worstCases } from "./support/stalls/cases.ts";
import { isAsMeant, openTrial, shortest, startProbe, type Trial } from "./support/stalls/measure.ts";

const mostMs = 50;
const here = join(import.meta.dir, "support", "stalls");

describe("the probe", () => {
  let stalling: Bun.Subprocess<"ignore", "pipe">;
  let url: string;
  let probe: ReturnType<typeof startProbe>;
  beforeAll(async () => {
    stalling = Bun.spawn([process.execPath, join(here, "stalling.ts")], { stdout: "pipe" });
    const { value } = await stalling.stdout.getReader().read();
    const port = Number(new TextDecoder().decode(value));
    url = `http://127.0.0.1:${port}`;
    probe = startProbe({ port, pid: stalling.pid });
  });
  afterAll(async () => {
    await probe.end();
    stalling.kill();
    await stalling.exited;
  });

  const longestDuring = async (how: string, ms: number) => {
    await probe.span();
    await fetch(`${url}/${how}?ms=${ms}`);
    return (await probe.span()).longest;
  };
  const shortestOf = async (tries: number, measure: () => Promise<number>) => {
    const all: number[] = [];
    for (let i = 0; i < tries; i++) all.push(await measure());
    return Math.min(...all);
  };

  test.each(["compute", "sleep"])("sees a server %s", async (how) => {
    expect(await shortestOf(6, () => longestDuring(how, 65))).toBeGreaterThan(mostMs);
  });

  test("does not count what other programs do", async () => {
    const spin = "for (const end = performance.now() + 2000; performance.now() < end; );";
    const others = Array.from({ length: 6 }, () => Bun.spawn([process.execPath, "-e", spin]));
    await Bun.sleep(200);
    expect(await shortestOf(6, () => longestDuring("compute", 15))).toBeLessThan(mostMs);
    for (const other of others) other.kill();
    await Promise.all(others.map((other) => other.exited));
  });
});

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial();
}, 120_000);
afterAll(() => trial.end());

/** In the order of their cases, of which the last delete what others need; those without cases come first. */
const order = Object.keys(worstCases);
const endpoints = domains
  .flatMap((domain) => domain.endpoints ?? [])
  .toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id));

/** The worst requests of an endpoint; where nobody has said which these are, one with the largest parameters. */
function casesOf(endpoint: Endpoint): readonly Case[] {
  const { path, ...request } = largestRequest(endpoint);
  const ask = { ...request, path: endpoint.root ? path : `/api/v1${path}`, as: "owner" as const };
  return worstCases[endpoint.id] ?? [{ what: "the largest parameters", isAnyAnswer: true, ask: () => ask }];
}

test("the worst requests are those of endpoints", () => {
  const ids = endpoints.map(({ id }) => id);
  expect(Object.keys(worstCases).filter((id) => !ids.includes(id))).toEqual([]);
});

test.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
  "%s keeps nobody waiting",
  async (_, endpoint) => {
    const stalls: string[] = [];
    for (const one of casesOf(endpoint)) {
      const measured = await shortest(trial, one, mostMs);
      if (measured.longest > mostMs) stalls.push(`${one.what}: ${Math.round(measured.longest)} ms`);
      if (!isAsMeant(one, measured)) stalls.push(`${one.what}: answered ${measured.status}`);
    }
    expect(stalls).toEqual([]);
  },
  300_000,
);
