import { allow } from "@/foundation/permissions/access.ts";
import { sendNotice } from "@/foundation/realm/hooks.ts";
import { userFor } from "@/foundation/users/access.ts";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { userReference } from "@/text/quoting/references.ts";
import { groupFor } from "./access.ts";
import type { GroupRow } from "./rows.ts";

/** Notices in one transaction, so that a large group does not block other requests. */
const atOnce = 20;

/** Sends each person a notice that somebody else added them to a group, or removed them. */
export async function sendMoveNotices(
  ctx: Ctx,
  groupId: number,
  { added, removed }: { added: readonly number[]; removed: readonly number[] },
): Promise<void> {
  await sendAll(ctx, groupId, { userIds: added, what: "added you to" });
  await sendAll(ctx, groupId, { userIds: removed, what: "removed you from" });
}

async function sendAll(
  ctx: Ctx,
  groupId: number,
  { userIds, what }: { userIds: readonly number[]; what: string },
): Promise<void> {
  const others = userIds.filter((id) => id !== ctx.actor.id && !userFor(ctx, id).is_bot);
  for (let from = 0; from < others.length; from += atOnce) {
    await sendSome(ctx, { groupId, userIds: others.slice(from, from + atOnce), what });
  }
}

interface Notices {
  groupId: number;
  userIds: readonly number[];
  what: string;
}

const sendSome = action(allow.user, (tx, { groupId, userIds, what }: Notices): void => {
  const content = `${actorIn(tx)} ${what} the user group ${nameIn(groupFor(tx, groupId))}.`;
  for (const id of userIds) sendNotice(tx, { to: { people: [id] }, content });
});

function actorIn(tx: Tx): string {
  return tx.actor.kind === "user" ? userReference(userFor(tx, tx.actor.id)) : "An administrator";
}

/** A silent mention, or the name of a group that cannot be mentioned. */
function nameIn({ name, deactivated }: GroupRow): string {
  return deactivated ? `**${name}**` : `@_*${name}*`;
}
