import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { clientName } from "@/kernel/http/client-name.ts";
import { type Endpoint, endpoint, RawAnswer } from "@/kernel/http/endpoint.ts";
import { httpApp } from "@/kernel/http/http.ts";
import { also } from "@/kernel/http/wire.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { createLog } from "@/kernel/lib/log.ts";
import { JsonAnswer } from "@/kernel/lib/long-answers.ts";
import { kernel } from "../support/kernel.ts";
import type { Json } from "../support/requests.ts";

const mebibyte = 1_048_576;
const params = {
  text: z.string().default(""),
  n: also(z.int(), "number").optional(),
  ids: z.array(z.int()).optional(),
};
const echo = (id: string, method: Endpoint["method"], path: string, auth: Endpoint["auth"] = "none") =>
  endpoint(id, {
    about: "For this test.",
    method,
    path,
    auth,
    params,
    returns: { given: z.unknown() },
    run: (_, given) => ({ given }),
  });

const endpoints = [
  echo("echo-get", "GET", "/echo"),
  echo("echo-post", "POST", "/echo"),
  echo("echo-patch", "PATCH", "/echo"),
  echo("echo-delete", "DELETE", "/echo"),
  echo("echo-mine", "POST", "/mine", "user"),
  endpoint("get-thing", {
    about: "For this test.",
    method: "GET",
    path: "/things/{thing_id:[0-9]+}",
    auth: "none",
    params: { thing_id: z.int() },
    returns: { thing_id: z.unknown() },
    run: (_, { thing_id }) => ({ thing_id }),
  }),
  endpoint("edit-thing", {
    about: "For this test.",
    method: "PATCH",
    path: "/things/{thing_id}",
    auth: "none",
    params: { thing_id: z.string(), name: z.string().optional() },
    returns: { thing_id: z.unknown() },
    run: (_, { thing_id }) => ({ thing_id }),
  }),
  endpoint("who", {
    about: "For this test.",
    method: "GET",
    path: "/who",
    returns: { id: z.int(), client: z.string() },
    run: ({ actor }) => ({ id: actor.id, client: actor.client }),
  }),
  endpoint("picture", {
    about: "For this test.",
    method: "GET",
    path: "/picture",
    root: true,
    auth: "none",
    run: () => new RawAnswer(new Uint8Array([1, 2]), { "content-type": "image/png" }),
  }),
  endpoint("ready", {
    about: "For this test.",
    method: "GET",
    path: "/ready",
    auth: "none",
    run: () => new JsonAnswer(Buffer.from('{"result":"success","msg":"","n":1}')),
  }),
  endpoint("crash", {
    about: "For this test.",
    method: "GET",
    path: "/crash",
    auth: "none",
    run: () => {
      throw new Error("the flux is misaligned");
    },
  }),
  endpoint("later", {
    about: "For this test.",
    method: "GET",
    path: "/later",
    auth: "none",
    run: () => fail("RATE_LIMIT_HIT", "Too many.", { "retry-after": 30 }),
  }),
];

function door() {
  let logged = "";
  const log = createLog((text) => {
    logged += text;
  });
  const { ctx } = kernel();
  const app = httpApp({
    endpoints,
    log,
    ctx: (actor) => ({ ...ctx, actor }),
    authenticate: (authorization) => {
      if (authorization !== "Basic good") fail("UNAUTHORIZED", "Not logged in");
      return { userId: 5 };
    },
  });
  const send = async (method: string, path: string, init: RequestInit = {}) => {
    const response = await app.fetch(new Request(`http://x${path}`, { method, ...init }));
    const body: Json = JSON.parse(await response.text());
    return { status: response.status, body, headers: response.headers };
  };
  /** Sends a body with its declared length, as every client does. */
  const sendBody = (method: string, path: string, body: string, type?: string) => {
    const headers: Record<string, string> = { "content-length": String(Buffer.byteLength(body)) };
    if (type) headers["content-type"] = type;
    return send(method, path, { body: Buffer.from(body), headers });
  };
  const lines = (): Json[] => {
    log.flush();
    return logged
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };
  return { app, send, sendBody, lines };
}

const form = "application/x-www-form-urlencoded";

describe("where parameters are read", () => {
  const given = { text: "a b", n: 3 };

  test.each(["GET", "POST", "PATCH", "DELETE"])("the query string of %s", async (method) => {
    expect((await door().send(method, "/api/v1/echo?text=a+b&n=3")).body.given).toEqual(given);
  });

  test.each(["POST", "PATCH", "DELETE"])("a form body of %s", async (method) => {
    expect((await door().sendBody(method, "/api/v1/echo", "text=a+b&n=3", form)).body.given).toEqual(given);
  });

  test("a form with a charset, and a body without Content-Type", async () => {
    const { sendBody } = door();
    for (const type of [`${form}; charset=UTF-8`, undefined]) {
      expect((await sendBody("POST", "/api/v1/echo", "text=a+b&n=3", type)).body.given).toEqual(given);
    }
  });

  test("body and query mixed: the body wins, and the first value of a repeated name", async () => {
    const { body } = await door().sendBody("POST", "/api/v1/echo?n=3&text=query", "text=a+b&text=c", form);
    expect(body.given).toEqual(given);
  });

  test("multipart, as some libraries send every POST", async () => {
    const text = ["--xyz", 'Content-Disposition: form-data; name="text"', "", "a b", "--xyz"];
    const rest = ['Content-Disposition: form-data; name="n"', "", "3", "--xyz--", ""];
    const type = "multipart/form-data; boundary=xyz";
    const { body } = await door().sendBody("POST", "/api/v1/echo", [...text, ...rest].join("\r\n"), type);
    expect(body.given).toEqual(given);
  });

  test.each(["--xyz--\r\n", "--xyz--"])(
    "a multipart body that is only its end %j has no parameters",
    async (end) => {
      const sent = await door().sendBody(
        "POST",
        "/api/v1/echo?text=a",
        end,
        "multipart/form-data; boundary=xyz",
      );
      expect(sent).toMatchObject({ status: 200, body: { given: { text: "a" } } });
    },
  );

  test("a broken multipart body is refused", async () => {
    const sent = await door().sendBody(
      "POST",
      "/api/v1/echo",
      "--abc\r\nnope",
      "multipart/form-data; boundary=xyz",
    );
    expect(sent).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
  });

  test("no body at all, with or without a Content-Type", async () => {
    const { send } = door();
    const headers = { "content-type": form };
    for (const method of ["GET", "POST", "DELETE"]) {
      expect((await send(method, "/api/v1/echo", { headers })).body.given).toEqual({ text: "" });
      expect((await send(method, "/api/v1/echo")).body.given).toEqual({ text: "" });
    }
  });

  test("the path, whose parameters may be repeated in the form", async () => {
    const { sendBody } = door();
    const { body } = await sendBody(
      "PATCH",
      "/api/v1/things/narrow%2Fis%2Fstarred",
      "thing_id=5&name=x",
      form,
    );
    expect(body).toEqual({ result: "success", msg: "", thing_id: "narrow/is/starred" });
  });
});

describe("answers", () => {
  test("list unsupported parameters", async () => {
    const { body } = await door().sendBody("POST", "/api/v1/echo?b=1", "text=x&a=1", form);
    expect(body.ignored_parameters_unsupported).toEqual(["a", "b"]);
  });

  test("do not list supported parameters", async () => {
    const { body } = await door().send("GET", "/api/v1/echo?number=3");
    expect(body).toEqual({ result: "success", msg: "", given: { text: "", n: 3 } });
  });

  test("that are not JSON are sent unchanged", async () => {
    const response = await door().app.fetch(new Request("http://x/picture"));
    expect([
      response.headers.get("content-type"),
      new Uint8Array(await response.arrayBuffer()).length,
    ]).toEqual(["image/png", 2]);
  });

  test("that are already JSON text get the same additions", async () => {
    const { send } = door();
    const ready = { result: "success", msg: "", n: 1 };
    expect((await send("GET", "/api/v1/ready")).body).toEqual(ready);
    expect((await send("GET", "/api/v1/ready?a=1")).body).toEqual({
      ...ready,
      ignored_parameters_unsupported: ["a"],
    });
  });

  test("to a bug reveal nothing, and the log has the whole error", async () => {
    const { send, lines } = door();
    expect(await send("GET", "/api/v1/crash")).toMatchObject({
      status: 500,
      body: {
        result: "error",
        msg: "Something went wrong in the server. Its log has the error.",
        code: "INTERNAL_ERROR",
      },
    });
    expect(lines()[0]).toMatchObject({
      event: "unhandled_error",
      operation: "crash",
      error: expect.stringContaining("flux"),
    });
  });

  test("over the rate limit have Retry-After", async () => {
    const { status, headers } = await door().send("GET", "/api/v1/later");
    expect([status, headers.get("retry-after")]).toEqual([429, "30"]);
  });
});

describe("unknown paths and methods", () => {
  test.each(["/api/v1/nope", "/api/v1/things/4/5", "/nope", "/"])("%s is a JSON 404", async (path) => {
    const { status, body } = await door().send("GET", path);
    expect([status, body]).toEqual([
      404,
      { result: "error", msg: "There is nothing at this address.", code: "NOT_FOUND" },
    ]);
  });

  test("a wrong method is a JSON 405 that lists the right ones", async () => {
    const { status, body, headers } = await door().send("PUT", "/api/v1/echo");
    const allowed_methods = ["DELETE", "GET", "PATCH", "POST"];
    expect([status, body]).toEqual([
      405,
      {
        result: "error",
        msg: `This address does not accept that method, only ${allowed_methods.join(" and ")}.`,
        code: "BAD_REQUEST",
        allowed_methods,
      },
    ]);
    expect(headers.get("allow")).toBe("DELETE, GET, PATCH, POST");
  });

  test("a wrong method at a path with parameters is a 405 too", async () => {
    const { body } = await door().send("DELETE", "/api/v1/things/4");
    expect(body.allowed_methods).toEqual(["GET", "PATCH"]);
  });
});

describe("authentication", () => {
  test("a request without credentials gets a 401 that says how to send them", async () => {
    const { status, body, headers } = await door().send("GET", "/api/v1/who");
    expect([status, body.code]).toEqual([401, "UNAUTHORIZED"]);
    expect(headers.get("www-authenticate")).toStartWith("Basic realm=");
  });

  test("comes before parameters are checked", async () => {
    expect(await door().send("GET", "/api/v1/who?n=x")).toMatchObject({ status: 401 });
  });

  test("the client's name comes from its User-Agent", async () => {
    const headers = { authorization: "Basic good", "user-agent": "ZulipPython/0.9.1 (Linux)" };
    expect((await door().send("GET", "/api/v1/who", { headers })).body).toMatchObject({
      id: 5,
      client: "ZulipPython",
    });
    expect([clientName(undefined), clientName(""), clientName("/1"), clientName("x".repeat(40))]).toEqual([
      "Unspecified",
      "Unspecified",
      "Unspecified",
      "x".repeat(30),
    ]);
  });
});

describe.each([
  ["", "/api/v1/mine", mebibyte],
  [" from nobody", "/api/v1/echo", 65_536],
])("the size of a body%s", (_, path, maxBytes) => {
  const authorization = "Basic good";
  const chunked = (bytes: number, type: string, start = "text=") => {
    const head = Buffer.from(start);
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(head);
        for (let left = bytes - head.length; left > 0; left -= 65_536) {
          controller.enqueue(Buffer.alloc(Math.min(left, 65_536), "x"));
        }
        controller.close();
      },
    });
    return { body, headers: { authorization, "transfer-encoding": "chunked", "content-type": type } };
  };
  const tooLarge = {
    status: 413,
    body: {
      result: "error",
      code: "BAD_REQUEST",
      msg: `The request is too large: at most ${maxBytes} bytes are allowed.`,
    },
  };

  test("is refused by its declared length, before it is read", async () => {
    const body = new ReadableStream({ pull: () => expect.unreachable() }, { highWaterMark: 0 });
    const headers = { authorization, "content-length": String(maxBytes + 1), "content-type": form };
    expect(await door().send("POST", path, { body, headers })).toMatchObject(tooLarge);
  });

  test("is refused while it arrives, if no length is declared", async () => {
    const { send } = door();
    expect(await send("POST", path, chunked(maxBytes + 1, form))).toMatchObject(tooLarge);
    const multipart = chunked(maxBytes + 1, "multipart/form-data; boundary=x");
    expect(await send("POST", path, multipart)).toMatchObject(tooLarge);
  });

  test("may reach the limit", async () => {
    const { send } = door();
    const { body } = await send("POST", path, chunked(maxBytes, form));
    expect(body.given.text).toHaveLength(maxBytes - 5);
    const headers = { authorization, "content-length": String(maxBytes), "content-type": form };
    const whole = { body: Buffer.from(`text=${"x".repeat(maxBytes - 5)}`), headers };
    const declared = await send("POST", path, whole);
    expect(declared.body.given.text).toHaveLength(maxBytes - 5);
  });
});

describe("the log", () => {
  test("has a line for each request: operation, status, duration, user", async () => {
    const { send, lines } = door();
    await send("GET", "/api/v1/who", { headers: { authorization: "Basic good" } });
    await send("GET", "/api/v1/who");
    await send("GET", "/api/v1/nope");
    await send("PUT", "/api/v1/echo");
    expect(lines()).toMatchObject([
      { event: "request", level: "info", operation: "who", status: 200, user_id: 5, ms: expect.any(Number) },
      { event: "login_refused", level: "warn", operation: "who", reason: "UNAUTHORIZED" },
      { event: "request", operation: "who", status: 401 },
      { event: "request", operation: "none", status: 404 },
      { event: "request", operation: "none", status: 405 },
    ]);
  });

  test("contains neither credentials nor parameters", async () => {
    const { send, sendBody, lines } = door();
    await sendBody("POST", "/api/v1/echo?text=hush-query", "text=hush-body", form);
    await sendBody("POST", "/api/v1/echo", "n=hush-broken", form);
    await send("GET", "/api/v1/who", { headers: { authorization: "Basic hush-key" } });
    await send("GET", "/api/v1/hush-path");
    expect(lines()).toHaveLength(5);
    expect(JSON.stringify(lines())).not.toContain("hush");
  });

  test("buffers lines for a moment, and writes errors at once", async () => {
    const chunks: string[] = [];
    const log = createLog((text) => chunks.push(text));
    log.info("a");
    log.info("b");
    expect(chunks).toEqual([]);
    log.error("c");
    expect(chunks.map((chunk) => chunk.trim().split("\n").length)).toEqual([3]);
    log.flush();
    expect(chunks).toHaveLength(1);
  });
});
