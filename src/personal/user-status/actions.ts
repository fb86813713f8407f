import { knowersOf } from "@/foundation/acquaintance/access.ts";
import { recordAudit } from "@/foundation/audit/actions.ts";
import { updateOwnSettings } from "@/foundation/own-account/actions.ts";
import { allow, me } from "@/foundation/permissions/access.ts";
import type { SettingsChanged } from "@/foundation/user-settings/hooks.ts";
import { userFor, userToChange } from "@/foundation/users/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { emojiFor } from "@/messaging/reactions/access.ts";
import {
  type OwnStatusPatch,
  type StatusChanges,
  type StatusPatch,
  statusChanged,
  type UserStatus,
} from "./schema.ts";
import type { StatusRow } from "./store.ts";
import * as store from "./store.ts";

/** Changes the actor's status. */
export const updateOwnStatus = action(allow.user, (tx, { away, ...changes }: OwnStatusPatch): void => {
  if (away === undefined || Object.values(changes).some((value) => value !== undefined)) {
    change(tx, me(tx).id, changes);
  }
  if (away !== undefined) updateOwnSettings.in(tx, { settings: { presence_enabled: !away } });
});

/** Changes another user's status, as an administrator. */
export const updateStatusOf = action(allow.admin, (tx, { user_id, ...changes }: StatusPatch): void => {
  const user = userToChange(tx, user_id);
  if (!user.is_active) fail("BAD_REQUEST", "User is deactivated");

  const before = store.findStatus(tx, user.id);
  if (!change(tx, user.id, changes)) return;
  const data = { from: before, to: store.findStatus(tx, user.id) };
  recordAudit(tx, { event: "user_status_changed", about: { kind: "user", id: user.id }, data });
});

/** Emits whether a user hides their presence. Runs in the transaction of that change. */
export function emitAway(tx: Tx, { userId: user_id, before, now }: SettingsChanged): void {
  if (before.presence_enabled === now.presence_enabled) return;
  const away = !now.presence_enabled;
  tx.emit(statusChanged, knowersOf(tx, userFor(tx, user_id)), { user_id, away });
}

/** Returns whether anything changed. */
function change(tx: Tx, user_id: number, changes: StatusChanges): boolean {
  if (Object.values(changes).every((value) => value === undefined)) {
    fail("BAD_REQUEST", "Client did not pass any new values.");
  }
  const before = store.findStatus(tx, user_id);
  const { status_text = before.status_text } = changes;
  const emoji = emojiOf(tx, before, changes);
  const isSaid = status_text !== before.status_text;
  const isShown = emojiFields.some((name) => emoji[name] !== before[name]);
  if (!isSaid && !isShown) return false;

  store.setStatus(tx, user_id, { ...emoji, status_text });
  tx.emit(statusChanged, knowersOf(tx, userFor(tx, user_id)), {
    user_id,
    ...(isSaid ? { status_text } : {}),
    ...(isShown ? emojiForEvent(emoji) : {}),
  });
  return true;
}

type EmojiPart = Omit<StatusRow, "status_text">;

const emojiFields = ["emoji_name", "emoji_code", "reaction_type"] as const;

function emojiOf(
  tx: Tx,
  before: EmojiPart,
  { emoji_name, emoji_code, reaction_type }: StatusChanges,
): EmojiPart {
  if (emoji_name === undefined) {
    if (!emoji_code && !reaction_type) return before;
    fail("BAD_REQUEST", "Client must pass emoji_name if they pass either emoji_code or reaction_type.");
  }
  if (emoji_name === "") return { emoji_name: "", emoji_code: "", reaction_type: "" };
  const given = {
    emoji_name,
    emoji_code: emoji_code || undefined,
    reaction_type: reaction_type || undefined,
  };
  return emojiFor(tx, given, []);
}

// Wire: a removed emoji is sent as one with an empty name, of the usual type.
function emojiForEvent({ emoji_name, emoji_code, reaction_type }: EmojiPart): UserStatus {
  return { emoji_name, emoji_code, reaction_type: reaction_type || "unicode_emoji" };
}

/** Clears the status of a user. */
export function dropStatusOf(tx: Tx, userId: number): void {
  change(tx, userId, { status_text: "", emoji_name: "" });
}
