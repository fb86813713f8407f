import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { sweepPayloads } from "@/outside/incoming-webhooks/actions.ts";
import { PayloadValue } from "@/outside/incoming-webhooks/payload.ts";
import { payloadKeeping, webhookTemplate } from "@/outside/incoming-webhooks/schema.ts";
import { pathsIn, sayByTemplate } from "@/outside/incoming-webhooks/template.ts";
import type { Json } from "../support/requests.ts";
import { type CastName, world } from "../support/world.ts";

/** Mel's bot and channel, and what a tool posts as the bot. */
async function withBot() {
  const warnings: Json[] = [];
  const w = world({ onWarning: (event, fields) => warnings.push({ ...fields, logged: event }) });
  const mel = w.as("mel");
  const fields = { full_name: "Builder", short_name: "builder", bot_type: 2 };
  const { api_key, user_id } = (await mel.post("/bots", fields)).body;
  await mel.post("/users/me/subscriptions", { subscriptions: [{ name: "builds" }] });
  const post = async (sender: string, body: unknown, headers: Record<string, string> = {}) => {
    const init = { method: "POST", body: JSON.stringify(body), headers };
    const answer = await w.anonymous.request(
      `/api/v1/external/${sender}?api_key=${api_key}&stream=builds`,
      init,
    );
    return { status: answer.status, body: (await answer.json()) as Json };
  };
  const said = async (id: number): Promise<Json> =>
    (await mel.get(`/messages/${id}`, { apply_markdown: false })).body.message;
  const path = `/bots/${user_id}/webhook_template`;
  const kept = async (): Promise<Json[]> =>
    (await mel.get(`/bots/${user_id}/webhook_payloads`)).body.payloads;
  return { w, mel, post, said, path, kept, user_id: user_id as number, warnings };
}

const everybody: readonly CastName[] = ["olive", "ada", "moss", "max", "gus"];
const built = {
  build: { name: "engine", "app.io/team": "pumps" },
  state: "failed",
  tags: ["a", "b"],
  by: null,
};

describe("set-webhook-template", () => {
  test("words what is posted to json, of which the bot's owner and administrators hear, and nobody else", async () => {
    const { w, mel, post, said, path } = await withBot();
    const [owner, admin, other] = [
      await w.queue("mel", { event_types: ["realm_bot"] }),
      await w.queue("ada", { event_types: ["realm_bot"] }),
      await w.queue("max", { event_types: ["realm_bot"] }),
    ];
    const content =
      "**{{build.name}}** {{state}} by {{by | *somebody*}} ({{build.app.io/team}}): {{tags}}, {{tags.length}}";
    expect((await mel.post(path, { content, topic: "{{build.name}} builds" })).status).toBe(200);
    expect((await mel.get(path)).body.template).toEqual({ content, topic: "{{build.name}} builds" });
    expect([(await owner.poll()).length, (await admin.poll()).length, await other.poll()]).toEqual([
      1,
      1,
      [],
    ]);
    const { body } = await post("json", built);
    expect([body.event, body.outcome]).toEqual(["post", "sent"]);
    expect(await said(body.id)).toMatchObject({
      subject: "engine builds",
      content: "**engine** failed by *somebody* (pumps): a, b, 2",
    });
    expect((await w.as("olive").get("/audit_log")).body.entries[0].event).not.toContain("webhook_template");
    await w.as("ada").post(path, { content: "{{state}}" });
    expect((await w.as("olive").get("/audit_log")).body.entries[0]).toMatchObject({
      event: "bot_webhook_template_set",
    });
    const plain = await said((await post("json", built)).body.id);
    expect([plain.subject, plain.content]).toEqual(["JSON", "failed"]);
    expect((await post("json", { other: 1 })).body).toMatchObject({ outcome: "nothing_to_say" });
  });

  test("is refused to others, and for what is no template, and changes nothing then", async () => {
    const { w, mel, path } = await withBot();
    for (const who of ["moss", "max", "gus"] as const)
      expect(await w.as(who).post(path, { content: "a" })).toMatchObject({ status: 400, events: [] });
    for (const [content, reason] of [
      ["{{a", "is not closed"],
      ["{{a}} {{{b} }}", "is not closed"],
      ["{{ }}", "names no field"],
      ["{{| a}}", "names no field"],
      [" ", "The template is empty."],
      ["{{a}}".repeat(51), "at most 50"],
      [`{{${"a".repeat(101)}}}`, "at most 100 characters"],
      ["a".repeat(4_001), "at most 4000 characters"],
    ] as const) {
      const { status, body, events } = await mel.post(path, { content });
      expect([content.slice(0, 20), status, body.msg, events]).toEqual([
        content.slice(0, 20),
        400,
        expect.stringContaining(reason),
        [],
      ]);
    }
    expect((await mel.post(path, { content: "a", topic: "{{" })).body.msg).toContain("is not closed");
    expect((await mel.get(path)).body).toMatchObject({ template: null });
    expect((await w.as("max").get(path)).body.msg).toBe("Insufficient permission");
  });
});

describe("a template of a bot that has a secret", () => {
  test("words what is signed with it, and nothing else is kept", async () => {
    const { mel, post, said, path, kept, user_id } = await withBot();
    await mel.post(path, { content: "{{build.name}} {{state}}" });
    const { secret } = (await mel.post(`/bots/${user_id}/webhook_secret`)).body;
    const sign = (key: string) => {
      const signature = createHmac("sha256", key).update(JSON.stringify(built)).digest("hex");
      return { "x-hub-signature-256": `sha256=${signature}` };
    };
    for (const headers of [{}, sign("another secret")])
      expect(await post("json", built, headers)).toMatchObject({
        status: 403,
        body: {
          msg: expect.stringMatching(/^The signature is wrong: send 'sha256=' .* X-Hub-Signature-256/),
        },
      });
    expect(await kept()).toEqual([]);
    const { body } = await post("json", built, sign(secret));
    expect((await said(body.id)).content).toBe("engine failed");
    expect(await kept()).toHaveLength(1);
  });
});

describe("get-webhook-template", () => {
  test("is null until one is set; for the bot's owner and administrators alone", async () => {
    const { w, mel, path } = await withBot();
    expect((await mel.get(path)).body.template).toBeNull();
    await mel.post(path, { content: "{{state}}" });
    for (const name of ["mel", "ada"] as const)
      expect((await w.as(name).get(path)).body.template).toEqual({ content: "{{state}}", topic: "" });
    const refused = await w.as("max").get(path);
    expect([refused.status, refused.body.msg]).toEqual([400, "Insufficient permission"]);
  });
});

describe("remove-webhook-template", () => {
  test("shows a block of code again; refused to others, and where there is none", async () => {
    const { w, mel, post, said, path } = await withBot();
    expect((await mel.delete(path)).body.msg).toBe("The bot has no template.");
    await mel.post(path, { content: "{{state}}" });
    expect((await w.as("max").delete(path)).status).toBe(400);
    expect((await mel.delete(path)).status).toBe(200);
    expect((await said((await post("json", built)).body.id)).content).toStartWith("```json");
  });
});

describe("try-webhook-template", () => {
  test("says what a template would make of a payload, sends nothing, and is for those who may change the bot", async () => {
    const { w, mel, path } = await withBot();
    const given = { content: "{{state}} {{gone.away}} {{by | -}}", payload: JSON.stringify(built) };
    const { body, events } = await mel.post(`${path}/try`, given);
    expect([body.topic, body.content, body.absent, events]).toEqual([
      "JSON",
      "failed  -",
      ["gone.away", "by"],
      [],
    ]);
    expect((await mel.post(`${path}/try`, { ...given, content: "{{gone}}" })).body.content).toBeNull();
    expect((await mel.post(`${path}/try`, { ...given, payload: "{" })).body.code).toBe("INVALID_JSON");
    expect((await w.as("ada").post(`${path}/try`, given)).status).toBe(200);
    expect((await w.as("max").post(`${path}/try`, given)).status).toBe(400);
    expect((await mel.get(path)).body.template).toBeNull();
  });
});

describe("get-webhook-payloads", () => {
  test("lists what no sender words, for the bot's owner alone, for a day", async () => {
    const { w, mel, post, kept, user_id } = await withBot();
    await post("github", { zen: "known" });
    await post("json", built);
    await post("json", { long: "x".repeat(payloadKeeping.size) });
    expect(await kept()).toMatchObject([
      { sender: "json", payload: null, size: payloadKeeping.size + 11 },
      { sender: "json", payload: JSON.stringify(built) },
    ]);
    for (const who of everybody)
      expect((await w.as(who).get(`/bots/${user_id}/webhook_payloads`)).status).toBe(400);
    for (let at = 0; at < payloadKeeping.perBot + 3; at++) await post("json", { at });
    expect((await kept()).map(({ payload }) => JSON.parse(payload).at)).toEqual([
      12, 11, 10, 9, 8, 7, 6, 5, 4, 3,
    ]);
    w.clock.advance(payloadKeeping.seconds);
    expect(await kept()).toEqual([]);
    await sweepPayloads(w.app.system);
    const count = () => w.app.system.db.get<{ n: number }>("SELECT COUNT(*) AS n FROM webhook_payloads")?.n;
    expect(count()).toBe(0);
    await post("json", built);
    await mel.delete(`/bots/${user_id}`);
    expect(count()).toBe(0);
  });

  test("does not show a new owner what was posted before", async () => {
    const { w, mel, post, user_id } = await withBot();
    await post("json", built);
    await mel.patch(`/bots/${user_id}`, { bot_owner_id: w.user("max").id });
    expect((await w.as("max").get(`/bots/${user_id}/webhook_payloads`)).body.payloads).toEqual([]);
    expect((await mel.get(`/bots/${user_id}/webhook_payloads`)).status).toBe(400);
  });
});

describe("post-external", () => {
  test("says of an unknown sender or event which fields it had, in the answer and the log, and keeps what was posted", async () => {
    const { post, kept, warnings, mel, user_id } = await withBot();
    const { status, body } = await post("wobble", built);
    expect([status, body.code]).toEqual([404, "NOT_FOUND"]);
    const fields = "state, build.name, build.app.io/team, tags.0";
    expect(body.msg).toContain(`these fields were posted: ${fields}.`);
    expect(await kept()).toMatchObject([{ sender: "wobble", payload: JSON.stringify(built) }]);
    const { calls } = (await mel.get(`/bots/${user_id}/calls`)).body;
    expect(calls[0]).toMatchObject({ about: "wobble", outcome: "refused" });
    const unknown = await post("stripe", { type: "teleport.done", data: { object: { id: 5 } } });
    expect(unknown.body).toMatchObject({ outcome: "left_out" });
    const nameless = await post("github", { speed: 5 });
    expect(nameless.body).toMatchObject({ outcome: "unknown_event", fields: ["speed"] });
    expect(warnings).toEqual([
      { logged: "unknown_webhook_sender", sender: "wobble", fields },
      { logged: "unknown_webhook_event", event: "github: ", fields: "speed" },
    ]);
  });
});

const loud = /class="(?:user-mention|user-group-mention|topic-mention)/;

describe("a template", () => {
  test("mentions nobody, and links to no script, whatever the payload says", async () => {
    const { mel, post, path } = await withBot();
    const contents = [
      "@**{{x}}**",
      "@{{x}}**all**",
      "@{{x}}*role:members*",
      "{{x}}",
      "[go]({{x}})",
      "<{{x}}>",
      "@_{{x}}{{x}}",
      "`{{x}}`",
    ];
    const hostile = [
      ...[
        "@**all**",
        "all",
        "**all**",
        "",
        "*",
        "@",
        "`@**all**`",
        "https://x.io/@**all**",
        "&#64;**all**",
        "_**all**",
      ],
      ...[
        "javascript:alert(1)",
        "https://x.io/) @**all** (",
        "https://x.io/a_b",
        "```\n@**all**",
        "|2",
        "Mel\n@*role:members*",
      ],
    ];
    await mel.post(path, { content: contents.join("\n\n") });
    const found: unknown[] = [];
    for (const x of hostile) {
      const { id } = (await post("json", { x })).body;
      const html = (await mel.get(`/messages/${id}`)).body.message.content;
      if (loud.test(html) || /href="(?!https?:|mailto:)/.test(html)) found.push([x, html]);
    }
    expect(found).toEqual([]);
  });

  test("leaves addresses whole", () => {
    const say = (content: string, x: unknown) =>
      sayByTemplate({ topic: "", content }, new PayloadValue({ x }))?.content;
    expect(say("[log]({{x}})", "https://ci.io/job/a_b/1?q=(1)&r=2")).toBe(
      "[log](https://ci.io/job/a_b/1?q=%281%29&r=2)",
    );
    expect(say("{{x}}", "a *b* [c](d)")).toBe("a &#42;b&#42; &#91;c&#93;(d)");
  });

  test("takes deep, huge and odd payloads within its limits", () => {
    let deep: Json = { end: 1 };
    for (let at = 0; at < 90; at++) deep = { a: deep };
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`k${at}`, { "": at }]));
    const odd = JSON.parse(
      '{"__proto__":{"x":"own"},"constructor":"c","a}}b":1,"a|b":2,"":3," ":4,"\\u0000":5,"e\\ud800":6,"a.b":7,"a":{"b":8}}',
    );
    const long = { x: "*".repeat(900_000) };
    const template = {
      topic: "{{x}}",
      content: "{{x}}{{a.b}}{{constructor}}{{__proto__.x}}{{toString}}{{a.a.a.a.a}}".repeat(8),
    };
    expect(webhookTemplate.safeParse(template).success).toBe(true);
    for (const payload of [
      deep,
      many,
      odd,
      long,
      [],
      [odd],
      null,
      5,
      "text",
      { x: Array.from({ length: 99_999 }, () => long) },
    ]) {
      const value = new PayloadValue(payload);
      expect((sayByTemplate(template, value)?.content ?? "").length).toBeLessThanOrEqual(8_000);
      expect(pathsIn(value).length).toBeLessThanOrEqual(40);
    }
    const said = sayByTemplate(
      { topic: "", content: "{{a.b}} {{constructor}} {{__proto__.x}} {{toString}}" },
      new PayloadValue(odd),
    );
    expect(said?.content).toBe("7 c own");
    expect(pathsIn(new PayloadValue(odd))).toEqual(["constructor", "a.b", "__proto__.x"]);
  });
});
