import { recordAudit } from "@/foundation/audit/tx.ts";
import type { Tx } from "@/kernel/context.ts";
import type { UserRow } from "./store.ts";

/** Writes down what was done to an account, a person's or a bot's. */
export function recordDeed(
  tx: Tx,
  { id, is_bot }: Pick<UserRow, "id" | "is_bot">,
  deed: string,
  data?: Record<string, unknown>,
): void {
  const kind = is_bot ? "bot" : "user";
  recordAudit(tx, { event: `${kind}_${deed}`, about: { kind, id }, data });
}
