import { countGroupsOf } from "@/foundation/groups/access.ts";
import { keysOf } from "@/foundation/keys/access.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { profileOf } from "@/foundation/profile-fields/access.ts";
import { listSessionsOf } from "@/foundation/sessions/queries.ts";
import { settingOf } from "@/foundation/user-settings/access.ts";
import { botsOf } from "@/foundation/users/access.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { runInSlices, type Task } from "@/kernel/lib/tasks.ts";
import { countReactionsOf } from "@/messaging/reactions/access.ts";
import { countLinks, countUnlinkedFiles, linksIn, sizesOf } from "@/messaging/uploads/access.ts";
import { backupState } from "@/operations/backup/queries.ts";
import { listExports } from "@/operations/export/queries.ts";
import { countDraftsOf } from "@/personal/drafts/access.ts";
import { countRemindersOf } from "@/personal/reminders/access.ts";
import { countSnippetsOf } from "@/personal/saved-snippets/access.ts";
import { countScheduledOf } from "@/personal/scheduled-messages/access.ts";
import { getUserStatus } from "@/personal/user-status/queries.ts";
import { channelsOf } from "@/places/subscriptions/access.ts";
import { accountToEmpty, personToErase } from "./access.ts";
import type { Deletion, ErasurePreview, MessageCounts, SentThings } from "./schema.ts";
import * as store from "./store.ts";

const page = 1_000;

/** What a user and their bots have sent, and would be deleted by `deleteMessagesOf`. */
export const countSent = query(
  allow.admin,
  (ctx, userId: number): Promise<SentThings> => runInSlices(sentBy(ctx, accountToEmpty(ctx, userId))),
);

/** What goes when a person is erased. */
export const previewErasure = query(allow.owner, async (ctx, userId: number): Promise<ErasurePreview> => {
  const user = personToErase(ctx, userId);
  const sent = await runInSlices(sentBy(ctx, user));
  const status = Object.values(getUserStatus(ctx, user.id));
  const { oldest_at, newest_at } = backupState(ctx);
  return {
    ...sent,
    unlinked_files: countUnlinkedFiles(ctx, user.id),
    belongings: {
      drafts: countDraftsOf(ctx, user.id),
      scheduled_messages: countScheduledOf(ctx, user.id),
      reminders: countRemindersOf(ctx, user.id),
      saved_snippets: countSnippetsOf(ctx, user.id),
      profile_values: Object.keys(profileOf(ctx, user.id)).length,
      keys: keysOf(ctx, user.id).length,
      sessions: listSessionsOf(ctx, user.id).length,
      groups: countGroupsOf(ctx, user.id),
      subscriptions: channelsOf(ctx, user.id).size,
    },
    has_picture: user.avatar_file !== null,
    has_status: status.some((value) => value !== ""),
    agreed_to_export: settingOf(ctx, user.id, "allow_private_data_export"),
    oldest_backup: oldest_at,
    newest_backup: newest_at,
    exports: listExports(ctx).filter(({ export_url }) => export_url !== null).length,
  };
});

/** Whether a person was erased, and what is being deleted of an account and its bots. */
export const findDeletion = query(allow.admin, (ctx, userId: number): Deletion => {
  const user = accountToEmpty(ctx, userId);
  const ids = [user, ...botsOf(ctx, user.id)].map(({ id }) => id);
  return {
    is_erased: user.erased_at !== null,
    under_way: store
      .listWork(ctx)
      .filter(({ user_id }) => ids.includes(user_id))
      .map(({ user_id, stage, deleted_messages, deleted_reactions, deleted_files, fault }) => ({
        user_id,
        stage,
        messages: deleted_messages,
        reactions: deleted_reactions,
        files: deleted_files,
        is_stuck: fault !== null,
      })),
  };
});

function* sentBy(ctx: Ctx, user: UserRow): Task<SentThings> {
  const bots = botsOf(ctx, user.id);
  const messages: MessageCounts = { public_channels: 0, private_channels: 0, direct: 0 };
  const sizes: number[] = [];
  let reactions = 0;
  for (const { id } of [user, ...bots]) {
    sizes.push(...(yield* countMessages(ctx, id, messages)));
    reactions += yield* countReactions(ctx, id);
  }
  return {
    messages,
    reactions,
    files: sizes.length,
    file_bytes: sizes.reduce((sum, size) => sum + size, 0),
    bots: bots.map(({ id, full_name, is_active }) => ({
      user_id: id,
      full_name,
      is_active: is_active === 1,
    })),
  };
}

/** Adds to the counts. Returns the sizes of the sender's files that only these messages link to. */
function* countMessages(ctx: Ctx, senderId: number, counts: MessageCounts): Task<number[]> {
  const links = new Map<number, number>();
  for (let below = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = store.findSent(ctx, { senderId, below, max: page });
    for (const { channel_id, invite_only } of rows) {
      if (channel_id === null) counts.direct++;
      else if (invite_only) counts.private_channels++;
      else counts.public_channels++;
    }
    const ids = rows.map(({ id }) => id);
    for (const file of linksIn(ctx, ids)) links.set(file, (links.get(file) ?? 0) + 1);
    yield rows.length + 1;
    if (rows.length < page) break;
    below = rows.at(-1)?.id ?? 0;
  }
  const sizes: number[] = [];
  const linked = [...links];
  for (let from = 0; from < linked.length; from += page) {
    const some = new Map(linked.slice(from, from + page));
    const all = countLinks(ctx, [...some.keys()]);
    const only = all.flatMap(({ id, links: count }) => (some.get(id) === count ? [id] : []));
    sizes.push(...sizesOf(ctx, senderId, only));
    yield some.size;
  }
  return sizes;
}

function* countReactions(ctx: Ctx, userId: number): Task<number> {
  let count = 0;
  for (let after = 0; ; ) {
    const upTo = store.findEndOfRange(ctx, after, page);
    if (upTo === null) return count;
    count += countReactionsOf(ctx, userId, { after, upTo });
    after = upTo;
    yield page;
  }
}
