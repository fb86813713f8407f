// The edit history of messages, as far as the organization's settings show it.

import { allow } from "@/foundation/permissions/access.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Reads } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { runInSlices, type Task } from "@/kernel/lib/tasks.ts";
import { type MessageRow, messageBits } from "@/messaging/message-rows/schema.ts";
import { messageFor } from "@/messaging/messages/access.ts";
import type { Message, PastChange, Snapshot } from "@/messaging/messages/schema.ts";
import { conversation } from "@/places/conversations/access.ts";
import { differsBySign } from "@/places/topics/resolving.ts";
import { displayTopic } from "@/places/topics/schema.ts";
import { htmlDiff } from "./html-diff.ts";
import { type EditRow, findEdits } from "./store.ts";

type Past = Pick<Message, "last_edit_timestamp" | "last_moved_timestamp" | "edit_history">;

/** The edit history of each of these messages. Messages without one are missing. */
export function pastOf(
  reads: Reads,
  rows: readonly Pick<MessageRow, "id" | "bits">[],
  allowEmptyTopic: boolean,
): Map<number, Past> {
  const edited = rows.filter((row) => (row.bits & messageBits.edited) !== 0).map((row) => row.id);
  if (edited.length === 0) return new Map();
  const policy = policyOf(reads);
  const edits = findEdits(reads, edited);
  return new Map([...edits].map(([id, list]) => [id, presentPast(list, policy, allowEmptyTopic)]));
}

type Policy = "all" | "moves" | "none";

function policyOf(reads: Reads): Policy {
  return realmSettings.read(reads).message_edit_history_visibility_policy;
}

function presentPast(edits: readonly EditRow[], policy: Policy, allowEmptyTopic: boolean): Past {
  const lastEdit = edits.findLast((edit) => edit.prev_content !== null);
  const lastMove = edits.findLast((edit) => isMove(edit) && !isResolution(edit));
  const shown = filterEdits(edits, policy).map((edit) => presentChange(edit, allowEmptyTopic));
  return {
    ...(lastEdit ? { last_edit_timestamp: lastEdit.edited_at } : {}),
    ...(lastMove ? { last_moved_timestamp: lastMove.edited_at } : {}),
    ...(shown.length > 0 ? { edit_history: shown.reverse() } : {}),
  };
}

const isMove = ({ topic, channel_id }: EditRow) => topic !== null || channel_id !== null;

/** Whether the edit only resolved or unresolved the topic, which users do not see as a move. */
function isResolution({ prev_topic, topic, channel_id }: EditRow): boolean {
  return channel_id === null && prev_topic !== null && topic !== null && differsBySign(prev_topic, topic);
}

/** The edits that may be shown, oldest first: all, only moves, or none. */
function filterEdits(edits: readonly EditRow[], policy: Policy): EditRow[] {
  if (policy === "all") return [...edits];
  if (policy === "none") return [];
  return edits.filter(isMove).map((edit) => ({ ...edit, prev_content: null, prev_rendered: null }));
}

function presentChange(edit: EditRow, allowEmptyTopic: boolean): PastChange {
  return { user_id: edit.user_id, timestamp: edit.edited_at, ...presentEdit(edit, allowEmptyTopic) };
}

/** The changed fields of an edit, as clients read them. */
function presentEdit(edit: EditRow, allowEmptyTopic: boolean): Omit<PastChange, "user_id" | "timestamp"> {
  const { prev_content, prev_rendered, prev_topic, topic, prev_channel_id, channel_id } = edit;
  return {
    ...(prev_content === null ? {} : { prev_content, prev_rendered_content: prev_rendered ?? "" }),
    ...(prev_topic === null || topic === null
      ? {}
      : {
          prev_topic: displayTopic(prev_topic, allowEmptyTopic),
          topic: displayTopic(topic, allowEmptyTopic),
        }),
    ...(prev_channel_id === null || channel_id === null
      ? {}
      : { prev_stream: prev_channel_id, stream: channel_id }),
  };
}

export interface HistoryWanted {
  message_id: number;
  allow_empty_topic_name: boolean;
}

/** All versions of a message, oldest first. The first is the message as it was sent. Compares the versions in slices. */
export const getMessageHistory = query(allow.user, (ctx, wanted: HistoryWanted): Promise<Snapshot[]> => {
  const row = messageFor(ctx, wanted.message_id);
  const policy = policyOf(ctx);
  if (policy === "none") fail("BAD_REQUEST", "Message edit history is disabled in this organization.");

  const edits = filterEdits(findEdits(ctx, [row.id]).get(row.id) ?? [], policy);
  const isDirect = conversation(ctx, row.conversation_id).channel_id === null;
  return runInSlices(snapshots(row, edits, isDirect || wanted.allow_empty_topic_name));
});

function* snapshots(row: MessageRow, edits: readonly EditRow[], allowEmpty: boolean): Task<Snapshot[]> {
  const diff = differ(edits.filter((edit) => edit.prev_content !== null).length);
  const found: Snapshot[] = [];
  let later: Version = { topic: row.topic, content: row.content, rendered_content: row.rendered };
  for (const edit of edits.toReversed()) {
    found.push({
      ...presentVersion(later, allowEmpty),
      ...presentChange(edit, allowEmpty),
      ...(edit.prev_rendered === null ? {} : { content_html_diff: diff(edit.prev_rendered, later) }),
    });
    later = versionBefore(edit, later);
    yield 1;
  }
  const sent = { ...presentVersion(later, allowEmpty), user_id: row.sender_id, timestamp: row.sent_at };
  return [...found, sent].reverse();
}

type Version = Pick<Snapshot, "topic" | "content" | "rendered_content">;

function presentVersion(version: Version, allowEmptyTopic: boolean): Version {
  return { ...version, topic: displayTopic(version.topic, allowEmptyTopic) };
}

function versionBefore(edit: EditRow, after: Version): Version {
  return {
    topic: edit.prev_topic ?? after.topic,
    content: edit.prev_content ?? after.content,
    rendered_content: edit.prev_rendered ?? after.rendered_content,
  };
}

const maxDifferences = 300;

/** The more changes, the less time to compare each, so that a long history does not take long to show. */
function differ(changes: number): (before: string, after: Version) => string {
  const max = Math.floor(maxDifferences / Math.max(1, Math.sqrt(changes)));
  return (before, after) => htmlDiff(before, after.rendered_content, max);
}
