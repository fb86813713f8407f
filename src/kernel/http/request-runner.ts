// Answers a request to an endpoint: authenticates, decodes, runs, wraps, logs. Knows no HTTP library.

import type { Actor, Ctx } from "@/kernel/core/context.ts";
import { fail, type RefusedLogin, type Sentence, toRefusedLogin } from "@/kernel/lib/errors.ts";
import type { Log } from "@/kernel/lib/log.ts";
import { type AdmissionOptions, admit, admitAgain } from "./admission.ts";
import type { AnswerHeaders } from "./compression.ts";
import {
  type Answer,
  type Answered,
  type AuthDoor,
  type BodySource,
  type Endpoint,
  RawAnswer,
  type RequestFacts,
} from "./endpoint.ts";
import type { Forwarder } from "./forwarding.ts";
import { ForwardingRuns, runOnce } from "./forwarding-runs.ts";
import {
  type AnswerListener,
  compressText,
  errorAnswer,
  jsonHeaders,
  noteAnswer,
  noteForwarded,
  successAnswer,
} from "./http-answers.ts";
import type { RepeatedRefusals } from "./repeated-refusals.ts";
import { fieldsAlone, readBody, readQuery, refuseForm } from "./request-body.ts";
import { addressOf, Facts, findEntered, httpVersionOf, siteAsked } from "./request-facts.ts";
import type { EndpointRoute } from "./routes.ts";

export interface RunnerOptions extends AdmissionOptions {
  ctx: (actor: Actor) => Ctx;
  log: Log;
  /** Counts a request as `log` does, without a line. */
  unwritten?: Log;
  onReceived?: ((c: RunnableRequest) => void) | undefined;
  onLargeAnswer?: AnswerListener;
  /** Says what an error says, to who asked. */
  wording?: (sentence: Sentence, asked: Asked) => string;
  /** Called with every successful answer: tests compare it with `returns`. */
  onAnswer?: (endpoint: Endpoint, body: unknown) => void;
}

/** Who asked, as far as an error that they get knows it. */
export interface Asked {
  readonly request: RequestFacts;
  readonly door: AuthDoor;
  /** Null if the request was not admitted. */
  readonly actor: Actor | null;
}

/** A request, whichever way it came in. */
export interface RunnableRequest {
  readonly env: unknown;
  readonly req: BodySource & {
    raw: Request;
    readonly method: string;
    readonly url: string;
    readonly query?: unknown;
    param(name: string): string | undefined;
  };
}

/** Answers a request; errors become answers, too. */
export type Runner = (asked: RunnableRequest) => Promise<Answered>;

interface Options extends RunnerOptions {
  door: AuthDoor;
  route: EndpointRoute;
  repeats: RepeatedRefusals;
}

/** Max length of a failed login's name in the log. */
const maxAccountLength = 256;

/** After this time, credentials are checked again: a body may arrive for minutes, and a key may end meanwhile. */
const slowMs = 50;

export function requestRunner(endpoint: Endpoint, options: Options): Runner {
  const { inPath, decode } = options.route;
  const { log, door, forwarder } = options;

  return async (c) => {
    const started = performance.now();
    let status = 500;
    let userId = 0;
    let asker: Actor | null = null;
    let isAdmitted = false;
    let isLogged = true;
    const headers: AnswerHeaders = { ...jsonHeaders };
    const facts = new Facts(c, options);
    options.onReceived?.(c);
    /** Clients that are not known get nothing about the log. */
    const logCookies = () =>
      forwarder && userId && !findEntered(c) ? forwarder.cookiesAfter(c.req.header("cookie")) : [];
    const cookies = () => (forwarder ? [...facts.cookies, ...logCookies()] : facts.cookies);
    const sendOn = (answer: Response): Answered => {
      for (const cookie of logCookies()) answer.headers.append("set-cookie", cookie);
      return { own: null, passed: noteForwarded(answer, c.env, options.onLargeAnswer) };
    };
    try {
      if (forwarder) {
        const current = requireCurrent(c, endpoint, forwarder);
        if (current) await current;
      }
      const arriving = { c, facts, headers, options, door };
      const admitted = admit(endpoint, arriving);
      const actor = admitted instanceof Promise ? await admitted : admitted;
      asker = actor;
      userId = actor.id;
      isAdmitted = true;
      if (hasNoForm(c)) refuseForm(c);
      const forwarding = forwardingOf(c, { endpoint, options, headers });
      const passed = forwarding ? await forwarding.pass() : null;
      if (passed) {
        status = passed.status;
        return sendOn(passed);
      }
      const ctx = options.ctx(actor);
      const body = endpoint.body ? await endpoint.body(ctx, c.req) : fieldsAlone(await fieldsOf(c, actor));
      try {
        if (performance.now() - started > slowMs) admitAgain(endpoint, arriving, actor);
        readQuery(c.req, body.fields);
        for (const name of inPath) body.fields.set(name, c.req.param(name) ?? "");
        facts.files = body.files;
        const { params, ignored } = decode(body.fields);
        const run = () => endpoint.run(ctx, params, facts);
        const once = () => runOnce({ endpoint, run, cookies: facts.cookies });
        let result: Answer;
        for (;;) {
          try {
            result = (await (forwarding ? forwarding.serve(once) : forwarder ? once() : run())) ?? {};
            break;
          } catch (error) {
            if (!forwarding?.mayGoOn(error)) throw error;
            facts.cookies.length = 0;
            const later = await forwarding.pass();
            if (!later) {
              // A key or session may have ended while this node waited for a leader.
              admitAgain(endpoint, arriving, actor);
              continue;
            }
            status = later.status;
            return sendOn(later);
          }
        }
        const note = <B>(answer: B) => noteAnswer(answer, c.env, options.onLargeAnswer);
        let own: RawAnswer;
        if (result instanceof RawAnswer) {
          if (result.refusal) logRefusal(c, result.refusal, { endpoint, options, isAdmitted });
          own = compressText(c.req, result);
          note(own.body);
        } else {
          options.onAnswer?.(endpoint, result);
          const answer = successAnswer(c.req, result, { ignored, headers, note });
          own = answer instanceof Promise ? await answer : answer;
        }
        status = own.status;
        return { own, cookies: cookies() };
      } finally {
        body.discard();
      }
    } catch (error) {
      const refused = toRefusedLogin(error);
      if (refused) isLogged = logRefusal(c, refused, { endpoint, options, isAdmitted });
      const say = (sentence: Sentence) =>
        options.wording?.(sentence, { request: facts, door, actor: asker }) ?? sentence.inEnglish;
      const own = errorAnswer(error, { operation: endpoint.id, log, headers, door, say });
      noteAnswer(own.body, c.env, options.onLargeAnswer);
      status = own.status;
      return { own, cookies: cookies() };
    } finally {
      const ms = Math.round((performance.now() - started) * 100) / 100;
      const line = { operation: endpoint.id, status, ms, user_id: userId || undefined };
      // Browsers ask by themselves whether what they have is current: nobody looks for that in a log.
      const isWritten = isLogged && status !== 304;
      (isWritten ? log : options.unwritten)?.info("request", line);
    }
  };
}

const outdated =
  "This server does not get the changes of the others just now, so what it has is too old. Please try again.";

/** Refuses what this node is too old for. Also before it looks who asks: keys and sessions may have ended meanwhile. */
function requireCurrent(
  c: RunnableRequest,
  { mayBeOutdated }: Endpoint,
  forwarder: Forwarder,
): Promise<void> | null {
  if (mayBeOutdated) return null;
  if (!forwarder.isCurrent) fail("NOT_NOW", outdated);
  if (findEntered(c)) return null;
  const hasSeen = forwarder.hasSeen(c.req.header("cookie"));
  if (hasSeen === true) return null;
  return Promise.resolve(hasSeen).then((isThere) => {
    if (!isThere) fail("NOT_NOW", outdated);
  });
}

interface Target {
  endpoint: Endpoint;
  options: RunnerOptions;
}

/** Null unless another node may have to answer. */
function forwardingOf(
  c: RunnableRequest,
  { endpoint, options, headers }: Target & { headers: AnswerHeaders },
): ForwardingRuns | null {
  const { forwarder } = options;
  // A request is passed on only once: two nodes that each consider the other the leader would pass it on forever.
  if (!forwarder || endpoint.servedBy === "here" || findEntered(c)) return null;
  const entryOf = () => ({ address: addressOf(c, options), site: siteAsked(c, options) });
  const version = httpVersionOf(c);
  return new ForwardingRuns({ forwarder, endpoint, req: c.req, version, headers, readEntered: entryOf });
}

interface Refused {
  endpoint: Endpoint;
  options: Options;
  /** Whether the request's own credentials were right; others may be in its body. */
  isAdmitted: boolean;
}

/**
 * Logs the line from which tools such as fail2ban learn which addresses to block: docs/fail2ban.md. Returns false if a client has
 * repeated the same so often that it is only counted.
 */
function logRefusal(
  c: RunnableRequest,
  refused: RefusedLogin,
  { endpoint, options, isAdmitted }: Refused,
): boolean {
  const account = refused.account?.slice(0, maxAccountLength) ?? null;
  const refusal = {
    operation: endpoint.id,
    address: addressOf(c, options),
    account,
    reason: refused.reason,
  };
  const credentials = [c.req.header("authorization"), c.req.header("cookie"), c.req.url].join("\n");
  if (!isAdmitted && !options.repeats.isSingle(refusal, credentials)) return false;
  options.log.warn("login_refused", refusal);
  return true;
}

function fieldsOf(c: RunnableRequest, { kind }: Actor): Map<string, string> | Promise<Map<string, string>> {
  return hasNoForm(c) ? new Map<string, string>() : readBody(c.req, kind);
}

const hasNoForm = ({ req: { method } }: RunnableRequest) => method === "GET" || method === "HEAD";
