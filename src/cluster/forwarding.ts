// Requests between nodes: any node forwards to the leader what only the leader may answer.

import { unwellMs } from "@/cluster/watching/log-end.ts";
import { isSame } from "@/foundation/secrets/secrets.ts";
import { certificateFault } from "@/kernel/http/certificates.ts";
import { type Answered, RawAnswer } from "@/kernel/http/endpoint.ts";
import type { Entered, ForThis, ForwardableRequest, Forwarder, Marked } from "@/kernel/http/forwarding.ts";
import { responseTo } from "@/kernel/http/http.ts";
import type { NodeParts } from "@/kernel/http/http-answers.ts";
import { notSaved } from "@/kernel/lib/errors.ts";
import type { Log } from "@/kernel/lib/log.ts";
import { savedUnanswered, serveFor } from "@/kernel/store/forwarded-requests.ts";
import { unconfirmed } from "@/kernel/store/logged-writes.ts";
import type { Trace, Traced } from "./history.ts";
import {
  decodeResults,
  encodeResults,
  headerOf,
  type OutgoingRequest,
  ofConnection,
  outgoingOf,
} from "./outgoing.ts";
import { announcedMs, cookiesAfter, hasSeen } from "./seen.ts";
import type { Leader } from "./shared-log.ts";

type Fetch = (request: Request, env?: unknown) => Response | Promise<Response>;

/** What forwarding needs from a node. */
interface Following {
  readonly leads: boolean;
  readonly leadsSurely: boolean;
  readonly isCurrent: boolean;
  readonly unknownMs: number;
  readonly leader: Leader | null;
  readonly leaderGone: AbortSignal;
  readonly position: number;
  /** The newest that the log has, as far as this node has read it. */
  readonly term: number;
  readonly trace: Trace;
  reach(seq: number, ms: number): Promise<boolean>;
  checkLog(): Promise<boolean>;
  /** It follows the log no more. */
  readonly isStopped: boolean;
}

interface Options {
  /** A secret that only the nodes of the cluster know. */
  readonly secret: string;
  /** CA certificates (PEM) of the other nodes, unless a public authority signs theirs. */
  readonly ca?: string | undefined;
  /** How long a request waits for a leader. */
  readonly patienceMs?: number;
  readonly log?: Log;
}

const usualPatienceMs = 8_000;
const retryMs = 50;
const silenceMs = 10_000;
/** How long at least an answer waits for this node's database to hold the writes it reports. */
const reachMs = 1_000;
/** How much a header may take for the results of writes, as the header has them. */
const doneLength = 8_000;
const idBytes = 12;
const bodiless = [204, 205, 304];

export class Forwarding implements Forwarder {
  readonly mark = headerOf.secret;
  private complained = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly node: Following,
    private readonly options: Options,
  ) {}

  get leads(): boolean {
    return this.node.leads;
  }

  get term(): number {
    return this.node.term;
  }

  get isCurrent(): boolean {
    return this.node.isCurrent;
  }

  async catchUp(): Promise<void> {
    if (!this.node.leadsSurely) await this.node.checkLog();
  }

  hasSeen(cookies: string | undefined): boolean | Promise<boolean> {
    return hasSeen(this.node, cookies);
  }

  cookiesAfter(cookies: string | undefined): readonly string[] {
    return cookiesAfter(this.node, cookies);
  }

  /** Serves clients, and the other nodes that pass requests on to this one. */
  receiving(serve: Fetch): Fetch {
    return async (request, env) => {
      const header = (name: string) => request.headers.get(name) ?? undefined;
      if (header(this.mark) === undefined) return serve(request, env);
      const answered = await this.receive({ header }, async (entered) => {
        const passed = await serve(request, { ...(env as NodeParts | undefined), entered });
        return { own: null, passed };
      });
      return responseTo(answered);
    };
  }

  async receive(request: Marked, serve: (entered: Entered) => Promise<Answered>): Promise<Answered> {
    if (!isSame(request.header(headerOf.secret) ?? "", this.options.secret)) return stranger();
    const { term } = this.node;
    // The other node repeats a request once the log shows a later term than the one it was sent for.
    const isForNow = Number(request.header(headerOf.term) ?? 0) === term;
    if (!this.leads || !isForNow) return notLeading();
    const entered: Entered = {
      address: request.header(headerOf.address) ?? "",
      site: request.header(headerOf.site),
    };
    const done = decodeResults(request.header(headerOf.done) ?? "[]");
    const asked = { id: request.header(headerOf.request) ?? "", term, done };
    const { answered, effect } = await serveFor(asked, async (passed) => {
      return { answered: await serve(entered), effect: passed.effect };
    });
    const isOver = !this.leads || this.node.term !== term;
    const { status } = answered.own ?? answered.passed;
    if (isOver && effect === "none" && status >= 500) return notLeading();
    return withPosition(answered, String(this.node.position));
  }

  async pass(asked: ForwardableRequest, entered: Entered): Promise<Response | ForThis> {
    const until = performance.now() + (this.options.patienceMs ?? usualPatienceMs);
    const outgoing = outgoingOf(asked, entered, this.options.secret);
    // What would be saved could not be seen here.
    if (!this.leads && this.node.unknownMs >= unwellMs) return notNow(notSaved);
    while (performance.now() < until) {
      if (this.leads) return { body: outgoing.kept, done: outgoing.done };
      const { leader } = this.node;
      if (leader) {
        await outgoing.read();
        const response = await this.ask(leader, outgoing, until);
        if (response) return response;
        if (!outgoing.isKept) break;
      }
      await Bun.sleep(retryMs);
    }
    return outgoing.done.length > 0 ? unsure(savedUnanswered) : notNow(notSaved);
  }

  /** The leader's answer; null if what the request has had an effect is in `outgoing.done`, so that it may be sent again. */
  private async ask(leader: Leader, outgoing: OutgoingRequest, until: number): Promise<Response | null> {
    const { request, headers, body, done } = outgoing;
    // The lease may say more than this node has read, and the log more than it has seen of the lease.
    const leaderTerm = Math.max(this.node.term, leader.term ?? 0);
    const id = crypto.getRandomValues(new Uint8Array(idBytes)).toBase64({ alphabet: "base64url" });
    headers.set(headerOf.request, id);
    headers.set(headerOf.term, String(leaderTerm));
    if (done.length > 0) headers.set(headerOf.done, encodeResults(done));
    const traced = this.node.trace.follow(id, done);
    const { pathname, search } = new URL(request.url);
    const { ca } = this.options;
    const ending = new AbortController();
    const end = () => ending.abort();
    request.signal.addEventListener("abort", end, { once: true });
    const { leaderGone } = this.node;
    const gone = Promise.withResolvers<null>();
    const isGone = () => gone.resolve(null);
    if (leaderGone.aborted) isGone();
    else leaderGone.addEventListener("abort", isGone);
    try {
      const answering = fetch(leader.url + pathname + search, {
        method: request.method,
        headers,
        body,
        signal: ending.signal,
        redirect: "manual",
        decompress: false,
        ...(ca === undefined ? {} : { tls: { ca } }),
      });
      const response = await Promise.race([answering, gone.promise]);
      if (response) return await this.readAnswer(response, until);
      // A former leader may be alive and answer, but may also be dead.
      const late = answering.then((one) => this.readAnswer(one, until));
      const onward = this.onward(traced, outgoing, { leaderTerm, until });
      const first = await Promise.race([late.catch(() => onward), onward]);
      if (first instanceof Response) return first;
      const last = first === null ? null : await within(until - performance.now(), late);
      if (!last) end();
      return first === null ? null : (last ?? unsure(first));
    } catch (error) {
      // Nothing was sent, so the request had no effect.
      if (/^(ECONNREFUSED|ConnectionRefused|ENOTFOUND)$/.test(String((error as { code?: unknown }).code)))
        return null;
      const fault = certificateFault(error, "node_ca");
      if (fault) {
        this.complain(leader, fault);
        return null;
      }
      if (request.signal.aborted) return unsure(unconfirmed);
      const why = await this.onward(traced, outgoing, { leaderTerm, until });
      return why === null ? null : unsure(why);
    } finally {
      traced.end();
      leaderGone.removeEventListener("abort", isGone);
    }
  }

  /** A leader's answer; null if it does not lead, so that the request had no effect. */
  private async readAnswer(response: Response, until: number): Promise<Response | null> {
    if (response.headers.has(headerOf.notLeading)) {
      void this.node.checkLog();
      return null;
    }
    const seq = Number(response.headers.get(headerOf.position) ?? 0);
    const isRefusal = response.status >= 400;
    const least = performance.now() + reachMs;
    const isHere = await this.arrives(seq, isRefusal ? least : Math.max(least, until));
    // A client would repeat what fails, and this has been saved.
    return answerOf(response, isHere || isRefusal ? {} : { [headerOf.notHereYet]: String(seq) });
  }

  /** Whether this node has an entry of the log before a time, and before it stops. */
  private async arrives(seq: number, until: number): Promise<boolean> {
    while (!(await this.node.reach(seq, announcedMs))) {
      // A server that stops closes connections that wait too long, and proxies repeat what was not answered.
      if (this.node.isStopped || performance.now() > until) return false;
      await this.node.checkLog();
    }
    return true;
  }

  /** A request that waits tries again and again: do not log each attempt. */
  private complain({ node, url }: Leader, fault: string): void {
    if (performance.now() - this.complained < silenceMs) return;
    this.complained = performance.now();
    this.options.log?.error("cluster_forwarding_failed", {
      error: `The certificate of ${node} at ${url} ${fault}.`,
    });
  }

  /** Why a request that was not answered cannot be sent again; null if it can. */
  private async onward(
    traced: Traced,
    outgoing: OutgoingRequest,
    { leaderTerm, until }: { leaderTerm: number; until: number },
  ): Promise<string | null> {
    const isOver = await this.reads(leaderTerm, until);
    if (!isOver) return traced.isInLog ? savedUnanswered : unconfirmed;
    if (!traced.isInLog) return null;
    const { done } = traced;
    if (!done || !outgoing.isKept || encodeResults(done).length > doneLength) return savedUnanswered;
    outgoing.done = done;
    return null;
  }

  /**
   * Whether this node has read the log up to a later term than this one. What a leader appends directly after an entry that it
   * knows is refused once another entry is there; so nothing of the former term can come after that.
   */
  private async reads(term: number, until: number): Promise<boolean> {
    const { node } = this;
    while (node.term <= term && performance.now() < until) {
      await node.checkLog();
      if (node.term <= term) await Bun.sleep(retryMs);
    }
    return node.term > term;
  }
}

function answerOf(response: Response, more: Record<string, string>): Response {
  const headers = new Headers(response.headers);
  for (const name of [...ofConnection, headerOf.position]) headers.delete(name);
  for (const [name, value] of Object.entries(more)) headers.set(name, value);
  const body = bodiless.includes(response.status) ? null : response.body;
  return new Response(body, { status: response.status, headers });
}

/** Says up to where the log has what the answer reports. */
function withPosition(answered: Answered, position: string): Answered {
  if (!answered.own) {
    answered.passed.headers.set(headerOf.position, position);
    return answered;
  }
  const { body, headers, status, refusal } = answered.own;
  const own = new RawAnswer(body, { ...headers, [headerOf.position]: position }, status, refusal);
  return { own, cookies: answered.cookies };
}

function stranger(): Answered {
  const msg = "The server that passed this request on belongs to another cluster.";
  const passed = Response.json({ result: "error", code: "BAD_REQUEST", msg }, { status: 403 });
  return { own: null, passed };
}

/** This node does not lead, or no longer: the request had no effect. */
function notLeading(): Answered {
  return { own: null, passed: notNow(notSaved, { [headerOf.notLeading]: "1" }) };
}

/** Null after `ms`, or if the work fails. */
function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, Math.max(0, ms), null);
  return Promise.race([work, promise])
    .catch(() => null)
    .finally(() => clearTimeout(timer));
}

/** The same error that a standalone server gives. Nothing was saved, so a client may try again by itself. */
function notNow(msg: string, headers: Record<string, string> = {}): Response {
  return notReady(msg, { "retry-after": "1", ...headers });
}

/** Something was saved, or may have been: a client must look before it tries again. */
function unsure(msg: string): Response {
  return notReady(msg, {});
}

function notReady(msg: string, headers: Record<string, string>): Response {
  return Response.json({ result: "error", code: "SERVER_NOT_READY", msg }, { status: 503, headers });
}
