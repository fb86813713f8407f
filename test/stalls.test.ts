// The law: no request keeps another waiting for more than 50 ms. The worst requests of every endpoint, one after another,
// on the executable with a large organization, while a probe beside them asks for something small without pause.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { domains } from "@/domains.ts";
import type { Endpoint } from "@/kernel/endpoint.ts";
import { largestRequest } from "./support/random.ts";
import { type Case, worstCases } from "./support/stalls/cases.ts";
import { openTrial, shortest, type Trial } from "./support/stalls/measure.ts";

const mostMs = 50;
/** What a machine that others use adds on its own; what breaks the law for real takes several times as long. */
const noise = 5;

/** What still takes longer, by endpoint and request; a row goes with what it excuses. */
const excused: Record<string, readonly string[]> = {
  // One transaction: 90 to 150 ms.
  "create-user-group": ["everybody in it"],
  "update-message": ["a topic of two thousand messages", "a topic to another channel"],
};

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial();
}, 120_000);
afterAll(() => trial.end());

const endpoints = domains.flatMap((domain) => domain.endpoints ?? []);

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
  async (id, endpoint) => {
    const stalls: string[] = [];
    for (const one of casesOf(endpoint)) {
      if (excused[id]?.includes(one.what)) continue;
      const { longest, status } = await shortest(trial, one, mostMs);
      if (longest > mostMs) console.log(`${id}, ${one.what}: ${Math.round(longest)} ms, over ${mostMs} ms`);
      if (longest > noise * mostMs) stalls.push(`${one.what}: ${Math.round(longest)} ms`);
      const isRefused = status >= 400 && status < 500;
      const isAsMeant = one.isAnyAnswer ? status < 500 : one.isRefused ? isRefused : status < 400;
      if (!isAsMeant) stalls.push(`${one.what}: answered ${status}`);
    }
    expect(stalls).toEqual([]);
  },
  120_000,
);
