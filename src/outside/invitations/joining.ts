// How an invited person becomes a user.

import { hashNewPassword } from "@/foundation/auth/strength.ts";
import { groupFor } from "@/foundation/groups/access.ts";
import { moveMembers } from "@/foundation/groups/tx-moves.ts";
import { allow, memberOf } from "@/foundation/permissions/access.ts";
import { sendNotice } from "@/foundation/realm/hooks.ts";
import { checkArrival } from "@/foundation/users/identity.ts";
import { addInvited, type UserWithKey } from "@/foundation/users/tx.ts";
import type { Ctx, Tx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { actingAs, action } from "@/kernel/operation.ts";
import { findChannel } from "@/places/channels/access.ts";
import { mentionOf } from "@/places/channels/notices.ts";
import { defaultChannelIds } from "@/places/default-channels/access.ts";
import { join } from "@/places/subscriptions/tx-moves.ts";
import { type Invitation, openInvitation } from "./access.ts";
import { record } from "./tx.ts";
import { greet } from "./tx-arrival.ts";

export interface Newcomer {
  full_name: string;
  email: string;
  password: string;
}

/** Creates the account of an invited person. The key in the result is not shown again. */
export async function acceptInvitation(ctx: Ctx, key: string, newcomer: Newcomer): Promise<UserWithKey> {
  checkNewcomer(ctx, openInvitation(ctx, key), newcomer);
  const { password, ...person } = newcomer;
  const password_hash = await hashNewPassword(password, { about: [person.full_name, person.email] });
  return admit(ctx, { key, newcomer: { ...person, password_hash } });
}

type Hashed = Omit<Newcomer, "password"> & { password_hash: string };

/** Called before the password is hashed, which is slow, and again in the transaction. */
function checkNewcomer(ctx: Ctx, found: Invitation, newcomer: Pick<Newcomer, "full_name" | "email">): void {
  if (found.email !== null && found.email.toLowerCase() !== newcomer.email.toLowerCase()) {
    fail("BAD_REQUEST", `This invitation is for the address ${found.email}.`);
  }
  checkArrival(ctx, newcomer);
}

const admit = action(allow.anyone, (tx, { key, newcomer }: { key: string; newcomer: Hashed }) => {
  const found = openInvitation(tx, key);
  checkNewcomer(tx, found, newcomer);

  const email = found.email ?? newcomer.email;
  const added = addInvited(tx, { ...newcomer, email, role: found.role });
  const userId = added.user.user_id;
  record(tx, found, "accepted", { user_id: userId });
  enterChannels(tx, found, userId);
  enterGroups(tx, found, userId);
  greet(tx, userId, { address: email, welcomeText: found.welcome_text });
  notifyInviter(tx, found, userId);
  return added;
});

/** Subscribes the user to the invitation's channels and the current default channels, except those archived since. */
function enterChannels(tx: Tx, found: Invitation, userId: number): void {
  const ids = new Set([...(found.with_defaults ? defaultChannelIds(tx) : []), ...found.channel_ids]);
  const channels = [...ids].flatMap((id) => findChannel(tx, id) ?? []).filter((row) => !row.is_archived);
  join(
    tx,
    channels.map((channel) => ({ channel, userIds: [userId] })),
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
  const content = `${mentionOf(tx, userId)} accepted your invitation and has joined.`;
  sendNotice(actingAs(tx, { kind: "user", id: inviter_id, client: "Internal" }), {
    to: { people: [inviter_id] },
    content,
  });
}
