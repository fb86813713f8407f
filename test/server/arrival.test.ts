// Requests that are very long, malformed, or never complete.
import { afterAll, afterEach, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { maxHeadBytes } from "@/connections.ts";
import { type Log, type LogFields, silentLog } from "@/kernel/lib/log.ts";
import { serve as serveHere } from "@/server.ts";
import { unreadableRequests } from "@/unreadable-requests.ts";
import { certificate, certificatePair } from "../support/certificate.ts";
import { type Credentials, cleanUp, newFolder, newOrganization, serve } from "../support/executable.ts";
import { basic, encode, type Json } from "../support/requests.ts";
import { until } from "../support/waiting.ts";
import { world } from "../support/world.ts";

const insecure = { rejectUnauthorized: false };
let seed: string;
let olive: Credentials;

beforeAll(async () => {
  seed = newFolder();
  olive = (await newOrganization(seed)).owner;
});
afterEach(() => cleanUp(seed));
afterAll(() => cleanUp());

interface Got {
  status: number;
  type: string | undefined;
  body: Json;
}
type Ask = (path: string) => Promise<Got>;

/** The executable, behind each protocol. */
async function doors(): Promise<[name: string, ask: Ask][]> {
  const plain = await serve(newFolder(seed));
  const authorization = basic(olive.email, olive.api_key);
  const overHttp1 =
    (url: string): Ask =>
    async (path) => {
      const answer = await fetch(url + path, { headers: { authorization }, tls: insecure });
      const text = await answer.text();
      return {
        status: answer.status,
        type: answer.headers.get("content-type") ?? "",
        body: JSON.parse(text),
      };
    };
  const http1 = ["HTTP/1.1", overHttp1(plain.url)] as [string, Ask];
  const { cert, key } = await certificate(newFolder(), "one");
  const tls = await serve(newFolder(seed), ["--tls-cert", cert, "--tls-key", key]);
  const overHttp2: Ask = (path) =>
    new Promise((resolve, reject) => {
      const session = connectHttp2(tls.url, { ...insecure, maxSendHeaderBlockLength: 1_000_000 });
      const request = session.request({ ":path": path, authorization });
      let [text, status, type] = ["", 0, ""];
      request.on("response", (headers) => {
        [status, type] = [headers[":status"] ?? 0, headers["content-type"] ?? ""];
      });
      request.on("data", (chunk) => {
        text += chunk;
      });
      for (const one of [session, request]) one.on("error", reject);
      request.on("end", () => {
        session.destroy();
        resolve({ status, type, body: JSON.parse(text) });
      });
      request.end();
    });
  return [http1, ["HTTP/1.1 with TLS", overHttp1(tls.url)], ["HTTP/2", overHttp2]];
}

const ids = (count: number) => Array.from({ length: count }, (_, n) => 4_200_000_000 + n);

describe("a long query", () => {
  test("with the maximum number of IDs is answered, over each protocol", async () => {
    for (const [name, ask] of await doors()) {
      const page = await ask(`/api/v1/messages?${encode({ message_ids: ids(5_000) })}`);
      expect([name, page.status, page.body.messages]).toEqual([name, 200, []]);
      const tooMany = await ask(`/api/v1/messages?${encode({ message_ids: ids(5_001) })}`);
      expect([name, tooMany.status, tooMany.body.code]).toEqual([name, 400, "BAD_REQUEST"]);
      const narrow = [{ operator: "is", operand: "dm" }];
      const matches = await ask(`/api/v1/messages/matches_narrow?${encode({ msg_ids: ids(3_000), narrow })}`);
      expect([name, matches.status, matches.body.messages]).toEqual([name, 200, {}]);
    }
  });

  test("that is too large is refused in JSON", async () => {
    for (const [name, ask] of await doors()) {
      if (name === "HTTP/2") continue;
      for (const size of [maxHeadBytes, 20 * maxHeadBytes]) {
        expect([name, await ask(`/api/v1/messages?x=${"x".repeat(size)}`)]).toEqual([
          name,
          {
            status: 431,
            type: "application/json",
            body: {
              result: "error",
              msg: "The address and the headers of the request are too long: at most 131072 bytes and 198 headers are allowed.",
              code: "BAD_REQUEST",
            },
          },
        ]);
      }
    }
  });
});

async function serving(patience: { stallMs: number; arrivalMs: number }, tls: boolean, log: Log = silentLog) {
  const { app } = world();
  const pair = tls ? await certificatePair() : null;
  const server = await serveHere(app, {
    host: "127.0.0.1",
    port: 0,
    log,
    patience: { idleMs: 60_000, ...patience },
    certificate: pair ? () => pair : undefined,
  });
  const dial = () =>
    tls
      ? connectTls({ host: "127.0.0.1", port: server.port, ...insecure })
      : connect(server.port, "127.0.0.1");
  return { server, dial };
}

/** Sends a text; returns all output once the server has closed the connection. */
function converse(socket: ReturnType<typeof connect>, text: string): Promise<string> {
  let got = "";
  socket.write(text);
  return new Promise((resolve) => {
    socket.on("data", (chunk) => {
      got += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(got));
  });
}

/** Resolves once a server has read what has been sent to it before: it reads of each connection in each turn. */
async function reached(port: number, tls: boolean): Promise<void> {
  const url = `${tls ? "https" : "http"}://127.0.0.1:${port}/health`;
  for (let i = 0; i < 3; i++) await (await fetch(url, { tls: insecure })).arrayBuffer();
}

/** The clock stands still unless the test moves it. */
function holdClock() {
  let now = performance.now();
  const held = spyOn(performance, "now").mockImplementation(() => now);
  return {
    pass(ms: number): void {
      now += ms;
    },
    release: () => held.mockRestore(),
  };
}

/** Time in which what must not happen would have happened: the server looks at requests more often, and writes its log sooner. */
const settledMs = 300;
const half = "POST /api/v1/fetch_api_key HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\na";
const protocols = [
  ["HTTP/1.1", false],
  ["HTTP/1.1 with TLS", true],
] as const;

describe.each(protocols)("over %s", (_, tls) => {
  test("answers malformed requests in JSON, and logs each with the client's address", async () => {
    const lines: unknown[] = [];
    const info: Log["info"] = (event, fields) => event === "request" && lines.push(fields);
    const { server, dial } = await serving({ stallMs: 9_000, arrivalMs: 9_000 }, tls, { ...silentLog, info });
    const close = "Connection: close\r\n\r\n";
    for (const malformed of [
      "This is no HTTP\r\n\r\n",
      `GET /api/v1/messages HTTP/1.1\r\n${close}`,
      `GET /api/v1/messages HTTP/1.1\r\nHost: a b/c?\r\n${close}`,
      `POST /api/v1/messages HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nContent-Length: 0\r\n${close}`,
      `OPTIONS * HTTP/1.1\r\nHost: x\r\n${close}`,
    ]) {
      const got = await converse(dial(), malformed);
      const [head = "", body = ""] = got.split("\r\n\r\n");
      expect([malformed, head.split("\r\n")[0]]).toEqual([malformed, "HTTP/1.1 400 Bad Request"]);
      expect(head.toLowerCase()).toContain("content-type: application/json");
      expect(head.toLowerCase()).toContain("cache-control: private, no-cache");
      expect(JSON.parse(/\{.*\}/.exec(body)?.[0] ?? "")).toEqual({
        result: "error",
        msg: "This is not a request that this server can read.",
        code: "BAD_REQUEST",
      });
    }
    expect(lines).toEqual(Array(5).fill({ operation: "none", status: 400, address: "127.0.0.1" }));
    await server.stop();
  });

  test.each([
    ["refused for its rate", 429, "1"],
    ["read", 400, "0"],
  ])(
    "gives one answer and one line of the log to a request without an end that is %s",
    async (_, status, limit) => {
      const paths = tls ? await certificate(newFolder(), "one") : null;
      const named = paths ? ["--tls-cert", paths.cert, "--tls-key", paths.key] : [];
      const { port, printed } = await serve(newFolder(seed), ["--address-rate-limit", limit, ...named]);
      const dial = () =>
        tls ? connectTls({ host: "127.0.0.1", port, ...insecure }) : connect(port, "127.0.0.1");
      const requests = () => {
        const lines = printed()
          .stderr.trim()
          .split("\n")
          .flatMap((line) => (line === "" ? [] : [JSON.parse(line) as LogFields]));
        return lines.filter(({ event, operation }) => event === "request" && operation === "fetch-api-key");
      };
      await converse(dial(), "GET /api/v1/server_settings HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      const chunked = half.replace("Content-Length: 99", "Transfer-Encoding: chunked").replace(/a$/, "");
      const ways: [text: string, last: string, isAnswered: boolean][] = [
        [half, "end", true],
        [half, "destroy", false],
        [`${chunked}5\r\nab`, "end", true],
        [`${chunked}zz\r\nab`, "wait", true],
      ];
      for (const [text, last, isAnswered] of ways) {
        const before = requests().length;
        const socket = dial();
        let got = "";
        socket
          .on("error", () => {})
          .on("data", (chunk) => {
            got += chunk;
          });
        await new Promise<unknown>((resolve) => socket.once(tls ? "secureConnect" : "connect", resolve));
        socket.write(text);
        await reached(port, tls);
        if (last === "end") socket.end();
        if (last === "destroy") socket.destroy();
        await until(() => requests().length > before && (!isAnswered || got !== ""), "the request is logged");
        await Bun.sleep(settledMs);
        socket.destroy();
        await Bun.sleep(settledMs);
        const seen = requests().slice(before);
        expect([text, seen.map(({ operation, status }) => [operation, status])]).toEqual([
          text,
          [["fetch-api-key", status]],
        ]);
        if (isAnswered) expect(got.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`]);
      }
    },
  );

  /** Half a request, which the server has read. */
  async function halfSent(patience: { stallMs: number; arrivalMs: number }) {
    const { server, dial } = await serving(patience, tls);
    const socket = dial();
    await new Promise<unknown>((resolve) => socket.once(tls ? "secureConnect" : "connect", resolve));
    const clock = holdClock();
    let got: string | null = null;
    const end = converse(socket, half).then((text) => {
      got = text;
    });
    await reached(server.port, tls);
    return {
      server,
      end,
      /** All output, or null before the end. */
      got: () => got as string | null,
      /** After so many milliseconds, the server looks at its requests. */
      async pass(ms: number): Promise<void> {
        clock.pass(ms);
        await Bun.sleep(settledMs);
      },
      async send(byte: string): Promise<void> {
        await new Promise((resolve) => socket.write(byte, resolve));
        await reached(server.port, tls);
      },
      release: clock.release,
    };
  }

  test("drops a request whose body stops arriving", async () => {
    const { server, end, got, pass, release } = await halfSent({ stallMs: 1_000, arrivalMs: 60_000 });
    try {
      await pass(900);
      expect(got()).toBeNull();
      await pass(200);
    } finally {
      release();
    }
    await end;
    expect(got()).toStartWith("HTTP/1.1 408 ");
    expect(JSON.parse(got()?.split("\r\n\r\n")[1] ?? "")).toEqual({
      result: "error",
      msg: "The request took too long to arrive.",
      code: "BAD_REQUEST",
    });
    await server.stop();
  });

  test("a body that keeps arriving may take longer, but not forever", async () => {
    const { server, end, got, pass, send, release } = await halfSent({ stallMs: 1_000, arrivalMs: 3_000 });
    try {
      for (let i = 0; i < 4; i++) {
        await pass(700);
        expect(got()).toBeNull();
        await send("a");
      }
      await pass(700);
    } finally {
      release();
    }
    await end;
    expect(got()).toStartWith("HTTP/1.1 408 ");
    await server.stop();
  });

  test("keeps a connection open after complete bodies", async () => {
    const { server, dial } = await serving({ stallMs: 300, arrivalMs: 600 }, tls);
    const socket = dial();
    let got = "";
    socket.on("data", (chunk) => {
      got += chunk;
    });
    const whole = half.replace("99", "1");
    for (const count of [1, 2]) {
      socket.write(whole);
      const answers = () => got.match(/HTTP\/1\.1 400/g)?.length ?? 0;
      await until(() => answers() >= count, "it is answered");
      await Bun.sleep(900);
      expect([answers(), socket.closed]).toEqual([count, false]);
    }
    socket.destroy();
    await server.stop();
  });
});

test("over HTTP/2, drops a request whose body stops arriving", async () => {
  const { server } = await serving({ stallMs: 400, arrivalMs: 60_000 }, true);
  const session = connectHttp2(`https://127.0.0.1:${server.port}`, insecure);
  const request = session.request({
    ":method": "POST",
    ":path": "/api/v1/fetch_api_key",
    "content-length": 9,
  });
  request.write("a");
  await new Promise((resolve) => request.on("error", () => {}).once("close", resolve));
  expect(request.rstCode).toBe(8);
  session.destroy();
  await server.stop();
});

test("the log has at most sixty requests a minute that cannot be read, and then how many it lacks", () => {
  const lines: LogFields[] = [];
  let now = 0;
  const log = unreadableRequests({ ...silentLog, info: (_, fields = {}) => lines.push(fields) }, () => now);
  for (let i = 0; i < 100; i++) log(400, "192.0.2.7");
  expect(lines).toEqual(Array(60).fill({ operation: "none", status: 400, address: "192.0.2.7" }));
  now = 59_999;
  log(408, "192.0.2.8");
  now = 60_000;
  log(431, "192.0.2.9");
  log(400, "192.0.2.9");
  expect(lines.slice(60)).toEqual([
    { operation: "none", status: 431, address: "192.0.2.9", left_out: 41 },
    { operation: "none", status: 400, address: "192.0.2.9" },
  ]);
});
