// Whether a node is where its node_url leads. The other nodes try that, because only they can tell. A leader gives the lead up if fewer of
// them reach it than reach another node.
import { createHmac } from "node:crypto";
import { z } from "zod";
import { Beats } from "@/cluster/watching/beats.ts";
import { isSame } from "@/foundation/secrets/secrets.ts";
import type { Log } from "@/kernel/lib/log.ts";
import { headerOf } from "./outgoing.ts";
import { reasonOf } from "./reasons.ts";
import type { NodeTrial, Talk, Tried } from "./shared-log.ts";

type Fetch = (request: Request, env?: unknown) => Response | Promise<Response>;

interface Options {
  readonly me: Tried;
  readonly talk: Pick<Talk, "haveTried">;
  /** A secret that only the nodes of the cluster know. It is never sent: something else may be at the address. */
  readonly secret: string;
  /** CA certificates (PEM) of the other nodes, unless a public authority signs theirs. */
  readonly ca?: string | undefined;
  readonly log: Log;
  readonly node: Candidate;
}

interface Candidate {
  readonly leads: boolean;
  /** Whether it could lead if it were free to. */
  readonly mayLead: boolean;
  isLessReached: boolean;
  giveUp(why: string): Promise<void>;
}

/** No endpoint has it: those are answered on the fast path. */
const path = "/which-node";
const tryMs = 1_500;
/** How long an answer to a node that asks may take after the trial. */
const answersMs = 500;
const lookMs = 50;
const usualTimes = {
  /** The pause after a round of a leader, and of others. */
  leadingMs: 1_000,
  followingMs: 5_000,
  /** For how long some node must fail before that counts: a busy one may answer late. */
  lastingMs: 5_000,
};
const answer = z.object({ node: z.string(), proof: z.string() });

/** Who answers at an address, if it is a node of this cluster, or why none does, as a clause. */
type Found = { readonly node: string; readonly isRight: boolean } | { readonly fault: string };

/** Has a node say who it is, to other nodes that ask. */
export function answeringTries(serve: Fetch, { me, secret }: Pick<Options, "me" | "secret">): Fetch {
  return (request, env) => {
    const asked = request.headers.get(headerOf.tried);
    if (asked === null) return serve(request, env);
    const [nonce = "", mac = ""] = asked.split(" ");
    if (!isSame(mac, sign(secret, `asks ${nonce}`))) return new Response(null, { status: 403 });
    return Response.json({ node: me.node, proof: proofOf(secret, nonce, me) });
  };
}

/** Tries the address of a node. */
export async function tryAt(
  { node, id, url }: Tried,
  { secret, ca }: Pick<Options, "secret" | "ca">,
): Promise<Found> {
  const nonce = crypto.randomUUID();
  try {
    const response = await fetch(url + path, {
      headers: { [headerOf.tried]: `${nonce} ${sign(secret, `asks ${nonce}`)}` },
      signal: AbortSignal.timeout(tryMs),
      redirect: "manual",
      keepalive: false,
      ...(ca === undefined ? {} : { tls: { ca } }),
    });
    const { data } = answer.safeParse(await response.json().catch(() => null));
    if (!data) return { fault: `what answers there is no node of this cluster (status ${response.status})` };
    if (isSame(data.proof, proofOf(secret, nonce, { node, id }))) return { node, isRight: true };
    return { node: data.node, isRight: false };
  } catch (error) {
    const isLate = (error as Error).name === "TimeoutError";
    return { fault: isLate ? "no answer came in time" : reasonOf(error, "node_ca") };
  }
}

function faultIn(found: Found, { node }: Pick<Tried, "node">): string | null {
  if ("fault" in found) return found.fault;
  if (found.isRight) return null;
  return found.node === node
    ? `another process of ${node} answers there`
    : `the node ${found.node} answers there`;
}

function proofOf(secret: string, nonce: string, { node, id }: Pick<Tried, "node" | "id">): string {
  return sign(secret, `answers ${nonce} ${node} ${id}`);
}

function sign(secret: string, text: string): string {
  return createHmac("sha256", secret).update(text).digest("hex");
}

export class Reaching {
  private readonly rounds = new Beats(() => this.round());
  /** What each node found last. */
  private readonly trials = new Map<string, { trial: NodeTrial; at: number }>();
  /** How many other nodes reach this one; null until some have tried. */
  private reachedBy: number | null = null;
  private failingSince: number | null = null;
  private said = "";
  /** Why this node does not reach others, as far as it has said so. */
  private readonly saidOf = new Map<string, string>();

  constructor(
    private readonly options: Options,
    private readonly times = usualTimes,
  ) {}

  /** Throws if its address is that of another node. */
  async refuseOther(): Promise<void> {
    const { me } = this.options;
    const found = await tryAt(me, this.options);
    if ("fault" in found || found.node === me.node) return;
    throw new Error(
      `The address ${me.url} leads to the node ${found.node}, and this one is ${me.node}. Set node_url to the address at which the ` +
        "other nodes reach this one",
    );
  }

  /** Tries its own address, and has others try it from now on. Call it once this node can be reached. */
  async start(): Promise<void> {
    const { me, log } = this.options;
    const fault = faultIn(await tryAt(me, this.options), me);
    // Some machines do not reach themselves by the address that others use.
    if (fault !== null && !(await this.isReachedByOne()))
      log.error("cluster_node_url_fails", { node: me.node, url: me.url, error: fault });
    this.rounds.start();
  }

  stop(): Promise<void> {
    return this.rounds.stop();
  }

  /** Tries the address of another node for it. */
  async trial(of: Tried): Promise<NodeTrial | null> {
    const { me, node, log } = this.options;
    if (of.id === me.id) return null;
    const fault = faultIn(await tryAt(of, this.options), of);
    if (fault !== null && this.saidOf.get(of.node) !== fault)
      log.warn("cluster_node_unreached", { node: of.node, url: of.url, error: fault });
    if (fault === null) this.saidOf.delete(of.node);
    else this.saidOf.set(of.node, fault);
    return { node: me.node, fault, reachedBy: this.reachedBy, mayLead: node.mayLead };
  }

  private async round(): Promise<number> {
    const { leadingMs, followingMs } = this.times;
    const pauseMs = this.options.node.leads ? leadingMs : followingMs;
    this.judge(this.lately(pauseMs));
    this.haveTried();
    return pauseMs;
  }

  /** What the nodes found that still answer, if each asks again after `pauseMs`. */
  private lately(pauseMs: number): NodeTrial[] {
    const since = performance.now() - 2 * pauseMs - tryMs - answersMs;
    return [...this.trials.values()].flatMap(({ trial, at }) => (at > since ? [trial] : []));
  }

  private haveTried(): void {
    const { talk, me } = this.options;
    talk.haveTried(me, (trial) => this.trials.set(trial.node, { trial, at: performance.now() }));
  }

  private async isReachedByOne(): Promise<boolean> {
    this.haveTried();
    const end = performance.now() + tryMs + answersMs;
    const isReached = () => [...this.trials.values()].some(({ trial }) => trial.fault === null);
    while (!isReached() && performance.now() < end) await Bun.sleep(lookMs);
    return isReached();
  }

  private judge(trials: readonly NodeTrial[]): void {
    const { node, me, log } = this.options;
    const failed = trials.filter(({ fault }) => fault !== null);
    const reachedBy = trials.length - failed.length;
    if (trials.length > 0) this.reachedBy = reachedBy;
    if (failed.length === 0) {
      this.failingSince = null;
      node.isLessReached = false;
      if (this.said !== "" && trials.length > 0) {
        log.info("cluster_node_url_well", { node: me.node, url: me.url });
        this.said = "";
      }
      return;
    }
    this.failingSince ??= performance.now();
    if (performance.now() - this.failingSince < this.times.lastingMs) return;
    const error = failed.map((one) => `${one.node}: ${one.fault}`).join("; ");
    if (error !== this.said) log.error("cluster_node_url_fails", { node: me.node, url: me.url, error });
    this.said = error;
    node.isLessReached = trials.some((one) => one.mayLead && (one.reachedBy ?? 0) > reachedBy);
    if (node.isLessReached) void node.giveUp("the other nodes reach another one better");
  }
}
