// Writes people, groups, channels and memberships in one transaction, then pictures, emoji and files one by one.

import { adoptImported, insertImported as insertAccount } from "@/foundation/accounts/actions-adding.ts";
import { importAvatar } from "@/foundation/avatars/host.ts";
import { importEmoji } from "@/foundation/emoji/host.ts";
import { fileErrors } from "@/foundation/files/schema.ts";
import { addImportedGroup } from "@/foundation/groups/actions.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { botTypes } from "@/foundation/permissions/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { isError } from "@/kernel/lib/errors.ts";
import { importFile } from "@/messaging/uploads/host.ts";
import { hasAddress } from "@/operations/import/intake/names.ts";
import { insertImported as insertChannel } from "@/places/channel-administration/actions-opening.ts";
import { existingChannel } from "@/places/channels/access.ts";
import { channelConversation } from "@/places/conversations/access.ts";
import { isDefaultChannel } from "@/places/default-channels/access.ts";
import { addDefaultChannels } from "@/places/default-channels/actions.ts";
import { subscribeImported } from "@/places/subscriptions/actions-moves.ts";
import { type Base, inOrder } from "./planning.ts";
import type { ImportedChannel, ImportedPerson } from "./schema.ts";
import * as store from "./store.ts";
import type { MessageWriting } from "./writing-messages.ts";

/** Whether the transaction of `writePlaces` has been committed, even if the import was killed right after it. */
function isWritten({ ctx, spool }: MessageWriting): boolean {
  const base = spool.fact<Base>("base");
  if (base === null) return false;
  return store.lastIdOf(ctx, "users") > base.user || store.lastIdOf(ctx, "channels") > base.channel;
}

export async function writePlaces(writing: MessageWriting): Promise<void> {
  const { ctx, spool } = writing;
  if (spool.fact("places") !== null || isWritten(writing)) return;
  await writeAll(ctx, writing);
  spool.setFact("places", true);
}

const writeAll = action(allow.system, (tx, writing: MessageWriting): void => {
  const { spool, ids } = writing;
  const addresses = spool.fact<Record<string, string>>("addresses") ?? {};
  for (const person of inOrder(spool.people())) {
    writePerson(tx, writing, { person, email: addresses[person.key] });
  }
  for (const { name, description, members } of spool.groups()) {
    const people = members.flatMap((key) => ids.people.get(key) ?? []);
    addImportedGroup(tx, { name, description, members: people });
  }
  for (const channel of spool.channels()) writeChannel(tx, writing, channel);
});

function writePerson(
  tx: Tx,
  { ids, operatorId }: MessageWriting,
  { person, email }: { person: ImportedPerson; email: string | undefined },
): void {
  const { key, name, role, isBot, owner, isActive, timezone, joined } = person;
  if (email === undefined) {
    const known = ids.people.get(key);
    if (known !== undefined && known === ids.base.ownerMade)
      adoptImported(tx, known, { timezone, date_joined: Math.floor(joined ?? tx.now) });
    return;
  }
  const id = insertAccount(tx, {
    email,
    full_name: name,
    role,
    bot_type: isBot ? botTypes.generic : null,
    bot_owner_id: isBot ? ((owner === null ? null : ids.people.get(owner)) ?? operatorId) : null,
    timezone,
    is_active: isActive,
    date_joined: Math.floor(joined ?? tx.now),
    has_address: hasAddress(email),
  });
  if (id !== ids.people.get(key))
    throw new Error(`The account ${key} got the ID ${id}, which was not planned`);
}

function writeChannel(tx: Tx, { ids }: MessageWriting, channel: ImportedChannel): void {
  const planned = ids.channels.get(channel.key);
  if (!planned) throw new Error(`The channel ${channel.key} was not planned`);
  const idsOf = (keys: readonly string[]) => [...new Set(keys.flatMap((key) => ids.people.get(key) ?? []))];
  if (planned.id > ids.base.channel) {
    const id = insertChannel(tx, {
      name: planned.name,
      description: channel.description,
      invite_only: channel.isPrivate,
      is_web_public: channel.isWebPublic,
      history_public_to_subscribers: channel.sharesHistory,
      is_archived: channel.isArchived,
      creator_id: channel.creator === null ? null : (ids.people.get(channel.creator) ?? null),
      date_created: Math.floor(channel.created ?? tx.now),
      administrators: idsOf(channel.administrators),
    });
    if (id !== planned.id)
      throw new Error(`The channel ${channel.key} got the ID ${id}, which was not planned`);
  }
  const conversationId = channelConversation(tx, planned.id);
  subscribeImported(tx, { channelId: planned.id, conversationId, userIds: idsOf(channel.members) });
  const row = existingChannel(tx, planned.id);
  const mayBeDefault = channel.isDefault && !channel.isPrivate && !channel.isArchived;
  if (mayBeDefault && !isDefaultChannel(tx, row.id)) addDefaultChannels(tx, [row]);
}

/** Writes pictures of people, custom emoji and files. Does not replace existing ones. */
export async function writeFiles({ ctx, spool, ids, onProgress }: MessageWriting): Promise<void> {
  const pictured = spool.people().filter(({ picture }) => picture !== null);
  for (const [index, { key, picture }] of pictured.entries()) {
    onProgress("Pictures of people", index, pictured.length);
    const userId = ids.people.get(key);
    const isNew = userId !== undefined && (userId > ids.base.user || userId === ids.base.ownerMade);
    if (isNew && picture !== null) await unlessBad(() => importAvatar(ctx, { userId, path: picture }));
  }
  const emoji = spool.emoji();
  let tooMany = 0;
  for (const [index, { name, path, author }] of emoji.entries()) {
    onProgress("Custom emoji", index, emoji.length);
    const author_id = author === null ? null : (ids.people.get(author) ?? null);
    const fault = await unlessBad(() => importEmoji(ctx, { name, path, author_id }));
    if (fault === "too many") tooMany++;
  }
  spool.setLoss("custom emoji beyond the maximum, with their reactions", tooMany);
  const files = spool.files();
  for (const [index, { path, name, file, owner, at }] of files.entries()) {
    onProgress("Files", index, files.length);
    const ownerId = ids.people.get(owner);
    if (ownerId !== undefined) await importFile(ctx, { path, name, file, ownerId, at: Math.floor(at) });
  }
}

/** Skips pictures that cannot be decoded although their header could be read. */
async function unlessBad<R>(work: () => Promise<R>): Promise<R | null> {
  try {
    return await work();
  } catch (error) {
    if (!isError(error, fileErrors.BAD_IMAGE)) throw error;
    return null;
  }
}
