// A write that waits for its batch.
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import type { ForwardedRequest } from "./forwarded-requests.ts";

export interface WriteJob {
  ctx: Ctx;
  body: (tx: Tx) => unknown;
  /** Whether the body may run a second time after a rollback. It then shares a savepoint with others, which costs less. */
  isRepeatable: boolean;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  /** When it was queued, on the monotonic clock. */
  since: number;
  /** In a cluster: the request that it belongs to, and its number among the writes of that request. */
  passed?: ForwardedRequest | undefined;
  n?: number;
  /** Set once it has run without an error. */
  made?: { readonly result: unknown } | undefined;
}
