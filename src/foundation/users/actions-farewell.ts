// The mail to a person whose account an administrator has deactivated.

import { queueLetter } from "@/foundation/mail/tx.ts";
import { allow, me } from "@/foundation/permissions/access.ts";
import { realmSettings, serverOptions } from "@/foundation/realm/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { isLoopback } from "@/text/links/schema.ts";
import { userFor } from "./access.ts";
import { deactivateUser } from "./actions.ts";

/** Deactivates a user; with a comment, even an empty one, sends a person a mail. */
export const deactivateAndMail = action(
  allow.admin,
  (tx, { user_id, comment }: { user_id: number; comment?: string }): void => {
    deactivateUser.in(tx, user_id);
    if (comment !== undefined) queueDeactivationMail(tx, user_id, comment);
  },
);

function queueDeactivationMail(tx: Tx, userId: number, comment: string): void {
  const { is_bot, delivery_email, full_name } = userFor(tx, userId);
  if (is_bot) return;
  if (!serverOptions.read(tx).sends_mail) {
    if (comment === "") return;
    fail("BAD_REQUEST", "This server sends no mail, so nobody would read the comment.");
  }
  const { name } = realmSettings.read(tx);
  const where = isLoopback(tx.env.site) ? "" : ` (${tx.env.site})`;
  const by = userFor(tx, me(tx).id).full_name;
  const news = `Hello ${full_name},\n\nyour account at ${name}${where} has been deactivated by ${by}.`;
  const letter = {
    subject: `Your account at ${name} has been deactivated`,
    blocks: comment === "" ? [{ text: news }] : [{ text: `${news} They wrote:` }, { lines: comment }],
  };
  queueLetter(tx, { letter, recipient: delivery_email, sender_id: me(tx).id });
}
