// HTTP over the endpoints: find, authenticate, decode, run, wrap, log. The only file that imports hono.
import { type Context, Hono } from "hono";
import type { Actor, Ctx } from "./context.ts";
import { type Answer, type Endpoint, JsonAnswer, RawAnswer, type RequestFacts } from "./endpoint.ts";
import { AppError, fail } from "./errors.ts";
import type { Log } from "./log.ts";
import { type Decoder, decoder, readForm, readMultipart } from "./wire.ts";

export interface HttpOptions {
  endpoints: readonly Endpoint[];
  /** The actor a request's Authorization header names; throws 401 errors. */
  authenticate: (authorization: string | undefined, client: string) => Actor;
  ctx: (actor: Actor) => Ctx;
  log: Log;
  /** Sees every successful answer: tests hold it against `returns`. */
  onAnswer?: (endpoint: Endpoint, body: unknown) => void;
}

const maxBodyBytes = 1_048_576;
const json = { "content-type": "application/json" };
const clientNameLength = 30;

/** The HTTP door: a `fetch` over all endpoints, JSON errors for unknown paths and methods included. */
export function httpApp(options: HttpOptions): Hono {
  const app = new Hono();
  for (const endpoint of options.endpoints) {
    app.on(endpoint.method, routeOf(endpoint), requestRunner(endpoint, options));
  }
  app.notFound((c) => unknownPath(c, options));
  return app;
}

function routeOf({ root, path }: Endpoint): string {
  return (
    (root ? "" : "/api/v1") +
    path.replaceAll(/\{(\w+)(?::([^}]+))?\}/g, (_, name, pattern) => {
      return pattern ? `:${name}{${pattern}}` : `:${name}`;
    })
  );
}

function requestRunner(endpoint: Endpoint, options: HttpOptions): (c: Context) => Promise<Response> {
  const inPath = [...endpoint.path.matchAll(/\{(\w+)/g)].map((match) => match[1] as string);
  const decode = decoder(endpoint.params, inPath);
  const { log } = options;

  return async (c) => {
    const started = performance.now();
    let status = 500;
    let userId = 0;
    try {
      const actor = actorOf(c, endpoint, options);
      userId = actor.id;
      const response = await answer(c, endpoint, options, decode, inPath, actor);
      status = response.status;
      return response;
    } catch (error) {
      const response = errorResponse(error, endpoint.id, log);
      status = response.status;
      return response;
    } finally {
      const ms = Math.round((performance.now() - started) * 100) / 100;
      log.info("request", { operation: endpoint.id, status, ms, user_id: userId || undefined });
    }
  };
}

function actorOf(c: Context, endpoint: Endpoint, options: HttpOptions): Actor {
  const client = clientName(c.req.header("user-agent"));
  if (endpoint.auth === "none") return { kind: "anonymous", id: 0, client };
  return options.authenticate(c.req.header("authorization"), client);
}

/** The product token of a User-Agent: what precedes the first slash. */
export function clientName(userAgent: string | undefined): string {
  const name = (userAgent ?? "").split("/", 1)[0]?.trim() ?? "";
  return name === "" ? "Unspecified" : name.slice(0, clientNameLength);
}

async function answer(
  c: Context,
  endpoint: Endpoint,
  options: HttpOptions,
  decode: Decoder,
  inPath: string[],
  actor: Actor,
): Promise<Response> {
  const given = await readParams(c);
  for (const name of inPath) given.set(name, pathParam(c, name));
  const { params, ignored } = decode(given);
  const result = await endpoint.run(options.ctx(actor), params, factsOf(c));
  if (result instanceof RawAnswer) return new Response(result.body, result);
  options.onAnswer?.(endpoint, result);
  return new Response(wrap(result, ignored), { headers: json });
}

function wrap(result: Answer, ignored: string[]): string {
  const unsupported = ignored.length > 0 ? { ignored_parameters_unsupported: ignored } : undefined;
  if (result instanceof JsonAnswer) {
    return unsupported ? `${result.text.slice(0, -1)},${JSON.stringify(unsupported).slice(1)}` : result.text;
  }
  return JSON.stringify({ result: "success", msg: "", ...result, ...unsupported });
}

function pathParam(c: Context, name: string): string {
  return c.req.param(name) ?? "";
}

function factsOf(c: Context): RequestFacts {
  const incoming = (c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined)?.incoming;
  return {
    address: incoming?.socket?.remoteAddress ?? "local",
    get signal() {
      return c.req.raw.signal;
    },
  };
}

/** Parameters of the body and of the query string, whatever the method; the body wins. */
async function readParams(c: Context): Promise<Map<string, string>> {
  const given = new Map<string, string>();
  const { method, url } = c.req;
  if (method !== "GET" && method !== "HEAD") await readBody(c, given);
  const at = url.indexOf("?");
  if (at >= 0) readForm(url.slice(at + 1).split("#", 1)[0] as string, given);
  return given;
}

async function readBody(c: Context, given: Map<string, string>): Promise<void> {
  const length = c.req.header("content-length");
  if (length === "0" || (length === undefined && c.req.header("transfer-encoding") === undefined)) return;
  if (length !== undefined && Number(length) > maxBodyBytes) tooLarge();
  const contentType = c.req.header("content-type") ?? "";
  if (contentType.startsWith("multipart/form-data")) {
    return readMultipart(await bodyBytes(c, length), contentType, given);
  }
  if (contentType !== "" && !contentType.startsWith("application/x-www-form-urlencoded")) return;
  const text =
    length === undefined ? new TextDecoder().decode(await bodyBytes(c, length)) : await c.req.text();
  readForm(text, given);
}

/** The body's bytes; one of undeclared length is read no further than the limit. */
async function bodyBytes(c: Context, length: string | undefined): Promise<Uint8Array<ArrayBuffer>> {
  if (length !== undefined) return new Uint8Array(await c.req.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of c.req.raw.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBodyBytes) tooLarge();
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function tooLarge(): never {
  fail("BODY_TOO_LARGE", `The request is too large: at most ${maxBodyBytes} bytes are allowed.`);
}

/** Words an error for the client; one that is not an AppError is a bug, and is logged in full. */
function errorResponse(error: unknown, operation: string, log: Log): Response {
  if (!(error instanceof AppError)) {
    log.error("bug", {
      operation,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
    return errorResponse(new AppError("INTERNAL_ERROR", "Internal server error"), operation, log);
  }
  if (error.cause) log.error("store", { operation, error: String(error.cause) });
  const headers: Record<string, string> = { ...json };
  if (error.status === 401) headers["www-authenticate"] = 'Basic realm="confab"';
  const retryAfter = error.data["retry-after"];
  if (retryAfter !== undefined) headers["retry-after"] = String(retryAfter);
  return new Response(JSON.stringify(error.toWire()), { status: error.status, headers });
}

function unknownPath(c: Context, options: HttpOptions): Response {
  const allowed = allowedMethods(new URL(c.req.url).pathname, options.endpoints);
  options.log.info("request", { operation: "none", status: allowed.length > 0 ? 405 : 404 });
  if (allowed.length === 0) {
    return errorResponse(new AppError("NOT_FOUND", "There is nothing at this address."), "none", options.log);
  }
  const error = new AppError("METHOD_NOT_ALLOWED", "Method Not Allowed", { allowed_methods: allowed });
  const response = errorResponse(error, "none", options.log);
  response.headers.set("allow", allowed.join(", "));
  return response;
}

function allowedMethods(pathname: string, endpoints: readonly Endpoint[]): string[] {
  const matching = endpoints.filter((endpoint) => pathPattern(endpoint).test(pathname));
  return [...new Set(matching.map((endpoint) => endpoint.method))].sort();
}

function pathPattern({ root, path }: Endpoint): RegExp {
  const source = path.replaceAll(/\{\w+(?::([^}]+))?\}/g, (_, pattern) => `(?:${pattern ?? "[^/]+"})`);
  return new RegExp(`^${root ? "" : "/api/v1"}${source}$`);
}
