// The server over real sockets, for what needs real connections.
import { afterAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { createUser } from "@/foundation/accounts/actions.ts";
import { silentLog } from "@/kernel/lib/log.ts";
import { countersOf } from "@/operations/metrics/counters.ts";
import { serve } from "@/server.ts";
import { basic, type Json } from "../support/requests.ts";
import { until } from "../support/waiting.ts";
import { type World, world } from "../support/world.ts";

const started: Awaited<ReturnType<typeof serve>>[] = [];
afterAll(async () => {
  for (const serving of started) await serving.stop();
});

async function serving(made: World = world()) {
  const { app, user } = made;
  const server = await serve(app, { host: "127.0.0.1", port: 0, log: silentLog });
  const { email, key } = user("mel");
  const headers = { authorization: basic(email, key) };
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${server.port}${path}`, { ...init, headers: { ...headers, ...init.headers } });
  const register = async (): Promise<string> => {
    const answer = await ask("/api/v1/register", { method: "POST" });
    return ((await answer.json()) as Json).queue_id;
  };
  const poll = (id: string, init?: RequestInit) =>
    ask(`/api/v1/events?queue_id=${encodeURIComponent(id)}&last_event_id=-1`, init);
  return { ...made, server, ask, register, poll };
}

/** Sends raw text over one connection, and returns the response until `isWhole` or the end. */
function raw(port: number, text: string, isWhole: (got: string) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    let got = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk) => {
      got += chunk;
      if (isWhole(got)) socket.destroy();
    });
    socket.on("close", () => resolve(got));
    socket.on("error", reject);
  });
}

describe("a connection", () => {
  test("stays open after errors", async () => {
    const { server } = await serving();
    started.push(server);
    const request = (path: string) => `GET /api/v1${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const text = request("/nope") + request("/users/me") + request("/server_settings");
    const got = await raw(server.port, text, (got) => got.includes("realm_name"));
    expect(got.match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 404", "HTTP/1.1 401", "HTTP/1.1 200"]);
  });

  test("is answered 413 in JSON if the body is too large, declared or not", async () => {
    const { server, ask } = await serving();
    started.push(server);
    const size = 1_048_577;
    const declared = await ask("/api/v1/messages", { method: "POST", body: "x".repeat(size) });
    expect([declared.status, ((await declared.json()) as Json).code]).toEqual([413, "BAD_REQUEST"]);

    const head = "POST /api/v1/fetch_api_key HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    const body = `${size.toString(16)}\r\n${"x".repeat(size)}\r\n0\r\n\r\n`;
    const got = await raw(server.port, head + body, (got) => got.includes("}"));
    expect(got).toStartWith("HTTP/1.1 413");
  });

  test("with wrong credentials may send only little", async () => {
    const { server } = await serving();
    started.push(server);
    const send = (size: number) =>
      fetch(`http://127.0.0.1:${server.port}/api/v1/fetch_api_key`, {
        method: "POST",
        body: "x".repeat(size),
      });
    expect(((await (await send(65_536)).json()) as Json).code).toBe("REQUEST_VARIABLE_MISSING");
    const refused = await send(65_537);
    const msg = "The request is too large: at most 65536 bytes are allowed.";
    expect([refused.status, await refused.json()]).toEqual([
      413,
      { result: "error", msg, code: "BAD_REQUEST" },
    ]);
  });

  test.each([
    ["whose length was declared", "Content-Length: 9\r\n\r\na"],
    ["in chunks", "Transfer-Encoding: chunked\r\n\r\n9\r\na"],
    [
      "with a file",
      'Content-Length: 999\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\na',
    ],
    ["behind a file", "Content-Length: 99\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n--x--"],
  ])("that ends in the middle of a body %s is not logged as a bug", async (_, rest) => {
    const { server, app, user } = await serving();
    started.push(server);
    const { email, key } = user("mel");
    const head = `POST /api/v1/user_uploads HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(email, key)}\r\n`;
    // The system has the bytes then, and the end follows them.
    const socket = connect(server.port, "127.0.0.1", () => socket.write(head + rest, () => socket.destroy()));
    const { requests } = countersOf(app.env.db);
    await until(() => requests.has("upload-file"), "the request has ended");
    expect(requests.get("upload-file")).toEqual(new Map([[400, 1]]));
  });

  test("that a client drops ends its poll", async () => {
    const { server, app, register, poll, user } = await serving();
    started.push(server);
    const queue = app.env.queues.find(await register(), user("mel").id);
    const line = new AbortController();
    const hanging = poll(queue.id, { signal: line.signal }).catch(() => null);
    await until(() => queue.waiter !== null, "the poll waits");
    line.abort();
    await hanging;
    await until(() => queue.waiter === null, "the poll has ended");
  });

  test("is answered when an event arrives", async () => {
    const { server, ctx, register, poll } = await serving();
    started.push(server);
    const answer = poll(await register());
    await createUser(ctx("ada"), { email: "nia@example.com", full_name: "Nia" });
    const { events } = (await (await answer).json()) as Json;
    expect(events[0]).toMatchObject({ type: "realm_user", op: "add" });
  });
});

describe("stopping", () => {
  test("answers pending polls, refuses new requests, and closes the store", async () => {
    const { server, app, register, poll, ask, user } = await serving();
    const queue = app.env.queues.find(await register(), user("mel").id);
    const hanging = poll(queue.id);
    await until(() => queue.waiter !== null, "the poll waits");
    await server.stop();
    expect(((await (await hanging).json()) as Json).events).toEqual([]);
    await expect(ask("/api/v1/server_settings")).rejects.toThrow();
    expect(() => app.env.db.all("SELECT 1")).toThrow();
  });
});

describe("starting", () => {
  test("refuses a port that is taken", async () => {
    const { server } = await serving();
    started.push(server);
    const options = { host: "127.0.0.1", port: server.port, log: silentLog };
    await expect(serve(world().app, options)).rejects.toMatchObject({ code: "EADDRINUSE" });
  });
});
