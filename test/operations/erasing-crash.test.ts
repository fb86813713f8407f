// Erasing a person takes many transactions: what was begun is completed, whatever dies in the middle, and leaves no trace.
import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { jsonHere, runHere } from "../support/command-line.ts";
import { openDatabaseOf } from "../support/database.ts";
import { call, cleanUp, newFolder, newOrganization, serve } from "../support/executable.ts";
import { until } from "../support/waiting.ts";

afterAll(() => cleanUp());

const size = 5_000;
/** So many that a busy machine is seen in the middle of it. */
const long = 4 * size;
const address = "melchior@zanzibar.example";
const name = "Melchior Zanzibar";

/** A person with many messages in a channel and others' messages that mention them. No server runs. */
async function scene(messages = size) {
  const dataDir = newFolder();
  const { owner } = await newOrganization(dataDir);
  const at = ["--data", dataDir];
  const { user_id } = await jsonHere<{ user_id: number }>([
    "user",
    "create",
    "--email",
    address,
    "--name",
    name,
    ...at,
  ]);
  await jsonHere([
    "channel",
    "create",
    "party",
    ...at,
    "--subscribe",
    "olive@example.com",
    "--subscribe",
    address,
  ]);
  const send = (as: string, content: string) =>
    jsonHere<{ id: number }>([
      "message",
      "send",
      "--to",
      "party",
      "--topic",
      "cake",
      content,
      "--as",
      as,
      ...at,
    ]);
  const { id } = await send(address, "crumbs");
  const { id: mention } = await send("olive@example.com", `Hello @**${name}**`);
  const database = openDatabaseOf(dataDir);
  const columns = "sender_id, client_id, sent_at, bits, topic, topic_key, content, rendered";
  database.run(
    `INSERT INTO messages (conversation_id, home_id, seq, ${columns}) ` +
      `SELECT conversation_id, home_id, seq + 1 + value, ${columns} FROM json_each(?), messages WHERE messages.id = ?`,
    [JSON.stringify(Array.from({ length: messages - 1 }, (_, i) => i + 1)), id],
  );
  database.run("UPDATE sequences SET last_seq = last_seq + ?", [messages]);
  database.close();
  const count = (sql: string) => {
    const looking = openDatabaseOf(dataDir, { readonly: true });
    try {
      return looking.query<{ n: number }, []>(`SELECT COUNT(*) AS n FROM ${sql}`).get()?.n ?? 0;
    } finally {
      looking.close();
    }
  };
  return {
    dataDir,
    at,
    owner,
    user_id,
    mention,
    count,
    left: () => count(`messages WHERE sender_id = ${user_id}`),
  };
}

describe("a server killed while it erases a person", () => {
  test("erases the rest after its next start, and nothing of the person is in the files", async () => {
    const { dataDir, at, owner, user_id, mention, count, left } = await scene(long);
    const begun = await serve(dataDir);
    const path = ["POST", `/users/${user_id}/erase`] as const;
    call(begun, owner, [...path], { messages: "delete" }).catch(() => null);
    await until(() => left() < long, "the first of the messages are gone");
    await begun.end("SIGKILL");
    expect(left()).toBeGreaterThan(0);
    expect(count("account_work")).toBe(1);

    const again = await serve(dataDir);
    await until(() => count("account_work") === 0, "the rest is gone");
    expect(left()).toBe(0);
    const { body } = await call(again, owner, ["GET", `/messages/${mention}`], { apply_markdown: "false" });
    expect(body.message).toMatchObject({ content: `Hello @**Deleted user|${user_id}**` });
    await again.end("SIGTERM");

    const file = join(newFolder(), "all.json");
    expect(await runHere(["export", "organization", file, ...at])).toMatchObject({ status: 0 });
    const exported = readFileSync(file, "utf8");
    expect(exported).toContain("Deleted user");
    const database = openDatabaseOf(dataDir);
    database.run("VACUUM");
    const [{ path: stored = "" } = {}] = database
      .query<{ path: string }, []>("SELECT file AS path FROM pragma_database_list")
      .all();
    database.run("PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
    const bytes = readFileSync(stored, "latin1");
    for (const trace of [name, address, address.toUpperCase(), "crumbs"])
      expect([trace, exported.includes(trace), bytes.includes(trace)]).toEqual([trace, false, false]);
  });
});

describe("confab user erase", () => {
  test("erases without a server, and what a command began is completed by the next process", async () => {
    const { at, user_id, count, left } = await scene();
    const done = await runHere(["user", "erase", address, "--messages", "keep", "--yes", ...at]);
    expect([done.status, done.stdout]).toEqual([0, `Erased the person with the ID ${user_id}.\n`]);
    expect([
      left(),
      count("account_work"),
      count(`users WHERE id = ${user_id} AND erased_at IS NULL`),
    ]).toEqual([size, 0, 0]);
    const again = await runHere(["user", "reactivate", String(user_id), "--yes", ...at]);
    expect(again.stderr).toContain("This person was erased. Nobody can change or reopen the account.");
    const gone = await runHere(["user", "delete-messages", String(user_id), "--yes", ...at]);
    expect([gone.status, left()]).toEqual([0, 0]);
  });

  test("is refused for oneself, and says how much it takes", async () => {
    const { at } = await scene();
    const self = await runHere(["user", "erase", "olive@example.com", "--messages", "keep", "--yes", ...at]);
    expect([self.status, self.stderr]).toEqual([
      1,
      "confab: You cannot erase yourself. Another owner of the organization can.\n",
    ]);
    const asked = await runHere(["user", "erase", address, "--messages", "delete", ...at]);
    expect(asked.status).toBe(2);
    expect(asked.stderr).toContain(
      "Their 5,000 messages (5,000 in public channels) are deleted for everyone.",
    );
  });
});
