import { openChannelConversation } from "@/conversations/access.ts";
import type { Tx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { action } from "@/kernel/operation.ts";
import { renderText } from "@/messages/lookup.ts";
import { allow, giveGrant, grantedGroup, may, me } from "@/permissions/access.ts";
import { type GrantName, type GroupSettingValue, grants } from "@/permissions/schema.ts";
import { activeUsers } from "@/subscriptions/access.ts";
import { join } from "@/subscriptions/moves.ts";
import { type ChannelRow, isNameTaken, knownChannel, mayInvite, refusalOf } from "./access.ts";
import { presentChannel } from "./present.ts";
import type { Channel, ChannelGrantValues } from "./schema.ts";
import * as store from "./store.ts";

/** What a new channel is like, apart from its name. */
export interface NewChannelTraits extends ChannelGrantValues {
  invite_only?: boolean;
  /** By default shared by public channels and protected by private ones. */
  history_public_to_subscribers?: boolean;
}

export interface NewChannelInput extends NewChannelTraits {
  name: string;
  description?: string;
  /** User IDs; who creates the channel is subscribed only if among them. */
  subscribers?: readonly number[];
}

/** Creates a channel (API.md 4.11). */
export const createChannel = action(allow.user, (tx, input: NewChannelInput): Channel => {
  const { subscribers = [], ...traits } = input;
  if (isNameTaken(tx, input.name)) fail("BAD_REQUEST", `Channel '${input.name}' already exists`);

  const userIds = activeUsers(tx, subscribers);
  const channel = addChannel(tx, traits, userIds);
  join(tx, [{ channel, userIds, isNew: true }]);
  return presentChannel(tx, channel);
});

/** Adds a channel with a free name that these people are to join; telling of it is left to `join`. */
export function addChannel(
  tx: Tx,
  input: Omit<NewChannelInput, "subscribers">,
  userIds: readonly number[],
): ChannelRow {
  const {
    name,
    description = "",
    invite_only = false,
    history_public_to_subscribers = !invite_only,
    ...values
  } = input;
  checkMayCreate(tx, invite_only);
  if (!invite_only && !history_public_to_subscribers) {
    fail("BAD_REQUEST", "The history of a public channel cannot be protected.");
  }
  const id = store.insertChannel(tx, {
    name,
    description,
    rendered_description: renderText(tx, description).html,
    creator_id: creatorOf(tx),
    invite_only,
    history_public_to_subscribers,
  });
  openChannelConversation(tx, id);
  giveGrants(tx, id, values);
  const channel = knownChannel(tx, id);
  checkMayInvite(tx, channel, userIds);
  return channel;
}

function checkMayCreate(tx: Tx, isPrivate: boolean): void {
  if (may(tx, isPrivate ? "can_create_private_channel_group" : "can_create_public_channel_group")) return;
  fail("BAD_REQUEST", `You do not have permission to create ${isPrivate ? "private" : "public"} channels.`);
}

function creatorOf(tx: Tx): number | null {
  return tx.actor.kind === "user" ? tx.actor.id : null;
}

/** Stores the given permission settings; unless said otherwise, the creator administers the channel. */
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
    checkMayGive(tx, channelId, name, value);
    giveGrant(tx, { scope: "channel", ownerId: channelId, name }, value);
  }
}

const deletionGrants: readonly string[] = ["can_delete_any_message_group", "can_delete_own_message_group"];

/** Who may delete messages is not for every channel's creator to change (API-REFERENCE 13.2). */
function checkMayGive(tx: Tx, channelId: number, name: GrantName<"channel">, value: GroupSettingValue): void {
  if (!deletionGrants.includes(name) || value === grantedGroup(tx, "channel", channelId, name)) return;
  if (!may(tx, "can_set_delete_message_policy_group")) {
    fail("BAD_REQUEST", "You do not have permission to choose who may delete messages in a channel.");
  }
}

/** Whoever makes a channel need not be able to read it to decide who joins. */
function checkMayInvite(tx: Tx, channel: ChannelRow, userIds: readonly number[]): void {
  const hasOthers = userIds.some((id) => id !== tx.actor.id);
  if (!hasOthers || tx.actor.kind === "system" || mayInvite(tx, me(tx), channel)) return;
  fail("BAD_REQUEST", refusalOf("subscribeOthers", channel.name));
}
