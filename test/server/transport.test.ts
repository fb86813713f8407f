// All forms in which existing clients encode requests, on real endpoints.
import { afterAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { silentLog } from "@/kernel/lib/log.ts";
import { serve } from "@/server.ts";
import { basic, encode, type Json, type Params } from "../support/requests.ts";
import { type CastName, everyCapability, type World, world } from "../support/world.ts";

const form = "application/x-www-form-urlencoded";
const api = "/api/v1";

interface Sent {
  query?: Params;
  body?: RequestInit["body"];
  type?: string;
}

/** Sends exactly these bytes as a user of the cast. */
async function send(w: World, who: CastName, line: string, { query, body, type }: Sent = {}) {
  const [method, path] = line.split(" ") as [string, string];
  const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
  const text = query ? `?${encode(query)}` : "";
  const response = await w.as(who).request(api + path + text, { method, headers, body });
  return { status: response.status, body: (await response.json()) as Json };
}

function multipart(params: Params): FormData {
  const body = new FormData();
  for (const [name, value] of new URLSearchParams(encode(params))) body.append(name, value);
  return body;
}

/** An organization in which mel and max are in the channel "general". */
async function withChannel() {
  const w = world();
  const subscriptions = [{ name: "general" }];
  for (const who of ["mel", "max"] as const)
    await w.as(who).post("/users/me/subscriptions", { subscriptions });
  const [{ stream_id }] = (await w.as("mel").get("/users/me/subscriptions")).body.subscriptions;
  const newest = async (who: CastName = "mel") => {
    const params = { anchor: "newest", num_before: 1, apply_markdown: false, allow_empty_topic_name: true };
    return (await w.as(who).get("/messages", params)).body.messages[0];
  };
  return { ...w, w, channel: stream_id as number, newest };
}

const message = { type: "stream", to: "general", topic: "a & b", content: "1 + 1 = 2; 100%" };
const expected = { subject: "a & b", content: "1 + 1 = 2; 100%" };

describe("parameters of POST arrive", () => {
  test.each<[string, Sent]>([
    ["in a form", { body: encode(message), type: form }],
    [
      "in a form with a charset, in capitals",
      { body: encode(message), type: `${form.toUpperCase()}; Charset=UTF-8` },
    ],
    ["in a form that does not say so", { body: new TextEncoder().encode(encode(message)) }],
    ["in the query string", { query: message }],
    ["in the query string, with an empty form", { query: message, body: "", type: form }],
    ["as multipart", { body: multipart(message) }],
    [
      "in query string and form",
      {
        query: { type: "stream", to: "general" },
        body: encode({ topic: "a & b", content: expected.content }),
        type: form,
      },
    ],
    [
      "in query string and multipart, which wins",
      { query: { ...message, content: "no" }, body: multipart({ content: expected.content }) },
    ],
  ])("%s", async (_, sent) => {
    const { w, newest } = await withChannel();
    const { status, body } = await send(w, "mel", "POST /messages", sent);
    expect([status, body]).toMatchObject([200, { result: "success", msg: "", id: expect.any(Number) }]);
    expect(body).not.toHaveProperty("ignored_parameters_unsupported");
    expect(await newest()).toMatchObject({ id: body.id, ...expected });
  });

  test("as multipart whose type is in capitals", async () => {
    const { w, newest } = await withChannel();
    const parts = Object.entries(message).map(
      ([name, value]) => `--X\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const type = 'Multipart/Form-Data; Boundary="X"';
    expect(
      await send(w, "mel", "POST /messages", { body: `${parts.join("")}--X--\r\n`, type }),
    ).toMatchObject({
      status: 200,
    });
    expect(await newest()).toMatchObject(expected);
  });
});

describe("parameters of DELETE and PATCH arrive", () => {
  const leaving = { subscriptions: ["general"], principals: [] };

  test.each<[string, Sent]>([
    ["in a form", { body: encode(leaving), type: form }],
    ["in the query string", { query: leaving }],
    ["as multipart", { body: multipart(leaving) }],
  ])("%s", async (_, sent) => {
    const { w } = await withChannel();
    const { body } = await send(w, "mel", "DELETE /users/me/subscriptions", sent);
    expect(body).toEqual({ result: "success", msg: "", removed: ["general"], not_removed: [] });
  });

  test.each(["query", "form"])("with the path's own parameter once more, in the %s", async (place) => {
    const { w, channel } = await withChannel();
    const params = { stream_id: 999, property: "color", value: "#00ff00" };
    const sent = place === "query" ? { query: params } : { body: encode(params), type: form };
    const { body } = await send(w, "mel", `PATCH /users/me/subscriptions/${channel}`, sent);
    expect(body).toEqual({ result: "success", msg: "" });
    const [{ color }] = (await w.as("mel").get("/users/me/subscriptions")).body.subscriptions;
    expect(color).toBe("#00ff00");
  });
});

describe("nothing at all is legal", () => {
  test.each<[string, Sent]>([
    ["POST without a body", {}],
    ["POST that announces a form", { type: form }],
    ["POST with an empty form", { body: "", type: form }],
    ["POST that announces multipart", { type: "multipart/form-data; boundary=x" }],
    [
      "POST with multipart that holds only its end",
      { body: "--x--\r\n", type: "multipart/form-data; boundary=x" },
    ],
  ])("%s", async (_, sent) => {
    const { status, body } = await send(world(), "mel", "POST /register", sent);
    expect([status, body.last_event_id]).toEqual([200, -1]);
  });

  test("GET that announces a form", async () => {
    const answer = await send(world(), "mel", "GET /users/me", { type: form });
    expect(answer).toMatchObject({ status: 200, body: { full_name: "Mel" } });
  });

  test("DELETE without a body has a JSON answer that says what is missing", async () => {
    const { status, body } = await send(world(), "mel", "DELETE /users/me/subscriptions");
    const msg = "Missing 'subscriptions' argument";
    expect([status, body]).toEqual([
      400,
      { result: "error", msg, code: "REQUEST_VARIABLE_MISSING", var_name: "subscriptions" },
    ]);
  });
});

describe("texts", () => {
  test.each([
    ["quotes of its own", '"general"'],
    ["what would be JSON", '{"a":[1]}'],
    ["a number", "42"],
    ["umlauts and more", "Grüße 🐙 \u2028"],
    ["what looks encoded", "100%25 %zz +"],
  ])("keep %s", async (_, content) => {
    const { w, newest } = await withChannel();
    await send(w, "mel", "POST /messages", { body: encode({ ...message, content }), type: form });
    expect((await newest()).content).toBe(content.trimEnd());
  });

  test("are read unchanged if they are not encoded correctly", async () => {
    const { w, newest } = await withChannel();
    const body = "type=stream&to=general&topic=50%&content=%zz+%E2%82%AC%2B";
    await send(w, "mel", "POST /messages", { body, type: form });
    expect(await newest()).toMatchObject({ subject: "50%", content: "%zz €+" });
  });

  test("in paths are percent-encoded or not", async () => {
    const w = world();
    for (const address of ["max@example.com", "max%40example.com", "MAX%40example.com"]) {
      expect((await send(w, "mel", `GET /users/${address}`)).body.user.full_name).toBe("Max");
    }
    expect((await send(w, "mel", "GET /users/%E0%A4%A")).status).toBe(404);
  });
});

describe("recipients come", () => {
  test.each<[string, Json]>([
    ["as a channel's name", "general"],
    ["as a channel's name in JSON", '"general"'],
    ["as a list of one name", ["general"]],
  ])("%s", async (_, to) => {
    const { as } = await withChannel();
    expect((await as("mel").post("/messages", { ...message, to })).body.result).toBe("success");
  });

  test("as a channel's ID, bare and in a list", async () => {
    const { as, channel } = await withChannel();
    for (const to of [channel, [channel]]) {
      expect((await as("mel").post("/messages", { ...message, to })).body.result).toBe("success");
    }
  });

  test("as a person's address or ID, bare and in lists", async () => {
    const { as, user, newest } = await withChannel();
    const { id, email } = user("max");
    for (const to of [
      email,
      JSON.stringify(email),
      [email],
      id,
      [id],
      `[${id}]`,
      `${email}, ada@example.com`,
    ]) {
      const { body } = await as("mel").post("/messages", { type: "private", to, content: "hi" });
      expect(body).toEqual({ result: "success", msg: "", id: expect.any(Number) });
      expect(await newest("max")).toMatchObject({ id: body.id, type: "private" });
    }
  });
});

describe("who asks", () => {
  const { email, key } = world().user("mel");
  const wrong = [
    ["nobody", undefined, "UNAUTHORIZED"],
    ["a wrong key", basic(email, "x".repeat(32)), "UNAUTHORIZED"],
    ["a malformed key", basic(email, "ü\0"), "UNAUTHORIZED"],
    ["another scheme", `Bearer ${key}`, "UNAUTHORIZED"],
    ["who is deactivated", basic("dex@example.com", world().user("dex").key), "USER_DEACTIVATED"],
  ] as const;

  test.each(wrong)("as %s is refused with 401, whatever was sent", async (_, authorization, code) => {
    const headers: Record<string, string> = authorization ? { authorization } : {};
    for (const init of [{}, { method: "POST", body: "type=%", headers: { "content-type": form } }]) {
      const request = { ...init, headers: { ...init.headers, ...headers } };
      const response = await world().anonymous.request(`${api}/messages`, request);
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toStartWith("Basic ");
      expect(await response.json()).toEqual({ result: "error", msg: expect.any(String), code });
    }
  });

  test.each(wrong)("as %s gets the server's settings all the same", async (_, authorization) => {
    const headers: Record<string, string> = authorization ? { authorization } : {};
    const response = await world().anonymous.request(`${api}/server_settings?a=1`, { headers });
    expect(await response.json()).toMatchObject({
      zulip_feature_level: 486,
      ignored_parameters_unsupported: ["a"],
    });
  });
});

describe("what is unknown", () => {
  test.each(["GET /nope", "POST /nope", "DELETE /users/me/nope", "GET /users/me/", "GET /"])(
    "%s is a JSON 404",
    async (line) => {
      const { status, body } = await send(world(), "mel", line, { query: { a: 1 } });
      expect([status, Object.keys(body).sort()]).toEqual([404, ["code", "msg", "result"]]);
    },
  );

  test("a wrong method is a JSON 405", async () => {
    const { status, body } = await send(world(), "mel", "PUT /users/me/subscriptions");
    expect([status, body.allowed_methods]).toEqual([405, ["DELETE", "GET", "PATCH", "POST"]]);
  });

  test("parameters are named, and change nothing", async () => {
    const query = { __proto__x: 1, constructor: "x", toString: "y", "": "z" };
    const { status, body } = await send(world(), "mel", "GET /users/me", { query });
    expect([status, body.full_name]).toEqual([200, "Mel"]);
    expect(body.ignored_parameters_unsupported).toEqual(Object.keys(query));
  });

  test("keys that every object has are handled like any other", async () => {
    const { w, channel } = await withChannel();
    const named = await send(w, "mel", "GET /users/me?__proto__=1");
    expect(named.body.ignored_parameters_unsupported).toEqual(["__proto__"]);
    const register = {
      client_capabilities: `{"__proto__":{"empty_topic_name":true},"constructor":true}`,
      event_types: ["__proto__", "toString"],
      fetch_event_types: ["constructor"],
    };
    expect((await send(w, "mel", "POST /register", { query: register })).status).toBe(200);
    for (const narrow of [`[["__proto__","x"]]`, `[["is","toString"]]`, `[["constructor","x"]]`]) {
      const { body } = await send(w, "mel", "GET /messages", { query: { anchor: "newest", narrow } });
      expect(body.code).toBe("BAD_NARROW");
    }
    const anchored = await send(w, "mel", "GET /messages", { query: { anchor: "__proto__" } });
    expect(anchored.body.msg).toBe("Invalid anchor");
    const change = `[{"stream_id":${channel},"property":"__proto__","value":true}]`;
    const changed = await send(w, "mel", "POST /users/me/subscriptions/properties", {
      query: { subscription_data: change },
    });
    expect(changed.body.msg).toBe("Unknown subscription property: __proto__");
  });
});

describe("what is too much", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  const data = (value: string) => multipart({ subscription_data: value });

  test.each<[string, Sent]>([
    ["JSON without end", { body: data("[".repeat(400_000)) }],
    ["deep JSON", { body: data(nested(400_000)) }],
    [
      "deep JSON in its right place",
      { body: data(`[{"stream_id":1,"property":"color","value":${nested(400_000)}}]`) },
    ],
    ["numbers beyond all bounds", { body: data(`[{"stream_id":1e400,"property":"color","value":1}]`) }],
  ])("%s is refused with a clear error", async (_, sent) => {
    const { status, body } = await send(world(), "mel", "POST /users/me/subscriptions/properties", sent);
    expect([status, body.result]).toEqual([400, "error"]);
    expect(body.msg).not.toMatch(/Invalid input|expected/);
  });

  test("a body of more than a mebibyte is refused", async () => {
    const { status, body } = await send(world(), "mel", "POST /messages", {
      body: "x".repeat(1_048_577),
      type: form,
    });
    expect([status, body.code]).toEqual([413, "BAD_REQUEST"]);
  });

  test("IDs beyond what an integer holds are refused", async () => {
    for (const id of ["99999999999999999999", "9007199254740993"]) {
      expect((await send(world(), "mel", `GET /users/${id}`)).status).toBe(400);
    }
  });
});

describe("old names", () => {
  test("subject means topic, and stream and private are types of messages", async () => {
    const { as, newest, user } = await withChannel();
    await as("mel").post("/messages", { type: "stream", to: "general", subject: "old", content: "x" });
    expect(await newest()).toMatchObject({ type: "stream", subject: "old" });
    await as("mel").post("/messages", { type: "private", to: [user("max").email], content: "y" });
    expect(await newest()).toMatchObject({ type: "private", subject: "", content: "y" });
  });

  async function withMessages() {
    const made = await withChannel();
    const post = async (params: Params) => (await made.as("max").post("/messages", params)).body.id as number;
    const lunch = await post({ type: "stream", to: "general", topic: "lunch", content: "soup" });
    const pair = await post({ type: "private", to: ["mel@example.com"], content: "psst" });
    const three = await post({ type: "private", to: ["mel@example.com", "ada@example.com"], content: "all" });
    const ask = async (params: Params) =>
      (await made.as("mel").get("/messages", { anchor: 0, num_before: 0, num_after: 9, ...params })).body;
    const idsOf = async (params: Params) => (await ask(params)).messages.map((one: Json) => one.id);
    return { ...made, lunch, pair, three, ask, idsOf };
  }

  test.each([
    ["stream", "general", "lunch"],
    ["subject", "lunch", "lunch"],
    ["pm-with", "max@example.com", "pair"],
    ["pm-with", "ada@example.com,max@example.com", "three"],
    ["group-pm-with", "ada@example.com", "three"],
    ["group_pm_with", "ada@example.com", "three"],
  ] as const)("the narrow %s:%s, as a pair and as an object", async (operator, operand, which) => {
    const made = await withMessages();
    expect(await made.idsOf({ narrow: [[operator, operand]] })).toEqual([made[which]]);
    expect(await made.idsOf({ narrow: [{ operator, operand, negated: false }] })).toEqual([made[which]]);
  });

  test("the narrows is:private and streams:public", async () => {
    const { idsOf, lunch, pair, three } = await withMessages();
    expect(await idsOf({ narrow: [["is", "private"]] })).toEqual([pair, three]);
    expect(await idsOf({ narrow: [["streams", "public"]] })).toEqual([lunch]);
  });

  test("use_first_unread_anchor with anchor=0 asks for the first unread message", async () => {
    const { ask, as, lunch, pair } = await withMessages();
    await as("mel").post("/messages/flags", { messages: [lunch], op: "add", flag: "read" });
    const { anchor, messages } = await ask({ use_first_unread_anchor: true, num_after: 0 });
    expect([anchor, messages.map((one: Json) => one.id)]).toEqual([pair, [pair]]);
  });

  test("anchor=10000000000000000 asks for the newest, and means that nothing is unread", async () => {
    const { ask, idsOf, as, three } = await withMessages();
    const anchor = "10000000000000000";
    expect(await idsOf({ anchor, num_before: 1, num_after: 0 })).toEqual([three]);
    await as("mel").post("/mark_all_as_read");
    const response = await as("mel").request(`${api}/messages?anchor=first_unread&num_before=1&num_after=0`);
    expect(await response.text()).toContain(`"anchor":${anchor}`);
    expect((await ask({ anchor: "first_unread" })).anchor).toBe(Number(anchor));
  });

  test("lists of event types may contain unknown names", async () => {
    const { w, channel } = await withChannel();
    const types = ["stream", "subscription", "zulip_version", "muted_topics", "message"];
    const fetch_event_types = JSON.stringify(types);
    const params = { event_types: types, fetch_event_types, client_capabilities: everyCapability };
    const { status, body } = await send(w, "mel", "POST /register", { body: multipart(params) });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      zulip_version: "11.0",
      zulip_feature_level: 486,
      zulip_merge_base: "11.0",
      streams: [{ stream_id: channel }],
      subscriptions: [{ stream_id: channel }],
    });
  });

  test("the narrow of an event queue is a list of pairs", async () => {
    const { as, queue } = await withChannel();
    const narrow = [
      ["stream", "general"],
      ["topic", "lunch"],
    ];
    const { poll } = await queue("mel", { narrow, event_types: ["message"] });
    for (const topic of ["lunch", "other"]) await as("max").post("/messages", { ...message, topic });
    expect(await poll()).toMatchObject([{ message: { subject: "lunch" } }]);
  });
});

describe("a connection", () => {
  const stops: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const stop of stops) await stop();
  });

  async function converse(text: string, answers: number): Promise<string[]> {
    const { app } = world();
    const { port, stop } = await serve(app, { host: "127.0.0.1", port: 0, log: silentLog });
    stops.push(stop);
    const statuses = (got: string) => got.match(/HTTP\/1\.1 \d+/g) ?? [];
    return new Promise((resolve, reject) => {
      let got = "";
      const socket = connect(port, "127.0.0.1", () => socket.write(text));
      socket.on("data", (chunk) => {
        got += chunk;
        if (statuses(got).length >= answers) socket.destroy();
      });
      socket.on("close", () => resolve(statuses(got)));
      socket.on("error", reject);
    });
  }

  const request = (line: string, headers: string[], body = "") =>
    [`${line} HTTP/1.1`, "Host: x", ...headers, "", body].join("\r\n");
  const after = request("GET /api/v1/server_settings", []);

  test("continues after errors, and skips unread bodies", async () => {
    const body = "x".repeat(70_000);
    const length = [`Content-Length: ${body.length}`, `Content-Type: ${form}`];
    const refused = request("POST /api/v1/messages", length, body);
    const unknown = request("POST /api/v1/nope", length, body);
    expect(await converse(refused + unknown + after, 3)).toEqual([
      "HTTP/1.1 401",
      "HTTP/1.1 404",
      "HTTP/1.1 200",
    ]);
  });

  test.each([
    ["GET", [`Content-Type: ${form}`], "anchor=newest"],
    [
      "GET",
      ["Content-Type: multipart/form-data; boundary=b"],
      '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--b--',
    ],
    ["HEAD", [`Content-Type: ${form}`], "anchor=newest"],
  ])("refuses a form in a %s request, and goes on", async (method, headers, body) => {
    const line = `${method} /api/v1/server_settings`;
    const declared = request(line, [...headers, `Content-Length: ${body.length}`], body);
    const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const chunked = request(line, [...headers, "Transfer-Encoding: chunked"], chunks);
    const empty = request(line, [...headers, "Content-Length: 0"]);
    expect(await converse(declared + chunked + empty + after, 4)).toEqual([
      "HTTP/1.1 400",
      "HTTP/1.1 400",
      "HTTP/1.1 200",
      "HTTP/1.1 200",
    ]);
  });

  test("reads no request from the body of another", async () => {
    const hidden = request("GET /api/v1/nope", []);
    const first = request("GET /api/v1/server_settings", [`Content-Length: ${hidden.length}`], hidden);
    expect(await converse(first + request("GET /api/v1/users/me", []), 2)).toEqual([
      "HTTP/1.1 200",
      "HTTP/1.1 401",
    ]);
    const two = ["Content-Length: 5", "Transfer-Encoding: chunked"];
    expect(await converse(request("POST /api/v1/register", two, `0\r\n\r\n${hidden}`), 2)).toEqual([
      "HTTP/1.1 400",
    ]);
  });
});
