// Requests between nodes: any node forwards to the leader what only the leader may answer.
import { isSame } from "@/foundation/auth/secrets.ts";
import { certificateFault } from "@/kernel/certificates.ts";
import type { NodeParts } from "@/kernel/http-answers.ts";
import type { Log } from "@/kernel/log.ts";
import { unconfirmed } from "@/kernel/logged-writes.ts";
import { savedUnanswered, serveFor } from "@/kernel/passed-on.ts";
import type { Entered, ForThis, Relay, Relayed } from "@/kernel/relay.ts";
import { notSaved } from "@/kernel/write-turns.ts";
import type { Trace, Traced } from "./history.ts";
import type { Leader } from "./shared-log.ts";

type Fetch = (request: Request, env?: unknown) => Response | Promise<Response>;

/** What forwarding needs from a node. */
interface Following {
  readonly leads: boolean;
  readonly leader: Leader | null;
  readonly leaderGone: AbortSignal;
  readonly position: number;
  /** The newest that the log has, as far as this node has read it. */
  readonly term: number;
  readonly trace: Trace;
  reach(seq: number, ms: number): Promise<boolean>;
  checkLog(): Promise<boolean>;
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

const headerOf = {
  secret: "x-confab-node-secret",
  address: "x-confab-node-address",
  site: "x-confab-node-site",
  position: "x-confab-node-position",
  request: "x-confab-node-request",
  term: "x-confab-node-term",
  done: "x-confab-node-done",
  notLeading: "x-confab-node-not-leading",
} as const;

const usualPatienceMs = 8_000;
const retryMs = 50;
const silenceMs = 10_000;
/** How long an answer waits for this node's database to hold the writes it reports. */
const reachMs = 1_000;
/** A body up to this size is buffered, so that it can be sent again; a larger one is streamed. */
const keptBytes = 1_048_576;
/** How much a header may take for the results of writes, as the header has them. */
const doneLength = 8_000;
const idBytes = 12;
const ofConnection = ["connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "expect"];
const bodiless = [204, 205, 304];

export class Forwarding implements Relay {
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

  async catchUp(): Promise<void> {
    if (!this.leads) await this.node.checkLog();
  }

  /** Serves clients, and the other nodes that pass requests on to this one. */
  receiving(serve: Fetch): Fetch {
    return async (request, env) => {
      const secret = request.headers.get(headerOf.secret);
      if (secret === null) return serve(request, env);
      if (!isSame(secret, this.options.secret)) return stranger();
      const { term } = this.node;
      // The other node repeats a request once the log shows a later term than the one it was sent for.
      const isForNow = Number(request.headers.get(headerOf.term)) === term;
      if (!this.leads || !isForNow) return notNow(notSaved, { [headerOf.notLeading]: "1" });
      const entered: Entered = {
        address: request.headers.get(headerOf.address) ?? "",
        site: request.headers.get(headerOf.site) ?? undefined,
      };
      const done = readBack(request.headers.get(headerOf.done) ?? "[]");
      const passed = { id: request.headers.get(headerOf.request) ?? "", term, done };
      const response = await serveFor(passed, () =>
        serve(request, { ...(env as NodeParts | undefined), entered }),
      );
      response.headers.set(headerOf.position, String(this.node.position));
      return response;
    };
  }

  async pass(asked: Relayed, entered: Entered): Promise<Response | ForThis> {
    const until = performance.now() + (this.options.patienceMs ?? usualPatienceMs);
    const outgoing = this.outgoing(asked, entered);
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

  private outgoing(asked: Relayed, { address, site }: Entered): Outgoing {
    const request = asked.raw;
    const headers = new Headers(request.headers);
    // A client must not say what only a node may, such as what its request has written.
    for (const name of [...ofConnection, ...Object.values(headerOf)]) headers.delete(name);
    // Otherwise fetch adds its own, and the client may get an answer in an encoding that it did not ask for.
    for (const [name, absent] of [
      ["accept-encoding", "identity"],
      ["user-agent", ""],
    ] as const)
      if (!headers.has(name)) headers.set(name, absent);
    if (!headers.has("host")) headers.set("host", new URL(request.url).host);
    headers.set(headerOf.secret, this.options.secret);
    headers.set(headerOf.address, address);
    if (site !== undefined) headers.set(headerOf.site, site);
    return new Outgoing(asked, headers);
  }

  /** The leader's answer; null if what the request has had an effect is in `outgoing.done`, so that it may be sent again. */
  private async ask(leader: Leader, outgoing: Outgoing, until: number): Promise<Response | null> {
    const { request, headers, body, done } = outgoing;
    // The lease may say more than this node has read, and the log more than it has seen of the lease.
    const leaderTerm = Math.max(this.node.term, leader.term ?? 0);
    const id = crypto.getRandomValues(new Uint8Array(idBytes)).toBase64({ alphabet: "base64url" });
    headers.set(headerOf.request, id);
    headers.set(headerOf.term, String(leaderTerm));
    if (done.length > 0) headers.set(headerOf.done, writtenOut(done));
    const traced = this.node.trace.follow(id, done);
    const { pathname, search } = new URL(request.url);
    const { ca } = this.options;
    const { leaderGone } = this.node;
    const ending = new AbortController();
    const end = () => ending.abort();
    leaderGone.addEventListener("abort", end);
    request.signal.addEventListener("abort", end, { once: true });
    try {
      const response = await fetch(leader.url + pathname + search, {
        method: request.method,
        headers,
        body,
        signal: leaderGone.aborted ? leaderGone : ending.signal,
        redirect: "manual",
        decompress: false,
        ...(ca === undefined ? {} : { tls: { ca } }),
      });
      if (response.headers.has(headerOf.notLeading)) {
        void this.node.checkLog();
        return null;
      }
      await this.node.reach(Number(response.headers.get(headerOf.position) ?? 0), reachMs);
      return answerOf(response);
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
      return await this.onward(traced, outgoing, { leaderTerm, until });
    } finally {
      traced.end();
      leaderGone.removeEventListener("abort", end);
    }
  }

  /** A request that waits tries again and again: do not log each attempt. */
  private complain({ node, url }: Leader, fault: string): void {
    if (performance.now() - this.complained < silenceMs) return;
    this.complained = performance.now();
    this.options.log?.error("cluster_forwarding_failed", {
      error: `The certificate of ${node} at ${url} ${fault}.`,
    });
  }

  /** What comes after a request that was not answered; null if it may be sent again. */
  private async onward(
    traced: Traced,
    outgoing: Outgoing,
    { leaderTerm, until }: { leaderTerm: number; until: number },
  ): Promise<Response | null> {
    const isOver = await this.reads(leaderTerm, until);
    if (!isOver) return unsure(traced.isInLog ? savedUnanswered : unconfirmed);
    if (!traced.isInLog) return null;
    const { done } = traced;
    if (!done || !outgoing.isKept || writtenOut(done).length > doneLength) return unsure(savedUnanswered);
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

/** A request on its way to the leader. */
class Outgoing {
  body: ArrayBuffer | ReadableStream<Uint8Array> | null = null;
  readonly request: Request;
  readonly isKept: boolean;
  /** The results of its writes that are in the log. */
  done: readonly unknown[] = [];
  private isRead = false;

  constructor(
    private readonly asked: Relayed,
    readonly headers: Headers,
  ) {
    this.request = asked.raw;
    const { method } = this.request;
    const length = this.request.headers.get("content-length");
    const hasNone = method === "GET" || method === "HEAD" || asked.hasNoBody;
    this.isKept = hasNone || (length !== null && Number(length) <= keptBytes);
    this.isRead = hasNone;
  }

  get kept(): ArrayBuffer | null {
    return this.body instanceof ArrayBuffer ? this.body : null;
  }

  async read(): Promise<void> {
    if (this.isRead) return;
    this.isRead = true;
    this.body = this.isKept ? await this.asked.arrayBuffer() : this.request.body;
  }
}

/** As a header; each result is in an array of its own, because JSON has no `undefined`. */
function writtenOut(done: readonly unknown[]): string {
  return encodeURIComponent(JSON.stringify(done.map((one) => (one === undefined ? [] : [one]))));
}

function readBack(text: string): unknown[] {
  return (JSON.parse(decodeURIComponent(text)) as unknown[][]).map(([one]) => one);
}

function answerOf(response: Response): Response {
  const headers = new Headers(response.headers);
  for (const name of [...ofConnection, headerOf.position]) headers.delete(name);
  const body = bodiless.includes(response.status) ? null : response.body;
  return new Response(body, { status: response.status, headers });
}

function stranger(): Response {
  const msg = "The server that passed this request on belongs to another cluster.";
  return Response.json({ result: "error", code: "BAD_REQUEST", msg }, { status: 403 });
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
