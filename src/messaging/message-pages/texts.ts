// Presents the messages of a page as text, from what is kept of them and of what has to be read.

import { knowsOldTypes } from "@/foundation/emoji/schema.ts";
import { viewer } from "@/foundation/permissions/access.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { expectsOldFields } from "@/kernel/http/client-name.ts";
import type { Bytes } from "@/kernel/lib/ended-json.ts";
import { JsonAnswer } from "@/kernel/lib/long-answers.ts";
import type { Task } from "@/kernel/lib/tasks.ts";
import { type Candidate, type MessageRow, messageBits } from "@/messaging/message-rows/schema.ts";
import { findMessages } from "@/messaging/messages/access.ts";
import type { MessageView } from "@/messaging/messages/queries.ts";
import type { Match, Message } from "@/messaging/messages/schema.ts";
import { flagListsOf } from "@/messaging/receipts/access.ts";
import { findTextCache, textIn } from "./cached-texts.ts";
import { hiddenSenderTest, type Presenting, readableSince, withoutFlags } from "./presenting.ts";
import * as store from "./store.ts";

/** A message as text: what all readers with the same wishes get, and the reader's flags. */
export interface Text {
  readonly shared: Bytes;
  readonly flags: readonly string[];
}

/** Messages presented at once that are not kept: each can have many reactions, and a topic with many links. */
const portion = 64;
/** And all messages whose flags are read at once. */
const maxAtOnce = 512;

/** What a text depends on besides its message, as bits of the form under which it is kept. */
const forms = {
  rendered: 1,
  gravatar: 2,
  emptyTopics: 4,
  oldTypes: 8,
  spectator: 16,
  hiddenSender: 32,
} as const;

function formOf(ctx: Ctx, view: MessageView): number {
  return (
    (view.apply_markdown ? forms.rendered : 0) |
    (view.client_gravatar ? forms.gravatar : 0) |
    (view.allow_empty_topic_name ? forms.emptyTopics : 0) |
    (knowsOldTypes(ctx.actor.client) ? forms.oldTypes : 0) |
    (ctx.actor.kind === "anonymous" ? forms.spectator : 0)
  );
}

/** As `presentMessages`, as text. */
export function* textsIn(
  ctx: Ctx,
  ids: readonly number[],
  { view, changes, budget }: Presenting,
): Task<{ done: number; presented: ReadonlyMap<number, Text> }> {
  const stillReadable = readableSince(ctx, changes);
  const presented = new Map<number, Text>();
  for (let at = 0; at < ids.length; ) {
    if (budget?.isSpent) return { done: at, presented };
    at = yield* nextTexts(ctx, ids, { at, view, stillReadable, presented });
  }
  return { done: ids.length, presented };
}

interface Presented {
  at: number;
  view: MessageView;
  stillReadable: ReturnType<typeof readableSince>;
  /** Where the texts go. */
  presented: Map<number, Text>;
}

/** Presents the next messages from `at` on, and returns where those after them start. */
function* nextTexts(
  ctx: Ctx,
  ids: readonly number[],
  { at, view, stillReadable, presented }: Presented,
): Task<number> {
  const { changes } = ctx.db;
  // Texts with users' names are not kept, because names change.
  const isKept = !expectsOldFields(ctx.actor.client);
  const kept = isKept ? findTextCache(ctx) : null;
  const formFor = formsFor(ctx, view);
  const isReadable = stillReadable();
  const rows: Candidate[] = [];
  const texts: Bytes[] = [];
  const missing: number[] = [];
  let end = at;
  while (end < ids.length && end - at < maxAtOnce && missing.length < portion) {
    const id = ids[end++] as number;
    const one = kept?.find(id);
    const text = one && textIn(one, formFor(one.row));
    if (!text) missing.push(id);
    else if (!isReadable || isReadable(one.row)) {
      rows.push(one.row);
      texts.push(text);
    }
  }
  const found = missing.length > 0 ? findMessages(ctx, missing) : [];
  const read = isReadable ? found.filter(isReadable) : found;
  rows.push(...read);
  const flags = flagListsOf(ctx, viewer(ctx).id, rows);
  if (read.length > 0) {
    const lengthOf = lengthsOf(ctx, read);
    const messages = yield* withoutFlags(ctx, read, view);
    for (const [i, row] of read.entries()) {
      const message = messages[i] as Message;
      const text = Buffer.from(`${JSON.stringify(message).slice(0, -1)},"flags":`);
      texts.push(text);
      if (isKept)
        findTextCache(ctx).keep(
          { row: candidate(row), length: lengthOf(message) },
          formFor(row),
          text,
          changes,
        );
      yield 1;
    }
  }
  for (let i = 0; i < rows.length; i++) {
    const text = { shared: texts[i] as Bytes, flags: flags[i] as readonly string[] };
    presented.set((rows[i] as Candidate).id, text);
  }
  yield end - at;
  return end;
}

function formsFor(ctx: Ctx, view: MessageView): (row: Candidate) => number {
  const form = formOf(ctx, view);
  const isHidden = hiddenSenderTest(ctx);
  if (!isHidden) return () => form;
  return ({ sender_id }) => (isHidden(sender_id) ? form | forms.hiddenSender : form);
}

/** What each of these messages counts towards the length of a page: the same as `store.lengthsOf`. */
function lengthsOf(reads: Reads, rows: readonly MessageRow[]): (message: Message) => number {
  const edited = rows.filter(({ bits }) => (bits & messageBits.edited) !== 0).map(({ id }) => id);
  const past = edited.length > 0 ? store.lengthsOf(reads, edited) : null;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ({ id, reactions, submessages }) => {
    const { content, rendered } = byId.get(id) as MessageRow;
    const added = submessages.reduce((sum, one) => sum + Buffer.byteLength(one.content), 0);
    const own = Buffer.byteLength(content) + Buffer.byteLength(rendered) + added;
    return past?.get(id) ?? own + reactions.length * store.reactionBytes;
  };
}

/** The row without its texts. */
function candidate(row: MessageRow): Candidate {
  const { id, conversation_id, home_id, seq, sender_id, bits, topic, arrived_seq } = row;
  return { id, conversation_id, home_id, seq, sender_id, bits, topic, arrived_seq };
}

interface Joined {
  ids: readonly number[];
  /** Those that could still be read. */
  presented: ReadonlyMap<number, Text>;
  matches: ReadonlyMap<number, Match> | null;
}

/** The answer with these messages, after the fields of `found`. */
export function* answerWith(found: object, { ids, presented, matches }: Joined): Task<JsonAnswer> {
  const start = JSON.stringify({ result: "success", msg: "", ...found }).slice(0, -1);
  const parts: Bytes[] = [Buffer.from(`${start},"messages":[`)];
  for (const id of ids) {
    const text = presented.get(id);
    if (text) parts.push(text.shared, endOf(text.flags, matches?.get(id)));
    // What a search has highlighted can be long.
    if (matches) yield 1;
  }
  const withoutComma = parts.length > 1 ? parts.pop()?.subarray(0, -1) : undefined;
  if (withoutComma) parts.push(withoutComma);
  parts.push(endOfAnswer);
  return new JsonAnswer(yield* joinBytes(parts));
}

/** In bytes: what is copied at once. */
const copied = 1_000_000;

function* joinBytes(parts: readonly Bytes[]): Task<Bytes> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (length <= copied) return Buffer.concat(parts);
  const whole = Buffer.allocUnsafe(length);
  let at = 0;
  let next = copied;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
    if (at < next) continue;
    next = at + copied;
    yield 1;
  }
  return whole;
}

const endOfAnswer = Buffer.from('],"history_limited":false}');

/** By list of flags, of which equal ones are the same. */
const knownEnds = new WeakMap<readonly string[], Bytes>();

/** The end of a message, and the comma after it. */
function endOf(flags: readonly string[], match: Match | undefined): Bytes {
  const known = match ? undefined : knownEnds.get(flags);
  if (known) return known;
  const list = JSON.stringify(flags);
  if (match) return Buffer.from(`${list},${JSON.stringify(match).slice(1)},`);
  const end = Buffer.from(`${list}},`);
  knownEnds.set(flags, end);
  return end;
}
