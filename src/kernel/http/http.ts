// Serves endpoints over HTTP. The only file that imports hono.
import { type Context, Hono } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import type { H, RouterRoute } from "hono/types";
import { AppError, englishOnly } from "@/kernel/lib/errors.ts";
import type { AnswerHeaders } from "./compression.ts";
import { type Answered, doorsOf, type Endpoint, listAllowedMethods } from "./endpoint.ts";
import { errorAnswer, jsonHeaders, responseOf } from "./http-answers.ts";
import { RepeatedRefusals } from "./repeated-refusals.ts";
import { type Runner, type RunnerOptions, requestRunner } from "./request-runner.ts";
import { routeOf } from "./routes.ts";

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
  // One router, whatever the paths are: the one that Hono would choose cannot hold all of them, and tries two.
  const router = new TrieRouter<[H, RouterRoute]>();
  const app = new Hono({ router });
  /** The runners that the fast path may use, by the handlers that the router finds. */
  const runners = new Map<H, Runner>();
  const repeats = new RepeatedRefusals(options.log);
  const isFixed = ({ path }: Endpoint) => !path.includes("{");
  // Of the routes that match a path, the router takes the one that came first: "/users/me" is no user's ID.
  const inOrder = [...options.endpoints.filter(isFixed), ...options.endpoints.filter((one) => !isFixed(one))];
  for (const endpoint of inOrder) {
    const route = routeOf(endpoint);
    for (const [prefix, door] of doorsOf(endpoint)) {
      const run = requestRunner(endpoint, { ...options, door, route, repeats });
      const handler: H = (c) => run(c).then(responseTo);
      app.on(endpoint.method, prefix + route.path, handler);
      if (isFixed(endpoint) && !endpoint.body) runners.set(handler, run);
    }
  }
  app.notFound((c) => unknownPath(c, options));
  return {
    fetch: (request, env) => app.fetch(request, env as object | undefined),
    runnerFor: (method, path) => {
      const [[found] = []] = router.match(method, path);
      return found && runners.get(found[0][0]);
    },
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
  const allowed = listAllowedMethods(new URL(c.req.url).pathname, options.endpoints);
  options.log.info("request", { operation: "none", status: allowed.length > 0 ? 405 : 404 });
  const how = { operation: "none", log: options.log, headers: { ...jsonHeaders } as AnswerHeaders };
  if (allowed.length === 0) {
    const page = options.absentPage?.(c.req.raw);
    if (page) return page;
    return responseOf(
      errorAnswer(new AppError("NOT_FOUND", englishOnly("There is nothing at this address.")), how),
    );
  }
  const error = new AppError(
    "METHOD_NOT_ALLOWED",
    englishOnly(`This address does not accept that method, only ${allowed.join(" and ")}.`),
    { allowed_methods: allowed },
  );
  how.headers.allow = allowed.join(", ");
  return responseOf(errorAnswer(error, how));
}
