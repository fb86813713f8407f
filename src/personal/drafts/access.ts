import { me } from "@/foundation/permissions/access.ts";
import { settingsOf } from "@/foundation/user-settings/access.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import type { Draft } from "./schema.ts";
import * as store from "./store.ts";

/** Whether the actor synchronizes drafts through the server. */
export function isSynchronizing(ctx: Ctx): boolean {
  return settingsOf(ctx, me(ctx).id).enable_drafts_synchronization;
}

/** The actor's ID. Throws BAD_REQUEST if they do not synchronize drafts. */
export function synchronizingUser(ctx: Ctx): number {
  if (!isSynchronizing(ctx)) fail("BAD_REQUEST", "You have turned off the synchronization of drafts.");
  return me(ctx).id;
}

/** One of the actor's own drafts. */
export function draftFor(ctx: Ctx, id: number): Draft {
  return store.findDraft(ctx, synchronizingUser(ctx), id) ?? fail("MISSING", "Draft does not exist");
}

/** Whether one of the user's drafts contains this text. */
export function isInDrafts(reads: Reads, userId: number, text: string): boolean {
  return store.isNamedInDrafts(reads, userId, text);
}

/** How many drafts a person has. */
export function countDraftsOf(reads: Reads, userId: number): number {
  return store.countDrafts(reads, userId);
}
