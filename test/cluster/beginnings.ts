// Logs that go on after an existing database, as `confab cluster init` and `recover` begin them: what was acknowledged is there after
// its nats-servers were killed. Part of `npm run test:cluster`.
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { cleanUp, confab, json, type Server } from "../support/executable.ts";
import { natsBinary, startServers, until } from "./machines.ts";
import { Trio } from "./trio.ts";

const binary = natsBinary("nobody killed the nats-servers of a log that goes on after a database");
const stream = "CONFAB_confab_LOG";
let trio: Trio;

afterEach(() => trio.end());
afterAll(() => cleanUp());

/** Sends messages; returns their IDs. */
async function send(count: number): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < count) {
    const { user_id } = await trio.call(0, "GET", "users/me");
    const params = { type: "direct", to: JSON.stringify([user_id]), content: `message ${ids.length}` };
    const sent = await trio.call(await trio.leader(), "POST", "messages", params);
    expect(sent).toMatchObject({ result: "success" });
    ids.push(sent.id);
  }
  return ids;
}

async function expectThere(ids: readonly number[]): Promise<void> {
  for (const at of trio.names.keys()) {
    const found = await until(`node ${trio.names[at]} has the last message`, async () => {
      const newest = { anchor: "newest", num_before: 100, num_after: 0 };
      const { messages } = await trio.call(at, "GET", "messages", newest);
      const there = messages.map(({ id }: { id: number }) => id);
      return there.includes(ids.at(-1)) && there;
    });
    for (const id of ids) expect(found).toContain(id);
  }
}

async function inNats<T>(
  work: (manager: Awaited<ReturnType<typeof jetstreamManager>>) => Promise<T>,
): Promise<T> {
  const nc = await connect({ servers: trio.servers.map(({ port }) => `nats://localhost:${port}`) });
  try {
    return await work(await jetstreamManager(nc));
  } finally {
    await nc.close();
  }
}

/** All nodes and nats-servers, at once, as a power cut does. */
async function killAll(): Promise<void> {
  await Promise.all([...trio.names.keys()].map((at) => trio.kill(at)));
  await Promise.all(trio.servers.map((one) => one.kill()));
}

async function startAll(): Promise<void> {
  await startServers(trio.servers);
  await Promise.all([...trio.names.keys()].map((at) => trio.start(at)));
}

describe.skipIf(!binary)("a log that goes on after a database", () => {
  test("keeps what was acknowledged, whichever nats-servers are killed, after init and after recover", async () => {
    trio = new Trio(binary ?? "", {});
    await trio.begin();
    const sent = await send(3);
    // One after the other: each copy must be whole, not just one of them.
    for (const one of trio.servers) {
      await one.kill();
      await startServers([one]);
      await send(1).then((more) => sent.push(...more));
    }
    await killAll();
    await startAll();
    await expectThere(sent);
    sent.push(...(await send(1)));

    await Promise.all((trio.running as Server[]).map((one) => one.end("SIGTERM")));
    const from = ["--from", "a", "--yes", "--data", trio.folders[0] as string];
    await until("nobody leads", async () => (await confab(["cluster", "recover", ...from])).status === 0);
    await trio.start(0);
    for (const at of [1, 2]) {
      await json(["cluster", "join", "--yes", "--data", trio.folders[at] as string]);
      await trio.start(at);
    }
    sent.push(...(await send(3)));
    await killAll();
    await startAll();
    await expectThere(sent);
  }, 300_000);

  test("that an earlier version began at a number of JetStream's own keeps its entries, too", async () => {
    trio = new Trio(binary ?? "", {
      onBegun: () =>
        inNats(async (manager) => {
          const { config } = await manager.streams.info(stream);
          const first_seq = Number(config.metadata?.confab_entries_before) + 1;
          await manager.streams.delete(stream);
          const { metadata: _, ...more } = config;
          await manager.streams.add({ ...more, subjects: ["confab.confab.log"], first_seq });
        }),
    });
    await trio.begin();
    const sent = await send(3);
    await killAll();
    await startAll();
    await expectThere(sent);
    await send(1);
    const { first_seq } = await inNats(async (manager) => (await manager.streams.info(stream)).config);
    expect(first_seq ?? 0).toBe(0);
  }, 300_000);
});
