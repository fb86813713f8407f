import { lastUsesByBots } from "@/foundation/keys/access.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { proofHooks } from "@/foundation/proofs/hooks.ts";
import { hasTwoStep } from "@/foundation/two-step/access.ts";
import { dayOf, lastDayOf } from "@/foundation/user-activity/access.ts";
import { usersAfter } from "@/foundation/users/access.ts";
import { query } from "@/kernel/core/operation.ts";
import type { Task } from "@/kernel/lib/tasks.ts";
import type { SignIn } from "./schema.ts";

const dayMs = 86_400_000;

interface Page {
  /** The ID of the last user of the page before. */
  after: number;
  limit: number;
}

/** How users sign in, and when they were last active, by ID. */
export const listSignIns = query(allow.admin, function* (ctx, { after, limit }: Page): Task<SignIn[]> {
  const users = usersAfter(ctx, after, limit);
  const uses = new Map(
    users.some(({ is_bot }) => is_bot) ? lastUsesByBots(ctx).map(({ user_id, at }) => [user_id, at]) : [],
  );
  const signIns: SignIn[] = [];
  for (const { id, password_hash } of users) {
    const use = uses.get(id);
    const day = use === undefined ? lastDayOf(ctx, id) : dayOf(use);
    signIns.push({
      user_id: id,
      has_password: password_hash !== null,
      has_two_step: hasTwoStep(ctx, id),
      providers: [...proofHooks.providersOf(ctx, id)],
      last_active: day === null ? null : new Date(day * dayMs).toISOString().slice(0, 10),
    });
    yield 1;
  }
  return signIns;
});
