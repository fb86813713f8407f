// Stores imported accounts, with their past, and without events, since no client is connected.
import { prove } from "@/foundation/address-proofs/tx.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { atTime } from "@/kernel/core/operation.ts";
import type { NewUser } from "./store.ts";
import * as store from "./store.ts";
import { startWithDefaults } from "./tx.ts";

export interface ImportedAccount extends Pick<NewUser, "email" | "full_name" | "role" | "bot_type"> {
  bot_owner_id: number | null;
  timezone: string;
  is_active: boolean;
  /** UNIX seconds. */
  date_joined: number;
  /** Whether the import has the person's own address, rather than one made up. */
  has_address: boolean;
}

/** Adds an account without key and password; returns its ID. The address must be free. */
export function insertImported(tx: Tx, account: ImportedAccount): number {
  const { timezone, is_active, date_joined, has_address, ...user } = account;
  const id = store.insertUser(atTime(tx, date_joined), { ...user, password_hash: null });
  if (timezone !== "") store.setTimezone(tx, id, timezone);
  if (!is_active) store.setActive(tx, id, false);
  if (user.bot_type === null) startWithDefaults(tx, id);
  if (user.bot_type === null && has_address) prove(tx, { id, delivery_email: user.email }, "import");
  return id;
}

/** What an imported first owner brings into a new organization. */
export function adoptImported(
  tx: Tx,
  id: number,
  past: Pick<ImportedAccount, "timezone" | "date_joined">,
): void {
  if (past.timezone !== "") store.setTimezone(tx, id, past.timezone);
  store.setJoined(tx, id, past.date_joined);
}
