import { z } from "zod";

/** A cluster node's report about itself. */
export const nodeState = z.object({
  node: z.string(),
  url: z.string(),
  /** The origin at which people reach it; absent if its version does not say that. */
  site: z.string().optional(),
  version: z.string(),
  leads: z.boolean(),
  /** Whether it is handing its work to the others before it stops. */
  is_draining: z.boolean(),
  /** Whether it serves nobody yet, because a node of an earlier version leads: its tables change once none does. */
  is_waiting: z.boolean().default(false),
  /** Whether its database is being replaced by a snapshot; it serves nobody yet. */
  is_joining: z.boolean().default(false),
  /** Whether it has not known the log's end, or not had all of the log up to there, for ten seconds. */
  is_cut_off: z.boolean().default(false),
  /** When it began what this says that it does, in UNIX seconds; null if its version does not say that. */
  since: z.int().nullable().default(null),
  /** The newest entry of the log that its database holds. */
  position: z.int(),
  /** The time on its clock, in milliseconds since 1970. */
  clock_ms: z.number(),
  /** Free space on its data folder's disk. */
  free_bytes: z.number(),
  /** Entries that it has appended to the log since it was started. */
  appended: z.int().default(0),
  /** The address of the S3 store in its settings; "" without one. */
  files: z.string().default(""),
});
export type NodeState = z.infer<typeof nodeState>;

/** A node, as seen by another one. */
const knownNode = z.object({
  node: z.string(),
  url: z.string(),
  /** The origin at which people reach it, if that is known. */
  site: z.string().optional(),
  /** When it was last seen, in UNIX seconds. */
  last_seen: z.int(),
  /** The newest entry of the log that its database held then, or that its folder holds, which was asked; null if that is not known. */
  position: z.int().nullable().default(null),
  /** Its current report; null while it does not answer. */
  state: nodeState.nullable(),
  /** Entries of the log that its database lacks; null while it does not answer, or the log's end is not known. */
  lag: z.int().nullable(),
});
export type KnownNode = z.infer<typeof knownNode>;

export const clusterState = z.object({
  cluster: z.string(),
  /** The node that was asked. */
  asked: z.string(),
  /** The name of the node that leads; null while none does. */
  leader: z.string().nullable(),
  /**
   * "lost" if the nats-servers answer, and have no log of this cluster, or one that ends before what a node has of it; "silent" if most
   * of them do not answer.
   */
  log: z.enum(["there", "lost", "silent"]).default("there"),
  /** The newest entry of the log, 0 if it has none; while it is silent, the newest of which a node knows. */
  newest: z.int(),
  nodes: z.array(knownNode),
});
export type ClusterState = z.infer<typeof clusterState>;

/** A snapshot that was made on request. */
export const madeSnapshot = z.object({
  node: z.string(),
  /** The newest entry of the log that the copy contains. */
  position: z.int(),
  /** The size of the copied database. */
  bytes: z.int(),
});
export type MadeSnapshot = z.infer<typeof madeSnapshot>;
