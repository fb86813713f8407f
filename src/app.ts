// The core behind HTTP.
import type { Database } from "bun:sqlite";
import { type Core, type CoreOptions, coreOn, openFolder } from "@/core.ts";
import { domains } from "@/domains.ts";
import { authenticate, authenticateKey } from "@/foundation/auth/access.ts";
import { refuseForged, type Suspect } from "@/foundation/auth/forgery.ts";
import { refuseElsewhere } from "@/foundation/auth/loopback.ts";
import { operatorIn, operatorScheme, takeOperatorToken } from "@/foundation/auth/operator-token.ts";
import { type RateLimits, rateLimiter } from "@/foundation/auth/request-limits.ts";
import { sessionUser } from "@/foundation/sessions/access.ts";
import { arrivalPath, handoverPath } from "@/foundation/sessions/schema.ts";
import { noteHere } from "@/foundation/user-activity/access.ts";
import { wordError } from "@/foundation/user-settings/wording.ts";
import { shareOfMemory } from "@/memory.ts";
import { watcherIn } from "@/operations/metrics/access.ts";
import { countersOf, countingLog } from "@/operations/metrics/counters.ts";
import { absentPage } from "@/outside/web/pages.ts";
import { unreadAnswers } from "@/unread-answers.ts";
import type { Ctx } from "./kernel/core/context.ts";
import type { Admitted } from "./kernel/http/admission.ts";
import type { Endpoint } from "./kernel/http/endpoint.ts";
import { type FastPath, fastPath } from "./kernel/http/fast-path.ts";
import type { Forwarder } from "./kernel/http/forwarding.ts";
import { httpApp } from "./kernel/http/http.ts";
import { type NodeParts, responseOf } from "./kernel/http/http-answers.ts";
import { noticeUnlistedProxies } from "./kernel/http/unlisted-proxies.ts";
import { systemClock } from "./kernel/lib/clock.ts";
import { silentLog } from "./kernel/lib/log.ts";

export interface OpenOptions extends CoreOptions {
  /** Set if `site` is only the address that this machine listens on: answers then use the address that the client asked. */
  followsHost?: boolean;
  /** Replaces the check of the Authorization header; returns the ID of the user. */
  authenticate?: (authorization: string | undefined) => Admitted;
  /** Requests a minute; absent: no limit. */
  rateLimits?: RateLimits;
  /** True for addresses of reverse proxies before this server: the client addresses that they forward are trusted. */
  isProxy?: (address: string) => boolean;
  /** Called once for each address that seems to be a reverse proxy, but is not trusted. */
  onUnlistedProxy?: (address: string) => void;
  /** Bytes that all answers which clients have not read yet may occupy. */
  answerMemory?: number;
  onAnswer?: (endpoint: Endpoint, body: unknown) => void;
  /** Passes requests on to the leading node; absent for a standalone server. */
  forwarder?: Forwarder | undefined;
  /** By this token, commands next to a node's data folder prove that they act for the operator. */
  operatorToken?: string | undefined;
}

export interface App extends Core {
  readonly fetch: (request: Request, env?: unknown) => Response | Promise<Response>;
  /** Answers a usual request and returns true; leaves an unusual one alone. */
  readonly answerFast: FastPath;
}

/** Opens a data folder, which it creates if necessary, and brings its database up to date. */
export function open(dataDir: string, options: OpenOptions = {}): App {
  return openFolder(dataDir, (sqlite, files) => openOn(sqlite, { files, ...options }));
}

/**
 * Before a request, takes in what other processes have committed, so that it sees whatever a command acknowledged before the
 * request was sent. Requests that arrive in one turn of the event loop share one check.
 */
function catchingUp(system: Ctx): () => void {
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
      options.authenticate ??
      ((header, connection) => {
        const operator = operatorIn(system, header);
        return operator === null ? authenticate(system, header, connection) : { userId: operator };
      }),
    authenticateKey: (key) => authenticateKey(system, key),
    admitWatcher: (header) => watcherIn(system, header),
    sessionUser: (request) => sessionUser(ctx(system.actor), request),
    // The operator, who may ask in a person's name, is not that person.
    onActive: (id, request) => {
      const isOperator = request.header("authorization")?.startsWith(`${operatorScheme} `) ?? false;
      if (!isOperator) noteHere({ db, now: clock.now() }, id);
    },
    ctx,
    log: counted,
    unwritten: countingLog(silentLog, () => countersOf(db)),
    charge: options.rateLimits && rateLimiter(clock, options.rateLimits),
    isProxy: options.isProxy,
    onReceived: noticeUnlistedProxies({ isProxy: options.isProxy, log, onFound: options.onUnlistedProxy }),
    onLargeAnswer: unreadAnswers(answerMemory, log),
    followsHost: options.followsHost,
    onAnswer: options.onAnswer,
    wording: (sentence, asked) => wordError(system, sentence, asked),
    absentPage,
    forwarder: options.forwarder,
  });
  const catchUp = catchingUp(system);
  const refusalOf = (request: Suspect) => {
    catchUp();
    // Another node's page asks here, and the endpoints check that.
    if ([handoverPath, arrivalPath].includes(URL.parse(request.url)?.pathname ?? "")) return null;
    const elsewhere = options.isDevelopment ? refuseElsewhere(request, counted) : null;
    return elsewhere ?? refuseForged(request, { site, log: counted });
  };
  return {
    ...core,
    fetch: (request, env) => {
      // The node that passed a request on has checked it already, against the address that the client asked.
      const isChecked = (env as NodeParts | undefined)?.entered !== undefined;
      if (isChecked) catchUp();
      const refusal = isChecked ? null : refusalOf(request);
      return refusal ? responseOf(refusal) : http.fetch(request, env);
    },
    answerFast: fastPath(http, { refusalOf, onForwarded: catchUp, forwarder: options.forwarder }),
  };
}
