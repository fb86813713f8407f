import { queueLetter } from "@/foundation/mail/actions.ts";
import { type MailLetter, timeInUtc } from "@/foundation/mail/schema.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { realmSettings, serverOptions } from "@/foundation/realm/schema.ts";
import { translatorTo } from "@/foundation/user-settings/access.ts";
import { activePeople } from "@/foundation/users/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import type { Translator } from "@/text/language/translator.ts";
import { backupSettings, type LastBackup } from "./schema.ts";

/** Records a backup that is complete. */
export const recordStoredBackup = action(allow.system, (tx, last: LastBackup): void => {
  backupSettings.write(tx, "last", last);
  if (backupSettings.read(tx).failed) backupSettings.write(tx, "failed", null);
});

interface Failure {
  /** The address of the place. */
  place: string;
  /** The end of a sentence. */
  reason: string;
}

/** The failure in a row after which owners get a mail: one may be a restart of the store. */
const failuresUntilMail = 2;

/** Records that a scheduled backup failed, and why. Mails the owners once until one is made. */
export const recordFailedBackup = action(allow.system, (tx, { place, reason }: Failure): void => {
  const count = (backupSettings.read(tx).failed?.count ?? 0) + 1;
  backupSettings.write(tx, "failed", { count, at: tx.now, reason });
  if (count !== failuresUntilMail || !serverOptions.read(tx).sends_mail) return;
  for (const { id, delivery_email, role } of activePeople(tx)) {
    if (role !== roles.owner) continue;
    const letter = failureLetter(tx, translatorTo(tx, id), { place, reason });
    queueLetter(tx, { letter, recipient: delivery_email, sender_id: id, reader_id: id, tells_sender: false });
  }
});

function failureLetter(tx: Tx, translator: Translator, { place, reason }: Failure): MailLetter {
  const { t, language } = translator;
  const { name: organization } = realmSettings.read(tx);
  const { last } = backupSettings.read(tx);
  return {
    translator,
    subject: t("Backups of {organization} fail", { organization }),
    blocks: [
      {
        text: t("The last two backups that the server of {organization} began could not be made.", {
          organization,
        }),
      },
      {
        facts: [
          [t("Place of the backups"), place],
          [t("What is wrong"), reason],
          [t("Last backup"), last ? `${timeInUtc(language, last.created_at)} UTC` : t("None so far")],
        ],
      },
      {
        text: t(
          "The server tries again every half hour. On its machine, 'confab doctor' says more, and 'confab backup now' tries at once.",
        ),
      },
    ],
    footer: t(
      "You get this mail because you are an owner. The next one comes if backups fail again after one was made.",
    ),
  };
}
