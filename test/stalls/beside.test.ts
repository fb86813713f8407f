// How soon a server answers while other processes use its folder.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import {
  type Credentials,
  call,
  cleanUp,
  confab,
  newFolder,
  newOrganization,
  serve,
} from "../support/executable.ts";
import { hold } from "../support/locks.ts";
import type { Json } from "../support/requests.ts";
import { mostMs } from "../support/stalls/measure.ts";
import { startWork, turnsOfServer } from "../support/stalls/turns.ts";

let seed: string;
let olive: Credentials;
let work: Awaited<ReturnType<typeof startWork>>;
beforeAll(async () => {
  seed = newFolder();
  olive = (await newOrganization(seed)).owner;
  work = await startWork();
});
afterEach(() => cleanUp(seed));
afterAll(async () => {
  await work.end();
  await cleanUp();
});

/** A slow or busy machine needs longer. */
const allowed = async (ms: number) => ms * Math.max(1, (await work.ms()) / mostMs);

test("nobody waits while a write waits for another program's lock", async () => {
  const data = newFolder(seed);
  const { env, open } = turnsOfServer();
  const server = await serve(data, [], { env });
  const turns = await open();
  const { body: me } = await call(server, olive, ["GET", "/users/me"]);
  const lock = await hold(data);
  let isSent = false;
  const message = { type: "direct", to: JSON.stringify([me.user_id]), content: "patience" };
  const sent = call(server, olive, ["POST", "/messages"], message).finally(() => {
    isSent = true;
  });
  const longest: number[] = [];
  do {
    await turns.begin();
    for (let j = 0; j < 10; j++) await call(server, olive, ["GET", "/users"]);
    longest.push(await turns.end());
  } while (!isSent && longest.length < 5);
  expect(Math.min(...longest)).toBeLessThanOrEqual(await allowed(mostMs));
  await lock.release();
  await sent;
  turns.close();
});

test("a waiting client gets a command's events within 200 ms, even from a server that was idle", async () => {
  const data = newFolder(seed);
  const server = await serve(data);
  await Bun.sleep(1_500); // so that only its jobs are running
  const { body } = await call(server, olive, ["POST", "/register"], { event_types: '["realm"]' });
  let soon = 0;
  let last = -1;
  // Other programs may delay some of them.
  for (let n = 0; n < 5 && soon < 3; n++) {
    const asked = { queue_id: String(body.queue_id), last_event_id: String(last) };
    const received = call(server, olive, ["GET", "/events"], asked).then((answer) => ({
      events: answer.body.events as Json[],
      at: performance.now(),
    }));
    await Bun.sleep(130 + n * 20); // the request is waiting, and the server checks at other moments
    const made = await confab(["realm", "set", "name", `Crew ${n}`, "--data", data]);
    const ended = performance.now();
    expect(made.status).toBe(0);
    const { events, at } = await received;
    expect(JSON.stringify(events)).toContain(`Crew ${n}`);
    last = events.at(-1)?.id;
    if (at - ended < (await allowed(200))) soon++;
  }
  expect(soon).toBe(3);
});
