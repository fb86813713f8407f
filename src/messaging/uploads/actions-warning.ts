// Warns the owners before the organization's quota of files is used up.
import { queueLetter } from "@/foundation/mail/actions.ts";
import type { MailLetter } from "@/foundation/mail/schema.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { sendNotice } from "@/foundation/realm/hooks.ts";
import { realmSettings, serverOptions } from "@/foundation/realm/schema.ts";
import { translatorTo } from "@/foundation/user-settings/access.ts";
import { activePeople } from "@/foundation/users/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { formatBytesIn, formatPartIn } from "@/text/language/amounts.ts";
import type { Translator } from "@/text/language/translator.ts";
import { spaceOfAll } from "./access.ts";
import { type ScarceSpace, scarceSpace } from "./fullness.ts";
import { spaceWarnings } from "./schema.ts";

/** Somebody who adds and deletes a file again and again crosses a line each time: owners read of each line once in so many seconds. */
const restSeconds = 86_400;

/** Call it after what all files take up, or may take up, has changed: it warns the owners when 80 or 95 % are passed. */
export function noteFullness(tx: Tx): void {
  const scarce = scarceSpace(spaceOfAll(tx));
  const level = scarce === null ? 0 : scarce.isLate ? 2 : 1;
  const before = spaceWarnings.read(tx);
  if (level === before.level) return;

  spaceWarnings.write(tx, "level", level);
  if (scarce === null || level < before.level) return;
  const line = scarce.isLate ? "late_at" : "early_at";
  if (before[line] !== 0 && tx.now < before[line] + restSeconds) return;
  spaceWarnings.write(tx, line, tx.now);
  for (const { id, delivery_email, role } of activePeople(tx)) {
    if (role !== roles.owner) continue;
    const translator = translatorTo(tx, id);
    sendNotice(tx, { to: { people: [id] }, content: wordNotice(tx, translator, scarce) });
    if (!serverOptions.read(tx).sends_mail) continue;
    const letter = writeLetter(tx, translator, scarce);
    queueLetter(tx, { letter, recipient: delivery_email, sender_id: id, reader_id: id, tells_sender: false });
  }
}

function wordFullness({ t, language: { tag } }: Translator, { part, used, quota }: ScarceSpace): string {
  const values = {
    percent: formatPartIn(tag, part),
    used: formatBytesIn(tag, used),
    quota: formatBytesIn(tag, quota),
  };
  return `${t("The organization’s files take up {percent} of the space that they may use: {used} of {quota}.", values)} ${t("Once it is used up, uploads are refused.")}`;
}

function writeLetter(tx: Tx, translator: Translator, scarce: ScarceSpace): MailLetter {
  const { t, language } = translator;
  const { name: organization } = realmSettings.read(tx);
  const percent = formatPartIn(language.tag, scarce.part);
  return {
    translator,
    subject: t("Files of {organization} take up {percent} of their space", { organization, percent }),
    blocks: [
      { text: wordFullness(translator, scarce) },
      { text: t("You can delete files that nobody links to, or allow more space.") },
      { label: t("See what takes up space"), url: `${tx.env.site}/#organization/files` },
    ],
    footer: t(
      "You get this mail because you are an owner. The next one comes if the space fills up further or again, at most once a day.",
    ),
  };
}

function wordNotice(tx: Tx, translator: Translator, scarce: ScarceSpace): string {
  const { t } = translator;
  return `${wordFullness(translator, scarce)} [${t("See what takes up space")}](${tx.env.site}/#organization/files)`;
}
