// What each sender of incoming webhooks says of its events, by the requests in payloads.jsonl, also where these are hostile; how they
// sign; and the forms of requests: JSON, forms, multipart, GET, HEAD and handshakes.
import { describe, expect, test } from "bun:test";
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { removeSecret, renewSecret } from "@/outside/incoming-webhooks/actions.ts";
import { PayloadValue } from "@/outside/incoming-webhooks/payload.ts";
import { callFrom, payloadOf, read } from "@/outside/incoming-webhooks/reading.ts";
import type { WebhookSender } from "@/outside/incoming-webhooks/sender.ts";
import { senderNamed, senders } from "@/outside/incoming-webhooks/senders.ts";
import type { Fixture } from "../support/incoming-webhooks/fixture.ts";
import type { Json } from "../support/requests.ts";
import { world } from "../support/world.ts";

const file = join(import.meta.dir, "../support/incoming-webhooks/payloads.jsonl");
const fixtures = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Fixture);

const named = (name: string) => senderNamed(name) as WebhookSender;
const all = { only: ["*"], except: undefined };
const usual = { only: undefined, except: undefined };

const callOf = ({ sender, headers }: Fixture, body: string) =>
  callFrom({ payload: payloadOf({ body }, named(sender)), body, headers });

/** What would be said of a request, whether or not it is left out by default. */
function saidOf(fixture: Fixture, payload: unknown = fixture.payload) {
  const sender = named(fixture.sender);
  const call = callOf(fixture, JSON.stringify(payload));
  const handshake = sender.handshake?.(call);
  if (handshake) return { outcome: "handshake", said: { topic: "", content: handshake.toOwner } };
  const found = read(sender, call, all);
  const isLeftOut = read(sender, call, usual).outcome === "left_out";
  return {
    outcome: found.outcome === "sent" && isLeftOut ? "left_out" : found.outcome,
    said: found.outcome === "sent" ? found.said : null,
  };
}

test("each event has a text", () => {
  const lines: string[] = [];
  for (const fixture of fixtures) {
    const { outcome, said } = saidOf(fixture);
    expect([fixture.sender, fixture.what, outcome]).not.toContain("unknown_event");
    expect(said?.content ?? "").not.toMatch(/undefined|NaN|null|\[object|\*\*\*\*|\[\]\(/);
    const head = `== ${fixture.sender}: ${fixture.what}: ${outcome}`;
    lines.push(said ? `${head} → ${said.topic}\n${said.content}` : head);
  }
  expect(lines.join("\n\n")).toMatchSnapshot();
  const tried = new Set(fixtures.map(({ sender }) => sender));
  const elsewhere = [
    "alertmanager",
    "gitea",
    "github",
    "gitlab",
    "grafana",
    "json",
    "sentry",
    "slack_incoming",
  ];
  expect(senders.filter(({ name }) => !tried.has(name) && !elsewhere.includes(name))).toEqual([]);
});

type Path = (string | number)[];

/** The paths of all values in a payload. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  const own = path.length > 0 ? [path] : [];
  if (value === null || typeof value !== "object") return own;
  const entries = Array.isArray(value) ? value.map((one, at) => [at, one] as const) : Object.entries(value);
  return [...own, ...entries.flatMap(([key, inner]) => pathsIn(inner, [...path, key]))];
}

const at = (payload: unknown, path: Path) =>
  path.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], payload);

/** The payload with another value at a path; without it, if the value is undefined. */
function changed(payload: unknown, path: Path, value: unknown): unknown {
  const copy = structuredClone(payload);
  const holder = at(copy, path.slice(0, -1)) as Record<string | number, unknown>;
  holder[path.at(-1) as string] = value;
  return copy;
}

const big = "x *y* [z](http://a.example) `c` <!--".repeat(1_000);
const wrong: unknown[] = [
  ...[
    null,
    0,
    -1,
    1e300,
    "",
    [],
    {},
    true,
    [[]],
    { toString: 1 },
    "\u0000\u0007\u202e",
    "\ud800",
    "constructor",
    big,
  ],
];

test("missing, wrong, huge and unruly fields cause a message within its limits, or none", () => {
  let tried = 0;
  const faults: unknown[] = [];
  const check = ({ sender, what, headers }: Fixture, payload: unknown, path: Path) => {
    const call = callFrom({ payload: new PayloadValue(payload), body: "", headers });
    const found = named(sender).handshake?.(call) ? null : read(named(sender), call, all);
    tried++;
    if (found?.outcome !== "sent") return;
    const { topic, content } = found.said;
    if (content.trim() === "" || content.length > 10_000 || topic.length > 60)
      faults.push([sender, what, path, topic, content]);
  };
  for (const fixture of fixtures) {
    for (const path of pathsIn(fixture.payload)) {
      const payload = structuredClone(fixture.payload);
      const holder = at(payload, path.slice(0, -1)) as Record<string | number, unknown>;
      const key = path.at(-1) as string;
      if (!Array.isArray(holder)) {
        delete holder[key];
        check(fixture, payload, path);
      }
      for (const value of wrong) {
        holder[key] = value;
        check(fixture, payload, path);
      }
    }
    for (const value of wrong) check(fixture, value, []);
  }
  expect(faults).toEqual([]);
  expect(tried).toBeGreaterThan(10_000);
});

const mentions = [
  "@**all** @**everyone** @**channel** @**topic** @**Mel** @*Crew*",
  "@*all* @_Crew_ @*Mel* @_**Mel** @_*Crew*",
  "@",
  "*all* @",
  "**all** **Mel** *Crew* @_",
  "javascript:alert(1)",
  "https://a.example/)[x](javascript:alert(1)) @**all**",
];

/** Quoted mentions are silent. */
const loud = /class="(?![^"]*\bsilent\b)[^"]*-mention\b|href="javascript/;

test("no text of any sender mentions anybody, or links to a script", async () => {
  const w = world();
  const crew = { name: "Crew", description: "", members: [w.user("mel").id] };
  await w.as("ada").post("/user_groups/create", crew);
  await w.as("olive").patch(`/users/${w.user("mel").id}`, { full_name: "Mel" });
  const contents: string[] = [];
  const tried = new Set<string>();
  for (const fixture of fixtures) {
    for (const path of pathsIn(fixture.payload)) {
      const field = `${fixture.sender} ${path.filter((key) => typeof key === "string").join(".")}`;
      if (typeof at(fixture.payload, path) !== "string" || tried.has(field)) continue;
      tried.add(field);
      for (const text of mentions) {
        const { said } = saidOf(fixture, changed(fixture.payload, path, text));
        if (said) contents.push(said.content);
      }
    }
  }
  expect(tried.size).toBeGreaterThan(300);
  // Several in a text, since rendering one takes as long as a request.
  let text = "";
  const found: unknown[] = [];
  for (const content of [...new Set(contents), ""]) {
    if (content !== "" && text.length + content.length < 9_000) text += `${content}\n\n`;
    else {
      const { status, body } = await w.as("mel").post("/messages/render", { content: text });
      expect(status).toBe(200);
      if (loud.test(body.rendered)) found.push([text, body.rendered]);
      text = `${content}\n\n`;
    }
  }
  expect(found).toEqual([]);
});

const secret = "a-secret-of-these-tests-0123456789";
const now = 1_793_000_000;
const body = `{"event": "ü", "n": 1, "webhookTimestamp": ${now}000}`;
const [soon, long] = [now, now - 301].map((time) => new Date(time * 1_000).toISOString());
const mac = (text: string, hash = "sha256", encoding: "hex" | "base64" | "base64url" = "hex", key = secret) =>
  createHmac(hash, key).update(text).digest(encoding);
const target = "https://chat.example/api/v1/external/trello?api_key=KEY&stream=1";
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const jws = (issuer: string, alg: string, of: string) => {
  const signed = `${part({ alg, typ: "JWT" })}.${part({ iss: issuer, sha256: createHash("sha256").update(of).digest("hex") })}`;
  return `${signed}.${mac(signed, "sha256", "base64url")}`;
};

/** By sender: headers that are right, then headers that are not. */
const signatures: Record<string, [right: Record<string, string>[], wrong: Record<string, string>[]]> = {
  jira: [[{ "x-hub-signature": `sha256=${mac(body)}` }], [{ "x-hub-signature": mac(body) }]],
  json: [
    [{ "x-hub-signature-256": `sha256=${mac(body)}` }],
    [{ "x-hub-signature-256": mac(body) }, { "x-hub-signature": `sha256=${mac(body)}` }],
  ],
  bitbucket: [
    [{ "x-hub-signature": `sha256=${mac(body)}` }],
    [{ "x-hub-signature": `sha1=${mac(body, "sha1")}` }],
  ],
  bitbucket_server: [[{ "x-hub-signature": `sha256=${mac(body)}` }], [{ "x-hub-signature": "sha256=" }]],
  circleci: [
    [{ "circleci-signature": `v1=${mac(body)}` }, { "circleci-signature": `v0=1,v1=${mac(body)}` }],
    [{ "circleci-signature": `v2=${mac(body)}` }],
  ],
  pagerduty: [
    [{ "x-pagerduty-signature": `v1=${"0".repeat(64)}, v1=${mac(body)}` }],
    [{ "x-pagerduty-signature": `v1=${"0".repeat(64)}` }, { "x-pagerduty-signature": mac(body) }],
  ],
  buildkite: [
    [
      { "x-buildkite-token": secret },
      { "x-buildkite-signature": `timestamp=${now},signature=${mac(`${now}.${body}`)}` },
    ],
    [
      { "x-buildkite-token": "other" },
      { "x-buildkite-signature": `timestamp=${now - 301},signature=${mac(`${now - 301}.${body}`)}` },
      { "x-buildkite-signature": `timestamp=${now},signature=${mac(body)}` },
    ],
  ],
  stripe: [
    [{ "stripe-signature": `t=${now - 200},v1=${"0".repeat(64)},v1=${mac(`${now - 200}.${body}`)},v0=1` }],
    [
      { "stripe-signature": `t=${now - 301},v1=${mac(`${now - 301}.${body}`)}` },
      { "stripe-signature": `t=${now},v0=${mac(`${now}.${body}`)}` },
      { "stripe-signature": `t=x,v1=${mac(`x.${body}`)}` },
    ],
  ],
  netlify: [
    [{ "x-webhook-signature": jws("netlify", "HS256", body) }],
    [
      { "x-webhook-signature": jws("netlify", "none", body) },
      { "x-webhook-signature": jws("other", "HS256", body) },
      { "x-webhook-signature": jws("netlify", "HS256", "other") },
      { "x-webhook-signature": "a.b.c" },
    ],
  ],
  vercel: [[{ "x-vercel-signature": mac(body, "sha1") }], [{ "x-vercel-signature": mac(body) }]],
  heroku: [
    [{ "heroku-webhook-hmac-sha256": mac(body, "sha256", "base64") }],
    [{ "heroku-webhook-hmac-sha256": mac(body) }],
  ],
  trello: [
    [{ "x-trello-webhook": mac(body + target, "sha1", "base64") }],
    [{ "x-trello-webhook": mac(body, "sha1", "base64") }],
  ],
  asana: [[{ "x-hook-signature": mac(body) }], [{ "x-hook-signature": mac("") }]],
  linear: [[{ "linear-signature": mac(body) }], [{}]],
  clickup: [[{ "x-signature": mac(body) }], [{}]],
  notion: [[{ "x-notion-signature": `sha256=${mac(body)}` }], [{ "x-notion-signature": mac(body) }]],
  zendesk: [
    [
      {
        "x-zendesk-webhook-signature": mac(`${soon}${body}`, "sha256", "base64"),
        "x-zendesk-webhook-signature-timestamp": `${soon}`,
      },
    ],
    [
      { "x-zendesk-webhook-signature": mac(`${soon}${body}`, "sha256", "base64") },
      {
        "x-zendesk-webhook-signature": mac(`${long}${body}`, "sha256", "base64"),
        "x-zendesk-webhook-signature-timestamp": `${long}`,
      },
    ],
  ],
  helpscout: [
    [{ "x-helpscout-signature": mac(body, "sha1", "base64") }],
    [{ "x-helpscout-signature": mac(body) }],
  ],
  discourse: [[{ "x-discourse-event-signature": `sha256=${mac(body)}` }], [{}]],
};

test.each(Object.entries(signatures))("the signature of %s is checked", (name, [right, wrong]) => {
  const isSigned = (headers: Record<string, string>, of = body, key = secret) => {
    const call = {
      ...callFrom({ payload: payloadOf({ body: of }), body: of, headers }),
      addresses: [target],
      now,
    };
    return named(name).isSigned?.(call, key);
  };
  for (const headers of right) {
    expect(isSigned(headers)).toBe(true);
    expect(isSigned(headers, body, "another secret 123")).toBe(false);
    if (!("x-buildkite-token" in headers)) expect(isSigned(headers, `${body} `)).toBe(false);
  }
  for (const headers of [...wrong, {}]) expect(isSigned(headers)).toBe(false);
  if (name !== "linear") return;
  for (const of of ["{}", `{"webhookTimestamp": ${now - 301}000}`])
    expect(isSigned({ "linear-signature": mac(of) }, of)).toBe(false);
});

test("events that name themselves oddly are not taken for others", () => {
  const outcome = (sender: string, payload: object, headers: Record<string, string> = {}) => {
    const call = callFrom({ payload: new PayloadValue(payload), body: "", headers });
    const { event, outcome: found } = read(named(sender), call, usual);
    return [event, found];
  };
  expect(outcome("bitbucket", {})).toEqual(["unknown", "unknown_event"]);
  expect(outcome("linear", { action: "create" })).toEqual(["unknown", "unknown_event"]);
  expect(outcome("stripe", { type: "*" })).toEqual(["*", "left_out"]);
  expect(outcome("stripe", { type: "*.x" })).toEqual(["*.x", "left_out"]);
});

test("links of Jira's markup and spaces in Slack's are kept", () => {
  const text = (sender: string, payload: object, only = all) => {
    const found = read(
      named(sender),
      callFrom({ payload: new PayloadValue(payload), body: "", headers: {} }),
      only,
    );
    return found.outcome === "sent" ? found.said.content : found.outcome;
  };
  const description = "[[a|https://a.example/1] [b|https://b.example|smart-link] [c|https://c.example x]";
  const issue = { key: "A-1", fields: { description } };
  const said = text("jira", { webhookEvent: "jira:issue_created", issue });
  expect(said).toContain("[[a](https://a.example/1) [b](https://b.example) [c|https://c.example x]");
  const styled = { type: "text", text: " wide ", style: { bold: true } };
  const elements = [
    {
      type: "rich_text_section",
      elements: [{ type: "text", text: "so" }, styled, { type: "text", text: "now" }],
    },
  ];
  expect(text("slack_incoming", { blocks: [{ type: "rich_text", elements }] })).toContain("so **wide** now");
});

test("every sender that signs is in the table of signatures, or tested elsewhere", () => {
  const elsewhere = ["gitea", "github", "gitlab", "grafana", "sentry"];
  const signing = senders.filter(({ isSigned }) => isSigned).map(({ name }) => name);
  expect(signing.sort()).toEqual([...Object.keys(signatures), ...elsewhere].sort());
});

/** A bot of mel's, and requests with its key. */
async function withBot() {
  const w = world();
  const mel = w.as("mel");
  const made = await mel.post("/bots", { full_name: "Builder", short_name: "builder", bot_type: 2 });
  const { api_key, user_id } = made.body;
  await mel.post("/users/me/subscriptions", { subscriptions: [{ name: "builds" }] });
  const ask = async (sender: string, init: RequestInit, query = "&stream=builds") => {
    const path = `/api/v1/external/${sender}?api_key=${api_key}${query}`;
    const answer = await w.anonymous.request(path, init);
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: (text === "" ? null : JSON.parse(text)) as Json,
    };
  };
  const said = async (id: number): Promise<Json> =>
    (await mel.get(`/messages/${id}`, { apply_markdown: false })).body.message;
  const calls = async () => (await mel.get(`/bots/${user_id}/calls`)).body.calls as Json[];
  return { w, mel, ask, said, calls, user_id, key: api_key as string };
}

const post = (text: string | FormData, type?: string): RequestInit => ({
  method: "POST",
  body: text,
  ...(type ? { headers: { "content-type": type } } : {}),
});
const form = "application/x-www-form-urlencoded";
const beat = { heartbeat: { status: 0, msg: "dark" }, monitor: { name: "Lamp" }, msg: "down" };

describe("get-external", () => {
  test("takes an event in the query, as post-external takes forms of several fields and multipart; HEAD sends nothing", async () => {
    const { w, mel, ask, said, calls } = await withBot();
    const page = await ask(
      "wordpress",
      post("hook=publish_post&post_title=New+pier&post_url=https%3A%2F%2Fb.example%2F1", form),
    );
    expect((await said(page.body.id)).content).toBe("New post: [New pier](https://b.example/1)");

    const parts = new FormData();
    parts.set("data", JSON.stringify(beat));
    const lamp = await ask("uptime_kuma", post(parts));
    expect((await said(lamp.body.id)).content).toContain("❌ **Down**: Lamp");

    const fields = {
      msg: "down",
      heartbeat: JSON.stringify(beat.heartbeat),
      monitor: JSON.stringify(beat.monitor),
    };
    const query = `&stream=builds&${new URLSearchParams(fields)}`;
    const asked = await ask("uptime_kuma", { method: "GET" }, query);
    expect(asked.body).toEqual({
      result: "success",
      msg: "",
      event: "down",
      outcome: "sent",
      id: expect.any(Number),
    });
    expect((await said(asked.body.id)).content).toContain("❌ **Down**: Lamp");

    const robot = `&stream=builds&${new URLSearchParams({ alertType: "2", monitorFriendlyName: "Lamp", monitorURL: "lamp.example" })}`;
    for (const method of ["GET", "POST"]) {
      const { body } = await ask("uptimerobot", { method }, robot);
      expect(body).toMatchObject({ event: "up", outcome: "sent" });
      expect(body).not.toHaveProperty("ignored_parameters_unsupported");
      expect((await said(body.id)).content).toContain("[Lamp](http://lamp.example/)");
    }

    const queue = await w.queue("mel", { event_types: ["message"] });
    expect((await ask("uptimerobot", { method: "HEAD" }, robot)).status).toBe(200);
    for (const init of [{ method: "HEAD" }, { method: "GET" }]) {
      const answer = await ask("trello", init);
      expect(answer.status).toBe(200);
      if (init.method === "GET")
        expect(answer.body).toMatchObject({ event: "check", outcome: "nothing_to_say" });
    }
    // Somebody who is signed in posts nothing by opening an address.
    const person = await mel.request("/api/v1/external/uptimerobot?alertType=2&stream=builds");
    expect([person.status, ((await person.json()) as Json).msg]).toEqual([
      400,
      "Use the API key of a bot: create one for this sender.",
    ]);
    expect((await calls()).slice(0, 3).map(({ about, outcome }) => [about, outcome])).toEqual([
      ["trello: check", "nothing_to_say"],
      ["trello: check", "nothing_to_say"],
      ["uptimerobot: check", "nothing_to_say"],
    ]);
    const refusals: [sender: string, init: RequestInit, query: string | undefined, message: string][] = [
      ["uptime_kuma", post("msg=x&heartbeat=%7B", form), undefined, "not valid JSON"],
      [
        "uptime_kuma",
        post(`heartbeat=${"[".repeat(101)}`, form),
        undefined,
        "nested more than 100 levels deep",
      ],
      [
        "wordpress",
        post(Array.from({ length: 1_001 }, (_, at) => `f${at}=1`).join("&"), form),
        undefined,
        "at most 1000 parameters",
      ],
      ["uptime_kuma", post("no parts", "multipart/form-data; boundary=x"), undefined, "could not be read"],
      ["uptime_kuma", post("no parts", "multipart/form-data"), undefined, "has no boundary"],
      ["github", post("", form), "&stream=builds&action=opened", "The request has no body"],
    ];
    for (const [sender, init, query, message] of refusals) {
      const { status, body } = await ask(sender, init, query);
      expect([status, body.msg]).toEqual([400, expect.stringContaining(message)]);
    }
    expect(await queue.poll()).toEqual([]);
  });
});

describe("requests", () => {
  test("are handshakes, which need no signature until the bot has another secret, and whose secret the bot's owner alone is told", async () => {
    const { w, ask, said, user_id } = await withBot();
    const token = "verification_of_a_harbour_1";
    const notion = await ask("notion", post(JSON.stringify({ verification_token: token })));
    const hook = await ask("asana", {
      method: "POST",
      headers: { "x-hook-secret": "0f1e2d3c4b5a69788796a5b4c3d2e1f0" },
    });
    expect(hook.headers.get("x-hook-secret")).toBe("0f1e2d3c4b5a69788796a5b4c3d2e1f0");
    for (const [{ status, body }, shown] of [
      [notion, token],
      [hook, "0f1e2d3c4b5a69788796a5b4c3d2e1f0"],
    ] as const) {
      expect([status, body.outcome]).toEqual([200, "sent"]);
      const message = await said(body.id);
      expect([message.type, message.content]).toEqual(["private", expect.stringContaining(`\`${shown}\``)]);
    }
    const verify = post(JSON.stringify({ verification_token: token }));
    await renewSecret(w.ctx("mel"), { bot_id: user_id, secret: token });
    expect((await ask("notion", verify)).body.outcome).toBe("sent");
    await renewSecret(w.ctx("mel"), { bot_id: user_id, secret });
    const strange = await ask("asana", { method: "POST", headers: { "x-hook-secret": token } });
    expect([strange.status, strange.headers.get("x-hook-secret")]).toEqual([403, null]);
    expect((await ask("notion", verify)).status).toBe(403);
    // What is no handshake must be signed; a secret with other characters is not echoed.
    expect((await ask("notion", post('{"type": "page.created"}'))).status).toBe(403);
    const odd = await ask("asana", {
      method: "POST",
      headers: { "x-hook-secret": "short" },
      body: '{"events": []}',
    });
    expect([odd.status, odd.headers.get("x-hook-secret")]).toEqual([403, null]);
    await removeSecret(w.ctx("mel"), user_id);
    const heartbeat = await ask("asana", post('{"events": []}'));
    expect(heartbeat.body).toMatchObject({ event: "events", outcome: "nothing_to_say" });
    expect((await ask("asana", post(""))).body).toMatchObject({ outcome: "nothing_to_say" });
  });

  test("are signed with the address at which they were posted", async () => {
    const { w, ask, user_id, key } = await withBot();
    await renewSecret(w.ctx("mel"), { bot_id: user_id, secret });
    const sample = JSON.stringify(named("trello").sample.payload);
    const address = `${w.app.system.env.site}/api/v1/external/trello?api_key=${key}&stream=builds`;
    const signed = (of: string) => ({
      ...post(sample),
      headers: { "x-trello-webhook": mac(sample + of, "sha1", "base64") },
    });
    expect((await ask("trello", signed(address))).body.outcome).toBe("sent");
    expect((await ask("trello", signed(`${address}&topic=other`))).status).toBe(403);
  });

  test("of each sender with unruly characters everywhere are answered, and say what became of them", async () => {
    const { ask } = await withBot();
    const unruly = (value: unknown): unknown => {
      if (typeof value === "string") return `${value}\u0000\u0007\u202e\ud800`;
      if (Array.isArray(value)) return value.map(unruly);
      if (value === null || typeof value !== "object") return value;
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unruly(inner)]));
    };
    for (const { name, sample } of senders) {
      const init = { ...post(JSON.stringify(unruly(sample.payload))), headers: sample.headers };
      const { status, body } = await ask(name, init);
      expect([name, status, body.result, typeof body.outcome]).toEqual([name, 200, "success", "string"]);
    }
    // Names of what every object has are no events.
    for (const event of ["constructor", "toString.x", "__proto__"]) {
      const init = { ...post("{}"), headers: { "x-github-event": event } };
      expect((await ask("github", init)).body).toMatchObject({ event, outcome: "unknown_event" });
    }
    expect((await ask("trello", post("{}"))).body).toMatchObject({
      event: "unknown",
      outcome: "unknown_event",
    });
    expect((await ask("stripe", post('{"type": "plan.created"}'))).body.outcome).toBe("left_out");
    const asked = `&stream=builds&only_events=${encodeURIComponent('["plan.*"]')}`;
    expect((await ask("stripe", post('{"type": "plan.created"}'), asked)).body.outcome).toBe("sent");
  });
});
