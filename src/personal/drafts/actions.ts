import { allow } from "@/foundation/permissions/access.ts";
import { limits } from "@/foundation/realm/schema.ts";
import { shorten } from "@/foundation/realm/texts.ts";
import type { SettingsChanged } from "@/foundation/user-settings/hooks.ts";
import { userById } from "@/foundation/users/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { to } from "@/kernel/core/events.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { channelFor } from "@/places/channels/access.ts";
import { asTopic } from "@/places/topics/schema.ts";
import { draftFor, synchronizingUser } from "./access.ts";
import { type Draft, draftRemoved, draftsAdded, draftUpdated, maxDrafts, type NewDraft } from "./schema.ts";
import * as store from "./store.ts";

/** Saves the actor's drafts; returns their IDs in the same order. */
export const createDrafts = action(allow.user, (tx, given: readonly NewDraft[]): number[] => {
  const user = synchronizingUser(tx);
  const drafts = given.map((one) => checkDraft(tx, one));
  if (store.countDrafts(tx, user) + drafts.length > maxDrafts) {
    fail("BAD_REQUEST", `You can keep at most ${maxDrafts} drafts: delete some first.`);
  }
  if (drafts.length === 0) return [];

  const kept = drafts.map((draft) => store.insertDraft(tx, user, draft));
  tx.emit(draftsAdded, to(user), { drafts: kept });
  return kept.map((draft) => draft.id);
});

/** Replaces a draft completely. */
export const editDraft = action(allow.user, (tx, input: { draft_id: number; draft: NewDraft }): void => {
  const { id } = draftFor(tx, input.draft_id);
  const draft = { id, ...checkDraft(tx, input.draft) };

  store.setDraft(tx, draft);
  tx.emit(draftUpdated, to(tx.actor.id), { draft });
});

export const deleteDraft = action(allow.user, (tx, draftId: number): void => {
  const { id } = draftFor(tx, draftId);

  store.deleteDraft(tx, id);
  tx.emit(draftRemoved, to(tx.actor.id), { draft_id: id });
});

/** Checks the recipients of a draft against what its author may see, and truncates the content like a message's. */
function checkDraft(tx: Tx, draft: NewDraft): Omit<Draft, "id"> {
  const content = shorten(draft.content, limits.max_message_length, "\n[message truncated]");
  const timestamp = draft.timestamp ?? tx.now;
  return { type: draft.type, to: recipientsOf(tx, draft), topic: topicOf(draft), content, timestamp };
}

function recipientsOf(tx: Tx, { type, to: ids }: NewDraft): number[] {
  if (type === "") return [];
  if (type === "private") return [...new Set(ids.map((id) => userById(tx, id).id))];
  const [channel, ...others] = ids;
  if (channel === undefined || others.length > 0) {
    fail("BAD_REQUEST", "Must specify exactly 1 channel ID for channel messages");
  }
  return [channelFor(tx, channel, "see").id];
}

function topicOf({ type, topic }: NewDraft): string {
  return type === "stream" ? asTopic(topic.trim()) : "";
}

/**
 * Deletes all drafts of a user who turned synchronization off. Emits no event, because clients now hold the only copy.
 */
export function forgetDrafts(tx: Tx, { userId, before, now }: SettingsChanged): void {
  if (before.enable_drafts_synchronization && !now.enable_drafts_synchronization)
    store.deleteDrafts(tx, userId);
}

/** Part of erasing a person: deletes their drafts, at most `max`. Returns how many it deleted. */
export function forgetSomeDrafts(tx: Tx, userId: number, max: number): number {
  return store.deleteSomeDrafts(tx, userId, max);
}
