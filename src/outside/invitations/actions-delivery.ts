import { queueLetter, withdrawMail } from "@/foundation/mail/actions.ts";
import { type MailLetter, timeInUtc } from "@/foundation/mail/schema.ts";
import { me } from "@/foundation/permissions/access.ts";
import { takesPasswords, translatorToAll } from "@/foundation/realm/access.ts";
import { sendNotice } from "@/foundation/realm/hooks.ts";
import { realmSettings, remarkOnLinks, serverOptions } from "@/foundation/realm/schema.ts";
import { translatorTo } from "@/foundation/user-settings/access.ts";
import { userFor } from "@/foundation/users/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { clientsInText } from "@/personal/onboarding/queries.ts";
import { type Invitation, linkOf } from "./schema.ts";
import * as store from "./store.ts";

/** Links per message, which can have 10,000 characters. */
const linksAtOnce = 20;

/** Queues the emails of invitations; if the server sends no email, gives the actor the links. */
export function deliver(tx: Tx, invitations: readonly Invitation[]): void {
  for (const { id } of invitations) store.insertSending(tx, id);
  if (serverOptions.read(tx).sends_mail) for (const one of invitations) mailTo(tx, one);
  else handToActor(tx, invitations);
}

function mailTo(tx: Tx, one: Invitation): void {
  if (one.mail_id !== null) withdrawMail(tx, one.mail_id);
  const recipient = one.email ?? "";
  const letter = letterFor(tx, one);
  const { inviter_id: sender_id, expires_at } = one;
  store.setMail(tx, one.id, queueLetter(tx, { letter, recipient, sender_id, expires_at }));
}

function letterFor(tx: Tx, one: Invitation): MailLetter {
  const { name: organization } = realmSettings.read(tx);
  const translator = translatorToAll(tx);
  const { t } = translator;
  const login = { site: tx.env.site, email: one.email ?? "", takesPasswords: takesPasswords(tx) };
  const inviter = userFor(tx, one.inviter_id).full_name;
  const forYou = t("This link is only for you.");
  return {
    translator,
    subject: t("Invitation to {organization}", { organization }),
    heading: t("Join {organization}", { organization }),
    blocks: [
      {
        text: t(
          "{inviter} invites you to join {organization}. Choose a name and a password, and you are in.",
          { inviter, organization },
        ),
      },
      { label: t("Join {organization}", { organization }), url: linkOf(tx.env.site, one.key ?? "") },
      {
        text:
          one.expires_at === null
            ? forYou
            : t("{first} {second}", {
                first: forYou,
                second: t("It is valid until {time} (UTC).", {
                  time: timeInUtc(translator.language, one.expires_at),
                }),
              }),
      },
      { text: t("Then you can use any of these clients:") },
      { lines: clientsInText(translator, login) },
    ],
    footer: t("If you did not expect this invitation, you can ignore this mail."),
  };
}

function handToActor(tx: Tx, invitations: readonly Invitation[]): void {
  const { t } = translatorTo(tx, me(tx).id);
  const news = t(
    "This server sends no email, so please pass these links on yourself. Each is for one person only.",
  );
  const remarks = remarkOnLinks(tx.env.site).map((text) => t(text));
  for (const { id } of invitations) store.setHandedOver(tx, id);
  for (let from = 0; from < invitations.length; from += linksAtOnce) {
    const lines = invitations
      .slice(from, from + linksAtOnce)
      .map(({ email, key }) => `* \`${email?.replaceAll("`", "'")}\`: ${linkOf(tx.env.site, key ?? "")}`);
    const content = [news, lines.join("\n"), ...remarks].join("\n\n");
    sendNotice(tx, { to: { people: [me(tx).id] }, content });
  }
}
