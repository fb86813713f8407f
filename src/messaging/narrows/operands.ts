// Decodes the operands of narrows: channels, people, topics and messages.

import { me, viewer } from "@/foundation/permissions/access.ts";
import { findUserByAddress, userNamed } from "@/foundation/users/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { fail, type KnownText, type Sentence } from "@/kernel/lib/errors.ts";
import { findMessageById, mayReadMessage } from "@/messaging/messages/access.ts";
import {
  existingChannel,
  mayRead,
  sharesHistory,
  visibleChannel,
  visibleChannelNamed,
} from "@/places/channels/access.ts";
import {
  channelConversation,
  conversation,
  directConversation,
  directConversationsOf,
  participantsOf,
} from "@/places/conversations/access.ts";
import { asTopic, topicKey } from "@/places/topics/schema.ts";
import { parseSearch, type Search, sizeOf } from "@/text/search/search.ts";
import { narrowErrors } from "./schema.ts";

export type Operand = string | number | readonly (string | number)[];

const beginning = "Invalid narrow operator: ";
type BadNarrow = Extract<KnownText, `${typeof beginning}${string}`>;

/** Throws BAD_NARROW, with the problem apart from the beginning of the sentence. */
export function badNarrow(message: BadNarrow | Sentence): never {
  const { inEnglish } = typeof message === "string" ? { inEnglish: message } : message;
  fail(narrowErrors.BAD_NARROW, message, { desc: inEnglish.slice(beginning.length) });
}

export interface ChannelRef {
  conversation_id: number;
  /** Whether the actor may read its whole history, including messages they did not receive. */
  isOpen: boolean;
}

/** A channel by ID or name. Old clients send IDs as text, so a channel whose name is those digits wins. */
export function channelRef(ctx: Ctx, operand: Operand): ChannelRef {
  const channel =
    typeof operand === "string"
      ? (visibleChannelNamed(ctx, operand) ?? visibleChannel(ctx, digits(operand) ?? 0))
      : visibleChannel(
          ctx,
          idOf(operand) ?? badNarrow("Invalid narrow operator: a channel is a name or an ID"),
        );
  if (!channel) badNarrow("Invalid narrow operator: unknown channel");
  return {
    conversation_id: channelConversation(ctx, channel.id),
    isOpen: sharesHistory(channel) && mayRead(ctx, viewer(ctx), channel),
  };
}

/** The key of a topic. All names of the empty topic give the same key. */
export function topicRef(_: Ctx, operand: Operand): string {
  if (typeof operand !== "string") badNarrow("Invalid narrow operator: a topic must be a string");
  return topicKey(asTopic(operand.trim()));
}

/** The ID of a user given by ID or email address. */
export function userRef(ctx: Ctx, operand: Operand): number {
  const found = typeof operand === "string" ? byAddress(ctx, operand) : byId(ctx, idOf(operand));
  return found ?? badNarrow("Invalid narrow operator: unknown user");
}

function byAddress(ctx: Ctx, address: string): number | null {
  return findUserByAddress(ctx, address)?.id ?? null;
}

function byId(ctx: Ctx, id: number | null): number | null {
  return id === null ? null : (userNamed(ctx, null, id)?.id ?? null);
}

/**
 * The actor's conversation with these people, if it exists. They are given as an ID, a list of IDs or addresses, or as
 * addresses joined by commas.
 */
export function peopleRef(ctx: Ctx, operand: Operand): number[] {
  const named =
    typeof operand === "string" ? operand.split(",") : typeof operand === "number" ? [operand] : operand;
  if (named.length === 0) badNarrow("Invalid narrow operator: a direct conversation needs somebody");
  const found = directConversation(ctx, [me(ctx).id, ...named.map((one) => userRef(ctx, one))]);
  return found === null ? [] : [found];
}

/** The actor's direct conversations in which this user takes part. */
export function conversationsWith(ctx: Ctx, userId: number): number[] {
  const own = [...directConversationsOf(ctx, me(ctx).id)];
  return own.filter((id) => peopleIn(ctx, id).includes(userId));
}

/** As `conversationsWith`, with three people or more. */
export function groupConversationsWith(ctx: Ctx, userId: number): number[] {
  return conversationsWith(ctx, userId).filter((id) => peopleIn(ctx, id).length > 2);
}

function peopleIn(ctx: Ctx, conversationId: number): number[] {
  return participantsOf(conversation(ctx, conversationId));
}

/** The ID of a message, which need not exist. */
export function messageRef(_: Ctx, operand: Operand): number {
  const id = typeof operand === "string" ? digits(operand) : idOf(operand);
  return id ?? badNarrow("Invalid narrow operator: a message ID is a number");
}

export interface PlaceRef {
  conversation_id: number;
  /** Empty for a direct conversation. */
  topic_key: string;
  isDirect: boolean;
  isOpen: boolean;
}

/** Where a message is now; null if the actor may not read it. */
export function placeRef(ctx: Ctx, operand: Operand): PlaceRef | null {
  const row = findMessageById(ctx, messageRef(ctx, operand));
  if (!row || !mayReadMessage(ctx, viewer(ctx), row)) return null;
  const { conversation_id } = row;
  const { channel_id } = conversation(ctx, conversation_id);
  const isDirect = channel_id === null;
  const isOpen = !isDirect && sharesHistory(existingChannel(ctx, channel_id));
  return { conversation_id, topic_key: topicKey(row.topic), isDirect, isOpen };
}

const maxSearchLength = 2_000;

/** Words and phrases to look for. */
export function searchRef(_: Ctx, operand: Operand): Search {
  if (typeof operand !== "string")
    badNarrow("Invalid narrow operator: the text to search for must be a string");
  if (operand.length > maxSearchLength)
    badNarrow(`Invalid narrow operator: a search has at most ${maxSearchLength} characters`);
  const search = parseSearch(operand);
  return sizeOf(search) === 0 ? badNarrow("Invalid narrow operator: there is nothing to search for") : search;
}

function idOf(operand: Operand): number | null {
  return typeof operand === "number" && operand >= 0 ? operand : null;
}

function digits(text: string): number | null {
  return /^\d{1,16}$/.test(text) ? Number(text) : null;
}
