// The baseline, a separate process: the smallest server that stores a message durably and delivers it to everyone, on Confab's
// own stack. No accounts, no permissions, no rendering, no search; messages have every field the API's have, so the bytes
// compare. Usage: bun bare.ts FOLDER PORT
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { Hono } from "hono";

type Draft = { channel: number; topic: string; content: string; at: number };
type Waiting = { draft: Draft; answer: (id: number) => void };
type Stored = { id: number; channel_id: number; topic: string; content: string; sent_at: number };
type Poll = { after: number; answer: (body: string) => void };

const keptEvents = 20_000;
const json = { "Content-Type": "application/json" };
const [folder = ".", port = "9990"] = Bun.argv.slice(2);

const db = new Database(join(folder, "bare.db"), { create: true, strict: true });
db.run("PRAGMA journal_mode = WAL");
db.run("PRAGMA synchronous = FULL");
db.run(`CREATE TABLE IF NOT EXISTS messages (
  id INTEGER PRIMARY KEY, sender_id INTEGER NOT NULL, channel_id INTEGER NOT NULL,
  topic TEXT NOT NULL, content TEXT NOT NULL, sent_at INTEGER NOT NULL) STRICT`);
const insert = db.query<{ id: number }, [number, number, string, string, number]>(
  "INSERT INTO messages (sender_id, channel_id, topic, content, sent_at) VALUES (?, ?, ?, ?, ?) RETURNING id",
);

const newest = db.query<Stored, [number]>(
  "SELECT id, channel_id, topic, content, sent_at FROM messages ORDER BY id DESC LIMIT ?",
);

let waiting: Waiting[] = [];
let polls: Poll[] = [];
let recent: string[] = [];
let lastId = 0;
const bodies = new Map<number, string>();

const app = new Hono();
app.get("/api/v1/server_settings", (c) => c.body('{"result":"success","msg":""}', 200, json));
app.post("/api/v1/messages", async (c) => {
  const id = await store(parseDraft(await c.req.text()));
  return c.body(`{"result":"success","msg":"","id":${id}}`, 200, json);
});
app.post("/api/v1/register", (c) =>
  c.body(`{"result":"success","msg":"","queue_id":"bare","last_event_id":${lastId}}`, 200, json),
);
app.get("/api/v1/events", async (c) =>
  c.body(await eventsAfter(Number(c.req.query("last_event_id"))), 200, json),
);
app.get("/api/v1/messages", (c) => c.body(page(), 200, json));
serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(port) });
process.on("SIGTERM", () => process.exit(0));
process.stdin.on("end", () => process.exit(0)).resume();

function parseDraft(form: string): Draft {
  const params = new URLSearchParams(form);
  return {
    channel: Number(params.get("to")),
    topic: params.get("topic") ?? "",
    content: params.get("content") ?? "",
    at: Math.floor(Date.now() / 1000),
  };
}

function store(draft: Draft): Promise<number> {
  return new Promise((answer) => {
    if (waiting.push({ draft, answer }) === 1) setImmediate(flush);
  });
}

/** Group commit: all waiting sends share one transaction, and are answered only after COMMIT. */
function flush(): void {
  const batch = waiting;
  waiting = [];
  db.run("BEGIN IMMEDIATE");
  const ids = batch.map(
    ({ draft }) => insert.get(1, draft.channel, draft.topic, draft.content, draft.at)?.id ?? 0,
  );
  db.run("COMMIT");
  publish(batch.map(({ draft }, i) => serialize(ids[i] ?? 0, draft)));
  batch.forEach(({ answer }, i) => {
    answer(ids[i] ?? 0);
  });
}

/** The newest 100 messages: the cheapest possible page of messages. */
function page(): string {
  const messages = newest.all(100).reverse();
  return JSON.stringify({
    result: "success",
    msg: "",
    messages: messages.map((row) => ({
      ...messageOf(row.id, {
        channel: row.channel_id,
        topic: row.topic,
        content: row.content,
        at: row.sent_at,
      }),
      flags: ["read"],
    })),
  });
}

function serialize(id: number, draft: Draft): string {
  lastId += 1;
  return JSON.stringify({ type: "message", message: messageOf(id, draft), flags: [], id: lastId });
}

function messageOf(id: number, draft: Draft) {
  return {
    id,
    sender_id: 1,
    content: draft.content,
    recipient_id: draft.channel,
    timestamp: draft.at,
    client: "bench",
    subject: draft.topic,
    topic_links: [],
    is_me_message: false,
    reactions: [],
    submessages: [],
    sender_full_name: "Owner",
    sender_email: "owner@example.com",
    sender_realm_str: "bench",
    display_recipient: "bench",
    type: "stream",
    stream_id: draft.channel,
    avatar_url: null,
    content_type: "text/x-markdown",
  };
}

function publish(events: string[]): void {
  recent.push(...events);
  if (recent.length > 2 * keptEvents) recent = recent.slice(-keptEvents);
  bodies.clear();
  const ready = polls;
  polls = [];
  for (const poll of ready) poll.answer(bodyAfter(poll.after));
}

function eventsAfter(after: number): string | Promise<string> {
  if (after < lastId) return bodyAfter(after);
  return new Promise((answer) => {
    polls.push({ after, answer });
  });
}

/** One string shared by all clients at the same event. */
function bodyAfter(after: number): string {
  const known = bodies.get(after);
  if (known !== undefined) return known;
  const events = recent.slice(after - lastId).join(",");
  const body = `{"result":"success","msg":"","events":[${events}],"queue_id":"bare"}`;
  bodies.set(after, body);
  return body;
}
