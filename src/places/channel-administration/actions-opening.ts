import { groupWithGrant, me } from "@/foundation/permissions/access.ts";
import { giveGrant } from "@/foundation/permissions/actions.ts";
import { type GrantName, type GroupSettingValue, grants } from "@/foundation/permissions/schema.ts";
import { renderText } from "@/foundation/realm/hooks.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { atTime } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import {
  checkAllMayBeginTopics,
  checkMayGive,
  checkMayMake,
  checkMayMakeMore,
  checkMayRetain,
  checkMaySetDefault,
  checkMaySetTopicsPolicy,
  checkPrivacy,
  existingChannel,
  mayInvite,
  type Privacy,
  privacyOf,
  refusalOf,
} from "@/places/channels/access.ts";
import { announceChannels, recordChannelChange } from "@/places/channels/actions.ts";
import type { ChannelGrantValues, ChannelRow, NewChannelTraits } from "@/places/channels/schema.ts";
import { openChannelConversation } from "@/places/conversations/actions.ts";
import { addDefaultChannels } from "@/places/default-channels/actions.ts";
import { folderToFill } from "@/places/folders/access.ts";
import { type ChannelJoining, join } from "@/places/subscriptions/actions-moves.ts";
import * as store from "./store.ts";

type NamedTraits = NewChannelTraits & { name: string; description: string };

/** Adds a channel with a free name. These people must be allowed to join it. */
function addChannel(tx: Tx, input: NamedTraits, userIds: readonly number[]): ChannelRow {
  const { name, description, folder_id = null, message_retention_days = null } = input;
  const { topics_policy = "inherit" } = input;
  const privacy = privacyOf(input);
  checkTraits(tx, input, privacy);
  checkMayMakeMore(tx);
  const id = store.insertChannel(tx, {
    name,
    description,
    rendered_description: renderText(tx, description).html,
    creator_id: creatorOf(tx),
    folder_id,
    message_retention_days,
    topics_policy,
    ...privacy,
  });
  openChannelConversation(tx, id);
  giveGrants(tx, id, input);
  checkAllMayBeginTopics(tx, id);
  const channel = existingChannel(tx, id);
  checkMayInvite(tx, channel, userIds);
  recordChannelChange(tx, channel, "created", { name, ...privacy });
  return channel;
}

function checkTraits(tx: Tx, input: NewChannelTraits, privacy: Privacy): void {
  checkPrivacy(privacy);
  checkMayMake(tx, privacy);
  if (input.is_default_stream) {
    checkMaySetDefault(tx);
    if (privacy.invite_only) fail("BAD_REQUEST", "A default channel cannot be private.");
  }
  checkMayRetain(tx, input.message_retention_days ?? null);
  if ((input.topics_policy ?? "inherit") !== "inherit") checkMaySetTopicsPolicy(tx);
  if (input.folder_id !== undefined) folderToFill(tx, input.folder_id);
}

function creatorOf(tx: Tx): number | null {
  return tx.actor.kind === "user" ? tx.actor.id : null;
}

/** Stores the given permission settings. By default, the creator may administer the channel. */
function giveGrants(tx: Tx, channelId: number, given: ChannelGrantValues): void {
  const creator = creatorOf(tx);
  const own =
    creator === null
      ? {}
      : { can_administer_channel_group: { direct_members: [creator], direct_subgroups: [] } };
  const values: Partial<Record<string, GroupSettingValue>> = { ...own, ...given };
  for (const name of Object.keys(grants.channel) as GrantName<"channel">[]) {
    const value = values[name];
    if (value === undefined) continue;
    if (value !== groupWithGrant(tx, "channel", channelId, name)) checkMayGive(tx, name);
    giveGrant(tx, { scope: "channel", ownerId: channelId, name }, value);
  }
}

/** Unlike the `subscribeOthers` purpose, does not ask that the creator may read the channel. */
function checkMayInvite(tx: Tx, channel: ChannelRow, userIds: readonly number[]): void {
  const hasOthers = userIds.some((id) => id !== tx.actor.id);
  if (!hasOthers || tx.actor.kind === "system" || mayInvite(tx, me(tx), channel)) return;
  fail("BAD_REQUEST", refusalOf("subscribeOthers", channel.name));
}

/** Creates a channel with a free name for users who then join it. */
type Open = (
  named: { name: string; description?: string | undefined },
  userIds: readonly number[],
) => ChannelRow;

interface Opened {
  opened: readonly ChannelRow[];
  moves: ReturnType<typeof join>;
}

/**
 * Subscribes users to channels, some of them new. `choose` returns who joins which channel, and creates the new ones with
 * `open`. Once the users have joined, makes the new channels default ones if `traits` say so, and announces them.
 */
export function joinOpening(
  tx: Tx,
  traits: NewChannelTraits,
  choose: (open: Open) => readonly ChannelJoining[],
): Opened {
  const opened: ChannelRow[] = [];
  const joinings = choose(({ name, description = "" }, userIds) => {
    const channel = addChannel(tx, { ...traits, name, description }, userIds);
    opened.push(channel);
    return channel;
  });
  const moves = join(
    tx,
    joinings.map((joining) => ({ ...joining, isNew: opened.includes(joining.channel) })),
  );
  if (traits.is_default_stream) addDefaultChannels(tx, opened);
  if (traits.announce) announceChannels(tx, opened);
  return { opened, moves };
}

interface ImportedChannel {
  name: string;
  description: string;
  invite_only: boolean;
  is_web_public: boolean;
  history_public_to_subscribers: boolean;
  is_archived: boolean;
  creator_id: number | null;
  /** UNIX seconds. */
  date_created: number;
  /** Users who administer it. */
  administrators: readonly number[];
}

/** Adds a channel with its conversation; returns its ID. The name must be free. */
export function insertImported(tx: Tx, channel: ImportedChannel): number {
  const { is_archived, date_created, administrators, ...traits } = channel;
  const id = store.insertChannel(atTime(tx, date_created), {
    ...traits,
    rendered_description: renderText(tx, channel.description).html,
  });
  openChannelConversation(tx, id);
  if (is_archived) store.setArchived(tx, id, true);
  const name = "can_administer_channel_group";
  const value = { direct_members: [...administrators], direct_subgroups: [] };
  if (administrators.length > 0) giveGrant(tx, { scope: "channel", ownerId: id, name }, value);
  return id;
}
