// Serves endpoints over HTTP: finds, authenticates, decodes, runs, wraps, logs. The only file that imports hono.
import { type Context, Hono } from "hono";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { type AdmissionOptions, admit } from "./admission.ts";
import type { AnswerHeaders } from "./compression.ts";
import type { Actor, Ctx } from "./context.ts";
import { allowedMethods, type Body, type Door, doorsOf, type Endpoint, RawAnswer } from "./endpoint.ts";
import { AppError, RefusedLogin } from "./errors.ts";
import {
  errorResponse,
  jsonHeaders,
  type LargeAnswerListener,
  noted,
  successResponse,
} from "./http-answers.ts";
import type { Log } from "./log.ts";
import { fieldsAlone, readBody, readQuery } from "./request-body.ts";
import { addressOf, enteredElsewhere, type Facts, factsOf, siteAsked } from "./request-facts.ts";
import { type Route, routed } from "./routes.ts";
import type { Decoder } from "./wire.ts";

export interface HttpOptions extends AdmissionOptions {
  endpoints: readonly Endpoint[];
  ctx: (actor: Actor) => Ctx;
  log: Log;
  onLargeAnswer?: LargeAnswerListener;
  /** The page for a browser at an unknown address; null for programs. */
  absentPage?: (request: Request) => Response | null;
  /** Called with every successful answer: tests compare it with `returns`. */
  onAnswer?: (endpoint: Endpoint, body: unknown) => void;
}

/** Max length of a failed login's name in the log. */
const maxAccountLength = 256;

/** Serves all endpoints; answers unknown paths and methods with JSON errors. */
export function httpApp(options: HttpOptions): Hono {
  const fixed = new Hono({ router: new RegExpRouter() });
  const patterned = new Hono();
  for (const endpoint of options.endpoints) {
    const app = endpoint.path.includes("{") ? patterned : fixed;
    const route = routed(endpoint);
    for (const [prefix, door] of doorsOf(endpoint)) {
      app.on(endpoint.method, prefix + route.path, requestRunner(endpoint, { ...options, door, route }));
    }
  }
  // Most requests have a fixed path, which the fast router finds in one step; it cannot hold all the patterns.
  fixed.notFound((c) => patterned.fetch(c.req.raw, c.env));
  patterned.notFound((c) => unknownPath(c, options));
  return fixed;
}

interface Options extends HttpOptions {
  door: Door;
  route: Route;
}

function requestRunner(endpoint: Endpoint, options: Options): (c: Context) => Promise<Response> {
  const { inPath, decode } = options.route;
  const { log } = options;

  return async (c) => {
    const started = performance.now();
    let status = 500;
    let userId = 0;
    const headers: AnswerHeaders = { ...jsonHeaders };
    const facts = factsOf(c, options);
    try {
      const actor = await admit(endpoint, { c, facts, headers, options, door: options.door });
      userId = actor.id;
      const passed = await passedOn(c, { endpoint, options, headers });
      if (passed) {
        status = passed.status;
        return passed;
      }
      const ctx = options.ctx(actor);
      const body = await bodyOf(c, endpoint, ctx);
      try {
        const given = givenTo(c, body.fields, inPath);
        facts.files = body.files;
        const response = await answer(c, { endpoint, options, decode, given, facts, ctx, headers });
        status = response.status;
        return withCookies(response, facts);
      } finally {
        body.discard();
      }
    } catch (error) {
      if (error instanceof RefusedLogin) logRefusal(c, error, { endpoint, options });
      const { door } = options;
      const response = errorResponse(error, { operation: endpoint.id, log, headers, door });
      status = response.status;
      return withCookies(response, facts);
    } finally {
      const ms = Math.round((performance.now() - started) * 100) / 100;
      log.info("request", { operation: endpoint.id, status, ms, user_id: userId || undefined });
    }
  };
}

interface Target {
  endpoint: Endpoint;
  options: HttpOptions;
}

/** The leader's answer, if this node passes such requests on; null if it answers itself. */
async function passedOn(
  c: Context,
  { endpoint, options, headers }: Target & { headers: AnswerHeaders },
): Promise<Response | null> {
  const { relay } = options;
  // A request is passed on only once: two nodes that each consider the other the leader would pass it on forever.
  if (!relay || relay.leads || endpoint.servedBy === "here" || enteredElsewhere(c)) return null;
  const entered = { address: addressOf(c, options), site: siteAsked(c, options) };
  const response = await relay.pass(c.req, entered);
  if (!response) return null;
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith("x-ratelimit-")) response.headers.set(name, value);
  }
  return response;
}

/** Logs the line from which tools such as fail2ban learn which addresses to block: docs/fail2ban.md. */
function logRefusal(c: Context, { reason, account }: RefusedLogin, { endpoint, options }: Target): void {
  const tried = account?.slice(0, maxAccountLength) ?? null;
  const address = addressOf(c, options);
  options.log.warn("login_refused", { operation: endpoint.id, address, account: tried, reason });
}

async function bodyOf(c: Context, endpoint: Endpoint, ctx: Ctx): Promise<Body> {
  if (endpoint.body) return endpoint.body(ctx, c.req);
  return fieldsAlone(hasNoBody(c) ? new Map<string, string>() : await readBody(c.req, ctx.actor.kind));
}

function givenTo(c: Context, given: Map<string, string>, inPath: readonly string[]): Map<string, string> {
  readQuery(c.req.url, given);
  for (const name of inPath) given.set(name, pathParam(c, name));
  return given;
}

function withCookies(response: Response, { cookies }: Facts): Response {
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}

interface Asked {
  endpoint: Endpoint;
  options: HttpOptions;
  decode: Decoder;
  given: Map<string, string>;
  facts: Facts;
  ctx: Ctx;
  headers: AnswerHeaders;
}

async function answer(c: Context, asked: Asked): Promise<Response> {
  const { endpoint, options, decode, given, facts, ctx, headers } = asked;
  const { params, ignored } = decode(given);
  const result = (await endpoint.run(ctx, params, facts)) ?? {};
  const note = <B>(body: B) => noted(body, c.env, options.onLargeAnswer);
  if (result instanceof RawAnswer) {
    if (result.refusal) logRefusal(c, result.refusal, asked);
    return new Response(note(result.body), result);
  }
  options.onAnswer?.(endpoint, result);
  return successResponse(c.req, result, { ignored, headers, note });
}

function pathParam(c: Context, name: string): string {
  return c.req.param(name) ?? "";
}

const hasNoBody = (c: Context) => c.req.method === "GET" || c.req.method === "HEAD";

function unknownPath(c: Context, options: HttpOptions): Response {
  const allowed = allowedMethods(new URL(c.req.url).pathname, options.endpoints);
  options.log.info("request", { operation: "none", status: allowed.length > 0 ? 405 : 404 });
  const how = { operation: "none", log: options.log, headers: { ...jsonHeaders } as AnswerHeaders };
  if (allowed.length === 0) {
    const page = options.absentPage?.(c.req.raw);
    if (page) return page;
    return errorResponse(new AppError("NOT_FOUND", "There is nothing at this address."), how);
  }
  const error = new AppError(
    "METHOD_NOT_ALLOWED",
    `This address does not accept that method, only ${allowed.join(" and ")}.`,
    { allowed_methods: allowed },
  );
  how.headers.allow = allowed.join(", ");
  return errorResponse(error, how);
}
