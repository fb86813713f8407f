// What the actor needs in order to give a channel a property, when creating it or later.

import { allow, isAdmin, may, me } from "@/foundation/permissions/access.ts";
import type { GrantName } from "@/foundation/permissions/schema.ts";
import { webPublicRefusal } from "@/foundation/realm/web-public.ts";
import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { mostChannelsMade } from "./schema.ts";
import { listChannels } from "./store.ts";

/** Who sees a channel, and how much of its past they read. */
export interface Privacy {
  invite_only: boolean;
  is_web_public: boolean;
  history_public_to_subscribers: boolean;
}

/** Refuses what contradicts itself. */
export function checkPrivacy(privacy: Privacy): void {
  const { invite_only, is_web_public, history_public_to_subscribers } = privacy;
  if (invite_only && is_web_public) fail("BAD_REQUEST", "A private channel cannot be web-public.");
  if (!invite_only && !history_public_to_subscribers) {
    fail("BAD_REQUEST", "The history of a public channel cannot be protected.");
  }
}

/** Archived channels count as well: their names stay taken. */
export function checkMayMakeMore(tx: Ctx, count = 1): void {
  if (tx.actor.kind === "system" || isAdmin(me(tx))) return;
  const made = listChannels(tx).filter(({ creator_id }) => creator_id === tx.actor.id).length;
  if (made + count > mostChannelsMade) {
    fail("BAD_REQUEST", `You have made ${mostChannelsMade} channels, and only administrators can make more.`);
  }
}

/** Channels of each kind, public or private, are for some to make, and web-public ones for fewer. */
export function checkMayMake(tx: Ctx, { invite_only, is_web_public }: Privacy): void {
  const permission = invite_only ? "can_create_private_channel_group" : "can_create_public_channel_group";
  if (!may(tx, permission)) {
    fail(
      "BAD_REQUEST",
      `You do not have permission to create ${invite_only ? "private" : "public"} channels.`,
    );
  }
  const refusal = is_web_public ? webPublicRefusal(tx) : null;
  if (refusal !== null) fail("BAD_REQUEST", refusal);
}

/** How long messages are kept is for owners to say, unless it is as long as everywhere. */
export function checkMayRetain(ctx: Ctx, days: number | null): void {
  if (days !== null) allow.owner(ctx);
}

export function checkMaySetTopicsPolicy(ctx: Ctx): void {
  if (may(ctx, "can_set_topics_policy_group")) return;
  fail("BAD_REQUEST", "You do not have permission to choose the topics policy of a channel.");
}

export function checkMaySetDefault(ctx: Ctx): void {
  if (ctx.actor.kind === "system" || isAdmin(me(ctx))) return;
  fail("BAD_REQUEST", "Only organization administrators choose the default channels.");
}

const deletionGrants: readonly GrantName<"channel">[] = [
  "can_delete_any_message_group",
  "can_delete_own_message_group",
];

/** Who may delete messages is not for every channel's administrator to say. */
export function checkMayGive(ctx: Ctx, name: GrantName<"channel">): void {
  if (!deletionGrants.includes(name) || may(ctx, "can_set_delete_message_policy_group")) return;
  fail("BAD_REQUEST", "You do not have permission to choose who may delete messages in a channel.");
}
