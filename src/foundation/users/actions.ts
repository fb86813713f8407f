import { type Known, knowersOf, strangersTo } from "@/foundation/acquaintance/access.ts";
import { recordAudit } from "@/foundation/audit/actions.ts";
import type { AccountChange } from "@/foundation/audit/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { presentStranger } from "./present.ts";
import { type ChangedUser, type UserRow, userAdded, userUpdated } from "./schema.ts";

/** Adds an audit entry for a change of an account, a person's or a bot's. */
export function recordAccountChange(
  tx: Tx,
  { id, is_bot, bot_owner_id }: Pick<UserRow, "id" | "is_bot"> & Partial<Pick<UserRow, "bot_owner_id">>,
  change: AccountChange,
  data?: Record<string, unknown>,
): void {
  const kind = is_bot ? "bot" : "user";
  recordAudit(tx, { event: `${kind}_${change}`, about: { kind, id }, personId: bot_owner_id, data });
}

/** Emits a change of a user to everyone who may know them. */
export function emitUserChange(tx: Tx, user: Known, change: Omit<ChangedUser, "user_id">): void {
  tx.emit(userUpdated, knowersOf(tx, user), { person: { user_id: user.id, ...change } });
}

/** Emits a placeholder to guests who may not know a new user, for clients that need an entry for every user. */
export function emitToStrangers(tx: Tx, user: Known): void {
  const strangers = strangersTo(tx, user);
  if (strangers.length === 0) return;
  tx.emit(userAdded, { to: strangers }, { person: presentStranger(tx, user.id), isStranger: true });
}
