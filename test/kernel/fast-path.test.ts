import { afterAll, describe, expect, test } from "bun:test";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { getRequestListener } from "@hono/node-server";
import fc from "fast-check";
import { z } from "zod";
import { type Endpoint, endpoint, RawAnswer } from "@/kernel/http/endpoint.ts";
import { fastPath } from "@/kernel/http/fast-path.ts";
import { httpApp } from "@/kernel/http/http.ts";
import { errorAnswer, jsonHeaders, responseOf } from "@/kernel/http/http-answers.ts";
import { EndedJson, SharedStart } from "@/kernel/lib/ended-json.ts";
import { AppError, englishOnly, failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { createLog } from "@/kernel/lib/log.ts";
import { JsonAnswer } from "@/kernel/lib/long-answers.ts";
import { kernel } from "../support/kernel.ts";
import { until } from "../support/waiting.ts";

const shown = ["host", "user-agent", "x-one", "cookie", "authorization", "accept-encoding"];
const about = "For this test.";
const params = { text: z.string().default(""), n: z.int().optional() };
const echo = (id: string, method: Endpoint["method"], path: string, auth: Endpoint["auth"] = "none") =>
  endpoint(id, {
    about,
    method,
    path,
    auth,
    params,
    returns: { seen: z.unknown() },
    run: ({ actor }, given, request) => ({
      seen: {
        given,
        actor: { kind: actor.kind, id: actor.id, client: actor.client, site: actor.site },
        method: request.method,
        address: request.address,
        isSecure: request.isSecure,
        headers: shown.map((name) => request.header(name) ?? null),
      },
    }),
  });
/** More than the system holds for a connection. */
const hugeAnswer = Buffer.alloc(32_000_000, "x");
const starts = {
  text: new SharedStart('{"result":"success","msg":"","rows":["a text"]'),
  bytes: new SharedStart(Buffer.from(`{"result":"success","msg":"","rows":["${"é".repeat(10_000)}"]`)),
  wide: new SharedStart(Buffer.from(`{"result":"success","msg":"","rows":["${"wide ".repeat(24_000)}"]`)),
};
/** As many answers of `bytes` or `wide` as no connection holds unread. */
const manyAnswers = 100;
const ended = (start: SharedStart, n: number) => new EndedJson(start, `,"n":${n}}`);
const endpoints = [
  ...(["text", "bytes", "wide"] as const).map((name) =>
    endpoint(`get-${name}`, {
      about,
      method: "GET",
      path: `/ended/${name}`,
      auth: "none",
      params: { n: z.int() },
      run: (_, { n }) => new JsonAnswer(ended(starts[name], n)),
    }),
  ),
  echo("get-echo", "GET", "/echo"),
  echo("post-echo", "POST", "/echo"),
  echo("delete-echo", "DELETE", "/echo"),
  echo("get-mine", "GET", "/mine", "user"),
  echo("post-mine", "POST", "/mine", "user"),
  echo("get-one", "GET", "/echo/{n}"),
  endpoint("get-bytes", {
    about,
    method: "GET",
    path: "/bytes",
    auth: "none",
    run: () => new JsonAnswer(Buffer.from('{"result":"success","msg":"","n":1}')),
  }),
  endpoint("get-long", {
    about,
    method: "GET",
    path: "/long",
    auth: "none",
    returns: { rows: z.array(z.string()) },
    run: () => ({ rows: Array.from({ length: 9_000 }, (_, i) => `row ${i} of a long answer`) }),
  }),
  endpoint("get-huge", {
    about,
    method: "GET",
    path: "/huge",
    auth: "none",
    run: () => new JsonAnswer(hugeAnswer),
  }),
  endpoint("get-moved", {
    about,
    method: "GET",
    path: "/moved",
    auth: "none",
    run: () => new RawAnswer(null, { location: "/elsewhere" }, 302),
  }),
  endpoint("get-unwritable", {
    about,
    method: "GET",
    path: "/unwritable",
    auth: "none",
    run: () => new RawAnswer("", { "x-broken": "two\r\nlines" }),
  }),
  endpoint("get-cookies", {
    about,
    method: "GET",
    path: "/cookies",
    auth: "none",
    run: (_, __, request) => {
      for (const cookie of ["a=1", "b=2"]) request.setCookie(cookie);
    },
  }),
  endpoint("post-refused", {
    about,
    method: "POST",
    path: "/refused",
    auth: "none",
    run: () => fail("BAD_REQUEST", "Not like this."),
  }),
  endpoint("get-fault", {
    about,
    method: "GET",
    path: "/fault",
    auth: "none",
    run: () => {
      throw new Error("the flux is misaligned");
    },
  }),
];

const app = httpApp({
  endpoints,
  log: createLog(() => {}),
  ctx: (actor) => ({ ...kernel().ctx, actor }),
  followsHost: true,
  authenticate: (given) => (given === "Basic good" ? { userId: 5 } : fail("UNAUTHORIZED", "Not logged in")),
});
const refusalOf = ({ headers }: { headers: { get(name: string): string | null } }) =>
  headers.get("x-forged") === null
    ? null
    : errorAnswer(new AppError("BAD_REQUEST", englishOnly("Forged.")), {
        operation: "none",
        log: createLog(() => {}),
        headers: { ...jsonHeaders },
      });

const library = getRequestListener((request, env) => {
  const refusal = refusalOf(request);
  return refusal ? responseOf(refusal) : app.fetch(request, env);
});
const short = fastPath(app, { refusalOf });
let taken = 0;
let newest: ServerResponse | undefined;
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

function listening(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : 0);
    });
  });
}

const long = await listening(library);
const both = await listening((incoming, outgoing) => {
  newest = outgoing;
  const isTaken = short(incoming, outgoing, (_, __, response) => {
    void getRequestListener(async () => response)(incoming, outgoing);
  });
  if (isTaken) taken++;
  else library(incoming, outgoing);
});

/** Everything that a server sends until it closes the connection, without what differs between two moments. */
function answerOf(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let got = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(request, "latin1"));
    socket.setEncoding("latin1");
    socket.on("data", (text) => {
      got += text;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(got.replaceAll(/\r\nDate: [^\r]*/g, "")));
  });
}

const chunked = /\r\nTransfer-Encoding: chunked\r\n\r\n((?:[0-9a-f]+\r\n[\s\S]*?\r\n)*?)0\r\n\r\n/g;

/** The library sends short answers in chunks, the fast path with their length: as with their length. */
function withLengths(answers: string): string {
  return answers.replaceAll(chunked, (_, chunks: string) => {
    let body = "";
    for (let at = 0; at < chunks.length; ) {
      const end = chunks.indexOf("\r\n", at);
      const length = Number.parseInt(chunks.slice(at, end), 16);
      body += chunks.slice(end + 2, end + 2 + length);
      at = end + 2 + length + 2;
    }
    return `\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  });
}

/** One answer with its headers in the order of their names, which means nothing: the library sorts those of answers with cookies. */
function inOrder(answer: string): string {
  const end = answer.indexOf("\r\n\r\n");
  const [status, ...headers] = answer.slice(0, end).split("\r\n");
  return [status, ...headers.toSorted()].join("\r\n") + answer.slice(end);
}

interface Sent {
  target?: string;
  method?: string;
  headers?: string[];
  body?: string;
  version?: string;
}

function written({
  target = "/api/v1/echo",
  method = "GET",
  headers = [],
  body,
  version = "1.1",
}: Sent): string {
  const form = "Content-Type: application/x-www-form-urlencoded";
  const own = headers.some((line) => /^content-type/i.test(line)) ? [] : [form];
  const length = body === undefined ? [] : [...own, `Content-Length: ${body.length}`];
  const host = headers.some((line) => /^host:/i.test(line)) ? [] : ["Host: chat.example.com"];
  const lines = [...host, ...headers, ...length, "Connection: close"];
  return `${method} ${target} HTTP/${version}\r\n${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

const post = (body: string, more: Sent = {}): Sent => ({ method: "POST", body, ...more });
const good = "Authorization: Basic good";
const big = "x".repeat(70_000);

const usual: [name: string, sent: Sent][] = [
  ["a GET", {}],
  ["a query", { target: "/api/v1/echo?text=a+b%20c&n=3&more=1" }],
  ["a query without values", { target: "/api/v1/echo?&&text&=" }],
  ["an unusual path in the query", { target: "/api/v1/echo?text=/../x/./" }],
  ["a form", post("text=a+b%20c%2B%C3%A9&n=3&other=")],
  ["a form that is not valid UTF-8", post("text=%ff%C3&n=3&%zz=%1")],
  ["a form with a byte order mark", post("\xef\xbb\xbftext=a")],
  ["a form and a query", post("text=a", { target: "/json/echo?text=b&n=3" })],
  ["a wrong parameter", post("n=many")],
  [
    "a repeated header",
    { headers: ["X-One: a", "x-one: b", "Cookie: c=1", "cookie: d=2", "User-Agent: A/1", "user-agent: B"] },
  ],
  [
    "names in capitals next to similar ones",
    {
      target: "/api/v1/mine",
      headers: [
        "X^ONE: a",
        "x_one: b",
        "X-ONE: c",
        "Y-One: d",
        "AUTHORIZATION: Basic good",
        "UseR-ageNT: E/1",
      ],
    },
  ],
  ["spaces around a value", { headers: ["X-One: \t a  ", "User-Agent:B/2 "] }],
  ["bytes beyond ASCII in a value", { headers: ["X-One: caf\xc3\xa9"] }],
  ["a port", { headers: ["Host: 127.0.0.1:9991"] }],
  ["a key", { target: "/api/v1/mine", headers: [good] }],
  ["a key given twice", { target: "/api/v1/mine", headers: [good, good] }],
  ["no key", { target: "/api/v1/mine" }],
  ["no key, with a form", post("text=a", { target: "/api/v1/mine" })],
  ["a form of an unknown type", post('{"text":1}', { headers: ["Content-Type: application/json"] })],
  [
    "a form in parts",
    post('--x\r\nContent-Disposition: form-data; name="text"\r\n\r\nab\r\n--x--\r\n', {
      headers: ["Content-Type: multipart/form-data; boundary=x"],
    }),
  ],
  [
    "a form whose type has another spelling",
    post("text=a", { headers: ["Content-Type: Application/X-WWW-Form-URLencoded ; charset=utf-8"] }),
  ],
  ["a form without a type", post("text=a", { headers: ["Content-Type:"] })],
  ["an empty form", post("")],
  ["a refused form", post("text=a", { target: "/api/v1/refused" })],
  ["an answer of bytes", { target: "/api/v1/bytes" }],
  ["an answer of bytes with a notice", { target: "/api/v1/bytes?what=1" }],
  ["an answer with a shared start", { target: "/api/v1/ended/text?n=12" }],
  ["an answer with a shared start of bytes", { target: "/api/v1/ended/bytes?n=12" }],
  ["an answer with a shared start, with a notice", { target: "/api/v1/ended/bytes?n=1&what=1" }],
  ["a long answer", { target: "/api/v1/long" }],
  ["a long answer, compressed", { target: "/api/v1/long", headers: ["Accept-Encoding: gzip"] }],
  ["a redirect", { target: "/api/v1/moved" }],
  ["cookies", { target: "/api/v1/cookies" }],
  ["a fault", { target: "/api/v1/fault" }],
  ["a forged request", { headers: ["X-Forged: 1"] }],
  ["a forged form", post("text=a", { headers: ["X-Forged: 1"] })],
  ["a body of a GET", { body: "text=a" }],
];
const unusual: [name: string, sent: Sent][] = [
  ["an address that is a pattern's", { target: "/api/v1/echo/3" }],
  ["an unknown address", { target: "/api/v1/nothing" }],
  ["another method", { method: "PUT", body: "" }],
  ["HEAD", { method: "HEAD" }],
  ["OPTIONS", { method: "OPTIONS" }],
  ["a slash at the end", { target: "/api/v1/echo/" }],
  ["a path with dots", { target: "/api/v1/x/../echo" }],
  ["an encoded path", { target: "/api/v1/ech%6f" }],
  ["a fragment", { target: "/api/v1/echo?text=a#b" }],
  ["quotes in the query", { target: '/api/v1/echo?text="a\'b"<c>' }],
  ["bytes beyond ASCII in the query", { target: "/api/v1/echo?text=caf\xc3\xa9" }],
  ["an absolute address", { target: "http://other.example.com/api/v1/echo" }],
  ["a backslash", { target: "/api\\v1/echo" }],
  ["a host in capitals", { headers: ["Host: Chat.Example.com"] }],
  ["a usual port", { headers: ["Host: chat.example.com:80"] }],
  ["a port with zeros", { headers: ["Host: chat.example.com:0999"] }],
  ["an IPv6 host", { headers: ["Host: [::1]:9991"] }],
  ["an invalid host", { headers: ["Host: a b/c"] }],
  ["two hosts", { headers: ["Host: a.example.com", "Host: b.example.com"] }],
  ["HTTP/1.0", { version: "1.0" }],
  ["a large form", post(`text=${big}`)],
  ["a form too large", post(`text=${"x".repeat(1_100_000)}`, { target: "/api/v1/mine", headers: [good] })],
  ["a DELETE without a body", { method: "DELETE" }],
];

/** The same request in two ways, and how many of them went the fast path. */
async function compared(request: string) {
  taken = 0;
  const [expected, got] = [await answerOf(long, request), await answerOf(both, request)];
  return { expected, got, taken };
}

const paths = [
  "/api/v1/echo",
  "/json/echo",
  "/api/v1/mine",
  "/api/v1/echo/7",
  "/api/v1/refused",
  "/api/v1/fault",
  "/api/v1/none",
  "/api/v1/echo/",
];
const texts = [
  "a",
  "a+b%20c",
  "%C3%A9",
  "%ff",
  "%zz",
  "1",
  "-3",
  "01",
  "1e3",
  "true",
  "",
  "[1]",
  '"x"',
  "a/../b",
  "x".repeat(3_000),
];
const names = ["text", "n", "more", "te%78t", ""];
const pairs = fc
  .tuple(fc.constantFrom(...names), fc.constantFrom(...texts))
  .map(([name, text]) => `${name}=${text}`);
const fields = fc.array(pairs, { maxLength: 4 }).map((all) => all.join("&"));
const sentHeaders = fc.subarray(
  [
    good,
    "Authorization: Basic bad",
    "X-One: a",
    "x-one: b",
    "X-Forged: yes",
    "Cookie: c=1",
    "Accept-Encoding: gzip",
    'If-None-Match: W/"x"',
    "User-Agent: Ä/1",
    "X-Empty:",
    "Expect: 100-continue",
    "Host: other.example.com:8080",
    "Content-Type: application/json",
    "Content-Type: application/x-www-form-urlencoded; charset=utf-8",
  ],
  { maxLength: 5 },
);
/** Requests that clients send, and that nobody should. */
const sentRequests: fc.Arbitrary<Sent> = fc
  .record({
    path: fc.constantFrom(...paths),
    query: fc.option(fields),
    method: fc.constantFrom("GET", "GET", "POST", "DELETE", "HEAD", "PATCH", "OPTIONS", "PROPFIND"),
    headers: sentHeaders,
    body: fc.option(fields),
    version: fc.constantFrom("1.1", "1.1", "1.1", "1.0"),
  })
  .map(({ path, query, body, ...more }) => ({
    ...more,
    target: query === null ? path : `${path}?${query}`,
    ...(body !== null && { body }),
  }));

describe("the fast path", () => {
  test.each(usual)("answers as the library does: %s", async (_, sent) => {
    const { expected, got, taken } = await compared(written(sent));
    expect(inOrder(withLengths(got))).toBe(inOrder(withLengths(expected)));
    expect(got).toStartWith("HTTP/1.1 ");
    expect(taken).toBe(1);
  });

  test.each(unusual)("leaves to the library: %s", async (_, sent) => {
    const { expected, got, taken } = await compared(written(sent));
    expect(got).toBe(expected);
    expect(taken).toBe(0);
  });

  test("answers random requests as the library does, and takes some of them", async () => {
    let all = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(sentRequests, { minLength: 20, maxLength: 20 }), async (requests) => {
        for (const sent of requests) {
          const { expected, got, taken } = await compared(written(sent));
          expect(inOrder(withLengths(got))).toBe(inOrder(withLengths(expected)));
          all += taken;
        }
      }),
      { numRuns: 50 },
    );
    expect(all).toBeGreaterThan(50);
    expect(all).toBeLessThan(500);
  });

  test("leaves to the library: a form of undeclared length", async () => {
    const head = "POST /api/v1/echo HTTP/1.1\r\nHost: a.example.com\r\nConnection: close\r\n";
    const form = "Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n";
    const { expected, got, taken } = await compared(`${head}${form}6\r\ntext=a\r\n0\r\n\r\n`);
    expect(got).toBe(expected);
    expect(got).toContain('"text":"a"');
    expect(taken).toBe(0);
  });

  test("answers requests that arrive together in their order", async () => {
    const [first, second] = [
      post("text=first", { headers: ["Connection: keep-alive"] }),
      { target: "/api/v1/echo?text=second" },
    ];
    const pipelined = written(first).replace("Connection: close\r\n", "") + written(second);
    const { expected, got, taken } = await compared(pipelined);
    expect(got).toBe(withLengths(expected));
    expect(got.indexOf('"text":"first"')).toBeGreaterThan(0);
    expect(got.indexOf('"text":"second"')).toBeGreaterThan(got.indexOf('"text":"first"'));
    expect(taken).toBe(2);
  });

  test("answers a form that arrives in pieces", async () => {
    const request = written(post("text=abcdef&n=3"));
    const answer = await new Promise<string>((resolve, reject) => {
      let got = "";
      const socket = connect(both, "127.0.0.1", () => {
        socket.write(request.slice(0, -8));
        setImmediate(() => socket.write(request.slice(-8)));
      });
      socket.on("data", (piece) => {
        got += piece;
      });
      socket.on("error", reject);
      socket.on("close", () => resolve(got));
    });
    expect(answer).toContain('"given":{"text":"abcdef","n":3}');
  });

  test("sends a long answer no faster than its client reads, and stops when the client hangs up", async () => {
    const asking = async () => {
      const socket = connect(both, "127.0.0.1");
      socket.on("error", () => {});
      socket.write(written({ target: "/api/v1/huge" }));
      await new Promise((resolve) => socket.once("readable", resolve));
      const outgoing = newest as ServerResponse;
      expect(await answerOf(both, written({ target: "/api/v1/echo?text=between" }))).toContain("between");
      expect(outgoing.writableEnded).toBe(false);
      return { socket, outgoing };
    };
    const patient = await asking();
    let bytes = 0;
    patient.socket.on("data", (piece) => {
      bytes += piece.length;
    });
    await new Promise((resolve) => patient.socket.once("close", resolve));
    expect(bytes).toBeGreaterThan(hugeAnswer.length);
    expect(patient.outgoing.writableEnded).toBe(true);

    const gone = await asking();
    const closed = new Promise((resolve) => gone.outgoing.once("close", resolve));
    gone.socket.destroy();
    await closed;
    await until(() => gone.outgoing.listenerCount("drain") === 0, "nothing waits for the reader", 1);
    expect(gone.outgoing.writableEnded).toBe(false);
  });

  test("sends each client its own end, however late it reads", async () => {
    taken = 0;
    const wanted = Array.from({ length: manyAnswers }, (_, n) => n);
    const asked = (n: number, name: "bytes" | "wide") =>
      written({ target: `/api/v1/ended/${name}?n=${n}` }).replace(
        /Connection: close/,
        "Connection: keep-alive",
      );
    const last = written({ target: "/api/v1/ended/wide?n=-1" });
    const late = connect(both, "127.0.0.1");
    late.write(wanted.map((n) => asked(n, "wide")).join("") + last);
    await new Promise((resolve) => late.once("readable", resolve));
    for (const n of wanted) {
      const quick = await answerOf(
        both,
        written({ target: `/api/v1/ended/${n % 2 ? "bytes" : "wide"}?n=${n}` }),
      );
      expect(quick).toEndWith(`"],"n":${n}}`.slice(1));
    }
    const pieces: Buffer[] = [];
    late.on("data", (piece: Buffer) => pieces.push(piece));
    await new Promise((resolve) => late.once("close", resolve));
    const bodies = Buffer.concat(pieces)
      .toString()
      .split(/HTTP\/1\.1 200 OK\r\n[\s\S]*?\r\n\r\n/)
      .slice(1);
    expect(bodies).toEqual([...wanted, -1].map((n) => String(ended(starts.wide, n).whole())));
    expect(taken).toBe(2 * manyAnswers + 1);
  });

  test("ends the connection where an answer cannot be written, and answers the next one", async () => {
    taken = 0;
    const reset = () => "";
    expect(await answerOf(both, written({ target: "/api/v1/unwritable" })).catch(reset)).toBe("");
    expect(taken).toBe(1);
    expect(await answerOf(both, written({ target: "/api/v1/echo?text=after" }))).toContain('"text":"after"');
  });
});
