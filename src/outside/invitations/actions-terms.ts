// Limits what an invitation may give to what its creator may.

import { changeableGroup, checkAllowed } from "@/foundation/groups/access.ts";
import { isAdmin, may, me } from "@/foundation/permissions/access.ts";
import type { Role } from "@/foundation/permissions/schema.ts";
import { serverOptions } from "@/foundation/realm/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { channelFor, isAllowed } from "@/places/channels/access.ts";
import type { ChannelRow } from "@/places/channels/schema.ts";
import { isDefaultChannel } from "@/places/default-channels/access.ts";
import { sentence } from "@/text/language/tables.ts";
import { expiry, type InvitationTerms } from "./schema.ts";
import type { NewInvitation } from "./store.ts";

type Promised = Pick<
  NewInvitation,
  "role" | "channel_ids" | "group_ids" | "with_defaults" | "welcome_text" | "valid_minutes" | "expires_at"
>;

/** Checks that the actor, a person, may invite on these terms. */
export function checkTerms(tx: Tx, given: InvitationTerms): Promised {
  const member = me(tx);
  if (member.is_bot) fail("BAD_REQUEST", "Bots cannot invite people.");
  checkRole(member.role, given.invite_as);
  const { include_realm_default_subscriptions, welcome_message_custom_text } = given;
  const usual = serverOptions.read(tx).invitation_link_validity_minutes;
  const { invite_expires_in_minutes: minutes = usual } = given;
  return {
    role: given.invite_as,
    channel_ids: channelsOf(tx, given.stream_ids),
    group_ids: groupsOf(tx, given.group_ids),
    with_defaults: include_realm_default_subscriptions ? 1 : 0,
    welcome_text: isAdmin(member) ? welcome_message_custom_text : null,
    valid_minutes: minutes,
    expires_at: expiry(tx.now, minutes),
  };
}

function checkRole(own: Role, given: Role): void {
  if (given >= own) return;
  fail("BAD_REQUEST", "You may invite people only to your own role, or to one with fewer permissions.");
}

const distinct = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b);

function channelsOf(tx: Tx, ids: readonly number[]): number[] {
  const channels = distinct(ids).map((id) => channelFor(tx, id, "see"));
  const mayAdd = (channel: ChannelRow) => isAllowed(tx, channel, "subscribeOthers");
  if (channels.length > 0 && !may(tx, "can_add_subscribers_group") && !channels.some(mayAdd)) {
    fail("BAD_REQUEST", "You do not have permission to subscribe other people to channels.");
  }
  for (const channel of channels) {
    if (!isDefaultChannel(tx, channel.id)) channelFor(tx, channel.id, "subscribeOthers");
  }
  return channels.map(({ id }) => id);
}

function groupsOf(tx: Tx, ids: readonly number[]): number[] {
  for (const id of ids) {
    const group = changeableGroup(tx, id);
    checkAllowed(tx, group, "add");
    if (group.deactivated)
      fail("BAD_REQUEST", sentence("User group ''{group}'' is deactivated.", { group: group.name }));
  }
  return distinct(ids);
}
