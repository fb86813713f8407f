// Deletes what an account has sent, and what is stored of a person who is erased, in portions: each is a transaction of its own, so that
// nobody waits, and is done by any process, so that what was begun is completed (docs/decisions/topic-work.md).

import { nameOfDeleted } from "@/foundation/accounts/actions-erasing.ts";
import { recordAudit, rewordEntries } from "@/foundation/audit/actions.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { everySystemBot, userFor } from "@/foundation/users/access.ts";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { actingAs, action } from "@/kernel/core/operation.ts";
import { runnerOf } from "@/messaging/background-jobs/runner.ts";
import { replaceWords } from "@/messaging/message-edits/actions-content.ts";
import { rewordPast } from "@/messaging/message-history/actions.ts";
import { deleteTogether } from "@/messaging/messages/actions.ts";
import { removeReactionsOf } from "@/messaging/reactions/actions.ts";
import { dropReportedTexts, dropReportedTextsOf, rewordReports } from "@/messaging/reports/actions.ts";
import { linksIn } from "@/messaging/uploads/access.ts";
import { dropSomeUnlinkedFiles, dropUnlinkedFiles } from "@/messaging/uploads/actions.ts";
import { removeFilesOf } from "@/messaging/uploads/host.ts";
import { belongings } from "./belongings.ts";
import { mentionOf, replaceAddresses, replaceTraces, rewordMentions, rewordSource } from "./rewording.ts";
import { type AccountWork, allKinds, messageKinds, type Stage, stages, type Traces } from "./schema.ts";
import * as store from "./store.ts";

const batch = { messages: 100, reactions: 50, files: 50, rows: 500, reports: 50, entries: 500 };
/** How many messages are looked at together. */
const range = { ofReactions: 1_000, ofTexts: 200 };
/** A portion that has taken so long ends. */
const portionMs = 10;

/** What a portion has done. */
interface Portion {
  /** Where the next one goes on; null after the last of a stage. */
  last: number | null;
  messages?: number;
  reactions?: number;
  /** Files that no row names any more. */
  files?: string[];
}

const portions: Record<Stage, (tx: Tx, work: AccountWork) => Portion> = {
  messages: deleteSent,
  reactions: removeReactions,
  mentions: rewordMessages,
  files: dropFiles,
  belongings: deleteBelongings,
  reports: rewordReported,
  audit: rewordAudit,
};

function isWanted({ channel_id, invite_only }: store.SentMessage, kinds: number): boolean {
  if (channel_id === null) return (kinds & messageKinds.direct) !== 0;
  return (kinds & (invite_only ? messageKinds.private : messageKinds.public)) !== 0;
}

function deleteSent(tx: Tx, { user_id, messages: kinds, last_id }: AccountWork): Portion {
  if (kinds === 0) return { last: null };
  if (kinds === allKinds && dropReportedTextsOf(tx, user_id, batch.rows) > 0) return { last: last_id };
  const rows = store.findSent(tx, { senderId: user_id, below: last_id, max: batch.messages });
  const going = Map.groupBy(
    rows.filter((row) => isWanted(row, kinds)),
    (row) => row.conversation_id,
  );
  const isOver = stopwatch();
  const files: string[] = [];
  let messages = 0;
  for (const together of going.values()) {
    if (messages > 0 && isOver()) return { last: last_id, messages, files };
    const ids = together.map(({ id }) => id);
    const links = linksIn(tx, ids);
    deleteTogether(tx, together);
    dropReportedTexts(tx, ids);
    files.push(...dropUnlinkedFiles(tx, user_id, links));
    messages += together.length;
  }
  return { last: rows.length < batch.messages ? null : (rows.at(-1)?.id ?? null), messages, files };
}

function removeReactions(tx: Tx, { user_id, reactions: isMeant, last_id }: AccountWork): Portion {
  if (!isMeant) return { last: null };
  const isOver = stopwatch();
  let reactions = 0;
  for (let after = last_id; ; ) {
    const upTo = store.findEndOfRange(tx, after, range.ofReactions);
    if (upTo === null) return { last: null, reactions };
    const removed = removeReactionsOf(tx, user_id, { after, upTo, max: batch.reactions });
    reactions += removed.length;
    // The last message may have more of them.
    after = removed.length < batch.reactions ? upTo : (removed.at(-1) ?? 0) - 1;
    if (isOver()) return { last: after, reactions };
  }
}

/** Replaces the name in mentions, and the address in what the organization's own bots wrote. */
function rewordMessages(tx: Tx, { user_id, traces: json, last_id }: AccountWork): Portion {
  if (json === null) return { last: null };
  const traces: Traces = JSON.parse(json);
  const name = nameOfDeleted(tx);
  const html = mentionOf(user_id);
  const senders = everySystemBot(tx).map(({ id }) => id);
  const isOver = stopwatch();
  for (let after = last_id; ; ) {
    const upTo = store.findEndOfRange(tx, after, range.ofTexts);
    if (upTo === null) return { last: null };
    rewordPast(tx, { after, upTo, html, reword: (words) => rewordMentions(words, user_id, name) });
    const naming = store.findNaming(tx, { after, upTo }, { html, senders, texts: traces.addresses });
    for (const { id, ...words } of naming) {
      const { content, rendered } = rewordMentions(words, user_id, name);
      replaceWords(tx, id, {
        content: replaceAddresses(content, traces, name),
        rendered: replaceAddresses(rendered, traces, name),
      });
      if (isOver()) return { last: id };
    }
    if (isOver()) return { last: upTo };
    after = upTo;
  }
}

function dropFiles(tx: Tx, { user_id, traces }: AccountWork): Portion {
  if (traces === null) return { last: null };
  const files = dropSomeUnlinkedFiles(tx, user_id, batch.files);
  return { last: files.length < batch.files ? null : 0, files };
}

function deleteBelongings(tx: Tx, { user_id, traces, last_id }: AccountWork): Portion {
  if (traces === null) return { last: null };
  const isOver = stopwatch();
  for (const forgetSome of belongings) {
    while (forgetSome(tx, user_id, batch.rows) === batch.rows) if (isOver()) return { last: last_id + 1 };
    if (isOver()) return { last: last_id + 1 };
  }
  return { last: null };
}

/** Replaces the name in mentions, and the address, in reported messages and in what was written about them. */
function rewordReported(tx: Tx, { user_id: userId, traces: json, last_id }: AccountWork): Portion {
  if (json === null) return { last: null };
  const traces: Traces = JSON.parse(json);
  const name = nameOfDeleted(tx);
  const isOver = stopwatch();
  for (let after: number | null = last_id; after !== null; ) {
    const reword = (text: string) => rewordSource(text, traces, { userId, name });
    after = rewordReports(tx, { after, max: batch.reports, reword });
    if (after !== null && isOver()) return { last: after };
  }
  return { last: null };
}

function rewordAudit(tx: Tx, { user_id, traces: json, last_id }: AccountWork): Portion {
  if (json === null) return { last: null };
  const traces: Traces = JSON.parse(json);
  const by = nameOfDeleted(tx);
  const last = rewordEntries(tx, {
    after: last_id,
    max: batch.entries,
    personId: user_id,
    by,
    reword: (text, { isTheirs }) => replaceTraces(text, traces, { isTheirs, by }),
  });
  return { last };
}

function stopwatch(): () => boolean {
  const end = performance.now() + portionMs;
  return () => performance.now() > end;
}

const doPortion = action(allow.system, (tx, id: number): { isLast: boolean; files: string[] } => {
  const work = store.findWork(tx, id);
  if (!work) return { isLast: true, files: [] };
  const { last, messages = 0, reactions = 0, files = [] } = portions[work.stage](tx, work);
  const stage = last === null ? stages[stages.indexOf(work.stage) + 1] : work.stage;
  const done = {
    deleted_messages: work.deleted_messages + messages,
    deleted_reactions: work.deleted_reactions + reactions,
    deleted_files: work.deleted_files + files.length,
  };
  if (stage === undefined) conclude(tx, { ...work, ...done });
  else store.setProgress(tx, id, { ...done, stage, last_id: last ?? 0 });
  return { isLast: stage === undefined, files };
});

/** In the name of who began. */
function conclude(tx: Tx, work: AccountWork): void {
  store.deleteWork(tx, work.id);
  const asActor = actingAs(tx, { kind: "user", id: work.actor_id, client: work.client });
  if (work.messages > 0) {
    recordAudit(asActor, {
      event: "messages_of_user_deleted",
      about: { kind: userFor(tx, work.user_id).is_bot ? "bot" : "user", id: work.user_id },
      data: {
        messages: work.deleted_messages,
        reactions: work.deleted_reactions,
        files: work.deleted_files,
      },
    });
  }
}

async function doNext(ctx: Ctx, id: number): Promise<boolean> {
  const { isLast, files } = await doPortion(ctx, id);
  await removeFilesOf(ctx.env, files);
  return !isLast;
}

const keepFault = action(allow.system, (tx, { id, reason }: { id: number; reason: string }): void =>
  store.setFault(tx, id, reason),
);

const runner = runnerOf<AccountWork>({
  job: "carry on with accounts",
  list: store.listWork,
  find: store.findWork,
  progressOf: ({ stage, last_id, deleted_messages, deleted_reactions, deleted_files }) =>
    [stage, last_id, deleted_messages, deleted_reactions, deleted_files].join(" "),
  doNext,
  keepFault,
  nameOf: ({ traces }) => (traces === null ? "A deletion of a user's messages" : "The erasing of a person"),
  unfinished: "This has begun, but makes no progress. Please try again later.",
});

export const { resuming } = runner;

/** Carries on with each of these. Returns whether all have ended at `until`. */
export async function carryOnUntil(ctx: Ctx, works: readonly number[], until: number): Promise<boolean> {
  for (const id of works) if (!(await runner.finish(ctx, id, until))) return false;
  return true;
}
