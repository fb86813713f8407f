import { me } from "@/foundation/permissions/access.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import type { SavedSnippet } from "./schema.ts";
import * as store from "./store.ts";

/** One of the actor's own snippets. */
export function snippetFor(ctx: Ctx, id: number): SavedSnippet {
  return store.findSnippet(ctx, me(ctx).id, id) ?? fail("MISSING", "Saved snippet does not exist.");
}

/** How many snippets a person has. */
export function countSnippetsOf(reads: Reads, userId: number): number {
  return store.countSnippets(reads, userId);
}
