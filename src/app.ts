// The core behind HTTP.
import type { Database } from "bun:sqlite";
import { type Core, type CoreOptions, coreOn, openFolder } from "@/core.ts";
import { domains } from "@/domains.ts";
import { authenticate, authenticateKey } from "@/foundation/auth/access.ts";
import { refuseForged } from "@/foundation/auth/forgery.ts";
import { operatorIn, takeOperatorToken } from "@/foundation/auth/operator-token.ts";
import { type RateLimits, rateLimiter } from "@/foundation/auth/request-limits.ts";
import { sessionUser } from "@/foundation/sessions/access.ts";
import { systemClock } from "@/kernel/clock.ts";
import type { Ctx } from "@/kernel/context.ts";
import type { Endpoint } from "@/kernel/endpoint.ts";
import { httpApp } from "@/kernel/http.ts";
import type { NodeParts } from "@/kernel/http-answers.ts";
import type { Relay } from "@/kernel/relay.ts";
import { shareOfMemory } from "@/memory.ts";
import { countersOf, countingLog } from "@/operations/metrics/counters.ts";
import { absentPage } from "@/outside/web/pages.ts";
import { unreadAnswers } from "@/unread-answers.ts";

export interface OpenOptions extends CoreOptions {
  /** `site` is only what this machine listens on: each client is told the address that it asked for. */
  followsHost?: boolean;
  /** Who asks, where it is not for the request's own credentials to say. */
  authenticate?: (authorization: string | undefined) => number;
  /** Requests a minute; absent: no limit. */
  rateLimits?: RateLimits;
  /** True for addresses of reverse proxies before this server: the client addresses that they forward are trusted. */
  isProxy?: (address: string) => boolean;
  /** Bytes that all answers which clients have not read yet may occupy. */
  answerMemory?: number;
  onAnswer?: (endpoint: Endpoint, body: unknown) => void;
  /** Passes requests on to the leading node; absent for a standalone server. */
  relay?: Relay | undefined;
  /** With which commands beside the data folder of a node prove that they may act for the operator. */
  operatorToken?: string | undefined;
}

export interface App extends Core {
  readonly fetch: (request: Request, env?: unknown) => Response | Promise<Response>;
}

/** Opens a data folder, which it creates if necessary, and brings its database up to date. */
export function open(dataDir: string, options: OpenOptions = {}): App {
  return openFolder(dataDir, (sqlite, files) => openOn(sqlite, { files, ...options }));
}

/**
 * Requests see what a command beside the server acknowledged before they were sent. Those that the event loop hands over
 * in one turn had all arrived when the first of them looked.
 */
function lookingAround(system: Ctx): () => void {
  let isDone = false;
  const begin = () => {
    isDone = false;
  };
  return () => {
    if (isDone) return;
    isDone = true;
    setImmediate(begin);
    try {
      system.db.noticeOthers(system);
    } catch {
      // If the database cannot be read, the request itself fails, and the watch for other processes logs why.
    }
  };
}

/** As `open`, on a database that is open already. */
export function openOn(sqlite: Database, options: OpenOptions = {}): App {
  const core = coreOn(sqlite, options);
  const { ctx, system, log } = core;
  const { db, site } = core.env;
  const { clock = systemClock, answerMemory = shareOfMemory() } = options;
  if (options.operatorToken !== undefined) takeOperatorToken(system, options.operatorToken);
  const counted = countingLog(log, () => countersOf(db));
  const http = httpApp({
    endpoints: domains.flatMap((domain) => domain.endpoints ?? []),
    authenticate:
      options.authenticate ?? ((header) => operatorIn(system, header) ?? authenticate(system, header)),
    authenticateKey: (key) => authenticateKey(system, key),
    sessionUser: (request) => sessionUser(ctx(system.actor), request),
    ctx,
    log: counted,
    charge: options.rateLimits && rateLimiter(clock, options.rateLimits),
    isProxy: options.isProxy,
    onLargeAnswer: unreadAnswers(answerMemory, log),
    followsHost: options.followsHost,
    onAnswer: options.onAnswer,
    absentPage,
    relay: options.relay,
  });
  const lookAround = lookingAround(system);
  return {
    ...core,
    fetch: (request, env) => {
      lookAround();
      // Another node that passes a request on has looked already, at the address that the client asked.
      const isChecked = (env as NodeParts | undefined)?.entered !== undefined;
      const refusal = isChecked ? null : refuseForged(request, { site, log: counted });
      return refusal ?? http.fetch(request, env);
    },
  };
}
