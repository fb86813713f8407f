import { recordAudit } from "@/foundation/audit/tx.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import * as store from "./store.ts";

/** Makes a waiting mail due now; the server tries it again within a second or two. */
export const tryMailNow = action(allow.admin, (tx, id: number): void => {
  const mail = store.findMail(tx, id) ?? fail("MISSING", "This mail is not waiting any more.");
  if (mail.given_up_at !== null) fail("BAD_REQUEST", "The text of a mail that was given up is not kept.");
  store.setDue(tx, id, tx.now);
});

/** Deletes a waiting or failed mail; it is not sent. */
export const discardMail = action(allow.admin, (tx, id: number): void => {
  const mail = store.findMail(tx, id) ?? fail("MISSING", "This mail is not waiting any more.");
  store.deleteMail(tx, id);
  recordAudit(tx, {
    event: "mail_discarded",
    about: { kind: "mail", id, name: mail.recipient },
    data: { subject: mail.subject },
  });
});
