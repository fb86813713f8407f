// What a cluster stores besides its log: its secret and its nodes.
import type { Leader, SharedFacts } from "./shared-log.ts";

const secretBytes = 32;
const nodePrefix = "node.";
/** A node that was not seen for this long is forgotten. */
export const forgottenMs = 30 * 86_400_000;

export interface SeenLeader extends Leader {
  /** In milliseconds since 1970. */
  readonly at: number;
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
export function noteNode(facts: SharedFacts, me: Leader): Promise<void> {
  return facts.put(nodePrefix + me.node, JSON.stringify({ ...me, at: Date.now() } satisfies SeenLeader));
}

export async function nodesSeen(facts: Pick<SharedFacts, "list">): Promise<SeenLeader[]> {
  const found = await facts.list(nodePrefix);
  const seen = [...found.values()].map((text) => JSON.parse(text) as SeenLeader);
  return seen.filter(({ at }) => Date.now() - at < forgottenMs);
}
