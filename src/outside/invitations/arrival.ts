// What happens around the arrival of a person, however they came.

import { sendNotice } from "@/foundation/realm/notices.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { welcomeBot } from "@/foundation/users/system-bots.ts";
import type { Tx } from "@/kernel/context.ts";
import { actingAs } from "@/kernel/operation.ts";
import { welcomeNewcomer } from "@/personal/onboarding/tx.ts";
import { findChannel } from "@/places/channels/access.ts";
import { mentionOf, noticeTopic } from "@/places/channels/notices.ts";
import { endInvitationsTo } from "./tx.ts";

/** Welcomes somebody new, and tells the others; without a text of their own, by that of the organization. */
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

/** A text of the welcome bot to whoever acts; its ID, or null where there is no text. */
export function welcome(tx: Tx, content: string): number | null {
  if (content === "") return null;
  return sendNotice(tx, { to: { people: [tx.actor.id] }, content, from: welcomeBot(tx).id });
}
