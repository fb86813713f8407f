// What happens when a new user joins, by whatever way.

import { sendNotice } from "@/foundation/realm/hooks.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { welcomeBot } from "@/foundation/users/access.ts";
import type { Tx } from "@/kernel/context.ts";
import { actingAs } from "@/kernel/operation.ts";
import { welcomeNewcomer } from "@/personal/onboarding/tx.ts";
import { findChannel } from "@/places/channels/access.ts";
import { mentionOf, noticeTopic } from "@/places/channels/notices.ts";
import { endInvitationsTo } from "./tx.ts";

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
  welcome(asNewcomer, welcomeText ?? realmSettings.read(tx).welcome_message_custom_text);
}

function announce(tx: Tx, userId: number): void {
  const place = findChannel(tx, realmSettings.read(tx).signup_announcements_stream_id);
  if (!place) return;
  const content = `${mentionOf(tx, userId)} has joined. Say hello!`;
  sendNotice(tx, { to: { channelId: place.id, topic: noticeTopic(place, "new people") }, content });
}

/** Sends the actor a text as the welcome bot; returns the message's ID, or null if the text is empty. */
export function welcome(tx: Tx, content: string): number | null {
  if (content === "") return null;
  return sendNotice(tx, { to: { people: [tx.actor.id] }, content, from: welcomeBot(tx).id });
}
