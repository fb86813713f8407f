import { me } from "@/foundation/permissions/access.ts";
import { settingsOf } from "@/foundation/user-settings/access.ts";
import type { Ctx, Reads } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import type { Draft } from "./schema.ts";
import * as store from "./store.ts";

/** Whether the actor wants their drafts kept here. */
export function isSynchronizing(ctx: Ctx): boolean {
  return settingsOf(ctx, me(ctx).id).enable_drafts_synchronization;
}

/** The ID of the actor, who wants their drafts kept here; throws BAD_REQUEST where they do not. */
export function synchronizingUser(ctx: Ctx): number {
  if (!isSynchronizing(ctx)) fail("BAD_REQUEST", "You have turned the synchronization of drafts off.");
  return me(ctx).id;
}

/** A draft of the actor's own. */
export function draftFor(ctx: Ctx, id: number): Draft {
  return store.findDraft(ctx, synchronizingUser(ctx), id) ?? fail("MISSING", "Draft does not exist");
}

/** Whether a draft of a user's holds this text. */
export function isInDrafts(reads: Reads, userId: number, text: string): boolean {
  return store.isNamedInDrafts(reads, userId, text);
}
