// What a cluster stores besides its log: its secret and its nodes.
import type { Facts, Leader } from "./shared-log.ts";

const secretBytes = 32;
const nodePrefix = "node.";
/** A node that was not seen for this long is forgotten. */
export const forgottenMs = 30 * 86_400_000;

export interface Seen extends Leader {
  /** In milliseconds since 1970. */
  readonly at: number;
}

/** Only nodes know `nodes`; `operator` proves that a command can read its node's folder. */
export interface Secrets {
  readonly nodes: string;
  readonly operator: string;
}

/** The first node that needs them creates them. */
export async function secretsOf(facts: Facts): Promise<Secrets> {
  const made = () => Buffer.from(crypto.getRandomValues(new Uint8Array(secretBytes))).toString("hex");
  return {
    nodes: await facts.setIfAbsent("secret.nodes", made()),
    operator: await facts.setIfAbsent("secret.operator", made()),
  };
}

/** Records that a node is running. */
export function noteNode(facts: Facts, me: Leader): Promise<void> {
  return facts.put(nodePrefix + me.node, JSON.stringify({ ...me, at: Date.now() } satisfies Seen));
}

export async function nodesSeen(facts: Pick<Facts, "list">): Promise<Seen[]> {
  const found = await facts.list(nodePrefix);
  const seen = [...found.values()].map((text) => JSON.parse(text) as Seen);
  return seen.filter(({ at }) => Date.now() - at < forgottenMs);
}
