// Moves and deletions of large topics take many transactions: what a person began is completed, whatever dies in the middle.
import { afterAll, describe, expect, test } from "bun:test";
import { openDatabaseOf } from "../support/database.ts";
import {
  type Credentials,
  call,
  cleanUp,
  confab,
  executable,
  json,
  newFolder,
  newOrganization,
  type Server,
  serve,
  surroundings,
} from "../support/executable.ts";
import { testNodes } from "../support/nodes.ts";

afterAll(() => cleanUp());

interface Scene {
  dataDir: string;
  size: number;
  owner: Credentials;
  /** The first message of the topic "cake" in the channel "party", and its last one. */
  first: number;
  last: number;
  /** Runs a query on the database, while others use it. */
  read<T>(sql: string): T[];
  countIn(topic: string): number;
}

/** A channel with a large topic. No server runs. */
async function scene(size = 12_000): Promise<Scene> {
  const dataDir = newFolder();
  const { owner } = await newOrganization(dataDir);
  await json(["channel", "create", "party", "--data", dataDir, "--subscribe", "olive@example.com"]);
  const words = ["message", "send", "--to", "party", "--topic", "cake", "crumbs", "--data", dataDir];
  const { id: first } = await json<{ id: number }>(words);
  const database = openDatabaseOf(dataDir);
  const columns = "sender_id, client_id, sent_at, bits, topic, topic_key, content, rendered";
  database.run(
    `INSERT INTO messages (conversation_id, home_id, seq, ${columns}) ` +
      `SELECT conversation_id, home_id, seq + value, ${columns} FROM json_each(?), messages WHERE messages.id = ?`,
    [JSON.stringify(Array.from({ length: size - 1 }, (_, i) => i + 1)), first],
  );
  database.run(
    "UPDATE sequences SET last_seq = last_seq + ? WHERE conversation_id = (SELECT conversation_id FROM messages WHERE id = ?)",
    [size - 1, first],
  );
  database.close();
  const read = <T>(sql: string): T[] => {
    const looking = openDatabaseOf(dataDir, { readonly: true });
    try {
      return looking.query<T, []>(sql).all();
    } finally {
      looking.close();
    }
  };
  const countIn = (topic: string) =>
    read<{ n: number }>(
      `SELECT COUNT(*) AS n FROM messages WHERE topic = '${topic}' AND content = 'crumbs'`,
    )[0]?.n ?? 0;
  return { dataDir, size, owner, first, last: first + size - 1, read, countIn };
}

const toTart = {
  topic: "tart",
  propagate_mode: "change_all",
  send_notification_to_old_thread: "true",
  send_notification_to_new_thread: "true",
};

const beginMove = (server: Server, { owner, first }: Scene, params: Record<string, string> = toTart) =>
  call(server, owner, ["PATCH", `/messages/${first}`], params).catch(() => null);

/** Waits until work is stored that has gone on to another message than `past`; returns its last one. */
async function underWay({ read }: Scene, past = 0): Promise<number> {
  for (;;) {
    const [work] = read<{ last_id: number }>("SELECT last_id FROM topic_work");
    if (work && work.last_id !== past) return work.last_id;
    await Bun.sleep(1);
  }
}

async function untilDone({ read }: Scene): Promise<void> {
  const end = performance.now() + 30_000;
  while (read("SELECT 1 FROM topic_work").length > 0) {
    if (performance.now() > end) throw new Error("The work has not ended");
    await Bun.sleep(20);
  }
}

interface Listened {
  type: string;
  id: number;
  message_ids: number[];
  message: { content: string; subject: string };
}

/** Opens a queue; the result returns all events up to one for which `isLast` holds. */
async function listening(server: Server, { owner }: Scene) {
  const capabilities = { client_capabilities: '{"bulk_message_deletion": true}' };
  const { body } = await call(server, owner, ["POST", "/register"], {
    event_types: '["message", "update_message", "delete_message"]',
    ...capabilities,
  });
  return async (isLast: (event: Listened) => boolean): Promise<Listened[]> => {
    const received: Listened[] = [];
    for (let last = Number(body.last_event_id); !received.some(isLast); last = received.at(-1)?.id ?? last) {
      const poll = { queue_id: String(body.queue_id), last_event_id: String(last) };
      const answer = await call(server, owner, ["GET", "/events"], poll);
      received.push(...(answer.body.events as Listened[]));
    }
    return received;
  };
}

const idsOf = (events: Listened[], type: string) =>
  events.filter((event) => event.type === type).flatMap(({ message_ids }) => message_ids);

const notices = ({ read }: Scene, topic: string) =>
  read<{ content: string }>(
    `SELECT content FROM messages WHERE topic = '${topic}' AND content <> 'crumbs' ORDER BY id`,
  ).map(({ content }) => content);

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe("a server killed while a large topic moves", () => {
  test("moves the rest after its next start, with events, history and one notice in each topic", async () => {
    const one = await scene();
    const { dataDir, owner, first, last } = one;
    const begun = await serve(dataDir);
    const me = await json<{ user_id: number }>(["user", "show", "olive@example.com", "--data", dataDir]);
    const follow = { stream_id: "1", topic: "cake", visibility_policy: "3" };
    const [channel] = one.read<{ id: number }>("SELECT id FROM channels WHERE name = 'party'");
    await call(begun, owner, ["POST", "/user_topics"], { ...follow, stream_id: String(channel?.id) });
    void beginMove(begun, one);
    let at = await underWay(one);
    await begun.end("SIGKILL");
    expect(one.countIn("cake")).toBeGreaterThan(0);

    for (let kill = 0; kill < 2; kill++) {
      const again = await serve(dataDir);
      at = await underWay(one, at);
      await again.end("SIGKILL");
    }
    const [{ last_id = 0 } = {}] = one.read<{ last_id: number }>("SELECT last_id FROM topic_work");
    expect([one.countIn("tart"), one.countIn("cake")]).toEqual([last_id - first + 1, last - last_id]);
    expect(notices(one, "tart")).toEqual([]);

    const server = await serve(dataDir);
    const listen = await listening(server, one);
    const [goingOn] = one.read<{ last_id: number }>("SELECT last_id FROM topic_work");
    const received = await listen(({ type, message }) => type === "message" && message.subject === "cake");
    const moved = idsOf(received, "update_message");
    const [from = 0] = moved;
    expect(moved).toEqual(range(from, last));
    // The server may have gone on before it had the queue.
    expect(from).toBeGreaterThan(last_id);
    expect(from).toBeLessThanOrEqual((goingOn?.last_id ?? 0) + 1);
    expect([one.countIn("tart"), one.countIn("cake")]).toEqual([one.size, 0]);
    const mover = `@_**Olive|${me.user_id}**`;
    const expected = {
      tart: [`This topic was moved here from #**party>cake** by ${mover}.`],
      cake: [`This topic was moved to #**party>tart** by ${mover}.`],
    };
    expect([notices(one, "tart"), notices(one, "cake")]).toEqual([expected.tart, expected.cake]);
    expect(one.read("SELECT topic, policy FROM user_topics")).toEqual([{ topic: "tart", policy: 3 }]);
    for (const id of [first, first + 600, last]) {
      const { body } = await call(server, owner, ["GET", `/messages/${id}/history`]);
      const past = body.message_history as { topic: string; prev_topic?: string; user_id: number }[];
      expect(past.map(({ topic, prev_topic }) => [topic, prev_topic])).toEqual([
        ["cake", undefined],
        ["tart", "cake"],
      ]);
      expect(past.at(-1)?.user_id).toBe(me.user_id);
    }
    await Bun.sleep(1_200);
    expect(notices(one, "tart")).toEqual(expected.tart);
    expect(await server.end("SIGTERM")).toBe(0);
    expect(
      one.read("SELECT (SELECT COUNT(*) FROM topic_work) + (SELECT COUNT(*) FROM topic_moves) AS n"),
    ).toEqual([{ n: 0 }]);
  }, 120_000);

  test("lets a move of the same topic wait for the rest, and others go on", async () => {
    const one = await scene();
    const begun = await serve(one.dataDir);
    void beginMove(begun, one);
    await underWay(one);
    await begun.end("SIGKILL");

    const server = await serve(one.dataDir);
    const other = { type: "channel", to: "party", topic: "bread", content: "rye" };
    const { body } = await call(server, one.owner, ["POST", "/messages"], other);
    const apart = await call(server, one.owner, ["PATCH", `/messages/${body.id}`], { topic: "rolls" });
    expect([apart.status, one.countIn("cake") > 0]).toEqual([200, true]);
    const { status } = await call(server, one.owner, ["PATCH", `/messages/${one.last}`], {
      ...toTart,
      topic: "pie",
    });
    expect([status, one.countIn("cake"), one.countIn("tart"), one.countIn("pie")]).toEqual([
      200,
      0,
      0,
      one.size,
    ]);
  }, 120_000);
});

test("a server that goes on with a move and is stopped leaves the rest to its next start", async () => {
  const one = await scene();
  const begun = await serve(one.dataDir);
  void beginMove(begun, one);
  await underWay(one);
  await begun.end("SIGKILL");
  const at = await underWay(one);
  const again = await serve(one.dataDir);
  await underWay(one, at);
  expect(await again.end("SIGTERM")).toBe(0);
  expect([one.countIn("tart") > 0, one.countIn("cake") > 0]).toEqual([true, true]);
  await serve(one.dataDir);
  await untilDone(one);
  expect([one.countIn("tart"), one.countIn("cake")]).toEqual([one.size, 0]);
}, 120_000);

test.each(["move", "deletion"])(
  "a %s that fails each time is reported: once in the log, and by the doctor until it goes on",
  async (kind) => {
    const one = await scene(2_000);
    const { dataDir, first, last } = one;
    const change = (sql: string) => {
      const database = openDatabaseOf(dataDir);
      database.run(sql);
      database.close();
    };
    const [when, blocked] = kind === "move" ? ["UPDATE OF topic", last - 300] : ["DELETE", first + 300];
    change(
      `CREATE TRIGGER fault BEFORE ${when} ON messages WHEN OLD.id = ${blocked} ` +
        "BEGIN SELECT RAISE(ABORT, 'no room on the shelf'); END",
    );
    const server = await serve(dataDir);
    const channel = one.read<{ id: number }>("SELECT id FROM channels WHERE name = 'party'")[0]?.id;
    const begun =
      kind === "move"
        ? beginMove(server, one)
        : call(server, one.owner, ["POST", `/streams/${channel}/delete_topic`], { topic_name: "cake" }).catch(
            () => null,
          );
    const doctor = async () => {
      const { stdout } = await confab(["doctor", "--json", "--data", dataDir]);
      const { findings } = JSON.parse(stdout) as {
        findings: { check: string; verdict: string; finding: string }[];
      };
      return findings.find(({ check }) => check === "Moves and deletions of topics");
    };
    const failureNotices = () =>
      server
        .printed()
        .stderr.split("\n")
        .filter((line) => line.includes("does not go on"));
    while (failureNotices().length === 0) await Bun.sleep(100);
    const refused = await begun;
    expect(refused?.status).toBe(500);
    expect(failureNotices()).toEqual([expect.stringContaining("no room on the shelf")]);
    const stuck = {
      verdict: "problem",
      finding: expect.stringMatching(
        new RegExp(
          `^Since \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC, the ${kind} of the topic 'cake' of the channel 'party' does not go on: no room on the shelf\\.`,
        ),
      ),
      remedy: expect.stringContaining("tries again"),
    };
    expect(await doctor()).toMatchObject(stuck);
    expect(await server.end("SIGTERM")).toBe(0);
    expect(await doctor()).toMatchObject(stuck);
    change("DROP TRIGGER fault");
    await serve(dataDir);
    await untilDone(one);
    expect(await doctor()).toMatchObject({ verdict: "well", finding: "None is under way." });
    expect(one.countIn("cake")).toBe(0);
  },
  120_000,
);

test("a server killed while a large topic is deleted deletes the rest after its next start, but nothing newer", async () => {
  const one = await scene();
  const { dataDir, owner, first } = one;
  const begun = await serve(dataDir);
  const [channel] = one.read<{ id: number }>("SELECT id FROM channels WHERE name = 'party'");
  const request = ["POST", `/streams/${channel?.id}/delete_topic`] as const;
  void call(begun, owner, request, { topic_name: "cake" }).catch(() => null);
  await underWay(one);
  const late = { type: "channel", to: "party", topic: "cake", content: "late" };
  const { body } = await call(begun, owner, ["POST", "/messages"], late);
  await begun.end("SIGKILL");
  const [{ last_id = 0 } = {}] = one.read<{ last_id: number }>("SELECT last_id FROM topic_work");
  expect(one.countIn("cake")).toBe(last_id - first);

  const server = await serve(dataDir);
  const listen = await listening(server, one);
  const [goingOn] = one.read<{ last_id: number }>("SELECT last_id FROM topic_work");
  const received = await listen(({ message_ids }) => message_ids?.includes(first));
  const deleted = idsOf(received, "delete_message").toSorted((a, b) => a - b);
  const to = deleted.at(-1) ?? 0;
  expect(deleted).toEqual(range(first, to));
  // The server may have gone on before it had the queue.
  expect(to).toBeLessThan(last_id);
  expect(to).toBeGreaterThanOrEqual((goingOn?.last_id ?? 0) - 1);
  await untilDone(one);
  expect(one.read("SELECT id FROM messages WHERE topic = 'cake'")).toEqual([{ id: body.id }]);
}, 120_000);

describe("a command", () => {
  /** A topic that moves for longer than a command takes to start. */
  const long = 60_000;
  const moveAll = ({ dataDir, last }: Scene, topic: string) =>
    confab(["message", "move", String(last), "--topic", topic, "--which", "all", "--yes", "--data", dataDir]);
  const deleteCake = ({ dataDir }: Scene) =>
    confab(["channel", "delete-topic", "party", "cake", "--yes", "--data", dataDir]);

  test("waits for a server that moves the same topic, and takes all of it along", async () => {
    const one = await scene(long);
    const server = await serve(one.dataDir);
    const first = beginMove(server, one);
    await underWay(one);
    const { status, stdout } = await moveAll(one, "pie");
    expect([status, stdout]).toEqual([0, `Message ${one.last} is now in #party > pie.\n`]);
    expect((await first)?.status).toBe(200);
    expect([one.countIn("cake"), one.countIn("tart"), one.countIn("pie")]).toEqual([0, 0, one.size]);
  }, 60_000);

  test("deletes nothing of a topic that a server moves", async () => {
    const one = await scene(long);
    const server = await serve(one.dataDir);
    const first = beginMove(server, one);
    await underWay(one);
    expect((await deleteCake(one)).status).toBe(0);
    expect((await first)?.status).toBe(200);
    expect([one.countIn("cake"), one.countIn("tart")]).toEqual([0, one.size]);
  }, 60_000);

  /** Starts a command, and kills it in the middle. */
  async function killed(one: Scene, words: readonly string[]): Promise<void> {
    const child = Bun.spawn([...executable, ...words, "--data", one.dataDir], {
      env: surroundings(),
      stdout: "ignore",
      stderr: "ignore",
    });
    await underWay(one);
    child.kill("SIGKILL");
    await child.exited;
    expect(one.countIn("cake")).toBeGreaterThan(0);
  }
  const movingTo = (one: Scene, topic: string) => [
    "message",
    "move",
    String(one.first),
    "--topic",
    topic,
    "--which",
    "all",
    "--yes",
  ];

  test("that is killed while it moves a topic: the next one completes that, and a server need not run", async () => {
    const one = await scene();
    await killed(one, movingTo(one, "tart"));
    expect((await moveAll(one, "pie")).status).toBe(0);
    expect([one.countIn("cake"), one.countIn("tart"), one.countIn("pie")]).toEqual([0, 0, one.size]);
    expect(one.read("SELECT id FROM topic_work")).toEqual([]);
  }, 60_000);

  test("that is killed while a server runs: the server completes what it began", async () => {
    const one = await scene();
    const server = await serve(one.dataDir);
    const listen = await listening(server, one);
    await killed(one, movingTo(one, "tart"));
    const received = await listen(({ message_ids }) => message_ids?.includes(one.last));
    expect(idsOf(received, "update_message").toSorted((a, b) => a - b)).toEqual(range(one.first, one.last));
    await untilDone(one);
    expect([one.countIn("cake"), one.countIn("tart")]).toEqual([0, one.size]);
  }, 60_000);
});

test("a node that loses the lead while a large topic moves: the next leader moves the rest, and the request is answered", async () => {
  const { w, nodes, lead, caughtUp, close } = testNodes(2);
  const [first, second] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
  const parameters = { name: "party", subscribers: JSON.stringify([w.user("mel").id]) };
  await first.as("ada").post("/channels/create", parameters);
  const cake = { type: "channel", to: "party", topic: "cake", content: "crumbs" };
  const { id } = await first.as("mel").post("/messages", cake);
  const { db } = first.app.env;
  await db.write(first.app.system, (tx) => {
    const columns = "sender_id, client_id, sent_at, bits, topic, topic_key, content, rendered";
    tx.run(
      `INSERT INTO messages (conversation_id, home_id, seq, ${columns}) ` +
        `SELECT conversation_id, home_id, seq + value, ${columns} FROM json_each(?), messages WHERE messages.id = ?`,
      JSON.stringify(Array.from({ length: 4_999 }, (_, i) => i + 1)),
      id,
    );
    tx.run("UPDATE sequences SET last_seq = last_seq + 4999");
  });
  const countIn = ({ app }: typeof first, topic: string) =>
    app.env.db.get<{ n: number }>(
      "SELECT COUNT(*) AS n FROM messages WHERE topic = ? AND content = 'crumbs'",
      topic,
    )?.n;

  const moving = first.as("mel").patch(`/messages/${id}`, { topic: "tart", propagate_mode: "change_all" });
  while ((countIn(first, "tart") ?? 0) < 1_000) await Bun.sleep(0);
  lead(second);
  const job = async () => {
    await second.runJob("carry on with topics");
    second.clock.advance(1);
  };
  for (let i = 0; i < 3; i++) await job();
  expect(await moving).toMatchObject({ result: "success", detached_uploads: [] });
  await caughtUp();
  const mover = `@_**${w.user("mel").full_name}|${w.user("mel").id}**`;
  for (const { app } of nodes) {
    const notices = app.env.db.all(
      "SELECT content FROM messages WHERE topic = 'tart' AND content <> 'crumbs'",
    );
    expect(notices).toEqual([{ content: `This topic was moved here from #**party>cake** by ${mover}.` }]);
    expect(app.env.db.all("SELECT id FROM topic_work")).toEqual([]);
  }
  for (const node of nodes) expect([countIn(node, "cake"), countIn(node, "tart")]).toEqual([0, 5_000]);
  await close();
});
