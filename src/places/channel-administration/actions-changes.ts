import { allow } from "@/foundation/permissions/access.ts";
import { translatorToAll } from "@/foundation/realm/access.ts";
import { renderText } from "@/foundation/realm/hooks.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { stopPostingIn } from "@/foundation/realm-administration/actions-changes.ts";
import { sweepDaysOfChannel } from "@/foundation/retention/access.ts";
import { noteRetention } from "@/foundation/retention/actions.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { to } from "@/kernel/core/events.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import {
  channelFor,
  checkAllMayBeginTopics,
  checkMaySetDefault,
  checkMaySetTopicsPolicy,
  existingChannel,
  isNameTaken,
  viewersOf,
} from "@/places/channels/access.ts";
import { recordChannelChange, sendChannelNotice } from "@/places/channels/actions.ts";
import { channelHooks } from "@/places/channels/hooks.ts";
import { presentEmpty } from "@/places/channels/present.ts";
import { actorMention } from "@/places/channels/queries.ts";
import {
  type ChannelPatch,
  type ChannelRow,
  channelCreated,
  channelDeleted,
  channelReturned,
  channelUpdated,
  type TopicsPolicy,
} from "@/places/channels/schema.ts";
import { setDefaultChannel, withdrawChannel } from "@/places/default-channels/actions.ts";
import { folderFor, folderToFill } from "@/places/folders/access.ts";
import { subscriberIds } from "@/places/subscriptions/access.ts";
import { emitReturned } from "@/places/subscriptions/actions-moves.ts";
import { usersWithPolicies } from "@/places/user-topics/access.ts";
import { sentence } from "@/text/language/tables.ts";
import type { Translator } from "@/text/language/translator.ts";
import { quote } from "@/text/quoting/quoting.ts";
import { changeGrants, changePrivacy } from "./actions-privacy.ts";
import { type Revision, revise } from "./actions-revision.ts";
import * as store from "./store.ts";

type Update = ChannelPatch & { channel_id: number };

/** Changes the given properties of a channel, all or none, and emits an event for each that differs. */
export const updateChannel = operation(allow.user, async (ctx, input: Update): Promise<void> => {
  if (!mayChangeAccess(input)) return change(ctx, input);
  const { id } = channelFor(ctx, input.channel_id, "administer");
  const endings = await Promise.all(channelHooks.accessMayChange(ctx, id));
  try {
    await change(ctx, input);
  } finally {
    for (const end of endings) end();
  }
});

const withoutAccess: ReadonlySet<string> = new Set<keyof Update>([
  "channel_id",
  "new_name",
  "description",
  "is_default_stream",
  "folder_id",
  "topics_policy",
  "message_retention_days",
]);

/** Whether the change may decide who reads the channel. */
function mayChangeAccess(input: Update): boolean {
  return Object.entries(input).some(([name, value]) => value !== undefined && !withoutAccess.has(name));
}

const change = action(allow.user, (tx, input: Update): void => {
  const { channel_id, is_archived, is_default_stream: is_default, ...patch } = input;
  const channel = channelFor(tx, channel_id, "administer");
  if (is_archived === false && channel.is_archived) unarchive(tx, channel);
  // First, because a default channel cannot be made private.
  if (is_default === false) changeDefault(tx, channel, false);
  revise(tx, existingChannel(tx, channel_id), (revision) => apply(tx, revision, patch));
  if (is_default) changeDefault(tx, channel, true);
  if (is_archived && !channel.is_archived) archive(tx, existingChannel(tx, channel_id));
});

function apply(
  tx: Tx,
  revision: Revision,
  patch: Omit<ChannelPatch, "is_archived" | "is_default_stream">,
): void {
  const { new_name, description, message_retention_days, folder_id, topics_policy } = patch;
  if (new_name !== undefined) rename(tx, revision, new_name);
  if (description !== undefined) describe(tx, revision, description);
  changePrivacy(tx, revision, patch);
  if (message_retention_days !== undefined) changeRetention(tx, revision, message_retention_days);
  if (folder_id !== undefined) changeFolder(tx, revision, folder_id);
  if (topics_policy !== undefined) changeTopicsPolicy(tx, revision, topics_policy);
  changeGrants(tx, revision, patch);
  checkAllMayBeginTopics(tx, revision.channel.id);
}

function changeDefault(tx: Tx, { id: channel_id }: ChannelRow, is_default: boolean): void {
  checkMaySetDefault(tx);
  setDefaultChannel.in(tx, { channel_id, is_default });
}

function rename(tx: Tx, { channel, changes, notices, translator, person }: Revision, name: string): void {
  if (name === channel.name) return;
  const isOwn = name.toLowerCase() === channel.name.toLowerCase();
  if (!isOwn && isNameTaken(tx, name))
    fail("BAD_REQUEST", sentence("Channel ''{channel}'' already exists", { channel: name }));

  store.setName(tx, channel.id, name);
  recordChannelChange(tx, channel, "renamed", { from: channel.name, to: name });
  changes.push({ property: "name", value: name });
  const names = { from: channel.name, to: name };
  notices.push(
    translator.t("{person} renamed this channel from **{from}** to **{to}**.", { person, ...names }),
  );
}

function describe(
  tx: Tx,
  { channel, changes, notices, translator, person }: Revision,
  description: string,
): void {
  if (description === channel.description) return;

  const rendered_description = renderText(tx, description).html;
  store.setDescription(tx, channel.id, description, rendered_description);
  recordChannelChange(tx, channel, "described", { from: channel.description, to: description });
  changes.push({ property: "description", value: description, rendered_description });
  const { t } = translator;
  const quoted = (text: string) => quote(text === "" ? t("*No description.*") : text);
  notices.push(
    `${t("{person} changed the description of this channel.", { person })}\n\n` +
      `${t("It was:")}\n${quoted(channel.description)}\n${t("It is now:")}\n${quoted(description)}`,
  );
}

function changeRetention(
  tx: Tx,
  { channel, changes, notices, translator, person }: Revision,
  days: number | null,
): void {
  if (days === channel.message_retention_days) return;
  allow.owner(tx);

  const to = days ?? realmSettings.read(tx).message_retention_days;
  noteRetention(tx, { channelId: channel.id, from: sweepDaysOfChannel(tx, channel), to });
  store.setRetention(tx, channel.id, days);
  recordChannelChange(tx, channel, "retention_changed", { from: channel.message_retention_days, to: days });
  changes.push({ property: "message_retention_days", value: days });
  notices.push(
    translator.t(
      "{person} changed how long messages in this channel are kept, from **{from}** to **{to}**.",
      {
        person,
        from: describeRetention(translator, channel.message_retention_days),
        to: describeRetention(translator, days),
      },
    ),
  );
}

function describeRetention({ t }: Translator, days: number | null): string {
  if (days === null) return t("the organization's default");
  if (days === -1) return t("forever");
  return t("{days, plural, one {# day} other {# days}}", { days });
}

function changeFolder(tx: Tx, revision: Revision, folderId: number | null): void {
  const { channel, changes, notices } = revision;
  if (folderId === channel.folder_id) return;
  const folder = folderId === null ? null : folderToFill(tx, folderId);

  store.setFolder(tx, channel.id, folderId);
  recordChannelChange(tx, channel, "folder_changed", { from: channel.folder_id, to: folderId });
  changes.push({ property: "folder_id", value: folderId });
  const left = channel.folder_id === null ? null : folderFor(tx, channel.folder_id);
  notices.push(describeFolders(revision, { from: left?.name, to: folder?.name }));
}

function describeFolders(
  { translator: { t }, person }: Revision,
  { from, to = "" }: { from: string | undefined; to: string | undefined },
): string {
  if (from === undefined) return t("{person} moved this channel into the folder **{to}**.", { person, to });
  if (to === "") return t("{person} moved this channel out of the folder **{from}**.", { person, from });
  return t("{person} moved this channel out of the folder **{from}** and into the folder **{to}**.", {
    person,
    from,
    to,
  });
}

function changeTopicsPolicy(tx: Tx, { channel, changes }: Revision, policy: TopicsPolicy): void {
  if (policy === channel.topics_policy) return;
  checkMaySetTopicsPolicy(tx);
  if (policy === "empty_topic_only" && channelHooks.hasNamedTopics(tx, channel.id)) {
    fail(
      "BAD_REQUEST",
      "To allow only the general chat topic, all messages of the channel must be in it: move or delete the others first.",
    );
  }

  store.setTopicsPolicy(tx, channel.id, policy);
  recordChannelChange(tx, channel, "topics_policy_changed", { from: channel.topics_policy, to: policy });
  changes.push({ property: "topics_policy", value: policy });
}

/** Archives a channel. Clients that know archived channels get an update, older ones a deletion. */
export function archive(tx: Tx, channel: ChannelRow): void {
  // Before archiving, while every client still has the channel.
  const translator = translatorToAll(tx);
  const person = actorMention(tx, translator);
  sendChannelNotice(tx, channel, translator.t("{person} archived this channel.", { person }));
  store.setArchived(tx, channel.id, true);
  recordChannelChange(tx, channel, "archived");
  emitArchived(tx, channel, true);
  const audience = { to: viewersOf(tx, channel) };
  tx.emit(channelDeleted, audience, { stream_ids: [channel.id], archived: [], only: "older" });
  withdrawChannel(tx, channel.id);
  stopPostingIn(tx, channel.id);
}

function emitArchived(tx: Tx, channel: ChannelRow, value: boolean): void {
  const change = { stream_id: channel.id, name: channel.name, property: "is_archived", value };
  tx.emit(channelUpdated, { to: viewersOf(tx, channel) }, { change, is_archived: true });
}

/**
 * Restores an archived channel. For older clients it is a new channel with the same subscribers, and with what is unread and policies for
 * its topics; where that is too much, those that keep one of these have to register again.
 */
function unarchive(tx: Tx, channel: ChannelRow): void {
  store.setArchived(tx, channel.id, false);
  recordChannelChange(tx, channel, "unarchived");
  emitArchived(tx, channel, false);
  const active = existingChannel(tx, channel.id);
  const audience = { to: viewersOf(tx, active) };
  tx.emit(channelCreated, audience, { streams: [presentEmpty(tx, active)], only: "older" });
  emitReturned(tx, active);
  const userIds = tx.listeners([...subscriberIds(tx, channel.id).union(usersWithPolicies(tx, channel.id))]);
  const untold = new Set(channelHooks.returned(tx, { channel: active, userIds }).flat());
  if (untold.size > 0) tx.emit(channelReturned, to(), { user_ids: [...untold] });
  const translator = translatorToAll(tx);
  const person = actorMention(tx, translator);
  sendChannelNotice(tx, active, translator.t("{person} took this channel out of the archive.", { person }));
}
