// Acknowledged writes survive: kills the server under load, again and again.
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openDatabaseOf } from "../support/database.ts";
import {
  type Credentials,
  call,
  cleanUp,
  json,
  newFolder,
  newOrganization,
  type Server,
  serve,
} from "../support/executable.ts";
import { until } from "../support/waiting.ts";

const rounds = 20;
const senders = 64;

afterAll(() => cleanUp());

interface Acknowledged {
  id: number;
  content: string;
}

/** Sends from a separate process until the server is dead; resolves with all acknowledged messages. */
function startSenders(server: Server, { email, api_key }: Credentials): Promise<Acknowledged[]> {
  const script = join(import.meta.dir, "..", "support", "sender.ts");
  const authorization = `Basic ${btoa(`${email}:${api_key}`)}`;
  const child = Bun.spawn([process.execPath, script, server.url, authorization, "crash", String(senders)], {
    stdout: "pipe",
  });
  return new Response(child.stdout).text().then((text) =>
    text
      .trimEnd()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => ({ id: Number.parseInt(line, 10), content: line.slice(line.indexOf(" ") + 1) })),
  );
}

/** Collects the IDs of messages whose events a client got, until the server is dead. */
async function listen(server: Server, owner: Credentials, received: number[]): Promise<void> {
  const { body } = await call(server, owner, ["POST", "/register"], { event_types: '["message"]' });
  let last = Number(body.last_event_id);
  while (true) {
    const poll = { queue_id: String(body.queue_id), last_event_id: String(last) };
    const answer = await call(server, owner, ["GET", "/events"], poll).catch(() => null);
    if (answer?.status !== 200) return;
    for (const event of answer.body.events as { id: number; type: string; message?: { id: number } }[]) {
      last = event.id;
      if (event.message) received.push(event.message.id);
    }
  }
}

function storedIn(dataDir: string): Map<number, string> {
  const database = openDatabaseOf(dataDir);
  const check = database.query("PRAGMA integrity_check").get() as { integrity_check: string };
  expect(check.integrity_check).toBe("ok");
  const rows = database.query("SELECT id, content FROM messages").all() as { id: number; content: string }[];
  const lost = database
    .query(
      "SELECT COUNT(*) AS n FROM messages WHERE id NOT IN (SELECT id FROM messages_to_index) " +
        "AND id NOT IN (SELECT rowid FROM message_index WHERE message_index MATCH 'sender')",
    )
    .get();
  expect(lost).toEqual({ n: 0 });
  database.close();
  return new Map(rows.map((row) => [row.id, row.content]));
}

describe("a server killed among 64 senders", () => {
  test("has every acknowledged message after each of 20 restarts, and has emitted no others", async () => {
    const dataDir = newFolder();
    const { owner } = await newOrganization(dataDir);
    await json(["channel", "create", "crash", "--data", dataDir, "--subscribe", "olive@example.com"]);

    for (let round = 0; round < rounds; round++) {
      const server = await serve(dataDir);
      const acknowledged = startSenders(server, owner);
      const received: number[] = [];
      const listening = listen(server, owner, received);
      await until(() => received.length >= senders, "the messages arrive", 1);
      await Bun.sleep(Math.random() * 200);
      await server.end("SIGKILL");

      const stored = storedIn(dataDir);
      for (const { id, content } of await acknowledged) expect(stored.get(id)).toBe(content);
      await listening;
      for (const id of received) expect(stored.has(id)).toBe(true);
    }
    const server = await serve(dataDir);
    const newest = { anchor: "newest", num_before: "5", num_after: "0" };
    const { status, body } = await call(server, owner, ["GET", "/messages"], newest);
    expect(status).toBe(200);
    expect((body.messages as unknown[]).length).toBe(5);
  }, 300_000);
});

interface Kept {
  file: string;
  size: number;
  path_id: string;
}

/** Uploads one file after another until the server is dead; returns the acknowledged addresses. */
async function upload(
  server: Server,
  { email, api_key }: Credentials,
  acknowledged: string[],
): Promise<void> {
  const headers = { authorization: `Basic ${btoa(`${email}:${api_key}`)}` };
  while (true) {
    const body = new FormData();
    body.append("file", new File(["crash ".repeat(50_000)], "crash.txt"));
    const answer = await fetch(`${server.url}/api/v1/user_uploads`, { method: "POST", headers, body })
      .then((response) => response.json() as Promise<{ url: string }>)
      .catch(() => null);
    if (!answer) return;
    acknowledged.push(answer.url);
  }
}

function filesNamedIn(dataDir: string): Kept[] {
  const database = openDatabaseOf(dataDir);
  const rows = database.query("SELECT file, size, path_id FROM attachments").all() as Kept[];
  database.close();
  return rows;
}

describe("a server killed among uploads", () => {
  test("has every acknowledged or referenced file, complete", async () => {
    const dataDir = newFolder();
    const { owner } = await newOrganization(dataDir);
    for (let round = 0; round < 5; round++) {
      const server = await serve(dataDir);
      const acknowledged: string[] = [];
      const uploads = Promise.all(Array.from({ length: 8 }, () => upload(server, owner, acknowledged)));
      await until(() => acknowledged.length >= 10, "the files arrive", 1);
      await Bun.sleep(Math.random() * 150);
      await server.end("SIGKILL");

      const kept = filesNamedIn(dataDir);
      const sizeOf = (file: string) =>
        Bun.file(join(dataDir, "files", "uploads", file.slice(0, 2), file)).size;
      expect(kept.filter(({ file, size }) => size !== 300_000 || sizeOf(file) !== size)).toEqual([]);
      const named = new Set(kept.map(({ path_id }) => `/user_uploads/${path_id}`));
      await uploads;
      expect(acknowledged.filter((url) => !named.has(url))).toEqual([]);
    }
  });
});
