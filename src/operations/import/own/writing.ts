// Writes the rows of our own export into an empty database. Every row keeps its ID.

import { prove } from "@/foundation/address-proofs/actions.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { renderText } from "@/foundation/realm/hooks.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { insertEdit } from "@/messaging/message-history/actions.ts";
import { indexWaiting } from "@/messaging/message-index/actions.ts";
import { flagBits } from "@/messaging/message-rows/schema.ts";
import { noteFlags } from "@/messaging/receipts/actions-reception.ts";
import { insertImported, renderImported } from "@/messaging/sending/actions-import.ts";
import { hasAddress } from "@/operations/import/intake/names.ts";
import { channelConversation, lastSeqOf } from "@/places/conversations/access.ts";
import { openChannelConversation, openDirectConversation } from "@/places/conversations/actions.ts";
import { subscriberIds } from "@/places/subscriptions/access.ts";
import type { OwnRow, RowOf } from "./reading.ts";
import * as store from "./store.ts";

/** What is known from reading the document once, and counters. */
export interface OwnState {
  /** IDs of messages that were edited. */
  edited: ReadonlySet<number>;
  /** Names of the generated pictures of custom emoji, by ID. */
  emojiFiles: ReadonlyMap<number, string>;
  /** Random. */
  newToken(): string;
  nth: Map<number, number>;
  position: number;
}

export const writeRows = action(
  allow.system,
  (tx, { rows, state }: { rows: readonly OwnRow[]; state: OwnState }): void => {
    store.deferChecks(tx);
    for (const one of rows) writeRow(tx, one, state);
    indexWaiting(tx, rows.length);
  },
);

const scopes = { settings: "realm", login_settings: "login", user_defaults: "user_defaults" } as const;

function writeRow(tx: Tx, one: OwnRow, state: OwnState): void {
  switch (one.section) {
    case "settings":
    case "login_settings":
    case "user_defaults":
      store.insertRow(tx, "settings", {
        ...{ scope: scopes[one.section], owner_id: 0 },
        ...{ name: one.row.name, value: JSON.stringify(one.row.value) },
      });
      break;
    case "domains":
      store.insertRow(tx, "realm_domains", one.row);
      break;
    case "linkifiers":
      store.insertRow(tx, "linkifiers", {
        ...one.row,
        alternative_url_templates: JSON.stringify(one.row.alternative_url_templates),
        position: state.position++,
      });
      break;
    case "default_channel_groups":
      store.insertRow(tx, "default_channel_groups", { ...one.row, name_key: one.row.name.toLowerCase() });
      break;
    case "users":
      writeUser(tx, one.row);
      break;
    case "emoji": {
      const file = state.emojiFiles.get(one.row.id) ?? "";
      store.insertRow(tx, "pictures", { file });
      store.insertRow(tx, "realm_emoji", { ...one.row, file });
      break;
    }
    case "profile_fields":
      store.insertRow(tx, "profile_fields", {
        ...{ ...one.row, name_key: one.row.name.toLowerCase(), position: state.position++ },
      });
      break;
    case "profile_values":
      store.insertRow(tx, "profile_values", { ...one.row, rendered: renderText(tx, one.row.value).html });
      break;
    case "bot_services":
      store.insertRow(tx, "bot_services", { ...one.row, token: state.newToken() });
      break;
    case "groups": {
      const name_key = one.row.kind === "anonymous" ? null : one.row.name.toLowerCase();
      store.insertRow(tx, "user_groups", { ...one.row, name_key });
      break;
    }
    case "permissions":
      store.insertRow(tx, "grants", one.row);
      break;
    case "channel_folders":
      store.insertRow(tx, "channel_folders", { ...one.row, ...withKey(tx, one.row) });
      break;
    case "channels":
      store.insertRow(tx, "channels", { ...one.row, ...withKey(tx, one.row) });
      openChannelConversation(tx, one.row.id);
      break;
    case "subscriptions":
      store.insertRow(tx, "subscriptions", { ...one.row, is_subscribed: 1 });
      break;
    case "messages":
      writeMessage(tx, one.row, state.edited.has(one.row.id));
      break;
    case "message_edits": {
      const { message_id, prev_content } = one.row;
      const nth = (state.nth.get(message_id) ?? 0) + 1;
      state.nth.set(message_id, nth);
      const prev_rendered = prev_content === null ? null : renderImported(tx, prev_content);
      insertEdit(tx, { ...one.row, nth, prev_rendered });
      break;
    }
    case "reactions":
      store.insertRow(tx, "reactions", {
        ...one.row,
        reacted_at: store.findSendingTime(tx, one.row.message_id) ?? 0,
      });
      break;
    case "reports":
      store.insertRow(tx, "reports", { ...one.row, acts: JSON.stringify(one.row.acts), notice_id: 0 });
      break;
    case "report_decisions":
      store.insertRow(tx, "report_decisions", { ...one.row, acts: JSON.stringify(one.row.acts) });
      break;
    case "audit_log":
      store.insertRow(tx, "audit_log", { ...one.row, data: JSON.stringify(one.row.data) });
      break;
    default:
      store.insertRow(tx, one.section, one.row);
  }
}

const withKey = (tx: Tx, { name, description }: { name: string; description: string }) => ({
  name_key: name.trim().toLowerCase(),
  rendered_description: renderText(tx, description).html,
});

/** The export does not say who may see people's addresses: assumes that only administrators may. */
const hiddenAddress = JSON.stringify(3);

function writeUser(
  tx: Tx,
  { user_id: id, email, delivery_email: given, system_bot = null, address_proof, ...rest }: RowOf<"users">,
): void {
  const delivery_email = given ?? email;
  store.insertRow(tx, "users", {
    ...{ ...rest, id, email, delivery_email, system_bot },
    email_key: email.toLowerCase(),
    delivery_email_key: delivery_email.toLowerCase(),
    full_name_key: rest.full_name.toLowerCase(),
  });
  // Older exports do not say which addresses were proved.
  if (!rest.is_bot && given !== undefined && hasAddress(given) && address_proof !== null)
    prove(tx, { id, delivery_email }, address_proof ?? "import");
  if (email !== delivery_email) {
    const name = "email_address_visibility";
    store.insertRow(tx, "settings", { scope: "user", owner_id: id, name, value: hiddenAddress });
  }
}

function writeMessage(tx: Tx, message: RowOf<"messages">, isEdited: boolean): void {
  const { id, channel_id, participants, topic } = message;
  const people = new Set((participants ?? "").split(",").map(Number));
  if ((channel_id === null) === (participants === null))
    fail("BAD_REQUEST", `Message ${id} has neither a channel nor participants.`);
  store.skipToMessage(tx, id);
  const made = insertImported(tx, {
    conversationId:
      channel_id === null ? openDirectConversation(tx, people) : channelConversation(tx, channel_id),
    topic: topic ?? "",
    senderId: message.sender_id,
    sentAt: message.sent_at,
    content: message.content,
    client: message.client,
    isEdited,
  });
  if (made.id !== id)
    fail(
      "BAD_REQUEST",
      `The messages are not in order: message ${id} comes after one with the same or a higher ID.`,
    );
  if (made.html !== message.rendered) store.setRendered(tx, id, message.rendered);
  const receivers = channel_id === null ? people : subscriberIds(tx, channel_id);
  const mentioned = made.mentioned.filter((user) => receivers.has(user));
  noteFlags(tx, id, new Map(mentioned.map((user) => [user, flagBits.mentioned])));
}

interface Joined {
  channelId: number;
  isProtected: boolean;
  userIds: readonly number[];
}

/** Subscribers received everything; in channels with protected history, everything since their own first message. */
export const writeSpans = action(allow.system, (tx, { channelId, isProtected, userIds }: Joined): void => {
  const conversation_id = channelConversation(tx, channelId);
  const next = lastSeqOf(tx, conversation_id) + 1;
  const own = isProtected ? store.firstOwnSeqs(tx, conversation_id) : null;
  for (const user_id of userIds) {
    const from_seq = own === null ? 1 : (own.get(user_id) ?? next);
    store.insertRow(tx, "receipt_spans", { conversation_id, user_id, from_seq });
  }
});

/** Writes the row of the organization itself. */
export const writeRealm = action(
  allow.system,
  (tx, { salt, created }: { salt: string; created: number }): void => {
    store.insertRow(tx, "realm", { id: 1, string_id: "", date_created: created, avatar_salt: salt });
  },
);
