// What happens when a new user joins, with or without an invitation.

import { queueLetter } from "@/foundation/mail/actions.ts";
import { takesPasswords, translatorToAll } from "@/foundation/realm/access.ts";
import { sendNotice } from "@/foundation/realm/hooks.ts";
import { realmSettings, serverOptions } from "@/foundation/realm/schema.ts";
import { translatorTo } from "@/foundation/user-settings/access.ts";
import { welcomeBot } from "@/foundation/users/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { actingAs } from "@/kernel/core/operation.ts";
import { welcomeNewcomer } from "@/personal/onboarding/actions.ts";
import { clientsInText } from "@/personal/onboarding/queries.ts";
import { findChannel } from "@/places/channels/access.ts";
import { mentionOf, noticeTopic } from "@/places/channels/queries.ts";
import { endInvitationsTo } from "./actions-records.ts";

/** Welcomes a new user and announces them. Sends the organization's welcome text if the invitation has none. */
export function greet(
  tx: Tx,
  userId: number,
  { address, welcomeText }: { address: string; welcomeText: string | null },
): void {
  endInvitationsTo(tx, address);
  const asNewcomer = actingAs(tx, { kind: "user", id: userId, client: tx.actor.client });
  announce(asNewcomer, userId);
  welcomeNewcomer(asNewcomer);
  mailWelcome(asNewcomer, address);
  welcome(asNewcomer, welcomeText ?? realmSettings.read(tx).welcome_message_custom_text);
}

function mailWelcome(tx: Tx, recipient: string): void {
  const { name: organization, send_welcome_emails } = realmSettings.read(tx);
  if (!send_welcome_emails || !serverOptions.read(tx).sends_mail) return;
  const { site } = tx.env;
  const translator = translatorTo(tx, tx.actor.id);
  const { t } = translator;
  const letter = {
    translator,
    subject: t("Welcome to {organization}", { organization }),
    blocks: [
      { text: t("You have joined {organization}. Here is how to come back.", { organization }) },
      {
        facts: [
          [t("Server"), site],
          [t("Sign in as"), recipient],
        ] as const,
      },
      { label: t("Open {organization}", { organization }), url: site },
      { text: t("These clients work here:") },
      { lines: clientsInText(translator, { site, email: recipient, takesPasswords: takesPasswords(tx) }) },
    ],
    footer: t("You get this mail once, because you have joined."),
  };
  queueLetter(tx, { letter, recipient, sender_id: tx.actor.id, tells_sender: false });
}

function announce(tx: Tx, userId: number): void {
  const place = findChannel(tx, realmSettings.read(tx).signup_announcements_stream_id);
  if (!place) return;
  const { t } = translatorToAll(tx);
  const content = t("{person} has joined. Say hello!", { person: mentionOf(tx, userId) });
  sendNotice(tx, { to: { channelId: place.id, topic: noticeTopic(place, t("new people")) }, content });
}

/** Sends the actor a text as the welcome bot; returns the message's ID, or null if the text is empty. */
export function welcome(tx: Tx, content: string): number | null {
  if (content === "") return null;
  return sendNotice(tx, { to: { people: [tx.actor.id] }, content, from: welcomeBot(tx).id });
}
