import { allow, me } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import type { Task } from "@/kernel/lib/tasks.ts";
import { isSynchronizing, synchronizingUser } from "./access.ts";
import type { Draft } from "./schema.ts";
import * as store from "./store.ts";

export const listDrafts = query(
  allow.user,
  (ctx): Task<Draft[]> => store.listDrafts(ctx, synchronizingUser(ctx)),
);

/** The `drafts` section of the initial state. */
export function* draftsState(ctx: Ctx): Task<{ drafts: Draft[] }> {
  return { drafts: isSynchronizing(ctx) ? yield* store.listDrafts(ctx, me(ctx).id) : [] };
}
