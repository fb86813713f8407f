// Sends likely and absurd parameters to every endpoint. No request may cause an internal error, no response or event may violate
// its schema (the world checks each), and refused requests may not change anything.
import { expect, test } from "bun:test";
import { domains } from "@/domains.ts";
import { randomFrom, requestFor, send } from "../support/random.ts";
import { type CastName, type World, world } from "../support/world.ts";

const seed = Number(process.env.CONFAB_TEST_SEED ?? 20261121);
const rounds = Number(process.env.CONFAB_TEST_ROUNDS ?? 5);
const endpoints = domains.flatMap(({ endpoints = [] }) => endpoints);

/** These would end the run: they deactivate the organization, end the caller's account or keys, or end the waiting poll. */
const left =
  /^(deactivate-own-user|deactivate-realm|regenerate-own-api-key|regenerate-bot-api-key|end-key|get-events|dev-.*)$/;
/** What a tool posts and the server refuses is noted for the bot's owner. */
const notes = "get-external";

/** Creates an object of every kind, so that requests can name one by its number. */
async function furnish(w: World): Promise<void> {
  const everyone = [w.user("olive").id, w.user("ada").id, w.user("mel").id, w.user("gus").id];
  for (const [name, is_private] of [
    ["general", false],
    ["design", false],
    ["board", true],
  ] as const) {
    await w.as("ada").post("/channels/create", { name, is_private, subscribers: everyone });
  }
  await w.as("ada").post("/user_groups/create", { name: "crew", description: "", members: everyone });
  await w.as("ada").post("/channel_folders/create", { name: "Projects", description: "" });
  for (const topic of ["tea", "cake", ""]) {
    for (const to of ["general", "board"]) {
      await w.as("mel").post("/messages", { type: "channel", to, topic, content: `About ${topic}` });
    }
  }
  await w.as("mel").post("/messages", { type: "direct", to: [w.user("max").id], content: "Psst" });
  await w.as("mel").post("/saved_snippets", { title: "Hello", content: "Hello there" });
  await w.as("mel").post("/drafts", { drafts: [{ type: "", to: [], topic: "", content: "One" }] });
  await w
    .as("ada")
    .post("/realm/linkifiers", { pattern: "#(?P<id>[0-9]+)", url_template: "https://x.org/{id}" });
  await w.as("ada").post("/realm/profile_fields", { name: "Team", field_type: 1 });
}

const senders: [CastName | null, ...(CastName | null)[]] = [
  "olive",
  "ada",
  "moss",
  "mel",
  "mel",
  "gus",
  "bolt",
  null,
];

/** A digest of everything stored, except the counter of transactions in the file's header. */
function hashOfStore(w: World): bigint | number {
  const bytes = w.app.env.db.sqlite.serialize();
  bytes.fill(0, 24, 28).fill(0, 92, 96);
  return Bun.hash(bytes);
}

test(`${rounds} rounds of random requests (CONFAB_TEST_SEED=${seed}) cause no internal error and violate no schema`, async () => {
  const random = randomFrom(seed);
  const statuses = new Map<number, number>();
  for (let round = 0; round < rounds; round++) {
    const w = world();
    await furnish(w);
    const queue = await w.queue("mel", { all_public_streams: true });
    for (const endpoint of endpoints) {
      if (left.test(endpoint.id) || endpoint.root || endpoint.body) continue;
      const who = random(senders);
      const request = requestFor(endpoint, random);
      const about = `${endpoint.id} as ${who}: ${JSON.stringify(request).slice(0, 600)}`;
      try {
        const before = hashOfStore(w);
        const { status, body, events } = await send(who ? w.as(who) : w.anonymous, request);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status >= 500) throw new Error(`answered ${status} ${JSON.stringify(body)}`);
        if (status >= 400) {
          expect(body).toMatchObject({ result: "error", msg: expect.any(String), code: expect.any(String) });
          expect(events).toEqual([]);
          if (endpoint.id !== notes) expect(hashOfStore(w)).toBe(before);
        }
      } catch (error) {
        throw new Error(`${about}\n${(error as Error).stack}`);
      }
    }
    await queue.poll().catch(() => {});
  }
  expect(statuses.get(200) ?? 0).toBeGreaterThan(rounds * 20);
  expect(statuses.get(400) ?? 0).toBeGreaterThan(rounds * 20);
}, 300_000);

test("every path with a number names one with leading zeros as what is wrong", async () => {
  const w = world();
  const numbered = endpoints.filter(({ root, path }) => !root && path.includes(":[0-9]+}"));
  expect(numbered.length).toBeGreaterThan(40);
  for (const { id, method, path } of numbered) {
    const request = { method, path: path.replaceAll(/\{\w+:\[0-9\]\+\}/g, "01"), params: {} };
    const { status, body } = await send(w.as("olive"), request);
    const msg = expect.stringMatching(/^\w+ is not a number without leading zeros$/);
    expect({ id, status, body }).toMatchObject({
      id,
      status: 400,
      body: { code: "REQUEST_VARIABLE_INVALID", msg },
    });
  }
});
