// The texts of notifications.

import { listKnownTo } from "@/foundation/acquaintance/access.ts";
import { settingOf, translatorTo } from "@/foundation/user-settings/access.ts";
import { userFor } from "@/foundation/users/access.ts";
import { strangerFacts } from "@/foundation/users/present.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import type { MessageRow } from "@/messaging/message-rows/schema.ts";
import { messageUrl } from "@/messaging/messages/quotes.ts";
import { existingChannel } from "@/places/channels/access.ts";
import { conversation, participantsOf } from "@/places/conversations/access.ts";
import type { Conversation } from "@/places/conversations/schema.ts";
import { decodeText, htmlParts, isTag, tagName, withAddresses } from "@/text/html/html-parts.ts";
import type { Translator } from "@/text/language/translator.ts";
import { type PushedText, pushing } from "./schema.ts";

const isSilent = (ctx: Ctx, userId: number, isDirect: boolean) =>
  isDirect && !settingOf(ctx, userId, "pm_content_in_desktop_notifications");

/** The text for one reader. Leaves out the content of direct messages, if the reader has chosen that. */
export function textFor(ctx: Ctx, userId: number, row: MessageRow): PushedText {
  const place = conversation(ctx, row.conversation_id);
  const isDirect = place.channel_id === null;
  const { t } = translatorTo(ctx, userId);
  const person = nameOf(ctx, userId, row.sender_id);
  return {
    title: titleOf(ctx, { row, place, person, t }),
    body: isSilent(ctx, userId, isDirect) ? t("New direct message") : plainText(row.rendered),
    url: messageUrl(ctx, row),
    tag: `message-${row.id}`,
    icon: `/avatar/${row.sender_id}`,
    sent_at: row.sent_at,
  };
}

interface Titled {
  row: MessageRow;
  place: Conversation;
  person: string;
  t: Translator["t"];
}

function titleOf(ctx: Ctx, { row, place, person, t }: Titled): string {
  if (place.channel_id === null) {
    const others = participantsOf(place).length - 2;
    if (others <= 0) return person;
    return t("{person} and {others, plural, one {# other} other {# others}}", { person, others });
  }
  const { name } = existingChannel(ctx, place.channel_id);
  const conversationName = t("{channel} › {topic}", {
    channel: `#${name}`,
    topic: row.topic || t("general chat"),
  });
  return t("{person} in {conversation}", { person, conversation: conversationName });
}

function nameOf(ctx: Ctx, userId: number, id: number): string {
  const isKnown = listKnownTo(ctx, userId)?.has(id) !== false;
  return (isKnown ? userFor(ctx, id) : strangerFacts(ctx, id)).full_name;
}

const lineEnds = new Set([
  "br",
  "/p",
  "/li",
  "/pre",
  "/blockquote",
  "/tr",
  "/h1",
  "/h2",
  "/h3",
  "/h4",
  "/h5",
  "/h6",
]);

/** A message's HTML as text, without the content of spoilers and quotes. */
function plainText(rendered: string): string {
  let text = "";
  const open: { name: string; isLeftOut: boolean }[] = [];
  for (const part of htmlParts(withAddresses(rendered))) {
    const name = tagName(part);
    if (!isTag(part) || name === null) {
      if (!open.some((one) => one.isLeftOut)) text += decodeText(part).text;
    } else if (name.startsWith("/")) {
      const at = open.findLastIndex((one) => `/${one.name}` === name);
      if (at >= 0) open.splice(at);
    } else if (!/^(br|hr|img|input)$/.test(name)) {
      const emoji = /\bemoji-([0-9a-f-]+)"/.exec(part)?.[1];
      if (emoji !== undefined) text += charactersOf(emoji);
      const isLeftOut =
        name === "blockquote" || /\b(spoiler-content|message_embed|katex-html|emoji-[0-9a-f-]+)\b/.test(part);
      open.push({ name, isLeftOut });
    } else if (name === "img") text += /\balt="([^"]*)"/.exec(part)?.[1] ?? "";
    if (name !== null && lineEnds.has(name)) text += "\n";
    if (text.length > 4 * pushing.maxTextLength) break;
  }
  const tidy = text
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/\s*\n\s*/g, "\n")
    .trim();
  return tidy.length > pushing.maxTextLength
    ? `${[...tidy].slice(0, pushing.maxTextLength - 1).join("")}…`
    : tidy;
}

/** The characters of a code such as 1f604 or 1f1e9-1f1ea. */
function charactersOf(code: string): string {
  return String.fromCodePoint(...code.split("-").map((part) => Number.parseInt(part, 16)));
}
