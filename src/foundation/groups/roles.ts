// Emits events about the members of system groups, which follow from roles and time.

import { allow } from "@/foundation/permissions/access.ts";
import { directMembersOf, systemGroup } from "@/foundation/permissions/closure.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { type FullMembers, fullMembers } from "./access.ts";
import { emitFullMembers } from "./actions-roles.ts";

const lastLook = perApp<{ at: number | null }>(() => ({ at: null }));

/** Emits the full members who were added or lost since the last call; at first, since the start. */
export async function emitFullMembersByTime(ctx: Ctx): Promise<void> {
  const look = lastLook(ctx);
  const since = look.at ?? Math.floor(ctx.env.generation / 1000);
  look.at = ctx.now;
  const then = fullMembers({ db: ctx.db, now: since });
  const group = systemGroup(ctx, "role:fullmembers");
  const members = directMembersOf(ctx, group);
  // There are fewer if the clock was set back.
  if (members.length === then.ids.size && members.every((id) => then.ids.has(id))) return;
  await emitSince(ctx, then);
}

const emitSince = action(allow.system, (tx, then: FullMembers): void => emitFullMembers(tx, then));
