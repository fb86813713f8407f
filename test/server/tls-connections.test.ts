// Connections and requests that never complete, on a TLS server.
import { describe, expect, test } from "bun:test";
import { type ClientHttp2Session, connect, type Settings } from "node:http2";
import { connect as connectTls } from "node:tls";
import { silentLog } from "@/kernel/lib/log.ts";
import { serve } from "@/server.ts";
import { certificatePair } from "../support/certificate.ts";
import { basic } from "../support/requests.ts";
import { world } from "../support/world.ts";

const form = { ":method": "POST", ":path": "/join/x", "content-type": "application/x-www-form-urlencoded" };
const half = "POST /join/x HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\na";

describe("a server with a certificate that is kept waiting", () => {
  async function serving(patienceMs?: number) {
    const made = world();
    const pair = await certificatePair();
    const where = { host: "127.0.0.1", port: 0, log: silentLog, certificate: () => pair };
    const patience =
      patienceMs === undefined
        ? undefined
        : { idleMs: patienceMs, arrivalMs: patienceMs, stallMs: patienceMs };
    const server = await serve(made.app, { ...where, patience });
    const session = () => connect(`https://127.0.0.1:${server.port}`, { rejectUnauthorized: false });
    return { ...made, server, session };
  }

  /** Resolves once the server closes the connection; returns what it sent. */
  function ended(port: number, text: string): Promise<string> {
    let got = "";
    return new Promise((resolve) => {
      const options = { host: "127.0.0.1", port, rejectUnauthorized: false };
      const socket = connectTls(options, () => socket.write(text));
      const drip = setInterval(() => text !== "" && socket.write("a"), 50);
      socket.on("error", () => {});
      socket.on("data", (chunk) => {
        got += chunk;
      });
      socket.on("close", () => {
        clearInterval(drip);
        resolve(got);
      });
    });
  }

  const closed = (session: ClientHttp2Session) =>
    new Promise<void>((resolve) => session.once("close", resolve).on("error", () => {}));

  test.each([
    ["nothing at all", ""],
    ["half a head", "GET / HTTP/1.1\r\nX: "],
    ["half a body", half],
  ])("hangs up on a client that sends %s, however slowly", async (_, text) => {
    const { server } = await serving(400);
    // One answer at most: what comes after it is no request.
    expect(["", "400", "408"]).toContain(
      (await ended(server.port, text)).match(/(?<=HTTP\/1\.1 )\d+/g)?.join() ?? "",
    );
    await server.stop();
  });

  test("ends an incomplete HTTP/2 request, and a connection without requests", async () => {
    const { server, session } = await serving(400);
    const one = session();
    const end = closed(one);
    const request = one.request({ ...form, "content-length": 99 });
    const drip = setInterval(() => request.write("a"), 150);
    await new Promise((resolve) => request.on("error", () => {}).once("close", resolve));
    clearInterval(drip);
    expect(request.rstCode).toBe(8);
    await end;
    await server.stop();
  });

  test("keeps a poll that waits, however long", async () => {
    const { server, session, as, user } = await serving(200);
    const { queue_id } = (await as("mel").post("/register")).body;
    const { email, key } = user("mel");
    const one = session();
    const path = `/api/v1/events?queue_id=${encodeURIComponent(queue_id)}&last_event_id=-1`;
    const poll = one.request({ ":path": path, authorization: basic(email, key) });
    let status = 0;
    poll.on("response", (headers) => {
      status = headers[":status"] ?? 0;
    });
    await Bun.sleep(800);
    expect([status, poll.closed]).toEqual([0, false]);
    await as("mel").post("/users/me/alert_words", { alert_words: ["ahoy"] });
    while (status === 0) await Bun.sleep(5);
    expect(status).toBe(200);
    one.close();
    await server.stop();
  });

  test.each([
    ["form of declared length", { "content-length": 13 }, "anchor=newest", 400],
    ["form of undeclared length", {}, "anchor=newest", 400],
    ["form of no bytes", { "content-length": 0 }, "", 200],
    ["type of a form, but no body", {}, null, 200],
  ])("answers GET and HEAD with a %s as over HTTP/1.1", async (_, length, body, expected) => {
    const { server, session } = await serving();
    const one = session();
    for (const method of ["GET", "HEAD"]) {
      const head = { ...form, ":method": method, ":path": "/api/v1/server_settings", ...length };
      const request = one.request(head, { endStream: body === null });
      let status = 0;
      request.on("response", (headers) => {
        status = headers[":status"] ?? 0;
      });
      if (body !== null) request.end(body);
      request.resume();
      await new Promise((resolve) => request.on("error", () => {}).once("close", resolve));
      expect([method, status]).toEqual([method, expected]);
    }
    one.destroy();
    await server.stop();
  });

  test("accepts a hundred concurrent requests of a connection", async () => {
    const { server, session } = await serving();
    const one = session();
    const { maxConcurrentStreams } = await new Promise<Settings>((resolve) =>
      one.once("remoteSettings", resolve),
    );
    expect(maxConcurrentStreams).toBe(100);
    one.destroy();
    await server.stop();
  });

  test("still stops, after a moment", async () => {
    const { server, session } = await serving();
    const one = session();
    const ends = [closed(one), ended(server.port, half)];
    one
      .request({ ...form, "content-length": 99 })
      .on("error", () => {})
      .write("a");
    await Bun.sleep(200);
    await server.stop();
    await Promise.all(ends);
  });
});
