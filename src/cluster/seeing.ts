// What can be known of a cluster's nodes: from NATS, from what they answer directly, and from what this one remembers.
import type { ClusterState, KnownNode, NodeState } from "@/operations/nodes/schema.ts";
import { listNotedNodes } from "./facts.ts";
import type { Remembered } from "./known-nodes.ts";
import { NoLog, type SharedLog } from "./shared-log.ts";

/** NATS may elect its own leaders for nearly twelve seconds. */
const electingMs = 15_000;
/** For a connection to NATS that is just being made again. */
const connectingMs = 3_000;
const pauseMs = 300;
/** An answer over the network may take as long. */
const clockSlackMs = 2_000;
/** A log that seems lost is looked at so often before it is said to be. */
const looks = 3;

export interface ClusterView {
  readonly cluster: string;
  /** The node that is asked; null in `own` if it does not run. */
  readonly asked: string;
  readonly own: () => NodeState | null;
  /** What the asked node's folder holds, if it does not run. */
  readonly position?: number | null;
  readonly remembered: readonly Remembered[];
  /** How long a silent NATS may take. */
  readonly patienceMs?: number;
  /** Asks a node that NATS did not reach. */
  readonly stateAt: (node: Remembered) => Promise<NodeState | null>;
}

/** What the nodes of a cluster answer, and when the others were last seen. Waits while NATS elects. */
export async function clusterSeen(
  shared: {
    ends: SharedLog["ends"];
    talk: Pick<SharedLog["talk"], "states">;
    facts: Pick<SharedLog["facts"], "list">;
  },
  view: ClusterView,
): Promise<ClusterState> {
  const { cluster, asked, remembered } = view;
  const { answers, log, end, askedAt } = await look(shared, view);
  const known = new Map(remembered.map((one) => [one.node, one]));
  const noted = log === "silent" ? [] : await listNotedNodes(shared.facts).catch(() => []);
  const now = Math.floor(Date.now() / 1_000);
  for (const { node, url, site, at, is_removed } of noted) {
    if (is_removed) {
      known.delete(node);
      continue;
    }
    const last_seen = Math.min(now, Math.floor(at / 1_000));
    const before = known.get(node);
    // This machine's clock may have been fast when it remembered the node.
    if (!before || before.last_seen <= last_seen || before.last_seen > now)
      known.set(node, { position: null, ...before, node, url, site: site ?? before?.site, last_seen });
  }
  const states = new Map(answers.map((state) => [state.node, state]));
  if (log !== "there") {
    const missing = [...known.values()].filter(({ node }) => node !== asked && !states.has(node));
    const found = missing.map((one) => view.stateAt(one).then((state) => state && byOwnClock(state)));
    for (const state of await Promise.all(found)) if (state) states.set(state.node, state);
  }
  for (const { node, url, site, position } of states.values())
    known.set(node, { node, url, site, last_seen: Math.floor(Date.now() / 1_000), position });
  const nodes = [...known.values()]
    .map((one): KnownNode => {
      const state = states.get(one.node) ?? null;
      const lag = state && log === "there" ? Math.max(0, askedAt - state.position) : null;
      return { ...one, state, lag };
    })
    .sort((a, b) => (a.node < b.node ? -1 : 1));
  const leader = [...states.values()].find(({ leads }) => leads)?.node ?? null;
  const newest = log === "silent" ? Math.max(0, ...nodes.map(({ position }) => position ?? 0)) : end;
  return { cluster, asked, leader, log, newest, nodes };
}

/** A state that has just come. Its times are those of the node's clock, which may be wrong. */
function byOwnClock(state: NodeState): NodeState {
  const aheadMs = state.clock_ms - Date.now();
  if (state.since === null || Math.abs(aheadMs) < clockSlackMs) return state;
  return { ...state, since: Math.round(state.since - aheadMs / 1_000) };
}

/** The nodes' answers over NATS, and where the log ends and ended when they were asked; 0 if that is not known. */
async function look(
  shared: Parameters<typeof clusterSeen>[0],
  { asked, own, position = null, patienceMs: given }: ClusterView,
): Promise<{ answers: NodeState[]; log: ClusterState["log"]; end: number; askedAt: number }> {
  const begin = performance.now();
  for (let lost = 0; ; ) {
    // Nodes that answer before the log would seem to lag behind what is written meanwhile.
    const [received, before] = await Promise.all([
      shared.talk.states().then(
        (all) => all.map(byOwnClock),
        () => [],
      ),
      shared.ends().catch(() => null),
    ]);
    const self = own();
    const answers = self ? [...received.filter(({ node }) => node !== asked), self] : received;
    const end = await shared.ends().then(
      ({ last }) => last,
      (error) => (error instanceof NoLog ? 0 : null),
    );
    // The nodes answered before the log did, so that it has all that they have.
    const held = answers.length > 0 ? answers.map((state) => state.position) : [position ?? 0];
    if (end !== null && end >= Math.max(1, ...held))
      return { answers, log: "there", end, askedAt: before?.last ?? end };
    if (end !== null && ++lost === looks) return { answers, log: "lost", end, askedAt: end };
    // A node that gets its own answer is connected to NATS.
    const isConnected = !self || received.some(({ node }) => node === asked);
    const patienceMs = given ?? (isConnected ? electingMs : connectingMs);
    if (end === null && performance.now() - begin > patienceMs)
      return { answers, log: "silent", end: 0, askedAt: 0 };
    await Bun.sleep(pauseMs);
  }
}
