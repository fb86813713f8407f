// No request may delay another for more than 50 ms: no turn of the server's event loop may take longer; on a slower machine, longer
// than a fixed amount of work takes. Runs the slowest requests of every endpoint one after another, on the executable with a large
// organization.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { domains } from "@/domains.ts";
import type { Endpoint } from "@/kernel/http/endpoint.ts";
import { largestRequest } from "../support/random.ts";
import { type Case, inFrontOfAll, worstCases } from "../support/stalls/cases.ts";
import type { Filled } from "../support/stalls/filled.ts";
import { isAsMeant, openTrial, shortest, type Trial } from "../support/stalls/measure.ts";

/** Takes as long as the machine needs: what does not end is a request without an answer, which is given up. */
const anyMs = 3_600_000;

let trial: Trial;
let filled: Filled;
beforeAll(async () => {
  trial = await openTrial();
}, anyMs);
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

test("the worst requests are those of endpoints", () => {
  const ids = endpoints.map(({ id }) => id);
  expect(Object.keys(worstCases).filter((id) => !ids.includes(id))).toEqual([]);
});

/** After a failure, the next case has a new server. */
async function keepsNobodyWaiting(one: Case): Promise<void> {
  try {
    const measured = await shortest(trial, filled, one);
    const { status, longest, allowed } = measured;
    expect(isAsMeant(one, measured) || `answered ${status}`).toBe(true);
    expect(longest).toBeLessThanOrEqual(allowed);
  } catch (error) {
    await trial.drop();
    throw error;
  }
}

/**
 * Endpoints with the largest answers: their cases have a server of their own, because on one that has answered hundreds of others,
 * clearing up after those counts with them.
 */
const apart = new Set(["register-queue"]);

async function tryOne(id: string, one: Case): Promise<void> {
  if (apart.has(id)) {
    await trial.drop();
    filled = await trial.ready();
  }
  await keepsNobodyWaiting(one);
}

describe("while everybody listens", () => {
  beforeEach(async () => {
    filled = await trial.ready(true);
  }, anyMs);
  const cases = inFrontOfAll.map((one) => [one.what, one] as const);
  test.each(cases)("%s keeps nobody waiting", (_, one) => keepsNobodyWaiting(one), anyMs);
});

describe("a request", () => {
  beforeEach(async () => {
    filled = await trial.ready();
  }, anyMs);
  const cases = endpoints.flatMap((endpoint) =>
    casesOf(endpoint).map((one) => [endpoint.id, one.what, one] as const),
  );
  test.each(cases)("%s with %s keeps nobody waiting", (id, _what, one) => tryOne(id, one), anyMs);
});
