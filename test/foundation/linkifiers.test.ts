import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RE2JS } from "re2js";
import { compilePattern, matchesOf } from "@/foundation/linkifiers/patterns.ts";
import { translate } from "@/foundation/linkifiers/python.ts";
import { type LinkifierRule, maxLinkifiers } from "@/foundation/linkifiers/schema.ts";
import { shortFormOf } from "@/foundation/linkifiers/short-forms.ts";
import { parseTemplate } from "@/foundation/linkifiers/templates.ts";
import { newLinkWork } from "@/text/links/link-work.ts";
import { expectRegister } from "../support/shapes.ts";
import { type CastName, type World, world } from "../support/world.ts";

const ticket = { pattern: "#(?P<id>[0-9]+)", url_template: "https://tickets.example.com/{id}" };
const patch = {
  pattern: "(?P<repo>[a-z]+)@(?P<hash>[0-9a-f]{7})",
  url_template: "https://git.dev/{repo}{?hash}",
};
const older = { client_capabilities: {} };
/** What a linkifier has unless it was given more. */
const plain = { example_input: null, reverse_template: null, alternative_url_templates: [] };

async function add({ as }: World, rule = ticket): Promise<number> {
  const { status, body } = await as("ada").post("/realm/filters", rule);
  if (status !== 200) throw new Error(body.msg);
  return body.id;
}

async function listed({ as }: World, who: CastName = "gus") {
  return (await as(who).get("/realm/linkifiers")).body.linkifiers;
}

/** The HTML of a message by mel, without the paragraph around it. */
async function rendered({ as }: World, content: string): Promise<string> {
  return (await as("mel").post("/messages/render", { content })).body.rendered.replace(
    /^<p>(.*)<\/p>$/s,
    "$1",
  );
}

const a = (url: string, text: string) => `<a href="${url}">${text}</a>`;

const forAdmins = { code: "UNAUTHORIZED_PRINCIPAL", msg: "Must be an organization administrator" };

describe("get-linkifiers", () => {
  test("lists them in order, to everyone", async () => {
    const w = world();
    expect(await listed(w)).toEqual([]);
    const ids = [await add(w), await add(w, patch)];
    expect(await listed(w)).toEqual([
      { id: ids[0], ...ticket, ...plain },
      { id: ids[1], ...patch, ...plain },
    ]);
  });
});

describe("add-linkifier", () => {
  test("turns later matches into links, with events to clients that know templates", async () => {
    const w = world();
    const [modern, old] = [await w.queue("gus"), await w.queue("mel", older)];
    expect(await rendered(w, "see #12")).toBe("see #12");

    const { body, events } = await w.as("ada").post("/realm/filters", ticket);
    const change = { type: "realm_linkifiers", realm_linkifiers: [{ id: body.id, ...ticket, ...plain }] };
    expect(events).toEqual([{ audience: "everyone", event: change }]);
    expect(await modern.poll()).toMatchObject([change]);
    expect(await old.poll()).toEqual([]);
    expect(await rendered(w, "see #12")).toBe(`see ${a("https://tickets.example.com/12", "#12")}`);
  });

  test("is in the state of clients that know templates; the older form is always empty", async () => {
    const w = world();
    const id = await add(w);
    const types = { fetch_event_types: ["realm_linkifiers", "realm_filters"] };
    const { state } = await w.queue("gus", types);
    expectRegister(state, types.fetch_event_types);
    expect(state).toMatchObject({ realm_linkifiers: [{ id, ...ticket }], realm_filters: [] });
    expect((await w.queue("gus", { ...older, ...types })).state).toMatchObject({ realm_linkifiers: [] });
  });

  test("applies to channel descriptions as to messages", async () => {
    const w = world();
    await add(w);
    const channel = { name: "party", subscribers: [], description: "See #12" };
    const { id } = (await w.as("ada").post("/channels/create", channel)).body;
    const { stream } = (await w.as("mel").get(`/streams/${id}`)).body;
    expect(stream.rendered_description).toBe(`<p>See ${a("https://tickets.example.com/12", "#12")}</p>`);
  });

  test("is recorded in the audit log", async () => {
    const w = world();
    const id = await add(w);
    const { sqlite } = w.app.env.db;
    const row = sqlite.query("SELECT actor_id, event, about_id, data FROM audit_log ORDER BY id DESC").get();
    const data = JSON.stringify({ ...ticket, ...plain });
    expect(row).toEqual({ actor_id: w.user("ada").id, event: "linkifier_added", about_id: id, data });
  });

  test.each([
    ["T-1 T-12, (T-3).", "T-\\d+?", "https://e.com/t"],
    ["é#1 x#1 #1x #1_", "#1", "https://e.com/1"],
  ])(
    "matches whole words only, however little the pattern takes: %j",
    async (content, pattern, url_template) => {
      const w = world();
      await add(w, { pattern, url_template });
      const links = [...(await rendered(w, content)).matchAll(/<a[^>]*>([^<]*)/g)].map(([, text]) => text);
      expect(links).toEqual(content.startsWith("T") ? ["T-1", "T-12", "T-3"] : []);
    },
  );

  test.each([
    ["{id}", "a/b c&d", "a%2Fb%20c%26d"],
    ["{+id}", "a/b?c", "a/b?c"],
    ["x{#id}", "a", "x#a"],
    ["x{/id}{?id}", "a", "x/a?id=a"],
    ["{id:2}", "abc", "ab"],
    ["x{.id}", "a", "x.a"],
    ["{?id*}", "a", "?id=a"],
  ])("inserts the match encoded by %s", async (inserted, text, expected) => {
    const w = world();
    await add(w, { pattern: "<(?P<id>[^>]+)>", url_template: `https://e.com/${inserted}` });
    expect(await rendered(w, `<${text}>`)).toContain(
      `href="https://e.com/${expected.replaceAll("&", "&amp;")}"`,
    );
  });

  test("inserts nothing for a group that matched nothing", async () => {
    const w = world();
    await add(w, { pattern: "T(?P<a>-\\d)?(?P<b>!)?", url_template: "https://e.com/{a}{?b}" });
    expect(await rendered(w, "T-1")).toBe(a("https://e.com/-1", "T-1"));
  });

  test("never links unsafe URLs, or half a character", async () => {
    const w = world();
    await add(w, { pattern: "go (?P<url>\\S+)", url_template: "{+url}" });
    await add(w, { pattern: "cut (?P<s>\\S+)", url_template: "https://e.com/{s:1}" });
    expect(await rendered(w, "go javascript:x")).toBe("go javascript:x");
    expect(await rendered(w, "go localhost")).toBe(a("http://localhost", "go localhost"));
    expect(await rendered(w, "cut 𝐀𝐁")).toBe("cut 𝐀𝐁");
  });

  test("reads Python's syntax, flags and alternatives included", async () => {
    const w = world();
    await add(w, { pattern: "(?i)bug|issue (?P<n>\\d{1,5})", url_template: "https://e.com/{n}" });
    expect(await rendered(w, "BUG, Issue 7 and issues 7")).toBe(
      `${a("https://e.com/", "BUG")}, ${a("https://e.com/7", "Issue 7")} and issues 7`,
    );
  });

  test.each([
    ["(?P<word>\\w+)!", "Grüße!", "Gr%C3%BC%C3%9Fe"],
    ["#(?P<n>\\d+)\\Z", "#٣", "%D9%A3"],
    ["(?x) \\u0041 - (?P<n>[0-9]{,3})  # the number", "A-12", "12"],
    ["(?#tickets)(?i:t)-(?P<n>\\d+)", "T-7", "7"],
  ])("reads %s as Python does", async (pattern, text, inserted) => {
    const w = world();
    const name = /<(\w+)>/.exec(pattern)?.[1];
    await add(w, { pattern, url_template: `https://e.com/{${name}}` });
    expect(await rendered(w, text)).toBe(a(`https://e.com/${inserted}`, text));
  });

  test.each([
    ["an unfinished pattern", { pattern: "(#" }, "Bad regular expression: missing closing )"],
    [
      "a pattern whose brackets only seem to match",
      { pattern: "a)(b" },
      "Bad regular expression: unexpected )",
    ],
    ["looking behind", { pattern: "(?<=a)(?P<id>b)" }, "Bad regular expression: lookbehind (?<=…)"],
    ["looking ahead", { pattern: "(?P<id>b)(?!a)" }, "Bad regular expression: lookahead (?!…)"],
    ["a reference back", { pattern: "(?P<id>a)(?P=id)" }, "Bad regular expression: backreferences such as"],
    ["a reference by number", { pattern: "(?P<id>a)\\1" }, "Bad regular expression: backreferences such as"],
    [
      "a group named twice",
      { pattern: "(?P<id>a)(?P<id>b)" },
      "Bad regular expression: two groups are named 'id'",
    ],
    ["another language's groups", { pattern: "(?<id>a)" }, "Bad regular expression: (?< means nothing"],
    [
      "another language's classes",
      { pattern: "(?P<id>\\p{L}+)" },
      "Bad regular expression: \\p means nothing",
    ],
    [
      "a pattern of enormous size",
      { pattern: "(?P<id>(?:a|b|c|d){900})" },
      "This regular expression is too complex",
    ],
    ["a null byte", { pattern: "a\0(?P<id>b)" }, "A linkifier's pattern must not contain null bytes."],
    ["no pattern", { pattern: "" }, "A linkifier needs a pattern."],
    ["a long pattern", { pattern: "a".repeat(1001) }, "A linkifier's pattern has at most 1000 characters."],
    ["no template", { url_template: " " }, "A URL template must not be empty."],
    [
      "a long template",
      { url_template: `e.com/${"a".repeat(2000)}{id}` },
      "A URL template has at most 2000 characters.",
    ],
    [
      "an open brace",
      { url_template: "https://e.com/{id}/{" },
      "A URL template must close every brace it opens.",
    ],
    ["nothing to insert", { url_template: "https://e.com/{}" }, "A URL template cannot insert '{}'."],
    ["an unknown operator", { url_template: "https://e.com/{!id}" }, "A URL template cannot insert '{!id}'."],
    [
      "a blank in the template",
      { url_template: "https://e.com/ {id}" },
      "A URL template must not contain blanks",
    ],
    [
      "an unsafe address",
      { url_template: "javascript:alert({id})" },
      "The URL template must lead to an address",
    ],
    [
      "a group that is not inserted",
      { url_template: "https://e.com" },
      "The pattern has a group 'id' that the URL",
    ],
    [
      "a variable without its group",
      { url_template: "https://e.com/{id}/{constructor}" },
      "The URL template inserts 'constructor'",
    ],
  ])("refuses %s", async (_, wrong, msg) => {
    const w = world();
    const { status, body, events } = await w.as("ada").post("/realm/filters", { ...ticket, ...wrong });
    expect({ status, code: body.code, events }).toEqual({ status: 400, code: "BAD_REQUEST", events: [] });
    expect(body.msg).toStartWith(msg);
    expect(await listed(w)).toEqual([]);
  });

  test("refuses an existing pattern", async () => {
    const w = world();
    await add(w);
    const again = { ...ticket, url_template: "https://e.com/{id}" };
    expect(await w.as("ada").post("/realm/filters", again)).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg: "There is already a linkifier with this pattern." },
      events: [],
    });
  });

  test("refuses more than the maximum", async () => {
    const w = world();
    const insert = "INSERT INTO linkifiers (position, pattern, url_template) VALUES (?, ?, 'https://e.com')";
    for (let n = 0; n < maxLinkifiers; n++) w.app.env.db.sqlite.run(insert, [n, `T-${n}`]);
    expect(await w.as("ada").post("/realm/filters", ticket)).toMatchObject({ status: 400, events: [] });
  });

  test.each(["moss", "mel", "gus"] as const)("refuses %s", async (who) => {
    expect(await world().as(who).post("/realm/filters", ticket)).toMatchObject({
      status: 400,
      body: forAdmins,
      events: [],
    });
  });
});

describe("update-linkifier", () => {
  test("replaces both parts and keeps the place", async () => {
    const w = world();
    const [first, second] = [await add(w), await add(w, patch)];
    const to = { pattern: "#(?P<id>\\d{4})", url_template: "https://e.com/{id}" };
    const { events } = await w.as("ada").patch(`/realm/filters/${first}`, to);
    const all = [
      { id: first, ...to, ...plain },
      { id: second, ...patch, ...plain },
    ];
    expect(events).toEqual([
      { audience: "everyone", event: { type: "realm_linkifiers", realm_linkifiers: all } },
    ]);
    expect(await listed(w)).toEqual(all);
    expect(await rendered(w, "#12 #1234")).toBe(`#12 ${a("https://e.com/1234", "#1234")}`);
  });

  test("may keep its own pattern", async () => {
    const w = world();
    const id = await add(w);
    const url_template = "https://e.com/{id}";
    expect((await w.as("ada").patch(`/realm/filters/${id}`, { ...ticket, url_template })).status).toBe(200);
  });

  test.each([
    ["an unknown one", 99, patch, "Linkifier not found."],
    ["the pattern of another", 1, patch, "There is already a linkifier with this pattern."],
    [
      "a bad pattern",
      1,
      { ...ticket, pattern: "(" },
      "Bad regular expression: missing closing ) (at character 1)",
    ],
  ])("refuses %s", async (_, id, to, msg) => {
    const w = world();
    await add(w);
    await add(w, patch);
    const before = await listed(w);
    expect(await w.as("ada").patch(`/realm/filters/${id}`, to)).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", msg },
      events: [],
    });
    expect(await listed(w)).toEqual(before);
  });

  test("refuses anyone but administrators", async () => {
    const w = world();
    const id = await add(w);
    const answer = await w.as("moss").patch(`/realm/filters/${id}`, patch);
    expect(answer).toMatchObject({ status: 400, body: forAdmins, events: [] });
  });
});

describe("try-linkifiers", () => {
  const path = "/realm/linkifiers/trial";

  test("lists the links that a text would get, as a message gets them", async () => {
    const w = world();
    await add(w);
    await add(w, { pattern: "#(?P<n>1)", url_template: "https://other.example.com/{n}" });
    const text = "see #1, and\n(#22) but not a#3";
    const { body } = await w.as("ada").get(path, { text });
    expect(body.links).toEqual([
      { text: "#1", url: "https://tickets.example.com/1" },
      { text: "#22", url: "https://tickets.example.com/22" },
    ]);
    const html = await rendered(w, text);
    for (const { text, url } of body.links) expect(html).toContain(a(url, text));
  });

  test("tries one before it is added, and stores nothing", async () => {
    const w = world();
    await add(w);
    const { body, events } = await w.as("ada").get(path, { text: "#7 web@0a1b2c3", ...patch });
    expect(body.links).toEqual([{ text: "web@0a1b2c3", url: "https://git.dev/web?hash=0a1b2c3" }]);
    expect(events).toEqual([]);
    expect(await listed(w)).toHaveLength(1);
  });

  test("makes no link that could do harm", async () => {
    const w = world();
    const rule = { pattern: "(?P<scheme>[a-z]+):x", url_template: "{scheme}://e.com" };
    const { body } = await w.as("ada").get(path, { text: "javascript:x https:x", ...rule });
    expect(body.links).toEqual([{ text: "https:x", url: "https://e.com" }]);
  });

  test("refuses what could not be added", async () => {
    const { as } = world();
    const wrong = await as("ada").get(path, { text: "x", ...ticket, pattern: "#(?P<id>[0-9]+" });
    expect(wrong.status).toBe(400);
    expect(wrong.body.msg).toStartWith("Bad regular expression");
    const half = await as("ada").get(path, { text: "x", pattern: "#" });
    expect(half.body.msg).toBe("Give a pattern and a URL template, or neither.");
    const long = await as("ada").get(path, { text: "x".repeat(1001) });
    expect(long.body.msg).toContain("A text to try has at most 1000 characters.");
    const gone = await as("ada").get(path, { text: "x", ...ticket, filter_id: 99 });
    expect(gone.body.msg).toBe("Linkifier not found.");
  });

  test("is for administrators", async () => {
    const { as } = world();
    for (const who of ["mel", "gus"] as const)
      expect((await as(who).get(path, { text: "#1" })).body).toMatchObject(forAdmins);
  });
});

describe("a linkifier stored before patterns were held to Python's rules", () => {
  const old = { pattern: "(?P<word>[[:alpha:]]+)-\\pN+\\z", url_template: "https://e.com/{word}" };

  function stored(w: World): number {
    const insert = "INSERT INTO linkifiers (position, pattern, url_template) VALUES (1, ?, ?)";
    return Number(w.app.env.db.sqlite.run(insert, [old.pattern, old.url_template]).lastInsertRowid);
  }

  test("keeps working, also with another URL", async () => {
    const w = world();
    const id = stored(w);
    expect(await rendered(w, "abc-1")).toBe(a("https://e.com/abc", "abc-1"));
    const moved = { ...old, url_template: "https://new.dev/{word}" };
    expect((await w.as("ada").patch(`/realm/filters/${id}`, moved)).status).toBe(200);
    expect(await rendered(w, "abc-1")).toBe(a("https://new.dev/abc", "abc-1"));
    expect(await listed(w)).toEqual([{ id, ...moved, ...plain }]);
  });

  test("accepts only Python's syntax as its new pattern, and then follows Python's rules", async () => {
    const w = world();
    const id = stored(w);
    const to = (pattern: string) => w.as("ada").patch(`/realm/filters/${id}`, { ...old, pattern });
    expect(await to("(?P<word>\\pL+)")).toMatchObject({ status: 400, events: [] });
    const trial = (filter_id?: number) =>
      w.as("ada").get("/realm/linkifiers/trial", { text: "abc-1", ...old, filter_id });
    expect((await trial(id)).body.links).toEqual([{ text: "abc-1", url: "https://e.com/abc" }]);
    expect((await trial()).status).toBe(400);
    expect((await to("(?P<word>\\w+)-1")).status).toBe(200);
    expect(await rendered(w, "é-1")).toBe(a("https://e.com/%C3%A9", "é-1"));
    expect(await to(old.pattern)).toMatchObject({ status: 400, events: [] });
  });
});

describe("remove-linkifier", () => {
  test("ends its links, except in earlier messages", async () => {
    const w = world();
    const id = await add(w);
    const to = [w.user("mel").id];
    const sent = await w.as("mel").post("/messages", { type: "direct", to, content: "#12" });
    const { events } = await w.as("ada").delete(`/realm/filters/${id}`);

    expect(events).toEqual([
      { audience: "everyone", event: { type: "realm_linkifiers", realm_linkifiers: [] } },
    ]);
    expect(await rendered(w, "#12")).toBe("#12");
    const { message } = (await w.as("mel").get(`/messages/${sent.body.id}`)).body;
    expect(message.content).toContain("https://tickets.example.com/12");
  });

  test("refuses an unknown one, and anyone but administrators", async () => {
    const w = world();
    const id = await add(w);
    const unknown = { code: "BAD_REQUEST", msg: "Linkifier not found." };
    expect(await w.as("ada").delete("/realm/filters/99")).toMatchObject({
      status: 400,
      body: unknown,
      events: [],
    });
    expect(await w.as("mel").delete(`/realm/filters/${id}`)).toMatchObject({
      status: 400,
      body: forAdmins,
      events: [],
    });
    expect(await listed(w)).toHaveLength(1);
  });
});

describe("reorder-linkifiers", () => {
  const any = { pattern: "#(?P<any>\\w+)", url_template: "https://any.dev/{any}" };

  test("decides which of two matches becomes the link", async () => {
    const w = world();
    const ids = [await add(w), await add(w, any)] as [number, number];
    expect(await rendered(w, "#1")).toBe(a("https://tickets.example.com/1", "#1"));
    const ordered_linkifier_ids = [ids[1], ids[0]];
    const { events } = await w.as("ada").patch("/realm/linkifiers", { ordered_linkifier_ids });

    expect(events).toMatchObject([
      { audience: "everyone", event: { realm_linkifiers: [{ id: ids[1] }, { id: ids[0] }] } },
    ]);
    expect(await rendered(w, "#1")).toBe(a("https://any.dev/1", "#1"));
    await add(w, patch);
    expect((await listed(w)).map((one: { id: number }) => one.id).slice(0, 2)).toEqual(ordered_linkifier_ids);
  });

  test.each([[[1]], [[1, 1]], [[1, 2, 2]], [[1, 3]], [[]]])(
    "refuses %j, which does not name each of the two once",
    async (ids) => {
      const w = world();
      await add(w);
      await add(w, any);
      expect(await w.as("ada").patch("/realm/linkifiers", { ordered_linkifier_ids: ids })).toMatchObject({
        status: 400,
        body: { code: "BAD_REQUEST", msg: "The new order must name every linkifier exactly once." },
        events: [],
      });
    },
  );

  test("refuses anyone but administrators", async () => {
    const w = world();
    const ordered_linkifier_ids = [await add(w)];
    const answer = await w.as("moss").patch("/realm/linkifiers", { ordered_linkifier_ids });
    expect(answer).toMatchObject({ status: 400, body: forAdmins, events: [] });
  });
});

describe("links of a topic", () => {
  test("come with messages and their events, and follow the current linkifiers", async () => {
    const w = world();
    await w.as("mel").post("/users/me/subscriptions", { subscriptions: [{ name: "party" }] });
    const id = await add(w);
    const topic = "#7 and e.com";
    const { body, events } = await w
      .as("mel")
      .post("/messages", { type: "channel", to: "party", topic, content: "a" });
    const page = { text: "e.com", url: "http://e.com" };
    const links = [{ text: "#7", url: "https://tickets.example.com/7" }, page];
    expect(events[0]?.event.message.topic_links).toEqual(links);

    const read = async () => (await w.as("mel").get(`/messages/${body.id}`)).body.message.topic_links;
    expect(await read()).toEqual(links);
    await w.as("ada").delete(`/realm/filters/${id}`);
    expect(await read()).toEqual([page]);
  });
});

describe("Python's regular expressions", () => {
  /**
   * What Python 3.11 does with each pattern: whether it compiles, which texts it matches as a whole, and the groups of each
   * match.
   */
  interface Row {
    pattern: string;
    valid: boolean;
    /** What we do not support. */
    unsupported?: string;
    matches?: Record<string, Record<string, string>>;
  }
  const file = join(import.meta.dir, "..", "support/python-patterns.jsonl");
  const rows: Row[] = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((row) => JSON.parse(row));
  const texts = [...new Set(rows.flatMap(({ matches = {} }) => Object.keys(matches)))];

  test.each(rows.filter(({ valid, unsupported }) => !valid || unsupported !== undefined))(
    "$pattern is refused",
    ({ pattern, unsupported = "" }) => {
      const compiled = compilePattern(pattern, "python");
      if (!("problem" in compiled)) throw new Error(`/${pattern}/ was taken`);
      expect(compiled.problem.inEnglish).toStartWith(`Bad regular expression: ${unsupported}`);
    },
  );

  test.each(rows.filter(({ matches }) => matches !== undefined))(
    "$pattern matches what it should",
    ({ pattern, matches }) => {
      expect(compilePattern(pattern, "python")).toHaveProperty("whole");
      const { re2, names } = translate(pattern);
      const compiled = RE2JS.compile(re2);
      const found = texts.flatMap((text) => {
        const matcher = compiled.matcher(text);
        if (!matcher.matches()) return [];
        const groups = [...names].map(([name, number]) => [name, matcher.group(number)] as const);
        return [[text, Object.fromEntries(groups.filter(([, value]) => value !== null))] as const];
      });
      expect(Object.fromEntries(found)).toEqual(matches ?? {});
    },
  );
});

describe("a pattern", () => {
  const found = (source: string, text: string, work = newLinkWork()) => {
    const pattern = compilePattern(source, "python");
    if ("problem" in pattern) throw new Error(pattern.problem.inEnglish);
    return matchesOf(pattern, text, work).map(({ start, end }) => text.slice(start, end));
  };

  test("finds each match in a long text once, although it is searched in pieces", () => {
    // Starts in the future, because a busy machine may take some time.
    const work = { ...newLinkWork(), since: Number.POSITIVE_INFINITY };
    const numbers = Array.from({ length: 600 }, (_, n) => `#${n}`);
    expect(found("#\\d+", numbers.join(" "), work)).toEqual(numbers);
    expect(found("é+", `${"é".repeat(1500)} é`, work).at(-1)).toBe("é");
    expect(found("x*", "x y xx")).toEqual(["x", "xx"]);
    expect(found("^a|b$", "a a b b")).toEqual(["a", "b"]);
  });
});

test.each(["https://e.com/{a,b}{&c*}", "{+x}", "plain", "%7Bx%7D{a.b}", "{%41}"])(
  "the template %j is well formed",
  (source) => {
    expect(parseTemplate(source)).not.toHaveProperty("problem");
  },
);

test.each(["}", "{a b}", "{a:0}", "{a:12345}", "{a**}", "{,a}", "{{a}}", "{é}", "a\\n b", '"'])(
  "the template %j is not",
  (source) => {
    expect(parseTemplate(source)).toHaveProperty("problem");
  },
);

describe("the short form of an address", () => {
  const issue = (url_template: string, more: Partial<LinkifierRule> = {}) => ({
    ...{ url_template, reverse_template: "#{id}", alternative_url_templates: [] as string[], ...more },
  });

  test.each<[template: string, address: string, short: string | null]>([
    ["https://e.com/issues/{id}", "https://e.com/issues/12", "#12"],
    ["https://e.com/issues/{id}", "https://e.com/issues/12/notes", null],
    ["https://e.com/issues/{id}", "https://e.com/issues/", null],
    ["https://e.com/issues/{id}", "https://e.com/issues/12?x=1", null],
    ["https://e.com/issues/{id}", "https://e.com/issues/a%20b", "#a b"],
    ["https://e.com/issues/{id}", "https://e.com/issues/%E0%A4", null],
    ["https://e.com/{+id}", "https://e.com/a/b", "#a/b"],
    ["https://e.com{/id}/notes", "https://e.com/7/notes", "#7"],
    ["https://e.com/show{?id}", "https://e.com/show?id=7", "#7"],
    ["https://e.com/show?a=1{&id}", "https://e.com/show?a=1&id=7", "#7"],
    ["https://e.com/{id}/{id}", "https://e.com/7/7", "#7"],
    ["https://e.com/{id}/{id}", "https://e.com/7/8", null],
    ["https://e.com/{id:3}", "https://e.com/123", null],
    ["https://e.com/{id*}", "https://e.com/123", null],
    ["https://e.com/{id}{id}", "https://e.com/77", null],
  ])("of the template %j, of %j, is %j", (template, address, short) => {
    expect(shortFormOf(address, [issue(template)])).toBe(short);
  });

  test("is that of the first linkifier that knows the address, by any of its templates", () => {
    const [one, other] = [
      issue("https://e.com/{id}", { alternative_url_templates: ["https://old.e.com/{id}"] }),
      issue("https://old.e.com/{id}", { reverse_template: "old {id}" }),
    ];
    expect(shortFormOf("https://old.e.com/5", [one, other])).toBe("#5");
    expect(shortFormOf("https://old.e.com/5", [issue("https://e.com/{id}"), other])).toBe("old 5");
    expect(shortFormOf("https://old.e.com/5", [{ ...one, reverse_template: null }])).toBeNull();
  });

  test("with several groups, and braces of its own", () => {
    const change = issue("https://e.com/{repo}/changes/{id}", { reverse_template: "{repo}{{{id}}}" });
    expect(shortFormOf("https://e.com/web/changes/12", [change])).toBe("web{12}");
  });
});
