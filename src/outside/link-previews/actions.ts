import { allow } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { actingAs, action } from "@/kernel/core/operation.ts";
import { replaceRendering } from "@/messaging/message-edits/actions-content.ts";
import { findMessageById, isArchived } from "@/messaging/messages/access.ts";
import type { SentMessage } from "@/messaging/sending/hooks.ts";
import { renderMessage } from "@/messaging/sending/lookup.ts";
import { type Found, looking } from "./schema.ts";
import * as store from "./store.ts";

/** Notes the addresses of a new message at which nobody has looked yet. */
export function noteLinks(tx: Tx, { row, rendered }: Pick<SentMessage, "row" | "rendered">): void {
  if (rendered.toFetch.length === 0) return;
  const room = looking.maxWaiting - store.countLooksOf(tx, row.sender_id);
  for (const address of rendered.toFetch.slice(0, Math.max(0, room))) {
    const { host } = new URL(address);
    const { id: message_id, sender_id } = row;
    store.insertLook(tx, { message_id, sender_id, host, address, site: tx.actor.site ?? null });
  }
}

/** The same for a message with new content; what only its earlier content linked to is not looked at any more. */
export function noteEditedLinks(tx: Tx, edited: Pick<SentMessage, "row" | "rendered">): void {
  store.deleteLooksOf(tx, [edited.row.id]);
  noteLinks(tx, edited);
}

export interface FoundAt {
  address: string;
  found: Found;
}

/** Stores what is at an address. Returns the file that it takes the place of, or null. */
export const keepFound = action(allow.system, (tx, { address, found }: FoundAt): string | null => {
  const before = store.findPreview(tx, address);
  store.setPreview(tx, { ...store.nothingFound, ...found, address, found_at: tx.now });
  return before?.file ?? null;
});

/** Shows what was found in the message that waits for it, as it is now. */
export const endLook = action(allow.system, (tx, id: number): void => {
  const look = store.findLook(tx, id);
  if (!look) return;
  store.deleteLook(tx, id);
  const row = findMessageById(tx, look.message_id);
  if (!row || isArchived(tx, row)) return;
  const site = look.site ?? undefined;
  const asSender = actingAs(tx, { kind: "user", id: row.sender_id, client: "Internal", site });
  replaceRendering(tx, row.id, renderMessage(asSender, row.content).html);
});

export const dropLook = action(allow.system, (tx, id: number): void => store.deleteLook(tx, id));

/** No message waits for what is at an address any more. */
export const dropLooksAt = action(allow.system, (tx, at: store.LinkedAddress): void =>
  store.deleteLooksAt(tx, at),
);

export const forgetSurplus = action(allow.system, (tx, addresses: readonly string[]): void => {
  for (const address of addresses) store.deletePreview(tx, address);
});
