import { expect, test } from "bun:test";
import fc from "fast-check";
import { mostHelpful } from "@/messaging/message-index/access.ts";
import { indexAll, indexWaiting } from "@/messaging/message-index/actions.ts";
import { blockOf, facts } from "@/messaging/message-index/schema.ts";
import { idsWithTokens, mergeSegments } from "@/messaging/message-index/store.ts";
import { gramsOf, tokensOf } from "@/text/search/tokens.ts";
import { fold, keyOf, wordsIn } from "@/text/search/words.ts";
import { world } from "../support/world.ts";

/** A text whose words are computed from its number. */
const textOf = (n: number) =>
  Array.from({ length: 12 }, (_, i) => ((n * 48_271 + i * 7_919 ** 2) % 99_991).toString(36)).join(" ");

test("no transaction of indexing grows with the index: segments are merged a few pages at a time", async () => {
  const { app } = world();
  const { db } = app.env;
  const write = <T>(body: (tx: Parameters<typeof mergeSegments>[0]) => T) => db.write(app.system, body);
  const written = () => db.get<{ n: number }>("SELECT total_changes() AS n")?.n ?? 0;
  const [portions, inPortion, pages] = [280, 40, 32];
  const costs: number[] = [];
  for (let portion = 0; portion < portions; portion++) {
    const before = written();
    await write((tx) => {
      for (let i = 0; i < inPortion; i++) {
        const id = portion * inPortion + i + 1;
        tx.run("INSERT INTO message_index (rowid, tokens) VALUES (?, ?)", id, tokensOf(textOf(id)));
      }
    });
    costs.push(written() - before);
    for (let isMerging = true; isMerging; ) {
      const from = written();
      isMerging = await write((tx) => mergeSegments(tx, pages));
      costs.push(written() - from);
    }
  }
  const segments = db.get<{ n: number }>("SELECT COUNT(DISTINCT segid) AS n FROM message_index_idx")?.n;
  expect(segments).toBeLessThan(40);
  expect(Math.max(...costs)).toBeLessThan(20 * pages);
  expect(costs.reduce((sum, cost) => sum + cost)).toBeGreaterThan(1_000);
  const found = db.all(
    "SELECT rowid FROM message_index WHERE message_index MATCH ?",
    `"${textOf(77).split(" ")[3]}"`,
  );
  expect(found).toContainEqual({ rowid: 77 });
});

test("a message too long for one portion is indexed with the others", async () => {
  const w = world();
  await w.as("ada").post("/channels/create", { name: "party", subscribers: [w.user("mel").id] });
  for (let i = 0; i < 30; i++) {
    const content = Array.from({ length: 900 }, (_, n) => `w${(n * 31 + i * 977).toString(36)}x`).join(" ");
    await w
      .as("mel")
      .post("/messages", { type: "channel", to: "party", topic: "t", content: `${content} lantern` });
  }
  await indexAll(w.app.system);
  expect(w.app.env.db.get("SELECT 1 FROM messages_to_index")).toBeNull();
  const found = w.app.env.db.all("SELECT rowid FROM message_index WHERE message_index MATCH 'lantern'");
  expect(found.length).toBe(30);
});

test("what was sent, edited and deleted is indexed as it is in the end, in portions of any size", async () => {
  const what = fc.constantFrom("send", "send", "send", "edit", "delete", "index");
  const run = async (history: readonly { what: string; nth: number }[]) => {
    const w = world();
    const { db } = w.app.env;
    const words = new Map<number, string>();
    let made = 0;
    const wanted = () => new Set([...words.values()]);
    for (const { what, nth } of history) {
      const id = [...words.keys()][nth % Math.max(1, words.size)];
      const content = `lantern${++made}`;
      if (what === "send") {
        const to = [w.user("mel").id];
        const { body } = await w.as("mel").post("/messages", { type: "direct", to, content });
        words.set(body.id as number, content);
      } else if (what === "index") {
        await db.write(w.app.system, (tx) => indexWaiting(tx, 1 + (nth % 3)));
      } else if (id !== undefined && what === "edit") {
        expect((await w.as("mel").patch(`/messages/${id}`, { content })).status).toBe(200);
        words.set(id, content);
      } else if (id !== undefined) {
        expect((await w.as("mel").delete(`/messages/${id}`)).status).toBe(200);
        words.delete(id);
      }
    }
    const waiting = db
      .all<{ id: number }>("SELECT id FROM messages_to_index ORDER BY id")
      .map(({ id }) => id);
    expect(waiting).toEqual([...new Set(waiting)]);
    await indexAll(w.app.system);
    expect(db.all("SELECT id FROM messages_to_index")).toEqual([]);
    const found = new Set<string>();
    for (let n = 1; n <= made; n++) {
      const rows = db.all("SELECT rowid FROM message_index WHERE message_index MATCH ?", `"lantern${n}"`);
      if (rows.length > 0) found.add(`lantern${n}`);
    }
    expect(found).toEqual(wanted());
  };
  const step = fc.record({ what, nth: fc.nat(20) });
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 30 }), run), { numRuns: 25 });
}, 60_000);

test("the tokens of a text are the keys of its words and all its grams, however many words are remembered", () => {
  const breaks = [" ", ", ", "_", "-", ".\n", "'", " ß ", " ", " ", " "];
  for (let n = 0; n < 3_000; n++) {
    const words = textOf(n).split(" ");
    const text = words
      .map((word, i) => (i % 3 === 0 ? word.toUpperCase() : word) + breaks[(n + i) % 10])
      .join("");
    const tokens = tokensOf(text).split(" ").slice(1);
    expect(tokens.filter((token) => token.startsWith("~"))).toEqual(gramsOf(text));
    expect(tokens.filter((token) => !token.startsWith("~"))).toEqual(wordsIn(fold(text)).map(keyOf));
    expect(tokensOf(text)).toBe(` ${tokens.join(" ")}`);
  }
});

test("a message that is indexed already is replaced, and newer ones are added", async () => {
  const w = world();
  const mel = w.as("mel");
  await w.as("ada").post("/channels/create", { name: "party", subscribers: [w.user("mel").id] });
  const send = async (content: string) =>
    (await mel.post("/messages", { type: "channel", to: "party", topic: "Blue Moon", content })).body.id;
  const found = (word: string) =>
    w.app.env.db
      .all<{ rowid: number }>("SELECT rowid FROM message_index WHERE message_index MATCH ?", word)
      .map(({ rowid }) => rowid);
  const first = await send("lantern");
  await indexAll(w.app.system);
  await mel.patch(`/messages/${first}`, { content: "candle" });
  const second = await send("candle and lantern");
  await indexAll(w.app.system);
  expect(found("candl")).toEqual([first, second]);
  expect(found("lantern")).toEqual([second]);
  expect(found("_t_blue_moon")).toEqual([first, second]);
  await mel.patch(`/messages/${second}`, { content: "neither" });
  await indexAll(w.app.system);
  expect(found("candl")).toEqual([first]);
  expect(found("neither")).toEqual([second]);
});

test("a window of any size holds the messages in it that have a token of each set, whatever is around it", async () => {
  const { app } = world();
  const reads = app.env;
  const tokensFor: Record<string, (id: number) => boolean> = {
    every: () => true,
    third: (id) => id % 3 === 0,
    fifth: (id) => id % 5 === 0,
    early: (id) => id < 9_000,
    late: (id) => id > 30_000,
    lone: (id) => id === 20_480,
  };
  // Before, between and after these there are no messages.
  const ids = Array.from({ length: 40_000 }, (_, i) => i + 700).filter((id) => id < 12_000 || id > 20_000);
  const gone = (id: number) => id < 2_100 || id % 7 === 0;
  await reads.db.write(app.system, (tx) => {
    for (const id of ids) {
      const words = Object.keys(tokensFor).filter((word) => tokensFor[word]?.(id));
      const tokens = [...words, facts.inBlock(blockOf(id))].join(" ");
      tx.run("INSERT INTO message_index (rowid, tokens) VALUES (?, ?)", id, tokens);
    }
    for (const id of ids.filter(gone)) tx.run("DELETE FROM message_index WHERE rowid = ?", id);
  });
  const left = ids.filter((id) => !gone(id));
  const searches = [
    [["every"]],
    [["third"], ["fifth"]],
    [["early", "late"], ["third"]],
    [["early"], ["late"]],
    [["lone", "absent"], ["every"]],
    [["absent"], ["every"]],
  ];
  for (const wanted of searches) {
    const isWanted = (id: number) => wanted.every((set) => set.some((word) => tokensFor[word]?.(id)));
    const matching = left.filter(isWanted);
    for (const size of [2_048, 4_096, 16_384, 65_536, 262_144]) {
      for (let n = 0; n * size < 45_000; n++) {
        const [start, end] = [n * size, (n + 1) * size];
        for (const [above, below] of [
          [start - 1, end],
          [start + 100, end - 300],
        ] as const) {
          const found = idsWithTokens(reads, wanted, { size, n, above, below });
          expect(found).toEqual(matching.filter((id) => id > above && id < below));
        }
      }
    }
  }
});

test("a search looks up short lists, and longer ones only if they leave out enough messages", () => {
  const chosen = (...given: [string, number][]) =>
    mostHelpful(
      given.map(([token, share]) => ({ tokens: [token], share })),
      3,
    ).map(({ tokens }) => tokens[0]);
  expect(chosen(["often", 0.3])).toEqual(["often"]);
  expect(chosen(["often", 0.3], ["rare", 0.0002])).toEqual(["rare"]);
  expect(chosen(["often", 0.3], ["seldom", 0.02], ["half", 0.5])).toEqual(["seldom", "often", "half"]);
  expect(chosen(["always", 1], ["often", 0.3])).toEqual(["often"]);
  expect(chosen(["always", 1])).toEqual(["always"]);
  expect(chosen(["always", 1.002], ["nearly", 0.9999])).toEqual(["nearly"]);
  expect(chosen(["a", 0.002], ["b", 0.004], ["c", 0.003], ["d", 0.001])).toEqual(["d", "a", "c"]);
});
