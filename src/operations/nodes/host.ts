// The process that serves says which cluster it is a node of, if it is one.
import { z } from "zod";
import type { Reads } from "@/kernel/core/context.ts";
import { broadcast } from "@/kernel/events/broadcasts.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import type { ClusterState, KnownNode, MadeSnapshot } from "./schema.ts";

export const natsFaults = ["silent", "unfit", "behind"] as const;
export type NatsFault = (typeof natsFaults)[number];

/** How full a store is; "all" is that of a nats-server, others are the streams in it that have a limit. */
export interface NatsStore {
  readonly store: string;
  readonly bytes: number;
  readonly roomBytes: number;
}

/** A nats-server, as the last look at it found it. */
export interface NatsFigures {
  /** Its monitoring address. */
  readonly server: string;
  readonly fault: NatsFault | null;
  readonly stores: readonly NatsStore[];
}

/** What a node measures of its work in the cluster. */
export interface NodeFigures {
  readonly leads: boolean;
  readonly position: number;
  /** Entries of the log that this node has learned of but not applied; null while it cannot know. */
  readonly lag: number | null;
  /** For how long it has not known the log's end, or not had all of the log up to there. */
  readonly unknownSeconds: number;
  /** That is so long that clients better ask another node. */
  readonly isCutOff: boolean;
  /** Since the process began. */
  readonly appended: number;
  readonly appendSeconds: number;
  readonly refused: number;
  /** How often this node became the leader. */
  readonly elections: number;
  /** Empty before the first look. */
  readonly nats: readonly NatsFigures[];
  /** Each other node, where people reach it, if that is known, and when it was last seen, in UNIX seconds. */
  readonly others: readonly {
    readonly node: string;
    readonly site?: string | undefined;
    readonly seenAt: number;
  }[];
  /** When the first certificate ends by which the machines know each other, in UNIX seconds; null if Confab made none. */
  readonly certificateEndsAt: number | null;
}

export interface ClusterMembership {
  state(): Promise<ClusterState>;
  readonly figures: NodeFigures;
  /** True once the node has been asked to give its work to the others. */
  readonly isDraining: boolean;
  /** Resolves once another node leads; rejects if none takes over in time. */
  drain(): Promise<void>;
  /** It takes part again. */
  undrain(): Promise<void>;
  /** Rejects if another node is making one. */
  makeSnapshot(): Promise<MadeSnapshot>;
  /** What is known of a node; rejects with the reason if it cannot be removed. */
  findRemovable(name: string): Promise<KnownNode>;
  /** Ends the record of such a node; resolves with the names of those that are left. */
  remove(node: KnownNode): Promise<string[]>;
  /** The lost machine of this name, where Confab runs the nats-servers; rejects with the reason if no other may take its place. */
  findReplaceable(name: string): Promise<LostMachine>;
  /** A token by which a new machine takes its place. */
  letReplace(lost: LostMachine): Promise<string>;
}

export interface LostMachine {
  readonly name: string;
  readonly address: string;
  readonly is_witness: boolean;
}

/** Otherwise, they would notice it within a minute. */
export const nodeStarted = broadcast(
  "node_started",
  "A node has begun to take part, so that the others look which nodes there are.",
  z.object({}),
);

export const lookAgain = nodeStarted.received.register((ctx) => {
  membershipOf(ctx)
    ?.state()
    .catch(() => {}); // It looks again within a minute.
});

const memberships = perApp((): { of: ClusterMembership | null } => ({ of: null }));

export function joinAs(reads: Reads, membership: ClusterMembership): void {
  memberships(reads).of = membership;
}

/** Null for a standalone server. */
export function membershipOf(reads: Reads): ClusterMembership | null {
  return memberships(reads).of;
}

export function membership(reads: Reads): ClusterMembership {
  return membershipOf(reads) ?? fail("BAD_REQUEST", "This is a single server, not a cluster's node.");
}
