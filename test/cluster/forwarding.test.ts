// How requests reach the leader: a following node, and a leader that answers as each test wants.

import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { openOn } from "@/app.ts";
import { Forwarding } from "@/cluster/forwarding.ts";
import { Trace } from "@/cluster/history.ts";
import { domains } from "@/domains.ts";
import { createUser, deactivateUser, reactivateUser } from "@/foundation/accounts/actions.ts";
import { createRealm } from "@/foundation/realm-administration/actions.ts";
import { createLog } from "@/kernel/lib/log.ts";
import { nextSlice } from "@/kernel/lib/tasks.ts";
import { openDatabase } from "@/kernel/store/database-file.ts";
import type { MadeWrite } from "@/kernel/store/forwarded-requests.ts";
import { type Arrived, type Reply, servePlain } from "../support/plain-server.ts";
import { freePorts } from "../support/ports.ts";
import { until } from "../support/waiting.ts";

const secret = "known to the nodes alone";
const refusal = (msg: string) => ({ result: "error", code: "SERVER_NOT_READY", msg });
const notSaved = refusal("The server could not save this just now. Please try again.");
const unconfirmed = refusal(
  "The server could not confirm that this was saved. Please look before you try again.",
);
const saved = refusal(
  "The server saved this, or a part of it, and failed before it could answer. Please look before you try again.",
);

const arrived: Arrived[] = [];
const said = (body: object, headers: Reply["headers"] = {}): Reply => ({
  body: JSON.stringify(body),
  headers,
});
const notLeading: Reply = { status: 503, headers: { "x-confab-node-not-leading": "1" } };
let answer: (arrived: Arrived) => Reply | Promise<Reply> = () => said({});

const leader = await servePlain((request) => {
  arrived.push(request);
  return answer(request);
});
const leaderUrl = `http://127.0.0.1:${leader.port}`;
let gone = new AbortController();
const node = {
  leads: false,
  get leadsSurely() {
    return this.leads;
  },
  isCurrent: true,
  isStopped: false,
  unknownMs: 0,
  leader: { node: "b", url: leaderUrl } as { node: string; url: string } | null,
  get leaderGone() {
    return gone.signal;
  },
  position: 7,
  reached: [] as number[],
  checks: 0,
  onCheck: async () => {},
  async reach(seq: number) {
    this.reached.push(seq);
    return true;
  },
  trace: new Trace(),
  get term() {
    return this.trace.term;
  },
  async checkLog() {
    this.checks++;
    await this.onCheck();
    return true;
  },
};
const forwarding = new Forwarding(node, { secret, patienceMs: 1_000 });
const logged: string[] = [];
const app = openOn(openDatabase(":memory:"), {
  hosting: true,
  log: createLog((line) => logged.push(line)),
  forwarder: forwarding,
  rateLimits: { user: 50, address: 50 },
});
const { api_key } = await createRealm(app.system, {
  name: "Several",
  owner_email: "olive@example.com",
  owner_name: "Olive",
  avatar_salt: "salt",
});
const serve = forwarding.receiving(app.fetch);
const authorization = `Basic ${btoa(`olive@example.com:${api_key}`)}`;
const ask = (path: string, init: RequestInit = {}, headers: Record<string, string> = {}) =>
  serve(
    new Request(`http://chat.example.com${path}`, {
      ...init,
      headers: { host: "chat.example.com", authorization, ...headers },
    }),
    { incoming: { socket: { remoteAddress: "203.0.113.5" } } },
  );
const form = "application/x-www-form-urlencoded";
const send = (path = "/api/v1/messages") =>
  ask(path, { method: "POST", body: "content=hello" }, { "content-type": form, "content-length": "13" });

beforeEach(() => {
  arrived.length = 0;
  answer = () => said({});
  gone = new AbortController();
  Object.assign(node, { leads: false, leader: { node: "b", url: leaderUrl }, checks: 0, reached: [] });
  node.onCheck = async () => {};
  node.trace = new Trace();
});
afterAll(async () => {
  await leader.stop();
  await app.close();
});

test("reads are served by the node that gets them, everything else by the leader, with these exceptions", () => {
  const all = domains.flatMap(({ endpoints = [] }) => endpoints);
  expect(all.length).toBeGreaterThan(200);
  const unusual = all.filter(({ method, servedBy }) => (method === "GET") !== (servedBy === "here"));
  expect(unusual.map(({ id, servedBy }) => `${id}: ${servedBy}`).toSorted()).toEqual([
    "arrive: here",
    "complete-sign-on: leader",
    "drain-node: here",
    "get-address-confirmation: leader",
    "get-external-content-again: leader",
    "get-external: leader",
    "get-first-visit: leader",
    "get-join-page: leader",
    "get-login-link: leader",
    "get-password-reset-page: leader",
    "get-proved-page: leader",
    "make-snapshot: here",
    "register-queue: here",
    "render-message: here",
    "set-typing-status-for-message-edit: here",
    "set-typing-status: here",
    "start-sign-on: leader",
    "try-webhook-template: here",
    "undrain-node: here",
    "update-presence: here",
  ]);
});

describe("a node that follows", () => {
  test("serves reads itself, and passes a write on unchanged", async () => {
    expect(await (await ask("/api/v1/users/me")).json()).toMatchObject({ email: "olive@example.com" });
    expect(arrived).toEqual([]);

    const headers = { "x-confab-node-position": "12", "set-cookie": ["a=1", "b=2"] };
    answer = () => ({ status: 201, headers, body: '{"result":"success"}' });
    const response = await send("/api/v1/messages?x=%20y");
    expect(response.status).toBe(201);
    expect(await response.text()).toBe('{"result":"success"}');
    expect(response.headers.getSetCookie()).toEqual([
      "a=1",
      "b=2",
      "confab_seen=7; Path=/; Max-Age=600; HttpOnly; SameSite=Lax",
    ]);
    expect(response.headers.get("x-confab-node-position")).toBeNull();
    const [request] = arrived;
    expect(request).toMatchObject({ method: "POST", url: "/api/v1/messages?x=%20y" });
    expect(String(request?.body)).toBe("content=hello");
    expect(request?.headers).toMatchObject({
      authorization,
      host: "chat.example.com",
      "accept-encoding": "identity",
      "x-confab-node-address": "203.0.113.5",
      "x-confab-node-secret": secret,
      "x-confab-node-site": "http://chat.example.com",
    });
  });

  test("does not keep a client waiting for what it will not get any more, because it stops", async () => {
    answer = () => ({ headers: { "x-confab-node-position": "12" }, body: '{"result":"success"}' });
    const { reach } = node;
    try {
      Object.assign(node, { isStopped: true, reach: async () => false });
      node.onCheck = () => new Promise(() => {});
      const response = await send();
      expect(await response.text()).toBe('{"result":"success"}');
      expect(response.headers.get("x-confab-not-here-yet")).toBe("12");
    } finally {
      Object.assign(node, { isStopped: false, reach });
    }
  });

  test("passes on nothing that a client says in the name of a node", async () => {
    const claims = {
      done: "%5B%5B1%5D%5D",
      site: "https://evil.example",
      term: "7",
      address: "127.0.0.1",
      request: "x",
    };
    const headers = Object.entries(claims).map(([name, value]) => [`x-confab-node-${name}`, value]);
    await ask(
      "/api/v1/users/me/status",
      { method: "POST" },
      { host: "not a host", ...Object.fromEntries(headers) },
    );
    const seen = arrived[0]?.headers ?? {};
    expect(seen).toMatchObject({ "x-confab-node-address": "203.0.113.5", "x-confab-node-term": "0" });
    expect(seen["x-confab-node-request"]).not.toBe("x");
    for (const name of ["done", "site"]) expect(seen).not.toHaveProperty(`x-confab-node-${name}`);
  });

  test("passes one request after the other on by the same connection", async () => {
    for (let n = 0; n < 6; n++) await (await send()).text();
    expect(arrived).toHaveLength(6);
    expect(new Set(arrived.map(({ port }) => port)).size).toBeLessThan(3);
  });

  test("answers once its database holds what the leader has written", async () => {
    answer = () => said({}, { "x-confab-node-position": "12" });
    await send();
    expect(node.reached).toEqual([12]);
  });

  test("counts the request for the rate limit, and returns what is left", async () => {
    const left = async () => Number((await send()).headers.get("x-ratelimit-remaining"));
    const before = await left();
    expect(await left()).toBe(before - 1);
    answer = () => said({}, { "x-ratelimit-remaining": "9999" });
    expect(await left()).toBe(before - 2);
  });

  test("checks the log before it refuses an unknown key, and asks nobody else", async () => {
    const wrong = { authorization: `Basic ${btoa("olive@example.com:wrong")}` };
    const refused = await ask("/api/v1/messages", { method: "POST", body: "content=x" }, wrong);
    expect(refused.status).toBe(401);
    expect(node.checks).toBe(1);
    expect(arrived).toEqual([]);
    await ask("/api/v1/users/me");
    expect(node.checks).toBe(1);
  });

  test("streams a large body to the leader, and a large answer back", async () => {
    const pieces = 40;
    const piece = new Uint8Array(100_000).fill(97);
    const size = pieces * piece.length;
    const stream = () => {
      let made = 0;
      return new ReadableStream<Uint8Array>({
        pull(controller) {
          if (made++ < pieces) controller.enqueue(piece);
          else controller.close();
        },
      });
    };
    answer = ({ body }) => ({ headers: { "x-received": String(body.length) }, body });
    const response = await ask(
      "/api/v1/user_uploads",
      { method: "POST", body: stream() },
      { "content-length": String(size) },
    );
    expect(response.headers.get("x-received")).toBe(String(size));
    expect((await response.arrayBuffer()).byteLength).toBe(size);
    expect(arrived[0]?.headers["content-length"]).toBe(String(size));
  });

  test("sends the request again if the leader no longer leads or refuses the connection: it had no effect", async () => {
    answer = () => (arrived.length < 3 ? notLeading : said({ id: 5 }));
    expect(await (await send()).json()).toEqual({ id: 5 });
    expect(arrived.map(({ body }) => String(body))).toEqual([
      "content=hello",
      "content=hello",
      "content=hello",
    ]);

    const [port] = await freePorts(1);
    node.leader = { node: "c", url: `http://127.0.0.1:${port}` };
    const waiting = send();
    await Bun.sleep(1);
    node.leader = { node: "b", url: leaderUrl };
    expect(await (await waiting).json()).toEqual({ id: 5 });
  });

  /** A leader that dies of each request, after `meanwhile` with the ID of the request. */
  function dyingLeader(meanwhile: (id: string) => void) {
    const attempts: string[] = [];
    const server = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        data(socket, bytes) {
          const [, id = ""] = /x-confab-node-request: (\S+)/i.exec(bytes.toString()) ?? [];
          attempts.push(id);
          meanwhile(id);
          socket.terminate();
        },
      },
    });
    node.leader = { node: "c", url: `http://127.0.0.1:${server.port}` };
    return { attempts, stop: () => server.stop(true) };
  }

  test("never repeats a write that may still have an effect", async () => {
    const { attempts, stop } = dyingLeader(() => {});
    const response = await send();
    stop();
    expect(response.status).toBe(503);
    // Clients would take this as leave to send again.
    expect(response.headers.get("retry-after")).toBeNull();
    expect(await response.json()).toEqual(unconfirmed);
    expect(attempts).toHaveLength(1);
  });

  const nextLeads = (requests: MadeWrite[]) => {
    node.onCheck = async () => {
      node.trace.read({ term: 3, requests });
      node.trace.read({ term: 4 });
      node.leader = { node: "b", url: leaderUrl };
    };
  };

  test("repeats a write once the log shows the next term, and nothing of it", async () => {
    answer = () => said({ id: 5 });
    node.trace.read({ term: 3 });
    const { attempts, stop } = dyingLeader(() => nextLeads([["of somebody else", 0]]));
    const response = await send();
    stop();
    expect(await response.json()).toEqual({ id: 5 });
    expect(attempts).toHaveLength(1);
    expect(arrived.map(({ body }) => String(body))).toEqual(["content=hello"]);
    const headers = arrived[0]?.headers ?? {};
    expect(headers["x-confab-node-request"]).not.toBe(attempts[0]);
    expect(headers["x-confab-node-term"]).toBe("4");
    expect(headers["x-confab-node-done"]).toBeUndefined();
  });

  test("gives the next leader the results of writes that the log has, in place of those writes", async () => {
    answer = () => said({ id: 5 });
    node.trace.read({ term: 3 });
    const { stop } = dyingLeader((id) =>
      nextLeads([
        [id, 1],
        [id, 0, { text: "grüße" }],
      ]),
    );
    expect(await (await send()).json()).toEqual({ id: 5 });
    stop();
    const done = String(arrived[0]?.headers["x-confab-node-done"]);
    expect(JSON.parse(decodeURIComponent(done))).toEqual([[{ text: "grüße" }], []]);
  });

  test("says that something was saved if the log does not keep all that its writes gave, or that is too long", async () => {
    for (const write of [
      (id: string): MadeWrite => [id, -1],
      (id: string): MadeWrite => [id, 1, "but not the first"],
      (id: string): MadeWrite => [id, 0, "ü".repeat(5_000)],
    ]) {
      node.trace = new Trace();
      const { attempts, stop } = dyingLeader((id) => nextLeads([write(id)]));
      const response = await send();
      stop();
      expect(response.headers.get("retry-after")).toBeNull();
      expect(await response.json()).toEqual(saved);
      expect(attempts).toHaveLength(1);
    }
    expect(arrived).toEqual([]);
  });

  test("stops waiting for a leader that was replaced", async () => {
    const asked = Promise.withResolvers<void>();
    const never = Promise.withResolvers<Reply>();
    answer = () => {
      asked.resolve();
      return never.promise;
    };
    const waiting = send();
    await asked.promise;
    gone.abort();
    expect(await (await waiting).json()).toEqual(unconfirmed);
    never.resolve(said({}));
  });

  test("answers the request itself once it leads, with the body that it has read", async () => {
    answer = () => {
      node.leads = true;
      return notLeading;
    };
    const body =
      "add=%5B%7B%22name%22%3A%22general%22%7D%5D&subscriptions=%5B%7B%22name%22%3A%22general%22%7D%5D";
    const response = await ask(
      "/api/v1/users/me/subscriptions",
      { method: "POST", body },
      { "content-type": form, "content-length": String(body.length) },
    );
    expect(await response.json()).toMatchObject({ result: "success", subscribed: { "1": ["general"] } });
  });

  test("says that nothing was saved if no node leads for long", async () => {
    node.leader = null;
    const response = await send();
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("1");
    expect(await response.json()).toEqual(notSaved);
  });
});

describe("a node that another passes a request on to", () => {
  const passed = (headers: Record<string, string>) =>
    ask(
      "/api/v1/users/me/presence",
      { method: "POST", body: "status=active" },
      { "content-type": form, ...headers },
    );

  test("refuses one from another cluster, even if it leads", async () => {
    node.leads = true;
    for (const wrong of ["", "wrong", `${secret}.`, secret.slice(1)]) {
      const response = await passed({ "x-confab-node-secret": wrong });
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({
        msg: "The server that passed this request on belongs to another cluster.",
      });
    }
  });

  test("does not pass a request on twice, but answers that it does not lead", async () => {
    const response = await passed({ "x-confab-node-secret": secret });
    expect(response.status).toBe(503);
    expect(response.headers.get("x-confab-node-not-leading")).toBe("1");
    expect(await response.json()).toEqual(notSaved);
    expect(arrived).toEqual([]);
  });

  test("answers the same to a request that was sent for another term: the sender may have given it up", async () => {
    node.leads = true;
    node.trace.read({ term: 5 });
    for (const term of ["4", "6", ""]) {
      const response = await passed({ "x-confab-node-secret": secret, "x-confab-node-term": term });
      expect(response.headers.get("x-confab-node-not-leading")).toBe("1");
    }
    const response = await passed({ "x-confab-node-secret": secret, "x-confab-node-term": "5" });
    expect(response.status).toBe(200);
  });

  test("answers with its position, does not count for the rate limit, and takes the client's address from the other node", async () => {
    node.leads = true;
    const received = {
      "x-confab-node-secret": secret,
      "x-confab-node-address": "198.51.100.9",
      "x-confab-node-term": "0",
    };
    const response = await passed(received);
    expect(response.status).toBe(200);
    expect(response.headers.get("x-confab-node-position")).toBe("7");
    expect(response.headers.get("x-ratelimit-limit")).toBeNull();
    // Without the secret, the client's address is that of the connection.
    const own = await passed({ "x-confab-node-address": "198.51.100.9" });
    expect(own.headers.get("x-ratelimit-limit")).toBe("50");
  });
});

describe("a request on the fast path", () => {
  const library = getRequestListener(serve, { overrideGlobalObjects: false });
  const ways: string[] = [];
  const listening = async (listener: (incoming: IncomingMessage, outgoing: ServerResponse) => void) => {
    const server = createServer(listener);
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", () => resolve()));
    return { server, port: (server.address() as AddressInfo).port };
  };
  const byLibrary = (incoming: IncomingMessage, outgoing: ServerResponse, response: Response) =>
    void getRequestListener(async () => response, { overrideGlobalObjects: false })(incoming, outgoing);
  const opened = Promise.all([
    listening(library),
    listening((incoming, outgoing) => {
      const isTaken = app.answerFast(incoming, outgoing, byLibrary);
      ways.push(isTaken ? "short" : "long");
      if (!isTaken) void library(incoming, outgoing);
    }),
  ]);
  afterAll(async () => {
    for (const { server } of await opened) {
      server.close();
      server.closeAllConnections();
    }
  });
  beforeEach(() => {
    ways.length = 0;
    logged.length = 0;
  });

  const head = (lines: string[]) => [...lines, "Host: chat.example.com", "", ""].join("\r\n");
  const written = (path: string, body: string, headers: string[] = []) => {
    const own = [
      `Authorization: ${authorization}`,
      `Content-Type: ${form}`,
      `Content-Length: ${body.length}`,
    ];
    return head([`POST ${path} HTTP/1.1`, ...own, ...headers]) + body;
  };
  const plain = ["Connection: close"];

  /** Without what differs between two moments, as if no answer were sent in chunks, and its headers in the order of their names. */
  const comparable = (answer: string) => {
    const whole = answer
      .replace(/\r\nTransfer-Encoding: chunked\r\n\r\n[0-9a-f]+\r\n([^\r]*)\r\n0\r\n\r\n$/, "\r\n\r\n$1")
      .replaceAll(/\r\n(content-length|date|x-ratelimit-[a-z]+): [^\r]*/gi, "");
    const [first = "", ...body] = whole.split("\r\n\r\n");
    const [status, ...headers] = first.split("\r\n");
    return [[status, ...headers.toSorted()].join("\r\n"), ...body].join("\r\n\r\n");
  };
  /** What the server sends until it closes the connection. */
  const rawly = (port: number, request: string) =>
    new Promise<string>((resolve, reject) => {
      let got = "";
      const socket = connect(port, "127.0.0.1", () => socket.write(request));
      socket.on("data", (piece) => {
        got += piece;
      });
      socket.on("error", reject);
      socket.on("close", () => resolve(got));
    });
  const saidBy = (port: number, request: string) => rawly(port, request).then(comparable);
  /** The same request by the library and by the fast path: what the client gets, and what the leader got. */
  const bothWays = async (request: string) => {
    const [long, short] = await opened;
    const answers: string[] = [];
    const passed: unknown[] = [];
    for (const { port } of [long, short]) {
      arrived.length = 0;
      answers.push(await saidBy(port, request));
      passed.push(
        arrived.map(({ method, url, headers, body }) => {
          return { method, url, body: String(body), headers: { ...headers, "x-confab-node-request": "" } };
        }),
      );
    }
    return { answers, passed };
  };

  test("is served or passed on as by the library", async () => {
    answer = ({ url }) => ({
      status: url.includes("x=") ? 201 : 503,
      headers: { "set-cookie": ["a=1", "b=2"], "x-confab-node-position": "12" },
      body: '{"result":"success"}',
    });
    for (const request of [
      head(["GET /api/v1/users/me HTTP/1.1", `Authorization: ${authorization}`, ...plain]),
      written("/api/v1/messages?x=%20y", "content=hello", plain),
      written("/api/v1/messages", "content=hello", [...plain, "X-Confab-Node-Term: 7", "Cookie: c=d"]),
      written("/api/v1/messages?x=1", "", plain),
      written("/api/v1/messages/render", "content=hello", plain),
    ]) {
      const { answers, passed } = await bothWays(request);
      expect(answers[1]).toBe(answers[0] as string);
      expect(answers[1]).toStartWith("HTTP/1.1 ");
      expect(passed[1]).toEqual(passed[0]);
    }
    expect(ways).toEqual(Array(5).fill("short"));
    expect(arrived).toEqual([]);
  });

  test("may be one that another node passes on, and is answered as by the library", async () => {
    node.leads = true;
    const marks = (given: string, term = 0) => [
      ...plain,
      `X-Confab-Node-Secret: ${given}`,
      `x-confab-node-term: ${term}`,
      "x-confab-node-address: 198.51.100.9",
      "x-confab-node-site: https://chat.example.com",
    ];
    const presence = (headers: string[]) =>
      bothWays(written("/api/v1/users/me/presence", "status=active", headers));
    const served = await presence(marks(secret));
    const cases: [Awaited<ReturnType<typeof bothWays>>, start: string, part: string][] = [
      [served, "HTTP/1.1 200 ", "x-confab-node-position: 7"],
      [await presence(marks("wrong")), "HTTP/1.1 403 ", "another cluster"],
      [await presence(marks("")), "HTTP/1.1 403 ", "another cluster"],
      [await presence(marks(secret, 4)), "HTTP/1.1 503 ", "x-confab-node-not-leading: 1"],
      [
        await bothWays(written("/api/v1/messages", "content=hello", marks(secret))),
        "HTTP/1.1 400 ",
        "x-confab-node-position: 7",
      ],
    ];
    // The library sorts headers.
    const linesOf = (text = "") =>
      text
        .replaceAll(/"(server_timestamp|timestamp)":[\d.]+/g, "")
        .split("\r\n")
        .toSorted();
    for (const [{ answers }, start, part] of cases) {
      expect(linesOf(answers[1])).toEqual(linesOf(answers[0]));
      expect(answers[1]).toStartWith(start);
      expect(answers[1]).toContain(part);
    }
    expect(ways).toEqual(Array(5).fill("short"));
    const [, { port }] = await opened;
    const limited = await rawly(port, written("/api/v1/users/me/presence", "status=active", marks(secret)));
    expect(limited).not.toMatch(/x-ratelimit/i);
    const own = await rawly(port, written("/api/v1/users/me/presence", "status=active", plain));
    expect(own).toMatch(/x-ratelimit-limit: 50/i);

    node.leads = false;
    const { answers } = await presence(marks(secret));
    expect(linesOf(answers[1])).toEqual(linesOf(answers[0]));
    expect(answers[1]).toContain("x-confab-node-not-leading: 1");
    expect(arrived).toEqual([]);
  });

  test("gets another node's answer complete, whatever its length, and no answer that breaks off as a whole one", async () => {
    for (const length of [0, 65_536, 65_537, 400_000]) {
      answer = () => ({ headers: { "x-own": "1" }, body: "x".repeat(length) });
      const { answers } = await bothWays(written("/api/v1/messages", "content=hello", plain));
      const body = (text = "") => text.slice(text.indexOf("\r\n\r\n")).match(/x/g)?.length ?? 0;
      expect([length, body(answers[1])]).toEqual([length, length]);
      expect(answers[1]).toContain("x-own: 1");
    }
    answer = () => ({ headers: { date: "Wed, 25 Nov 2026 12:00:00 GMT" }, body: "{}" });
    const [, { port }] = await opened;
    const got = await rawly(port, written("/api/v1/messages", "content=hello", plain));
    for (const name of ["date", "content-length"]) {
      expect([name, got.match(new RegExp(`\\r\\n${name}: `, "gi"))?.length]).toEqual([name, 1]);
    }
    const broken = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        data: (socket) => {
          socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
          setTimeout(() => socket.terminate(), 50);
        },
      },
    });
    node.leader = { node: "c", url: `http://127.0.0.1:${broken.port}` };
    const part = await rawly(port, written("/api/v1/messages", "content=hello", plain)).catch(() => "");
    broken.stop(true);
    expect(part).not.toContain('"result":"success"');
    expect(part.endsWith("half") && !/content-length: 100/i.test(part)).toBe(false);
  });

  test("is answered by this node once it leads, with the body that it has read", async () => {
    answer = () => {
      node.leads = true;
      return notLeading;
    };
    const [, { port }] = await opened;
    const body = "subscriptions=%5B%7B%22name%22%3A%22other%22%7D%5D";
    const got = await saidBy(port, written("/api/v1/users/me/subscriptions", body, plain));
    expect(got).toContain('"subscribed":{"1":["other"]}');
    expect(ways).toEqual(["short"]);
  });

  test("is no longer waited for at the leader once its client has hung up", async () => {
    const [, { port }] = await opened;
    const asked = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    const silent = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: () => asked.resolve(), close: () => left.resolve() },
    });
    node.leader = { node: "c", url: `http://127.0.0.1:${silent.port}` };
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(written("/api/v1/messages", "content=hello")),
    );
    await asked.promise;
    socket.destroy();
    await left.promise;
    silent.stop(true);
    expect(ways).toEqual(["short"]);
  });

  test("ends if its client hangs up while the node reads the log to learn who asks", async () => {
    const [, { server, port }] = await opened;
    const ctx = app.ctx(app.system.actor);
    const { user, api_key } = await createUser(ctx, { email: "gil@example.com", full_name: "Gil" });
    await deactivateUser(ctx, user.user_id);
    const checking = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    node.onCheck = async () => {
      checking.resolve();
      await gone.promise;
      await reactivateUser(ctx, user.user_id);
    };
    const own = `Authorization: Basic ${btoa(`gil@example.com:${api_key}`)}`;
    const request = written("/api/v1/messages/render", "content=hello").replace(/Authorization: .*/, own);
    const hungUp = new Promise<void>((resolve) => {
      server.once("connection", (connection) => connection.once("close", () => resolve()));
    });
    const socket = connect(port, "127.0.0.1", () => socket.write(request));
    await checking.promise;
    socket.destroy();
    await hungUp;
    await nextSlice();
    gone.resolve();
    const line = () => logged.find((one) => one.includes('"operation":"render-message"'));
    await until(line, "the request is logged");
    expect(line()).toContain('"status":400');
    expect(ways).toEqual(["short"]);
  });
});
