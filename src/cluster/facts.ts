// What a cluster stores besides its log: its secret and its nodes.
import type { Leader, SharedFacts } from "./shared-log.ts";

const secretBytes = 32;
const nodePrefix = "node.";
/** A node that was not seen for this long is forgotten. */
export const forgottenMs = 30 * 86_400_000;

export interface SeenLeader extends Leader {
  /** In milliseconds since 1970, by the clock of the store. */
  readonly at: number;
}

/** A node as it describes itself. */
export interface DescribedNode extends Leader {
  /** The origin at which people reach it; nodes of earlier versions do not say it. */
  readonly site?: string | undefined;
}

interface NotedNode extends SeenLeader, DescribedNode {
  /** A removed node keeps a record for as long as others may remember it in their folders. */
  readonly is_removed?: boolean;
}

/** Only nodes know `nodes`; `operator` proves that a command can read its node's folder. */
export interface Secrets {
  readonly nodes: string;
  readonly operator: string;
}

/** The first node that needs them creates them. */
export async function secretsOf(facts: SharedFacts): Promise<Secrets> {
  const createSecret = () => Buffer.from(crypto.getRandomValues(new Uint8Array(secretBytes))).toString("hex");
  return {
    nodes: await facts.setIfAbsent("secret.nodes", createSecret()),
    operator: await facts.setIfAbsent("secret.operator", createSecret()),
  };
}

/** Records that a node is running. */
export function noteNode(facts: SharedFacts, me: DescribedNode): Promise<void> {
  return facts.put(nodePrefix + me.node, JSON.stringify({ ...me, at: Date.now() } satisfies NotedNode));
}

/** Ends the record of a node that does not run. One that is started again records itself. */
export function noteRemoval(facts: Pick<SharedFacts, "put">, { node, url }: Leader): Promise<void> {
  const noted: NotedNode = { node, url, at: Date.now(), is_removed: true };
  return facts.put(nodePrefix + node, JSON.stringify(noted));
}

/** Also those that were removed. */
export async function listNotedNodes(facts: Pick<SharedFacts, "list">): Promise<NotedNode[]> {
  const found = await facts.list(nodePrefix);
  // Nodes of earlier versions read the time of the node's own clock, which is in the value, too.
  const noted = [...found.values()].map(({ value, at }) => ({ ...(JSON.parse(value) as NotedNode), at }));
  return noted.filter(({ at }) => Date.now() - at < forgottenMs);
}

export async function listSeenNodes(facts: Pick<SharedFacts, "list">): Promise<SeenLeader[]> {
  return (await listNotedNodes(facts)).filter(({ is_removed }) => !is_removed);
}
