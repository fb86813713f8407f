// What the bench counts as a send.

import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { databaseIn, discard, prepare, type Server, startConfab } from "../bench/servers.ts";
import { team } from "../bench/worlds.ts";
import { cleanUp } from "../support/executable.ts";

const started: Server[] = [];
afterAll(async () => {
  await Promise.all(started.map(discard));
  await cleanUp();
});

test("a burst is of as many people as connections, and ends when search finds every message", async () => {
  const server = await startConfab(await prepare(team));
  started.push(server);
  const indexOf = databaseIn(server.folder);
  const { count } = await server.run("burst", {
    accounts: server.accounts,
    channel: server.channels.fifty ?? 0,
    connections: 64,
    ms: 0,
    count: 640,
    indexOf,
  });
  const database = new Database(indexOf, { readonly: true });
  const numberOf = (sql: string) => (database.query(sql).get() as { n: number }).n;
  expect(numberOf("SELECT COUNT(*) AS n FROM messages_to_index")).toBe(0);
  expect([count, numberOf("SELECT COUNT(*) AS n FROM messages")]).toEqual([641, 641]);
  expect(numberOf("SELECT COUNT(DISTINCT sender_id) AS n FROM messages")).toBe(64);
  database.close();
});
