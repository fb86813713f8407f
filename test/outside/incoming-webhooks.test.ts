import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { removeSecret, renewSecret } from "@/outside/incoming-webhooks/actions.ts";
import { slackMarkdown } from "@/text/markup/slack.ts";
import type { Fixture } from "../support/incoming-webhooks/fixture.ts";
import { gitea } from "../support/incoming-webhooks/gitea.ts";
import { github } from "../support/incoming-webhooks/github.ts";
import { gitlab } from "../support/incoming-webhooks/gitlab.ts";
import { others } from "../support/incoming-webhooks/others.ts";
import type { Json } from "../support/requests.ts";
import { type World, world } from "../support/world.ts";

const fixtures: Fixture[] = [...github, ...gitlab, ...gitea, ...others];

interface How {
  /** What follows the key in the URL. */
  query?: string;
  headers?: Record<string, string>;
  key?: string;
}

/** A bot of mel's in their channel, and the requests of senders that post as it. */
async function withBot() {
  const warnings: Json[] = [];
  const w = world({ onWarning: (event, fields) => warnings.push({ ...fields, logged: event }) });
  const mel = w.as("mel");
  const made = await mel.post("/bots", { full_name: "Builder", short_name: "builder", bot_type: 2 });
  const { api_key, user_id } = made.body;
  await mel.post("/users/me/subscriptions", { subscriptions: [{ name: "builds" }] });
  const post = async (
    sender: string,
    body: string,
    { query = "&stream=builds", headers, key = api_key }: How = {},
  ) => {
    const init = { method: "POST", headers: { "content-type": "application/json", ...headers }, body };
    const answer = await w.anonymous.request(`/api/v1/external/${sender}?api_key=${key}${query}`, init);
    return { status: answer.status, body: (await answer.json()) as Json };
  };
  const said = async (id: number): Promise<Json> =>
    (await mel.get(`/messages/${id}`, { apply_markdown: false })).body.message;
  return { w, mel, post, said, user_id, warnings };
}

const push = { headers: { "x-github-event": "push" } };
const pushBody = JSON.stringify(github.find(({ what }) => what === "push")?.payload);

describe("post-external", () => {
  test("sends what happened to the channel in the address, and emits it to its subscribers", async () => {
    const { w, post, user_id } = await withBot();
    const queue = await w.queue("mel", { event_types: ["message"], apply_markdown: false });
    const { status, body } = await post("github", pushBody, push);
    expect([status, body.event, body.outcome]).toEqual([200, "push", "sent"]);
    const [event] = (await queue.poll()) as [Json];
    expect(event).toMatchObject({
      type: "message",
      message: { id: body.id, sender_id: user_id, display_recipient: "builds", subject: "engine / main" },
    });
    expect(event.message.content).toContain("**ada** pushed [2 commits]");
  });

  test("writes to the bot's owner without a channel, and takes a channel's ID and a topic", async () => {
    const { w, mel, post, said } = await withBot();
    const direct = await said((await post("github", pushBody, { ...push, query: "" })).body.id);
    expect([direct.type, direct.display_recipient.map(({ id }: { id: number }) => id)]).toEqual([
      "private",
      expect.arrayContaining([w.user("mel").id]),
    ]);
    const { stream_id } = (await mel.get("/get_stream_id", { stream: "builds" })).body;
    const { body } = await post("github", pushBody, {
      ...push,
      query: `&stream=${stream_id}&topic=Deploys%20today`,
    });
    expect((await said(body.id)).subject).toBe("Deploys today");
  });

  test("takes forms whose payload is JSON", async () => {
    const { post } = await withBot();
    const form = `payload=${encodeURIComponent(pushBody)}`;
    const headers = { ...push.headers, "content-type": "application/x-www-form-urlencoded" };
    expect((await post("github", form, { headers })).body.outcome).toBe("sent");
  });

  test("leaves out unimportant events, unless the URL asks for them", async () => {
    const { w, post } = await withBot();
    const queue = await w.queue("mel", { event_types: ["message"] });
    const labeled = github.find(({ what }) => what === "issues.labeled") as Fixture;
    const body = JSON.stringify(labeled.payload);
    const how = { headers: labeled.headers };
    expect((await post("github", body, how)).body).toMatchObject({
      event: "issues.labeled",
      outcome: "left_out",
    });
    expect(await queue.poll()).toEqual([]);
    const only = (names: string[]) =>
      `&stream=builds&only_events=${encodeURIComponent(JSON.stringify(names))}`;
    expect((await post("github", body, { ...how, query: only(["issues.*"]) })).body.outcome).toBe("sent");
    expect((await post("github", pushBody, { ...push, query: only(["issues.*"]) })).body.outcome).toBe(
      "left_out",
    );
    const except = `&stream=builds&exclude_events=${encodeURIComponent('["pu*"]')}`;
    expect((await post("github", pushBody, { ...push, query: except })).body.outcome).toBe("left_out");
  });

  test("matches patterns of many *", async () => {
    const { post } = await withBot();
    const query = (pattern: string) =>
      `&stream=builds&only_events=${encodeURIComponent(JSON.stringify([pattern]))}`;
    const event = `issues.${"a".repeat(90)}`;
    const body = JSON.stringify({ action: event.slice("issues.".length) });
    const headers = { "x-github-event": "issues" };
    for (const [pattern, isMatch] of [
      ["*a".repeat(45), true],
      // As a regular expression, it would take days.
      [`${"*a".repeat(45)}*b`, false],
      ["issues.a*", true],
      ["issues.a*s", false],
      ["*", true],
      ["*issues*.a*a", true],
      ["issues", false],
    ] as const) {
      const { outcome } = (await post("github", body, { headers, query: query(pattern) })).body;
      expect([pattern, outcome === "left_out"]).toEqual([pattern, !isMatch]);
    }
  });

  test("sends nothing for a delivery that is repeated within a day", async () => {
    const { w, post } = await withBot();
    const delivery = (id: string) => ({ headers: { ...push.headers, "x-github-delivery": id } });
    const first = await post("github", pushBody, delivery("one"));
    expect(first.body.outcome).toBe("sent");
    const queue = await w.queue("mel", { event_types: ["message"] });
    const again = await post("github", pushBody, delivery("one"));
    expect(again.body).toMatchObject({ outcome: "repeated", event: "push", id: first.body.id });
    expect(await queue.poll()).toEqual([]);
    const elsewhere = { ...delivery("one"), query: "&stream=builds&topic=all" };
    for (const how of [delivery("two"), elsewhere, push, push])
      expect((await post("github", pushBody, how)).body.outcome).toBe("sent");
    const keyed = (key: string) => ({ headers: { "idempotency-key": key } });
    expect((await post("json", '{"a":1}', keyed("k"))).body.outcome).toBe("sent");
    expect((await post("json", '{"a":1}', keyed("k"))).body.outcome).toBe("repeated");
    expect((await post("json", '{"a":2}', keyed("k"))).body.outcome).toBe("sent");
    const paid = JSON.stringify({ id: "evt_1", type: "invoice.paid", data: { object: { number: "7" } } });
    expect((await post("stripe", paid)).body.outcome).toBe("sent");
    expect((await post("stripe", paid)).body.outcome).toBe("repeated");
    w.clock.advance(86_400);
    expect((await post("github", pushBody, delivery("one"))).body.outcome).toBe("sent");
  });

  test("answers unknown events with success, and logs each once", async () => {
    const { post, warnings } = await withBot();
    for (const _ of [1, 2]) {
      const { status, body } = await post("github", "{}", { headers: { "x-github-event": "teleport" } });
      expect([status, body.result, body.event, body.outcome]).toEqual([
        200,
        "success",
        "teleport",
        "unknown_event",
      ]);
    }
    expect(warnings).toEqual([{ logged: "unknown_webhook_event", event: "github: teleport", fields: "" }]);
  });

  test("demands signatures once the bot has a secret", async () => {
    const { w, post, user_id, warnings } = await withBot();
    const secret = await renewSecret(w.ctx("mel"), { bot_id: user_id });
    const sign = (body: string, key = secret) => createHmac("sha256", key).update(body).digest("hex");
    const signed = (signature: string) =>
      post("github", pushBody, { headers: { ...push.headers, "x-hub-signature-256": signature } });
    for (const wrong of [
      "",
      "sha256=",
      `sha256=${sign(pushBody, "x")}`,
      sign(pushBody),
      `sha256=${sign(`${pushBody} `)}`,
    ]) {
      const { status, body } = await signed(wrong);
      expect([status, body.msg]).toEqual([
        403,
        "The signature is wrong: enter the bot's secret in GitHub, too.",
      ]);
    }
    expect(warnings).toEqual(
      Array(5).fill({
        logged: "login_refused",
        operation: "post-external",
        address: "local",
        account: expect.stringMatching(/^builder-bot@/),
        reason: "WRONG_SIGNATURE",
      }),
    );
    expect((await signed(`sha256=${sign(pushBody)}`)).body.outcome).toBe("sent");
    expect(warnings).toHaveLength(5);
    const gitlabPush = JSON.stringify(gitlab[0]?.payload);
    expect((await post("gitlab", gitlabPush)).status).toBe(403);
    expect((await post("gitlab", gitlabPush, { headers: { "x-gitlab-token": secret } })).body.outcome).toBe(
      "sent",
    );
    const giteaPush = JSON.stringify(gitea[0]?.payload);
    const fromGitea = (signature: string) =>
      post("gitea", giteaPush, { headers: { ...gitea[0]?.headers, "x-gitea-signature": signature } });
    expect((await fromGitea(sign("other"))).status).toBe(403);
    expect((await fromGitea(sign(giteaPush))).body.outcome).toBe("sent");
    const error = JSON.stringify({ action: "created", data: {} });
    const fromSentry = (signature: string) =>
      post("sentry", error, {
        headers: { "sentry-hook-resource": "issue", "sentry-hook-signature": signature },
      });
    expect((await fromSentry(sign("other"))).status).toBe(403);
    expect((await fromSentry(sign(error))).body.outcome).toBe("sent");
    const alert = JSON.stringify({ alerts: [], status: "firing" });
    const fromGrafana = (signature: string) =>
      post("grafana", alert, { headers: { "x-grafana-alerting-signature": signature } });
    expect((await fromGrafana("")).status).toBe(403);
    expect((await fromGrafana(sign(alert))).body.outcome).toBe("sent");
    const unable = await post("alertmanager", alert);
    expect([unable.status, unable.body.msg]).toEqual([
      403,
      "Events of Prometheus Alertmanager cannot be signed: post them as a bot without a secret.",
    ]);
    await expect(renewSecret(w.ctx("max"), { bot_id: user_id })).rejects.toThrow("Insufficient permission");
    await removeSecret(w.ctx("mel"), user_id);
    expect((await signed("")).body.outcome).toBe("sent");
  });

  test("refuses what it cannot read, and sends nothing", async () => {
    const { w, mel, post } = await withBot();
    const queue = await w.queue("mel", { event_types: ["message"] });
    const deep = "[".repeat(101) + "]".repeat(101);
    const refusals: [
      sender: string,
      body: string,
      how: Parameters<typeof post>[2],
      status: number,
      message: string,
    ][] = [
      ["github", pushBody, { ...push, key: "x".repeat(32) }, 401, "Invalid API key"],
      ["github", pushBody, { ...push, query: "&stream=nowhere" }, 400, "Channel 'nowhere' does not exist"],
      [
        "github",
        pushBody,
        { ...push, query: "&stream=builds&topic=%07" },
        400,
        "Invalid character in topic!",
      ],
      ["teams", pushBody, {}, 404, "There is no sender 'teams'"],
      ["github", "", push, 400, "The request has no body"],
      ["github", "{", push, 400, "The body of the request is not valid JSON."],
      ["json", deep, {}, 400, "nested more than 100 levels deep"],
      ["json", `"${"x".repeat(1_048_576)}"`, {}, 413, "at most 1048576 bytes are allowed"],
    ];
    for (const [sender, body, how, status, message] of refusals) {
      const answer = await post(sender, body, how);
      expect([answer.status, answer.body.result]).toEqual([status, "error"]);
      expect(answer.body.msg).toContain(message);
    }
    const person = await mel.request("/api/v1/external/json?stream=builds", { method: "POST", body: "1" });
    expect([person.status, ((await person.json()) as Json).msg]).toEqual([
      400,
      "Use the API key of a bot: create one for this sender.",
    ]);
    expect(await queue.poll()).toEqual([]);
  });

  test("keeps a block of JSON within its limit, whatever fences are in it", async () => {
    const { post, said } = await withBot();
    const { body } = await post("json", JSON.stringify({ log: "`".repeat(9_000), more: "```\n~~~" }));
    const { content } = await said(body.id);
    expect(content.length).toBe(8_000);
    expect(content).toMatch(/^```json\n\{\n {2}"log": "`+…\n```$/);
  });

  test("mentions nobody, whatever the payload says", async () => {
    const { w, mel, post, said } = await withBot();
    const name = `@**all** @**${w.user("mel").full_name}** [x](javascript:alert(1)) :tada: \`a`;
    const issue = { number: 1, title: name, body: name, html_url: "javascript:alert(1)" };
    const { body } = await post(
      "github",
      JSON.stringify({ action: "opened", issue, sender: { login: name } }),
      { headers: { "x-github-event": "issues" } },
    );
    const message = await said(body.id);
    expect(message.flags).not.toContain("mentioned");
    const { body: shown } = await mel.get(`/messages/${body.id}`);
    expect(shown.message.content).not.toContain('user-mention"');
    expect(shown.message.content).not.toMatch(/href="javascript/);
    expect(shown.message.flags).not.toContain("stream_wildcard_mentioned");
  });
});

describe("the events that senders document", () => {
  test("each has a text", async () => {
    const { post, said } = await withBot();
    const lines: string[] = [];
    for (const { sender, what, headers, payload } of fixtures) {
      const query = `&stream=builds&only_events=${encodeURIComponent('["*"]')}&title_field=build.name`;
      const { status, body } = await post(sender, JSON.stringify(payload), { headers, query });
      expect([what, status, body.result]).toEqual([what, 200, "success"]);
      expect([sender, what, body.outcome]).toEqual([
        sender,
        what,
        what === "nothing" ? "nothing_to_say" : "sent",
      ]);
      if (body.outcome !== "sent") continue;
      const { content, subject } = await said(body.id);
      expect(content).not.toMatch(/undefined|\[object|\*\*\*\*|\[\]\(/);
      lines.push(`== ${sender}: ${what} → ${subject}\n${content}`);
    }
    expect(lines.join("\n\n")).toMatchSnapshot();
  });

  test("truncated, changed or emptied, are refused or reported, and never cause an internal error", async () => {
    const { post } = await withBot();
    const wrong: unknown[] = [null, 0, "", [], {}, true, -1, "x".repeat(3000), [[]], { toString: 1 }];
    const faults: unknown[] = [];
    let tried = 0;
    for (const { sender, what, headers, payload } of fixtures) {
      const text = JSON.stringify(payload);
      const bodies = [
        text.slice(0, text.length >> 1),
        text.slice(0, -1),
        ...mutations(payload, wrong, tried),
      ];
      for (const body of bodies) {
        const { status } = await post(sender, body, { headers });
        if (status >= 500) faults.push([sender, what, body]);
        tried++;
      }
    }
    expect(faults).toEqual([]);
    expect(tried).toBeGreaterThan(1000);
  });
});

/** Texts that mention somebody by themselves, in Slack's markup, or next to the text of a neighbouring field. */
const mentions = [
  "@**all** @**everyone** @**channel** @**topic** @**Mel** @*Crew*",
  "@*all* @_Crew_ @<!x|all> @*Mel*",
  "@",
  "*all* @",
  "**all** **Mel** *Crew* @_",
];

/** Quoted mentions are silent. */
const loudMention = /class="(?![^"]*\bsilent\b)[^"]*-mention\b/;

test("no text of any sender mentions anybody", async () => {
  const { w, mel, post } = await withBot();
  await w
    .as("ada")
    .post("/user_groups/create", { name: "Crew", description: "", members: [w.user("mel").id] });
  await w.as("olive").patch(`/users/${w.user("mel").id}`, { full_name: "Mel" });
  const found: unknown[] = [];
  const tried = new Set<string>();
  for (const { sender, what, headers, payload } of fixtures) {
    for (const path of textsIn(payload)) {
      const field = `${sender} ${path.filter((key) => typeof key === "string").join(".")}`;
      if (tried.has(field)) continue;
      tried.add(field);
      for (const text of mentions) {
        const { body } = await post(sender, JSON.stringify(withText(payload, path, text)), { headers });
        if (body.outcome !== "sent") continue;
        const { content, flags } = (await mel.get(`/messages/${body.id}`)).body.message;
        const isMentioned = flags.some((flag: string) => flag.includes("mentioned"));
        if (isMentioned || loudMention.test(content)) found.push([sender, what, path, text, content]);
      }
    }
  }
  expect(found).toEqual([]);
  expect(tried.size).toBeGreaterThan(100);
});

test("a table and neighbouring texts of a Slack message mention nobody", async () => {
  const { mel, post } = await withBot();
  const rich = (elements: unknown[]) => ({ type: "rich_text_section", elements });
  const bold = { type: "text", text: "all", style: { bold: true } };
  const blocks = [
    {
      type: "table",
      rows: [[{ type: "raw_text", text: "@**all**" }], [{ type: "raw_text", text: "@**all**" }]],
    },
    { type: "rich_text", elements: [rich([{ type: "text", text: "@" }, bold])] },
    { type: "rich_text", elements: [rich([{ type: "text", text: "@_" }, bold])] },
  ];
  const { body } = await post("slack_incoming", JSON.stringify({ blocks }));
  const { content, flags } = (await mel.get(`/messages/${body.id}`)).body.message;
  expect(flags).not.toContain("stream_wildcard_mentioned");
  expect(content).not.toMatch(loudMention);
  expect(content.match(/all/g)).toHaveLength(4);
});

/** The paths of all texts in a payload. */
function textsIn(value: unknown, path: readonly (string | number)[] = []): (string | number)[][] {
  if (typeof value === "string") return path.length === 0 ? [] : [[...path]];
  if (Array.isArray(value)) return value.flatMap((inner, at) => textsIn(inner, [...path, at]));
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...path, key]));
}

function withText(payload: unknown, path: readonly (string | number)[], text: string): unknown {
  const copy = structuredClone(payload) as Record<string | number, unknown>;
  let holder = copy;
  for (const key of path.slice(0, -1)) holder = holder[key] as Record<string | number, unknown>;
  holder[path.at(-1) as string] = text;
  return copy;
}

/** Replaces some values of a payload, chosen by `seed`, by values of another type. */
function mutations(payload: unknown, values: readonly unknown[], seed: number): string[] {
  const paths: (string | number)[][] = [];
  const walk = (value: unknown, path: (string | number)[]) => {
    if (path.length > 0) paths.push(path);
    if (value !== null && typeof value === "object") {
      for (const [key, inner] of Object.entries(value)) walk(inner, [...path, key]);
    }
  };
  walk(payload, []);
  const chosen = paths.filter((_, at) => (at + seed) % Math.ceil(paths.length / 6) === 0);
  return [
    ...values.slice(0, 3).map((value) => JSON.stringify(value)),
    ...chosen.map((path, at) => {
      const copy = structuredClone(payload) as Record<string | number, unknown>;
      let holder = copy;
      for (const key of path.slice(0, -1)) holder = holder[key] as Record<string | number, unknown>;
      holder[path.at(-1) as string] = values[(at + seed) % values.length];
      return JSON.stringify(copy);
    }),
  ];
}

describe("Slack's markup", () => {
  test.each([
    ["*bold* _it_ ~no~", "**bold** *it* ~~no~~"],
    ["2*3*4 a_b_c", "2*3*4 a_b_c"],
    ["`*x*` *y*", "`*x*` **y**"],
    ["<https://a.example|A [1]>", "[A &#91;1&#93;](https://a.example)"],
    ["<https://a.example>", "https://a.example"],
    ["<mailto:a@b.example|a@b.example>", "a@b.example"],
    ["<@U1|ada> <@U2> <#C1|ops> <!here>", "**@ada** **@U2** **#ops** **@here**"],
    ["<!date^1700000000^{date}|then>", "<time:2023-11-14T22:13:20.000Z>"],
    ["a &lt;b&gt; &amp;amp;", "a <b> &amp;"],
    ["[x](javascript:1)", "&#91;x&#93;(javascript:1)"],
    ["&gt; quoted", "> quoted"],
    ["@*all* @_crew_ @<!x|all> a@b.example @", "&#64;**all** &#64;*crew* &#64;**all** a@b.example &#64;"],
    ["`@*all*`", "`@*all*`"],
    ["```a *b*\n<https://x.example|y>```", "\n```\na *b*\ny\n```\n"],
  ])("%s", (given, wanted) => expect(slackMarkdown(given)).toBe(wanted));
});

const audited = async (w: World, event: string): Promise<Json[]> =>
  (await w.as("olive").get("/audit_log", { event })).body.entries;

async function withSecret() {
  const { w, user_id } = await withBot();
  const changed = { event: { type: "realm_bot", op: "update", bot: { user_id } } };
  return { w, path: `/bots/${user_id}/webhook_secret`, changed };
}

describe("set-webhook-secret", () => {
  test("requires signatures, of which the bot's owner and administrators hear, and nobody else", async () => {
    const { w, path, changed } = await withSecret();
    const made = await w.as("mel").post(path);
    expect(made).toMatchObject({ status: 200, events: [changed] });
    expect(made.body.secret).toMatch(/^\w{32}$/);
    expect(made.events[0]?.audience).toEqual(["olive", "ada", "mel"]);
    expect(await audited(w, "bot_webhook_secret_replaced")).toEqual([]);
    const given = await w.as("ada").post(path, { secret: "as-the-tool-made-it" });
    expect([given.body.secret, given.events.length]).toEqual(["as-the-tool-made-it", 1]);
    expect(await audited(w, "bot_webhook_secret_replaced")).toHaveLength(1);
    expect(await audited(w, "bot_webhook_secret_set")).toEqual([]);
    await w.as("mel").delete(path);
    expect(await audited(w, "bot_webhook_secret_removed")).toHaveLength(1);
    await w.as("ada").post(path);
    expect(await audited(w, "bot_webhook_secret_set")).toHaveLength(1);
  });

  test("is refused to others, and for what is no secret", async () => {
    const { w, path } = await withSecret();
    for (const answer of [
      await w.as("max").post(path),
      await w.as("moss").post(path),
      await w.as("mel").post(path, { secret: "short" }),
      await w.as("mel").post(path, { secret: "with blanks in between" }),
      await w.as("mel").post(path, { secret: "x".repeat(201) }),
      await w.as("mel").post(`/bots/${w.user("max").id}/webhook_secret`),
    ])
      expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" }, events: [] });
    expect((await w.as("mel").get(path)).body.is_set).toBe(false);
  });
});

describe("get-webhook-secret", () => {
  test("says whether there is one, and never which", async () => {
    const { w, path } = await withSecret();
    expect((await w.as("mel").get(path)).body.is_set).toBe(false);
    const { secret } = (await w.as("mel").post(path)).body;
    const { body } = await w.as("ada").get(path);
    expect([body.is_set, JSON.stringify(body).includes(secret)]).toEqual([true, false]);
    expect((await w.as("max").get(path)).status).toBe(400);
  });
});

describe("remove-webhook-secret", () => {
  test("lets tools post unsigned again; refused to others, and where there is none", async () => {
    const { w, path, changed } = await withSecret();
    expect(await w.as("mel").delete(path)).toMatchObject({ status: 400, events: [] });
    await w.as("mel").post(path);
    expect(await w.as("max").delete(path)).toMatchObject({ status: 400, events: [] });
    expect(await w.as("ada").delete(path)).toMatchObject({ status: 200, events: [changed] });
    expect(await audited(w, "bot_webhook_secret_removed")).toHaveLength(1);
    expect((await w.as("mel").get(path)).body.is_set).toBe(false);
  });
});
