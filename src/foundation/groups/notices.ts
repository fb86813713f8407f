import { sendNotice } from "@/foundation/realm/notices.ts";
import { userFor } from "@/foundation/users/access.ts";
import type { Ctx, Tx } from "@/kernel/context.ts";
import { userReference } from "@/text/rendering/references.ts";
import { type GroupRow, groupFor } from "./access.ts";

/** How many people are told in one transaction, so that a large group stops nobody else's requests. */
const atOnce = 20;

/** Tells people, each in a message of their own, that somebody else put them into a group or out of it. */
export async function tellMoved(
  ctx: Ctx,
  groupId: number,
  { added, removed }: { added: readonly number[]; removed: readonly number[] },
): Promise<void> {
  await tellAll(ctx, groupId, { userIds: added, deed: "added you to" });
  await tellAll(ctx, groupId, { userIds: removed, deed: "removed you from" });
}

async function tellAll(
  ctx: Ctx,
  groupId: number,
  { userIds, deed }: { userIds: readonly number[]; deed: string },
): Promise<void> {
  const others = userIds.filter((id) => id !== ctx.actor.id && !userFor(ctx, id).is_bot);
  for (let from = 0; from < others.length; from += atOnce) {
    const people = others.slice(from, from + atOnce);
    await ctx.db.write(ctx, (tx) => {
      const content = `${actorIn(tx)} ${deed} the user group ${nameIn(groupFor(tx, groupId))}.`;
      for (const id of people) sendNotice(tx, { to: { people: [id] }, content });
    });
  }
}

function actorIn(tx: Tx): string {
  return tx.actor.kind === "user" ? userReference(userFor(tx, tx.actor.id)) : "An administrator";
}

/** A silent mention; of a group that cannot be mentioned, its name. */
function nameIn({ name, deactivated }: GroupRow): string {
  return deactivated ? `**${name}**` : `@_*${name}*`;
}
