import { recordAudit } from "@/foundation/audit/tx.ts";
import type { Tx } from "@/kernel/core/context.ts";
import type { UserRow } from "./rows.ts";

/** Adds an audit entry for a change of an account, a person's or a bot's. */
export function recordAccountChange(
  tx: Tx,
  { id, is_bot, bot_owner_id }: Pick<UserRow, "id" | "is_bot"> & Partial<Pick<UserRow, "bot_owner_id">>,
  change: string,
  data?: Record<string, unknown>,
): void {
  const kind = is_bot ? "bot" : "user";
  recordAudit(tx, { event: `${kind}_${change}`, about: { kind, id }, personId: bot_owner_id, data });
}
