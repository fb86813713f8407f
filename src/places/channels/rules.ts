// Permissions for setting a channel's properties, when it is created or later.

import { allow, isAdmin, may, me, webPublicRefusal } from "@/foundation/permissions/access.ts";
import type { GrantName } from "@/foundation/permissions/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { isAllowed } from "./access.ts";
import type { ChannelRow } from "./rows.ts";
import { maxChannelsMade } from "./schema.ts";
import { listChannels } from "./store.ts";

/** Who sees a channel, and how much of its history they may read. */
export interface Privacy {
  invite_only: boolean;
  is_web_public: boolean;
  history_public_to_subscribers: boolean;
}

/** Refuses contradictory settings. */
export function checkPrivacy(privacy: Privacy): void {
  const { invite_only, is_web_public, history_public_to_subscribers } = privacy;
  if (invite_only && is_web_public) fail("BAD_REQUEST", "A private channel cannot be web-public.");
  if (!invite_only && !history_public_to_subscribers) {
    fail("BAD_REQUEST", "The history of a public channel cannot be protected.");
  }
}

/** Limits the channels one user may create. Archived ones count, since they keep their names. */
export function checkMayMakeMore(tx: Ctx, count = 1): void {
  if (tx.actor.kind === "system" || isAdmin(me(tx))) return;
  const made = listChannels(tx).filter(({ creator_id }) => creator_id === tx.actor.id).length;
  if (made + count > maxChannelsMade) {
    fail("BAD_REQUEST", `You have made ${maxChannelsMade} channels, and only administrators can make more.`);
  }
}

/** Creating public, private and web-public channels each needs a permission. */
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

/** Only owners may choose a retention other than the organization's default. */
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

/** Choosing who may delete messages needs a permission beyond administering the channel. */
export function checkMayGive(ctx: Ctx, name: GrantName<"channel">): void {
  if (!deletionGrants.includes(name) || may(ctx, "can_set_delete_message_policy_group")) return;
  fail("BAD_REQUEST", "You do not have permission to choose who may delete messages in a channel.");
}

/** Refuses actors who may not read the channel: otherwise they could give themselves or others access by changing it. */
export function checkMayOpen(ctx: Ctx, channel: ChannelRow): void {
  if (isAllowed(ctx, channel, "read")) return;
  fail(
    "BAD_REQUEST",
    `You must be able to read channel '${channel.name}' yourself to change who else can read it.`,
  );
}
