// What an invitation gives to the person who accepts it.

import { addInvited, type UserWithKey } from "@/foundation/accounts/actions-adding.ts";
import { prove } from "@/foundation/address-proofs/actions.ts";
import type { ProofKind } from "@/foundation/address-proofs/schema.ts";
import { groupFor } from "@/foundation/groups/access.ts";
import { moveMembers } from "@/foundation/groups/actions.ts";
import { memberOf } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { sendNotice } from "@/foundation/realm/hooks.ts";
import { translatorTo } from "@/foundation/user-settings/access.ts";
import { startInLanguage } from "@/foundation/user-settings/actions.ts";
import { userFor } from "@/foundation/users/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { actingAs } from "@/kernel/core/operation.ts";
import { findChannel } from "@/places/channels/access.ts";
import { mentionOf } from "@/places/channels/queries.ts";
import { defaultChannelIds } from "@/places/default-channels/access.ts";
import { join } from "@/places/subscriptions/actions-moves.ts";
import type { Language } from "@/text/language/languages.ts";
import { greet } from "./actions-arrival.ts";
import { record } from "./actions-records.ts";
import type { Invitation } from "./schema.ts";

interface Arriving {
  full_name: string;
  email: string;
  /** Null for people who sign in at a provider. */
  password_hash: string | null;
  /** What proved that the address is theirs; null if nothing did. */
  proof: ProofKind | null;
  /** That of their browser; null if they came without one, or none of its languages is there. */
  language: Language | null;
}

/** Creates the account of an invited person, with all that the invitation gives. */
export function admitInvited(
  tx: Tx,
  found: Invitation,
  { proof, language, ...newcomer }: Arriving,
): UserWithKey {
  const email = found.email ?? newcomer.email;
  const added = addInvited(tx, { ...newcomer, email, role: found.role });
  const userId = added.user.user_id;
  startInLanguage(tx, userId, language);
  if (proof !== null) prove(tx, userFor(tx, userId), proof);
  record(tx, found, "accepted", { user_id: userId });
  enterChannels(tx, found, userId);
  enterGroups(tx, found, userId);
  greet(tx, userId, { address: email, welcomeText: found.welcome_text });
  notifyInviter(tx, found, userId);
  return added;
}

/** Creates a member's account, if joining needs no invitation. */
export function admitUninvited(tx: Tx, { proof, language, ...newcomer }: Arriving): UserWithKey {
  const added = addInvited(tx, { ...newcomer, role: roles.member });
  const userId = added.user.user_id;
  startInLanguage(tx, userId, language);
  if (proof !== null) prove(tx, userFor(tx, userId), proof);
  enterChannels(tx, { with_defaults: 1, channel_ids: [] }, userId);
  greet(tx, userId, { address: newcomer.email, welcomeText: null });
  return added;
}

/** Subscribes the user to the invitation's channels and the current default channels, except those archived since. */
function enterChannels(
  tx: Tx,
  found: Pick<Invitation, "with_defaults" | "channel_ids">,
  userId: number,
): void {
  const ids = new Set([...(found.with_defaults ? defaultChannelIds(tx) : []), ...found.channel_ids]);
  const channels = [...ids].flatMap((id) => findChannel(tx, id) ?? []).filter((row) => !row.is_archived);
  join(
    tx,
    channels.map((channel) => ({ channel, userIds: [userId], areNewPeople: true })),
  );
}

/** Acts as the system: the permission was checked when the invitation was made. */
function enterGroups(tx: Tx, found: Invitation, userId: number): void {
  const asServer = actingAs(tx, { kind: "system", id: 0, client: tx.actor.client });
  for (const group_id of found.group_ids) {
    if (!groupFor(tx, group_id).deactivated) moveMembers(asServer, { group_id, add: [userId] });
  }
}

function notifyInviter(tx: Tx, { notify_inviter, inviter_id }: Invitation, userId: number): void {
  if (!notify_inviter || !memberOf(tx, inviter_id).is_active) return;
  const person = mentionOf(tx, userId);
  const { t } = translatorTo(tx, inviter_id);
  const content = t("{person} accepted your invitation and has joined.", { person });
  sendNotice(actingAs(tx, { kind: "user", id: inviter_id, client: "Internal" }), {
    to: { people: [inviter_id] },
    content,
  });
}
