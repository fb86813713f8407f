// Searching: scripts, highlighting, hostile searches, and permissions.

import { describe, expect, spyOn, test } from "bun:test";
import { Budget, runSync } from "@/kernel/lib/tasks.ts";
import { indexAll, reindexMessages } from "@/messaging/message-index/actions.ts";
import { newestAnchor, pageOf } from "@/messaging/message-pages/page.ts";
import { selectionOf } from "@/messaging/message-pages/selection.ts";
import { narrowOf } from "@/messaging/narrows/narrow.ts";
import { sendMessage } from "@/messaging/sending/actions.ts";
import { createChannel } from "@/places/channel-administration/actions.ts";
import { unsubscribe } from "@/places/subscriptions/actions.ts";
import { highlight } from "@/text/search/highlight.ts";
import { parseSearch } from "@/text/search/search.ts";
import { stem } from "@/text/search/stem.ts";
import type { Json } from "../support/requests.ts";
import { sourceTree, textOf } from "../support/source-tree.ts";
import { type Answer, type CastName, type World, world } from "../support/world.ts";

async function office() {
  const w = world();
  const people = (["mel", "max"] as const).map((who) => w.user(who).id);
  const open = (await createChannel(w.ctx("mel"), { name: "Open", subscribers: people })).stream_id;
  const secret = { name: "Secret", invite_only: true, subscribers: [w.user("mel").id] };
  await createChannel(w.ctx("mel"), secret);
  const send = async (content: string, topic = "", to = "Open") =>
    (await sendMessage(w.ctx("mel"), { type: "channel", to: [to], topic, content })).id;
  return { ...w, open, send };
}

function ask(w: World, who: CastName, narrow: Json, more = {}): Promise<Answer> {
  return w.as(who).get("/messages", { anchor: "newest", num_before: 50, narrow, ...more });
}

async function found(w: World, operand: string, who: CastName = "mel"): Promise<number[]> {
  const { status, body } = await ask(w, who, [["search", operand]]);
  expect(status).toBe(200);
  return body.messages.map((m: Json) => m.id);
}

/** A search must find the same before and after messages are indexed. */
async function bothWays(w: World, check: () => Promise<void>): Promise<void> {
  await check();
  await indexAll(w.app.system);
  await check();
}

describe("a search", () => {
  test.each([
    ["a word, whatever the case", "Hello World", ["hello", "WORLD"], ["hell", "worlds2"]],
    ["inflections of English words", "She was running deployments", ["run", "deploys", "runs"], ["ran"]],
    ["all words, in any order", "the red fox", ["fox red", "red the"], ["fox blue"]],
    ["words between signs", "see foo_bar-baz, (qux)!", ["foo", "bar", "baz qux"], ["foob"]],
    ["numbers", "ticket #4711 of 2026", ["4711", "2026 ticket"], ["471"]],
    ["parts of links", "https://example.com/Docs/page", ["docs", "example"], ["doc/other"]],
    ["accents or none", "Café à Łódź, straße", ["cafe", "café", "lodz", "Strasse"], ["caf"]],
    ["accents written either way", "cafe\u0301", ["café", "cafe\u0301"], []],
    ["Cyrillic", "Привет, Ёлка", ["привет", "елка", "ЁЛКА"], ["прив"]],
    ["Greek", "Ο ΔΡΟΜΟΣ", ["δρομος", "δρόμος"], ["δρομο"]],
    ["Arabic, vowels written or not", "السَّلامُ عليكم", ["السلام", "عليكم"], ["سلام"]],
    ["Hebrew", "שלום עולם", ["שלום", "עולם שלום"], ["שלו"]],
    ["Chinese", "我们明天在北京开会", ["北京", "会", "明天在北京", "开会 北京"], ["京北", "上海"]],
    ["Japanese", "東京タワーに行きました", ["東京", "タワー", "ﾀﾜｰ", "行きました"], ["京都"]],
    ["Thai", "สวัสดีตอนเช้า", ["สวัสดี", "เช้า"], ["เย็น"]],
    ["Korean, with what is joined to a word", "학교에서 만나요", ["학교", "만나요"], ["교학"]],
    ["scripts side by side", "Bunで書く", ["bun", "書く bun"], ["pun"]],
    ["Hindi", "हिन्दी में लिखो", ["हिन्दी", "में"], ["मैं"]],
    ["emoji", "done 🎉🚀", ["🎉", "🚀 done"], ["🐙"]],
    ["wide letters as narrow ones", "ＡＢＣ１２３", ["abc123"], ["abc"]],
    ["signs, where there is nothing else", "a -> b", ["->", "!! ->  a"], ["<-"]],
  ])("finds %s", async (_, content, hits, misses) => {
    const w = await office();
    const id = await w.send(content);
    await w.send("something else");
    await bothWays(w, async () => {
      for (const text of hits) expect([text, await found(w, text)]).toEqual([text, [id]]);
      for (const text of misses) expect([text, await found(w, text)]).toEqual([text, []]);
    });
  });

  test.each([
    ["literally", "Hello, wide world", ['"hello, wide"', '"WIDE WORLD"'], ['"hello wide"', '"wide hello"']],
    ["in the middle of words", "prefabricated parts", ['"fabric"', '"ed pa"', '"cat"'], ['"fabrik"']],
    ["with a word next to it", "the quick brown fox", ['"quick brown" fox', 'the "own f"'], ['"quick fox"']],
    ["more than one", "alpha beta gamma", ['"pha be" "amm"'], ['"pha be" "delta"']],
    ["of two letters, or one", "x7 zq", ['"zq"', '"7"'], ['"qz"']],
    ["of signs", "if (a && b) {", ['"&& b) {"', '"(a"'], ['"|| b"']],
    ["of other scripts", "明日は会議です ok", ['"会議"', '"は会議で"', '"です ok"'], ['"議会"']],
    ["with accents as they are", "Café", ['"café"', '"CAFÉ"'], ['"cafe"']],
    ["however many spaces", "a  b", ['"a  b"'], ['"a b"']],
    ["that is not closed, as words", "open end", ['"open end', 'end"'], []],
    ["over Markdown as written", "some **bold** text", ['"**bold**"'], ['"some bold"']],
  ])("matches a phrase in quotes %s", async (_, content, hits, misses) => {
    const w = await office();
    const id = await w.send(content);
    await w.send("something else");
    await bothWays(w, async () => {
      for (const text of hits) expect([text, await found(w, text)]).toEqual([text, [id]]);
      for (const text of misses) expect([text, await found(w, text)]).toEqual([text, []]);
    });
  });

  test("searches topics, too: words may be in either, a phrase must be in one", async () => {
    const w = await office();
    const id = await w.send("meet at noon", "Summer party");
    await bothWays(w, async () => {
      expect(await found(w, "party")).toEqual([id]);
      expect(await found(w, "noon summers")).toEqual([id]);
      expect(await found(w, '"mer par" noon')).toEqual([id]);
      expect(await found(w, '"noon summer"')).toEqual([]);
    });
  });

  test("requires all of several search terms, and none of the negated ones", async () => {
    const w = await office();
    const [red, blue] = [await w.send("red cars"), await w.send("blue car")];
    const bike = await w.send("red bike");
    const ids = async (narrow: Json) => (await ask(w, "mel", narrow)).body.messages.map((m: Json) => m.id);
    const not = (operand: string) => ({ operator: "search", operand, negated: true });
    await bothWays(w, async () => {
      expect(
        await ids([
          ["search", "car"],
          ["search", "red"],
        ]),
      ).toEqual([red]);
      expect(await ids([["search", "red"], not("car")])).toEqual([bike]);
      expect(await ids([not("red")])).toEqual([blue]);
      expect(await ids([not('"d b"')])).toEqual([red, blue]);
    });
  });

  test("finds a message where it has been moved to, by its new topic", async () => {
    const w = await office();
    const id = await w.send("cake", "before");
    await indexAll(w.app.system);
    await w.app.env.db.write(w.app.system, (tx) => {
      tx.run("UPDATE messages SET topic = 'afterwards', topic_key = 'afterwards' WHERE id = ?", id);
      reindexMessages(tx, [id]);
    });
    await bothWays(w, async () => {
      expect(await found(w, "cake afterwards")).toEqual([id]);
      expect(await found(w, "before")).toEqual([]);
      expect(
        (
          await ask(w, "mel", [
            ["search", "cake"],
            ["topic", "afterwards"],
          ])
        ).body.messages,
      ).toHaveLength(1);
    });
  });

  test("shows nothing unreadable or deleted", async () => {
    const w = await office();
    const hidden = await w.send("treasure map", "x", "Secret");
    const { id: direct } = await sendMessage(w.ctx("mel"), {
      type: "direct",
      to: [w.user("ada").id],
      content: "treasure chest",
    });
    const gone = await w.send("treasure island");
    await indexAll(w.app.system);
    await w.as("ada").delete(`/messages/${gone}`);
    await bothWays(w, async () => {
      expect(await found(w, "treasure")).toEqual([hidden, direct]);
      expect(await found(w, "treasure", "ada")).toEqual([direct]);
      expect(await found(w, "treasure", "max")).toEqual([]);
      expect(await found(w, '"sure"', "max")).toEqual([]);
    });
  });

  test("pages in both directions, over messages far apart", async () => {
    const w = await office();
    const { db } = w.app.env;
    const needles = [1, 2, 2_047, 2_048, 2_049, 32_767, 32_768, 65_535, 262_143, 262_144, 262_145, 1_000_000];
    for (const id of needles) {
      const sql = "UPDATE sqlite_sequence SET seq = ? WHERE name = 'messages'";
      await db.write(w.app.system, (tx) => void tx.run(sql, id - 1));
      expect(await w.send("needle")).toBe(id);
    }
    await w.send("hay");
    await indexAll(w.app.system);
    expect(await found(w, "needle")).toEqual(needles);
    for (const [i, anchor] of needles.entries()) {
      const around = { anchor, num_before: 3, num_after: 4 };
      for (const text of ["needle", '"ee"']) {
        const { body } = await ask(w, "mel", [["search", text]], around);
        expect(body.messages.map((m: Json) => m.id)).toEqual(needles.slice(Math.max(0, i - 3), i + 5));
        expect(body.found_anchor).toBe(true);
        expect([body.found_oldest, body.found_newest]).toEqual([i < 3, i + 4 >= needles.length]);
      }
    }
  });

  test("can mark its results as read", async () => {
    const w = await office();
    const ids = [await w.send("read me"), await w.send("not this"), await w.send("reading")];
    const where = { anchor: "newest", num_before: 9, num_after: 0, narrow: [["search", "reads"]] };
    const { body, events } = await w
      .as("max")
      .post("/messages/flags/narrow", { ...where, op: "add", flag: "read" });
    expect(body).toMatchObject({
      processed_count: 2,
      updated_count: 2,
      first_processed_id: ids[0],
      last_processed_id: ids[2],
    });
    expect(events).toMatchObject([
      { audience: ["max"], event: { op: "add", flag: "read", messages: [ids[0], ids[2]] } },
    ]);
  });

  /** Enough text that scanning it without an index takes several turns. */
  async function crowded() {
    const w = await office();
    await w.app.env.db.write(w.ctx("mel"), (tx) => {
      for (let i = 0; i < 6_000; i++)
        sendMessage.in(tx, { type: "channel", to: ["Open"], topic: "t", content: `nothing here ${i}` });
    });
    return w;
  }

  test("does not block other requests", async () => {
    const w = await crowded();
    let turns = 0;
    let isRunning = true;
    const count = () => {
      turns++;
      if (isRunning) setImmediate(count);
    };
    setImmediate(count);
    expect(await found(w, '"щъ"')).toEqual([]);
    isRunning = false;
    expect(turns).toBeGreaterThan(2);
  });

  test("shows nothing that becomes unreadable while it runs", async () => {
    const w = await crowded();
    const private_ = {
      name: "Private",
      invite_only: true,
      subscribers: [w.user("mel").id, w.user("max").id],
    };
    const { stream_id } = await createChannel(w.ctx("mel"), private_);
    const id = await w.send("щъ", "", "Private");
    expect(await found(w, '"щъ"', "max")).toEqual([id]);
    const search = found(w, '"щъ"', "max");
    await unsubscribe(w.ctx("mel"), { channel_ids: [stream_id], user_ids: [w.user("max").id] });
    expect(await search).toEqual([]);
  });
});

describe("a hostile search", () => {
  test.each([
    ["operators of the index", "NEAR(hello world)"],
    ["columns", "tokens: hello"],
    ["wildcards", "hel* % _ ? ^hello"],
    ["boolean operators", "hello AND OR NOT"],
    ["brackets", "((((hello"],
    ["quotes", 'hello "'],
    ["many quotes", `hello ${'"'.repeat(500)}`],
    ["SQL", "hello'; DROP TABLE messages; --"],
    ["marks of its own", "~hel _c_1 hello"],
    ["control characters", "hello \u0000\u0001\u001f"],
    ["half a character", "hello \ud83d"],
    ["marks without a letter", "hello \u0301\u0301"],
    ["one long word", `hello ${"x".repeat(1990)}`],
    ["many words", Array.from({ length: 32 }, (_, i) => `w${i}`).join(" ")],
    ["a word that is there a hundred times", "hello ".repeat(100)],
  ])("with %s is answered", async (_, operand) => {
    const w = await office();
    await w.send("hello world");
    await bothWays(w, async () => {
      const { status, body } = await ask(w, "mel", [["search", operand]]);
      expect([status, body.result]).toEqual([200, "success"]);
    });
  });

  test.each([
    ["nothing", "", "there is nothing to search for"],
    ["blanks", "  \t ", "there is nothing to search for"],
    ["empty quotes", '"" " "', "there is nothing to search for"],
    ["a number", 5, "the text to search for must be a string"],
    ["a list", ["a"], "the text to search for must be a string"],
    ["too long a text", "x ".repeat(1001), "a search has at most 2000 characters"],
    [
      "too many words",
      Array.from({ length: 33 }, (_, i) => `w${i}`).join(" "),
      "a search has at most 32 words and phrases",
    ],
  ])("for %s is BAD_NARROW", async (_, operand, desc) => {
    const w = await office();
    expect(await ask(w, "mel", [{ operator: "search", operand }])).toMatchObject({
      status: 400,
      body: { code: "BAD_NARROW", desc, msg: `Invalid narrow operator: ${desc}` },
    });
  });

  test("is limited over all of its terms", async () => {
    const w = await office();
    const term = (_: unknown, i: number) => [
      "search",
      Array.from({ length: 11 }, (_, j) => `w${i}x${j}`).join(" "),
    ];
    const { body } = await ask(w, "mel", Array.from({ length: 3 }, term));
    expect(body).toMatchObject({ code: "BAD_NARROW", desc: "a search has at most 32 words and phrases" });
  });
});

describe("a search that costs much", () => {
  const each = (term: unknown, count: number) => Array.from({ length: count }, () => term);

  test("counts equal terms once", async () => {
    const w = await office();
    const id = await w.send("hello world");
    const narrow = [...each(["search", "hello"], 500), ...each(["search", "world"], 500)];
    expect((await ask(w, "mel", narrow)).body.messages).toMatchObject([
      { id, match_content: `<p>${marked("hello")} ${marked("world")}</p>` },
    ]);
  });

  test("with more terms than a narrow may have is refused before any is parsed", async () => {
    const narrow = Array.from({ length: 33 }, (_, i) => ["search", `word${i}`]);
    const msg = "A narrow has at most 32 terms.";
    expect(await ask(world(), "mel", narrow)).toMatchObject({ status: 400, body: { msg } });
    expect(await ask(world(), "mel", each(["search", "hello"], 1001))).toMatchObject({
      status: 400,
      body: { msg },
    });
  });

  test("returns shortened pages, which together hold all matches", async () => {
    const w = await office();
    const ids: number[] = [];
    for (let i = 0; i < 40; i++) ids.push(await w.send(`hello ${i}`));
    const selection = selectionOf(
      w.ctx("mel"),
      narrowOf(w.ctx("mel"), [{ operator: "search", operand: "hello", negated: false }]),
    );
    const seen: number[] = [];
    for (let anchor = newestAnchor, isAll = false; !isAll; ) {
      const spent = new Budget(0);
      const around = { anchor, include_anchor: false, num_before: 100, num_after: 0 };
      const page = runSync(pageOf(w.ctx("mel"), selection, around, spent));
      expect(page.ids.length).toBeLessThan(40);
      seen.unshift(...page.ids);
      anchor = page.ids[0] ?? 0;
      isAll = page.found_oldest;
    }
    expect(seen).toEqual(ids);
  });
});

const marked = (text: string) => `<span class="highlight">${text}</span>`;

describe("highlighting", () => {
  const match = async (content: string, operand: string, topic = "", more = {}) => {
    const w = await office();
    await w.send(content, topic);
    const [message] = (await ask(w, "mel", [["search", operand]], more)).body.messages;
    return message;
  };

  test.each([
    [
      "words and their inflections",
      "We run, they are running.",
      "runs",
      `<p>We ${marked("run")}, they are ${marked("running")}.</p>`,
    ],
    ["phrases", "Hello, wide world", '"o, WI"', `<p>Hell${marked("o, wi")}de world</p>`],
    [
      "words within formatting",
      "a **red** fox",
      "red fox",
      `<p>a <strong>${marked("red")}</strong> ${marked("fox")}</p>`,
    ],
    [
      "characters that HTML escapes",
      'x < y & "z"',
      '"< y &" z',
      `<p>x ${marked("&lt; y &amp;")} &quot;${marked("z")}&quot;</p>`,
    ],
    ["nothing of an entity", "a & b amp", "amp", `<p>a &amp; b ${marked("amp")}</p>`],
    ["parts of words without spaces", "明日は東京へ", "東京", `<p>明日は${marked("東京")}へ</p>`],
    ["accented letters whole", "un cafe\u0301!", "cafe", `<p>un ${marked("cafe\u0301")}!</p>`],
    ["overlapping finds once", "abcabc", '"abca" "cabc"', `<p>${marked("abcabc")}</p>`],
  ])("marks %s", async (_, content, operand, expected) => {
    const { match_content } = await match(content, operand);
    expect(match_content).toBe(expected);
  });

  test("leaves links, mentions and code whole", async () => {
    const { match_content } = await match(
      "[class](https://example.com/class?highlight=span) `class`",
      "class",
    );
    expect(match_content).toBe(
      `<p><a href="https://example.com/class?highlight=span">${marked("class")}</a> <code>${marked("class")}</code></p>`,
    );
  });

  test("leaves formulas alone", async () => {
    const { content, match_content } = await match("sum $$sum$$", "sum");
    expect(match_content).toContain(`<p>${marked("sum")} `);
    const formula = /<math[\s\S]*<\/math>/;
    expect(formula.exec(match_content)?.[0]).toBe(formula.exec(content)?.[0] as string);
  });

  test("marks the topic, escaped", async () => {
    const { match_subject } = await match("x", "ship", "R&D <ships>");
    expect(match_subject).toBe(`R&amp;D &lt;${marked("ships")}&gt;`);
  });

  test("shows the empty topic as it is shown elsewhere", async () => {
    expect((await match("word", "word")).match_subject).toBe("general chat");
    expect((await match("word", "word", "", { allow_empty_topic_name: true })).match_subject).toBe("");
  });

  test("is HTML even for clients that read Markdown, and only in searches", async () => {
    const message = await match("a *word*", "word", "", { apply_markdown: false });
    expect(message).toMatchObject({
      content: "a *word*",
      match_content: `<p>a <em>${marked("word")}</em></p>`,
    });
    const w = await office();
    await w.send("word");
    expect((await ask(w, "mel", [])).body.messages[0]).not.toHaveProperty("match_content");
    const [other] = (await ask(w, "mel", [{ operator: "search", operand: "x", negated: true }])).body
      .messages;
    expect(other.match_content).toBe("<p>word</p>");
  });

  test.each([
    [
      "attributes with signs",
      `<a title="a > b 'x' word" href='"word'>word</a>`,
      `<a title="a > b 'x' word" href='"word'>${marked("word")}</a>`,
    ],
    ["an unclosed tag", "word <a word", `${marked("word")} <a word`],
    ["an unclosed formula", "<math>word", "<math>word"],
    [
      "entities by number",
      "&#119;ord &#x77;ord &unknown;word",
      `${marked("&#119;ord")} ${marked("&#x77;ord")} &unknown;${marked("word")}`,
    ],
  ])("survives %s", (_, html, expected) => {
    expect(highlight(html, [parseSearch("word")])).toBe(expected);
  });
});

describe("check-messages-match-narrow", () => {
  test("returns the messages that match, highlighted", async () => {
    const w = await office();
    const [first, second] = [await w.send("red cars", "Cars & co"), await w.send("blue")];
    const asked = { msg_ids: [second, first, 999], narrow: [["search", "car"]] };
    await bothWays(w, async () => {
      const { body } = await w.as("max").get("/messages/matches_narrow", asked);
      expect(body.messages).toEqual({
        [first]: {
          match_content: `<p>red ${marked("cars")}</p>`,
          match_subject: `${marked("Cars")} &amp; co`,
        },
      });
    });
  });

  test("answers without a search too, and for direct messages without a topic", async () => {
    const w = await office();
    const topical = await w.send("a", "R&D");
    const to = [w.user("max").id];
    const { id } = await sendMessage(w.ctx("mel"), { type: "direct", to, content: "**b**" });
    const check = async (narrow: Json) =>
      (await w.as("max").get("/messages/matches_narrow", { msg_ids: [topical, id], narrow })).body.messages;
    expect(await check([["topic", "r&d"]])).toEqual({
      [topical]: { match_content: "<p>a</p>", match_subject: "R&amp;D" },
    });
    expect(await check([["is", "dm"]])).toEqual({
      [id]: { match_content: "<p><strong>b</strong></p>", match_subject: "" },
    });
    expect(Object.keys(await check([]))).toHaveLength(2);
  });

  test("shows nothing unreadable", async () => {
    const w = await office();
    const hidden = await w.send("secret", "x", "Secret");
    const asked = { msg_ids: [hidden], narrow: [["search", "secret"]] };
    expect((await w.as("mel").get("/messages/matches_narrow", asked)).body.messages).toHaveProperty(
      `${hidden}`,
    );
    expect((await w.as("max").get("/messages/matches_narrow", asked)).body.messages).toEqual({});
  });

  test.each([
    ["no messages", { narrow: [] }, "REQUEST_VARIABLE_MISSING"],
    ["no narrow", { msg_ids: [1] }, "REQUEST_VARIABLE_MISSING"],
    ["a narrow that means nothing", { msg_ids: [1], narrow: [["is", "green"]] }, "BAD_NARROW"],
    ["what are no IDs", { msg_ids: ["a"], narrow: [] }, "REQUEST_VARIABLE_INVALID"],
    ["too many messages", { msg_ids: Array.from({ length: 5001 }, (_, i) => i), narrow: [] }, "BAD_REQUEST"],
  ])("refuses %s", async (_, params, code) => {
    const w = await office();
    expect(await w.as("mel").get("/messages/matches_narrow", params)).toMatchObject({
      status: 400,
      body: { code },
    });
  });
});

describe("stems", () => {
  test.each([
    "run runs running",
    "connect connected connecting connection connections",
    "happy happiness",
    "die died dies dying",
    "city cities",
    "hop hopped hopping",
    "hope hoped hoping",
    "argue argued arguing",
    "relate relates relational",
    "agree agreed agrees",
    "release released releasing",
    "virus viruses",
    "control controlled controlling",
    "play plays playing",
  ])("are shared by %s", (words) => {
    expect(new Set(words.split(" ").map(stem)).size).toBe(1);
  });

  test("are words for names of properties, too", () => {
    expect(stem("constructor")).toBe("constructor");
  });

  test.each(["hop hope", "sing sang", "new news", "universal unit", "bus busy", "prayer prey"])(
    "keep %s apart",
    (words) => {
      expect(new Set(words.split(" ").map(stem)).size).toBe(2);
    },
  );
});

describe("the ten files of a search in docs/design.md", async () => {
  const [, list = ""] = /in ten files:\n\n([\s\S]*?)\n\n/.exec(await textOf("docs/design.md")) ?? [];
  const listed = [...list.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = ""]) => path);
  const tree = await sourceTree("src");

  test("lead from the endpoint to the index, each imported by an earlier one", () => {
    expect(listed.length).toBe(10);
    const importsOf = (path: string) =>
      tree.find((file) => file.path === path)?.imports.map(({ to }) => to) ?? [];
    const reached = listed.map((_, i) => listed.slice(0, i).flatMap(importsOf));
    expect(listed.filter((path, i) => i > 0 && !reached[i]?.includes(path))).toEqual([]);
    expect([listed[0], listed.at(-1)]).toEqual([
      "src/messaging/message-pages/api.ts",
      "src/messaging/message-index/store.ts",
    ]);
  });

  test("are the only ones that run when the index is read", async () => {
    const w = await office();
    await w.send("here is the needle");
    await indexAll(w.app.system);
    const { db } = w.app.system;
    const stacks: string[] = [];
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 100;
    const spy = spyOn(db, "all").mockImplementation((...args: Parameters<typeof db.all>) => {
      if (args[0].includes("MATCH")) stacks.push(new Error("here").stack ?? "");
      return Object.getPrototypeOf(db).all.apply(db, args);
    });
    expect(await found(w, "needle")).toHaveLength(1);
    spy.mockRestore();
    Error.stackTraceLimit = stackTraceLimit;
    const running = stacks.flatMap((stack) =>
      [...stack.matchAll(/src\/(?:messaging|text)\/[\w/-]+\.ts/g)].map(([path]) => path),
    );
    expect([...new Set(running)].filter((path) => !listed.includes(path))).toEqual([]);
    expect(running.length).toBeGreaterThan(3);
  });
});
