import { allow, me, usersUpTo } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { settingOf } from "@/foundation/user-settings/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { messageFor, readableAmong } from "@/messaging/messages/access.ts";
import { listMutedEitherWay } from "@/messaging/mute-spans/access.ts";
import { listStarredIds, readersOfMessage } from "@/messaging/receipts/access.ts";

/** IDs of users who have read a message and share their read receipts, ascending. */
export const getReadReceipts = query(allow.user, (ctx, messageId: number): number[] => {
  if (!realmSettings.read(ctx).enable_read_receipts) {
    fail("BAD_REQUEST", "Read receipts are disabled in this organization.");
  }
  const active = usersUpTo(ctx, roles.guest);
  const readers = [...readersOfMessage(ctx, messageFor(ctx, messageId))];
  const hidden = listMutedEitherWay(ctx, me(ctx).id);
  const sharesReceipts = (id: number) =>
    active.has(id) && !hidden.has(id) && settingOf(ctx, id, "send_read_receipts");
  return readers.filter(sharesReceipts).sort((a, b) => a - b);
});

/** IDs of the starred messages that the user may still read. Clients show their number and fetch them by ID. */
export function starredState(ctx: Ctx): { starred_messages: number[] } {
  const readable = readableAmong(ctx, listStarredIds(ctx, me(ctx).id));
  return { starred_messages: readable.map((row) => row.id).sort((a, b) => a - b) };
}
