import { queueMail, withdrawMail } from "@/foundation/mail/tx.ts";
import { me } from "@/foundation/permissions/access.ts";
import { sendNotice } from "@/foundation/realm/hooks.ts";
import { realmSettings, remarkOnLinks, serverOptions } from "@/foundation/realm/schema.ts";
import { userFor } from "@/foundation/users/access.ts";
import type { Tx } from "@/kernel/context.ts";
import { clientsInText } from "@/personal/onboarding/present.ts";
import { linkOf } from "./schema.ts";
import type { Invitation } from "./store.ts";
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
  const mail = { ...mailFor(tx, one), sender_id: one.inviter_id, expires_at: one.expires_at };
  store.setMail(tx, one.id, queueMail(tx, mail));
}

function mailFor(tx: Tx, one: Invitation): { recipient: string; subject: string; body: string } {
  const { name } = realmSettings.read(tx);
  const inviter = userFor(tx, one.inviter_id).full_name;
  const until = one.expires_at === null ? [] : [`It is valid until ${dateOf(one.expires_at)} (UTC).`];
  const lines = [
    `${inviter} invites you to join ${name}. To choose a name and a password, open`,
    `    ${linkOf(tx.env.site, one.key ?? "")}`,
    ...remarkOnLinks(tx.env.site),
    ["This link is only for you.", ...until].join(" "),
    "Then you can use one of these clients:",
    clientsInText({ site: tx.env.site, email: one.email ?? "" }).replaceAll(/^(?=.)/gm, "    "),
    "If you did not expect this invitation, you can ignore this email.",
  ];
  return { recipient: one.email ?? "", subject: `Invitation to ${name}`, body: `${lines.join("\n\n")}\n` };
}

function dateOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ");
}

function handToActor(tx: Tx, invitations: readonly Invitation[]): void {
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
