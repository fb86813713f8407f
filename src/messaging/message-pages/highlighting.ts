// Highlights the words of a search in the messages of a page.

import type { Ctx } from "@/kernel/core/context.ts";
import type { Budget, Task } from "@/kernel/lib/tasks.ts";
import { findMessages } from "@/messaging/messages/access.ts";
import type { MessageView } from "@/messaging/messages/queries.ts";
import type { Match } from "@/messaging/messages/schema.ts";
import type { Narrow } from "@/messaging/narrows/narrow.ts";
import { conversation } from "@/places/conversations/access.ts";
import { displayTopic } from "@/places/topics/schema.ts";
import { escapeHtml } from "@/text/html/elements.ts";
import { highlighter } from "@/text/search/highlight.ts";
import { maxHighlighted, tooLong } from "./page.ts";

interface Highlighting {
  narrow: Narrow;
  view: Pick<MessageView, "allow_empty_topic_name">;
  budget?: Budget;
}

/** Messages read at once. */
const portion = 16;

/**
 * The messages with the words that the search found highlighted, in the given order. When the budget is spent or the text
 * is too long, returns only the first ones, but at least one. Without `budget` it returns all, and throws if it is too long.
 */
export function* matchesIn(
  ctx: Ctx,
  ids: readonly number[],
  { narrow, view, budget }: Highlighting,
): Task<Map<number, Match>> {
  const highlight = highlighter(narrow.searches ?? []);
  const matches = new Map<number, Match>();
  let length = 0;
  for (let at = 0; at < ids.length; at += portion) {
    for (const row of findMessages(ctx, ids.slice(at, at + portion))) {
      const isDirect = conversation(ctx, row.conversation_id).channel_id === null;
      const subject = isDirect ? "" : displayTopic(row.topic, view.allow_empty_topic_name);
      const match_content = yield* highlight(row.rendered);
      const match_subject = yield* highlight(escapeHtml(subject));
      length += match_content.length + match_subject.length;
      const isTooLong = length > maxHighlighted && matches.size > 0;
      if (isTooLong && !budget) tooLong();
      if (isTooLong) return matches;
      matches.set(row.id, { match_content, match_subject });
      if (budget?.isSpent) return matches;
    }
    yield portion;
  }
  return matches;
}
