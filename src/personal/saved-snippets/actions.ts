import { allow, me } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { to } from "@/kernel/core/events.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { snippetFor } from "./access.ts";
import {
  maxSnippets,
  type NewSnippet,
  type SnippetPatch,
  snippetAdded,
  snippetRemoved,
  snippetUpdated,
} from "./schema.ts";
import * as store from "./store.ts";

/** Saves a snippet for the actor; returns its ID. */
export const createSnippet = action(allow.user, (tx, input: NewSnippet): number => {
  const user = me(tx).id;
  if (store.countSnippets(tx, user) >= maxSnippets) {
    fail("BAD_REQUEST", `You can keep at most ${maxSnippets} snippets: delete some first.`);
  }

  const snippet = store.insertSnippet(tx, user, { ...input, date_created: tx.now });
  tx.emit(snippetAdded, to(user), { saved_snippet: snippet });
  return snippet.id;
});

export const editSnippet = action(allow.user, (tx, changes: SnippetPatch): void => {
  const snippet = snippetFor(tx, changes.saved_snippet_id);
  const { title = snippet.title, content = snippet.content } = changes;
  if (changes.title === undefined && changes.content === undefined) {
    fail("BAD_REQUEST", "Give the snippet a new title, new content, or both.");
  }
  if (title === snippet.title && content === snippet.content) return;

  const changed = { ...snippet, title, content };
  store.setSnippet(tx, changed);
  tx.emit(snippetUpdated, to(tx.actor.id), { saved_snippet: changed });
});

export const deleteSnippet = action(allow.user, (tx, snippetId: number): void => {
  const { id } = snippetFor(tx, snippetId);

  store.deleteSnippet(tx, id);
  tx.emit(snippetRemoved, to(tx.actor.id), { saved_snippet_id: id });
});

/** Part of erasing a person: deletes their snippets, at most `max`. Returns how many it deleted. */
export function forgetSomeSnippets(tx: Tx, userId: number, max: number): number {
  return store.deleteSomeSnippets(tx, userId, max);
}
