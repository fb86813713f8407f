// HTTP over the endpoints: find, authenticate, decode, run, wrap, log. The only file that imports hono.
import { type Context, Hono } from "hono";
import { RegExpRouter } from "hono/router/reg-exp-router";
import type { Actor, Ctx } from "./context.ts";
import { type Answer, type Endpoint, JsonAnswer, RawAnswer, type RequestFacts } from "./endpoint.ts";
import { AppError } from "./errors.ts";
import type { Log } from "./log.ts";
import { readBody } from "./request-body.ts";
import { type Decoder, decoder, readForm } from "./wire.ts";

export interface HttpOptions {
  endpoints: readonly Endpoint[];
  /** The ID of the user a request's Authorization header names; throws 401 errors. */
  authenticate: (authorization: string | undefined) => number;
  ctx: (actor: Actor) => Ctx;
  log: Log;
  /** Sees every successful answer: tests hold it against `returns`. */
  onAnswer?: (endpoint: Endpoint, body: unknown) => void;
}

const json = { "content-type": "application/json", "x-content-type-options": "nosniff" };
const clientNameLength = 30;

/** The HTTP door: a `fetch` over all endpoints, JSON errors for unknown paths and methods included. */
export function httpApp(options: HttpOptions): Hono {
  const fixed = new Hono({ router: new RegExpRouter() });
  const patterned = new Hono();
  for (const endpoint of options.endpoints) {
    const app = endpoint.path.includes("{") ? patterned : fixed;
    app.on(endpoint.method, routeOf(endpoint), requestRunner(endpoint, options));
  }
  // Most requests have a fixed path, which the quick router finds in one look; it cannot hold all the patterns.
  fixed.notFound((c) => patterned.fetch(c.req.raw, c.env));
  patterned.notFound((c) => unknownPath(c, options));
  return fixed;
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
  const isOpen = endpoint.auth === "none";
  return {
    kind: isOpen ? "anonymous" : "user",
    id: isOpen ? 0 : options.authenticate(c.req.header("authorization")),
    get client() {
      return clientName(c.req.header("user-agent"));
    },
  };
}

/** The product token of a User-Agent: what precedes the first slash. */
export function clientName(userAgent = ""): string {
  const slash = userAgent.indexOf("/");
  const name = (slash < 0 ? userAgent : userAgent.slice(0, slash)).trim();
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
  const given = hasNoBody(c) ? new Map<string, string>() : await readBody(c.req);
  readQuery(c.req.url, given);
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

interface NodeParts {
  incoming?: { socket?: { remoteAddress?: string } };
  outgoing?: { once(event: "close", listener: () => void): void };
}

function factsOf(c: Context): RequestFacts {
  const { incoming, outgoing } = (c.env ?? {}) as NodeParts;
  return {
    get address() {
      return incoming?.socket?.remoteAddress ?? "local";
    },
    onHangUp(listener) {
      // On a socket this costs less than an abort signal; what ended as it should sees a late, harmless call.
      if (outgoing) outgoing.once("close", listener);
      else c.req.raw.signal.addEventListener("abort", listener, { once: true });
    },
  };
}

const hasNoBody = (c: Context) => c.req.method === "GET" || c.req.method === "HEAD";

/** Adds the parameters of the query string, whatever the method; those of the body win. */
function readQuery(url: string, given: Map<string, string>): void {
  const at = url.indexOf("?");
  if (at >= 0) readForm(url.slice(at + 1).split("#", 1)[0] as string, given);
}

/** Words an error for the client; one that is not an AppError is a bug, and is logged in full. */
function errorResponse(error: unknown, operation: string, log: Log): Response {
  if (!(error instanceof AppError)) {
    log.error("bug", {
      operation,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
    return errorResponse(
      new AppError("INTERNAL_ERROR", "Something went wrong in the server; the fault is in its log."),
      operation,
      log,
    );
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
  const error = new AppError(
    "METHOD_NOT_ALLOWED",
    `This address takes no such method, but ${allowed.join(" and ")}.`,
    { allowed_methods: allowed },
  );
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
