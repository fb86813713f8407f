import { groupFor } from "@/foundation/groups/access.ts";
import { allow, grantedGroup, presentGroup } from "@/foundation/permissions/access.ts";
import { changeGrant } from "@/foundation/permissions/actions.ts";
import {
  type GrantName,
  type GroupSettingUpdate,
  type GroupSettingValue,
  grants,
} from "@/foundation/permissions/schema.ts";
import { renderText } from "@/foundation/realm/hooks.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { stopPostingIn } from "@/foundation/realm-administration/actions-changes.ts";
import { sweptInChannelAfter } from "@/foundation/retention/access.ts";
import { noteRetention } from "@/foundation/retention/actions.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { to } from "@/kernel/core/events.ts";
import { action, operation } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import {
  channelFor,
  channelReaders,
  checkMayGive,
  checkMayMake,
  checkMayOpen,
  checkMaySetDefault,
  checkMaySetTopicsPolicy,
  checkPrivacy,
  isNameTaken,
  knownChannel,
  type Privacy,
  readingGroups,
  sharesHistory,
  viewersOf,
} from "@/places/channels/access.ts";
import { recordChannelChange, sendChannelNotice } from "@/places/channels/actions.ts";
import { channelHooks } from "@/places/channels/hooks.ts";
import { presentChannel, presentEmpty } from "@/places/channels/present.ts";
import { actorMention, mentionOf } from "@/places/channels/queries.ts";
import {
  type ChannelChange,
  type ChannelPatch,
  type ChannelRow,
  channelCreated,
  channelDeleted,
  channelReturned,
  channelUpdated,
  type TopicsPolicy,
} from "@/places/channels/schema.ts";
import { isDefaultChannel } from "@/places/default-channels/access.ts";
import { setDefaultChannel, withdrawChannel } from "@/places/default-channels/actions.ts";
import { folderFor, folderToFill } from "@/places/folders/access.ts";
import { subscriberIds } from "@/places/subscriptions/access.ts";
import { emitReturned } from "@/places/subscriptions/actions-moves.ts";
import { emitSightGained, emitSightLost } from "@/places/subscriptions/actions-peers.ts";
import { named, peersAdded } from "@/places/subscriptions/schema.ts";
import { usersWithPolicies } from "@/places/user-topics/access.ts";
import { quoted } from "@/text/quoting/quoting.ts";
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
  revise(tx, knownChannel(tx, channel_id), (revision) => apply(tx, revision, patch));
  if (is_default) changeDefault(tx, channel, true);
  if (is_archived && !channel.is_archived) archive(tx, knownChannel(tx, channel_id));
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
}

function changeDefault(tx: Tx, { id: channel_id }: ChannelRow, is_default: boolean): void {
  checkMaySetDefault(tx);
  setDefaultChannel.in(tx, { channel_id, is_default });
}

function rename(tx: Tx, { channel, changes, notices }: Revision, name: string): void {
  if (name === channel.name) return;
  const isOwn = name.toLowerCase() === channel.name.toLowerCase();
  if (!isOwn && isNameTaken(tx, name)) fail("BAD_REQUEST", `Channel '${name}' already exists`);

  store.setName(tx, channel.id, name);
  recordChannelChange(tx, channel, "renamed", { from: channel.name, to: name });
  changes.push({ property: "name", value: name });
  notices.push(`${actorMention(tx)} renamed this channel from **${channel.name}** to **${name}**.`);
}

function describe(tx: Tx, { channel, changes, notices }: Revision, description: string): void {
  if (description === channel.description) return;

  const rendered_description = renderText(tx, description).html;
  store.setDescription(tx, channel.id, description, rendered_description);
  recordChannelChange(tx, channel, "described", { from: channel.description, to: description });
  changes.push({ property: "description", value: description, rendered_description });
  notices.push(
    `${actorMention(tx)} changed the description of this channel.\n\nIt was:\n${shown(channel.description)}\n` +
      `It is now:\n${shown(description)}`,
  );
}

const shown = (description: string) => quoted(description === "" ? "*No description.*" : description);

function changeRetention(tx: Tx, { channel, changes, notices }: Revision, days: number | null): void {
  if (days === channel.message_retention_days) return;
  allow.owner(tx);

  const to = days ?? realmSettings.read(tx).message_retention_days;
  noteRetention(tx, { channelId: channel.id, from: sweptInChannelAfter(tx, channel), to });
  store.setRetention(tx, channel.id, days);
  recordChannelChange(tx, channel, "retention_changed", { from: channel.message_retention_days, to: days });
  changes.push({ property: "message_retention_days", value: days });
  notices.push(
    `${actorMention(tx)} changed how long messages in this channel are kept, from ` +
      `**${keptWords(channel.message_retention_days)}** to **${keptWords(days)}**.`,
  );
}

function keptWords(days: number | null): string {
  if (days === null) return "the organization's default";
  if (days === -1) return "forever";
  return days === 1 ? "1 day" : `${days} days`;
}

function changeFolder(tx: Tx, { channel, changes, notices }: Revision, folderId: number | null): void {
  if (folderId === channel.folder_id) return;
  const folder = folderId === null ? null : folderToFill(tx, folderId);

  store.setFolder(tx, channel.id, folderId);
  recordChannelChange(tx, channel, "folder_changed", { from: channel.folder_id, to: folderId });
  changes.push({ property: "folder_id", value: folderId });
  const left = channel.folder_id === null ? null : folderFor(tx, channel.folder_id);
  const places = [
    left && `out of the folder **${left.name}**`,
    folder && `into the folder **${folder.name}**`,
  ];
  notices.push(
    `${actorMention(tx)} moved this channel ${places.filter((place) => place !== null).join(" and ")}.`,
  );
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

interface Revision {
  /** Before the change. */
  readonly channel: ChannelRow;
  /** To be emitted to those who see the channel before and after. */
  readonly changes: ChannelChange[];
  /** To be sent to the channel. */
  readonly notices: string[];
}

/** Runs `change`, then emits to users who gained sight of the channel, kept it or lost it, and sends the notices. */
function revise(tx: Tx, channel: ChannelRow, change: (revision: Revision) => void): void {
  const before = new Set(viewersOf(tx, channel));
  const readers = channelReaders(tx, channel);
  const revision: Revision = { channel, changes: [], notices: [] };
  change(revision);

  const revised = knownChannel(tx, channel.id);
  const after = viewersOf(tx, revised);
  const gained = [...after].filter((id) => !before.has(id));
  emitGained(tx, revised, gained);
  emitChanges(tx, revision, { revised, audience: [...after].filter((id) => before.has(id)) });
  emitSightLost(tx, [{ channel: revised, userIds: [...before].filter((id) => !after.has(id)) }]);
  noteAccess(tx, revised, { channel, readers });
  // An archived channel is read-only.
  if (revised.is_archived) return;
  for (const notice of revision.notices) sendChannelNotice(tx, revised, notice);
}

/** For those who read the channel either before or after the change, and if its history is shared from now on or no longer, for all. */
function noteAccess(
  tx: Tx,
  revised: ChannelRow,
  { channel, readers }: { channel: ChannelRow; readers: ReadonlySet<number> },
): void {
  const now = channelReaders(tx, revised);
  const isSame = sharesHistory(revised) === sharesHistory(channel);
  if (isSame && now === readers) return;
  const all = [...new Set([...readers, ...now])];
  const userIds = isSame ? all.filter((id) => !readers.has(id) || !now.has(id)) : all;
  if (userIds.length > 0) channelHooks.accessChanged(tx, [{ channel: revised, userIds }]);
}

/** Emits the channel and its subscribers to users who now see it. */
function emitGained(tx: Tx, channel: ChannelRow, userIds: number[]): void {
  const subscribers = [...subscriberIds(tx, channel.id)];
  emitSightGained(tx, [{ channel, userIds }]);
  if (userIds.length === 0 || subscribers.length === 0) return;
  tx.emit(peersAdded, { to: userIds }, { ...named([channel]), user_ids: subscribers });
}

function emitChanges(
  tx: Tx,
  { channel, changes }: Revision,
  { revised, audience }: { revised: ChannelRow; audience: number[] },
): void {
  if (audience.length === 0) return;
  for (const change of changes) {
    // Wire: update-stream carries the old name when it changes, as that is what clients know the channel by.
    const { id, name } = change.property === "name" ? channel : revised;
    const is_archived = revised.is_archived === 1;
    tx.emit(channelUpdated, { to: audience }, { change: { stream_id: id, name, ...change }, is_archived });
  }
}

type PrivacyPatch = Pick<ChannelPatch, "is_private" | "is_web_public" | "history_public_to_subscribers">;

/** Changes a channel's privacy. Its subscribers stay; a channel that becomes public shares all of its history. */
function changePrivacy(tx: Tx, { channel, changes, notices }: Revision, patch: PrivacyPatch): void {
  const before = privacyOf(channel);
  const after = revised(before, patch);
  checkPrivacy(after);
  if (isSame(before, after)) return;
  checkMayOpen(tx, channel);
  if (becomesAnotherKind(before, after)) checkMayMake(tx, after);
  if (after.invite_only && isDefaultChannel(tx, channel.id)) {
    fail("BAD_REQUEST", "A default channel cannot be private.");
  }
  if (!after.invite_only) checkTakesNoReports(tx, channel);

  store.setPrivacy(tx, channel.id, after);
  if (after.invite_only) withdrawChannel(tx, channel.id);
  recordChannelChange(tx, channel, "privacy_changed", { from: before, to: after });
  const { invite_only: value, history_public_to_subscribers, is_web_public } = after;
  changes.push({ property: "invite_only", value, history_public_to_subscribers, is_web_public });
  notices.push(
    `${actorMention(tx)} changed this channel from **${wordsOf(before)}** to **${wordsOf(after)}**.`,
  );
}

function privacyOf(channel: ChannelRow): Privacy {
  return {
    invite_only: channel.invite_only === 1,
    is_web_public: channel.is_web_public === 1,
    history_public_to_subscribers: channel.history_public_to_subscribers === 1,
  };
}

/** Fills in what the patch leaves out: private channels stop being web-public; channels made public share their history. */
function revised(before: Privacy, patch: PrivacyPatch): Privacy {
  const is_web_public = patch.is_web_public ?? (before.is_web_public && !patch.is_private);
  const invite_only = patch.is_private ?? (before.invite_only && !is_web_public);
  const history_public_to_subscribers =
    patch.history_public_to_subscribers ?? (before.history_public_to_subscribers || !invite_only);
  return { invite_only, is_web_public, history_public_to_subscribers };
}

function isSame(one: Privacy, other: Privacy): boolean {
  return (Object.keys(one) as (keyof Privacy)[]).every((name) => one[name] === other[name]);
}

function becomesAnotherKind(before: Privacy, after: Privacy): boolean {
  return before.invite_only !== after.invite_only || (after.is_web_public && !before.is_web_public);
}

/** Refuses the channel for moderation requests: reports quote private messages, so it must stay private. */
function checkTakesNoReports(tx: Tx, { id }: ChannelRow): void {
  if (realmSettings.read(tx).moderation_request_channel_id !== id) return;
  fail("BAD_REQUEST", "The channel for moderation requests must be private.");
}

function wordsOf({ invite_only, is_web_public, history_public_to_subscribers }: Privacy): string {
  if (!invite_only) return is_web_public ? "web-public" : "public";
  return `private, ${history_public_to_subscribers ? "shared" : "protected"} history`;
}

/** Archives a channel. Clients that know archived channels get an update, older ones a deletion. */
export function archive(tx: Tx, channel: ChannelRow): void {
  // Before archiving, while every client still has the channel.
  sendChannelNotice(tx, channel, `${actorMention(tx)} archived this channel.`);
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
 * Restores an archived channel. For older clients it is a new channel with the same subscribers; those that also keep what is
 * unread or policies for topics have to register again.
 */
function unarchive(tx: Tx, channel: ChannelRow): void {
  store.setArchived(tx, channel.id, false);
  recordChannelChange(tx, channel, "unarchived");
  emitArchived(tx, channel, false);
  const active = knownChannel(tx, channel.id);
  const audience = { to: viewersOf(tx, active) };
  tx.emit(channelCreated, audience, { streams: [presentEmpty(tx, active)], only: "older" });
  emitReturned(tx, active);
  const user_ids = tx.listeners([...subscriberIds(tx, channel.id).union(usersWithPolicies(tx, channel.id))]);
  if (user_ids.length > 0) tx.emit(channelReturned, to(), { user_ids: [...user_ids] });
  sendChannelNotice(tx, active, `${actorMention(tx)} took this channel out of the archive.`);
}

type Name = GrantName<"channel">;

type GrantPatch = { [K in Name]?: GroupSettingUpdate | undefined };

const names = Object.keys(grants.channel) as Name[];

/** Applies the permission settings in `patch`. Only a user who may read a private channel can change who else may. */
function changeGrants(tx: Tx, revision: Revision, patch: GrantPatch): void {
  const { channel, changes } = revision;
  const policy = postPolicyOf(tx, channel);
  for (const name of names) {
    const update = patch[name];
    if (update) changeOne(tx, revision, { name, update });
  }
  const newPolicy = postPolicyOf(tx, channel);
  // Wire: update-stream still emits stream_post_policy, which can_send_message_group replaced.
  if (newPolicy !== policy) changes.push({ property: "stream_post_policy", value: newPolicy });
}

function postPolicyOf(tx: Tx, channel: ChannelRow): number {
  return presentChannel(tx, channel).stream_post_policy;
}

function changeOne(
  tx: Tx,
  { channel, changes, notices }: Revision,
  { name, update }: { name: Name; update: GroupSettingUpdate },
): void {
  const from = presentGroup(tx, grantedGroup(tx, "channel", channel.id, name));
  // Checked before the change, because the change could let the actor read.
  if ((readingGroups as readonly Name[]).includes(name)) checkMayOpen(tx, channel);
  const to = changeGrant(tx, { scope: "channel", ownerId: channel.id, name }, update);
  if (to === null) return;
  checkMayGive(tx, name);

  recordChannelChange(tx, channel, "permission_changed", { name, from, to });
  changes.push({ property: name, value: to });
  if (name !== "can_send_message_group") return;
  notices.push(
    `${actorMention(tx)} changed who may post in this channel.\n\n* Before: ${grantsInWords(tx, from)}\n* Now: ${grantsInWords(tx, to)}`,
  );
}

/** A permission setting's users and groups as text: silent mentions, which notify nobody. */
function grantsInWords(tx: Tx, value: GroupSettingValue): string {
  if (typeof value === "number") return groupWords(tx, value);
  const words = [
    ...value.direct_subgroups.map((id) => groupWords(tx, id)),
    ...value.direct_members.map((id) => mentionOf(tx, id)),
  ];
  return words.length === 0 ? "nobody" : words.join(", ");
}

function groupWords(tx: Tx, id: number): string {
  const { kind, name, description } = groupFor(tx, id);
  return kind === "system" ? `**${description}**` : `@_*${name}*`;
}
