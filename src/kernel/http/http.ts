// Serves endpoints over HTTP. The only file that imports hono.
import { type Context, Hono } from "hono";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { AppError } from "@/kernel/lib/errors.ts";
import type { AnswerHeaders } from "./compression.ts";
import { type Answered, allowedMethods, doorsOf, type Endpoint } from "./endpoint.ts";
import { errorAnswer, jsonHeaders, responseOf } from "./http-answers.ts";
import { RepeatedRefusals } from "./repeated-refusals.ts";
import { type Runner, type RunnerOptions, requestRunner } from "./request-runner.ts";
import { routed } from "./routes.ts";

export interface HttpOptions extends RunnerOptions {
  endpoints: readonly Endpoint[];
  /** The page for a browser at an unknown address; null for programs. */
  absentPage?: (request: Request) => Response | null;
}

export interface HttpApp {
  fetch(request: Request, env?: unknown): Response | Promise<Response>;
  /** The runner of an endpoint whose address has no variable part, and that leaves reading the body to the kernel. */
  runnerFor(method: string, path: string): Runner | undefined;
}

/** Serves all endpoints; answers unknown paths and methods with JSON errors. */
export function httpApp(options: HttpOptions): HttpApp {
  const fixed = new Hono({ router: new RegExpRouter() });
  const patterned = new Hono();
  const runners = new Map<string, Map<string, Runner>>();
  const repeats = new RepeatedRefusals(options.log);
  for (const endpoint of options.endpoints) {
    const isFixed = !endpoint.path.includes("{");
    const app = isFixed ? fixed : patterned;
    const route = routed(endpoint);
    for (const [prefix, door] of doorsOf(endpoint)) {
      const run = requestRunner(endpoint, { ...options, door, route, repeats });
      const path = prefix + route.path;
      app.on(endpoint.method, path, (c) => run(c).then(responseTo));
      if (!isFixed || endpoint.body) continue;
      const ofMethod = runners.get(endpoint.method) ?? new Map<string, Runner>();
      runners.set(endpoint.method, ofMethod.set(path, run));
    }
  }
  // Most requests have a fixed path, which the fast router finds in one step; it cannot hold all the patterns.
  fixed.notFound((c) => patterned.fetch(c.req.raw, c.env));
  patterned.notFound((c) => unknownPath(c, options));
  return {
    fetch: (request, env) => fixed.fetch(request, env as object | undefined),
    runnerFor: (method, path) => runners.get(method)?.get(path),
  };
}

/** As a response for the HTTP library. */
export function responseTo(answered: Answered): Response {
  if (!answered.own) return answered.passed;
  const response = responseOf(answered.own);
  for (const cookie of answered.cookies) response.headers.append("set-cookie", cookie);
  return response;
}

function unknownPath(c: Context, options: HttpOptions): Response {
  const allowed = allowedMethods(new URL(c.req.url).pathname, options.endpoints);
  options.log.info("request", { operation: "none", status: allowed.length > 0 ? 405 : 404 });
  const how = { operation: "none", log: options.log, headers: { ...jsonHeaders } as AnswerHeaders };
  if (allowed.length === 0) {
    const page = options.absentPage?.(c.req.raw);
    if (page) return page;
    return responseOf(errorAnswer(new AppError("NOT_FOUND", "There is nothing at this address."), how));
  }
  const error = new AppError(
    "METHOD_NOT_ALLOWED",
    `This address does not accept that method, only ${allowed.join(" and ")}.`,
    { allowed_methods: allowed },
  );
  how.headers.allow = allowed.join(", ");
  return responseOf(errorAnswer(error, how));
}
