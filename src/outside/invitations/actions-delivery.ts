import { queueLetter, withdrawMail } from "@/foundation/mail/actions.ts";
import type { MailLetter } from "@/foundation/mail/schema.ts";
import { me } from "@/foundation/permissions/access.ts";
import { takesPasswords } from "@/foundation/realm/access.ts";
import { sendNotice } from "@/foundation/realm/hooks.ts";
import { realmSettings, remarkOnLinks, serverOptions } from "@/foundation/realm/schema.ts";
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
  const { name } = realmSettings.read(tx);
  const login = { site: tx.env.site, email: one.email ?? "", takesPasswords: takesPasswords(tx) };
  const inviter = userFor(tx, one.inviter_id).full_name;
  const until = one.expires_at === null ? [] : [`It is valid until ${dateOf(one.expires_at)} (UTC).`];
  return {
    subject: `Invitation to ${name}`,
    heading: `Join ${name}`,
    blocks: [
      { text: `${inviter} invites you to join ${name}. Choose a name and a password, and you are in.` },
      { label: `Join ${name}`, url: linkOf(tx.env.site, one.key ?? "") },
      { text: ["This link is only for you.", ...until].join(" ") },
      { text: "Then you can use any of these clients:" },
      { lines: clientsInText(login) },
    ],
    footer: "If you did not expect this invitation, you can ignore this mail.",
  };
}

function dateOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ");
}

function handToActor(tx: Tx, invitations: readonly Invitation[]): void {
  for (const { id } of invitations) store.setHandedOver(tx, id);
  for (let from = 0; from < invitations.length; from += linksAtOnce) {
    const lines = invitations
      .slice(from, from + linksAtOnce)
      .map(({ email, key }) => `* \`${email?.replaceAll("`", "'")}\`: ${linkOf(tx.env.site, key ?? "")}`);
    const content =
      "This server sends no email, so please pass these links on yourself. Each is for one person only.\n\n" +
      [lines.join("\n"), ...remarkOnLinks(tx.env.site)].join("\n\n");
    sendNotice(tx, { to: { people: [me(tx).id] }, content });
  }
}
