import { allow, me } from "@/foundation/permissions/access.ts";
import { accountToOpen } from "@/foundation/users/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { keysOf } from "./access.ts";
import type { Key } from "./schema.ts";
import * as store from "./store.ts";

/** The actor's own API keys, newest first. */
export const listKeys = query(allow.user, (ctx): Key[] => presentKeys(ctx, me(ctx).id));

/** The keys of an account that the actor may open: their own, their bots'; for administrators, anyone's. */
export const listKeysOf = query(allow.user, (ctx, userId: number): Key[] =>
  presentKeys(ctx, accountToOpen(ctx, userId).id),
);

function presentKeys(ctx: Ctx, userId: number): Key[] {
  const { by } = ctx.actor;
  return keysOf(ctx, userId).map(({ id, kind, device, date_created }) => ({
    id,
    kind: kind === "main" ? "program" : "login",
    device,
    created_at: date_created,
    last_used_at: store.findUse(ctx, id),
    is_current: by?.kind === "key" && by.id === id,
  }));
}
