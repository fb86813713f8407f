import { allow, me } from "@/foundation/permissions/access.ts";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { to } from "@/kernel/core/events.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import {
  builtInFragments,
  maxViews,
  type NavigationView,
  type ViewPatch,
  viewAdded,
  viewRemoved,
  viewUpdated,
} from "./schema.ts";
import * as store from "./store.ts";

export const addView = action(allow.user, (tx, view: NavigationView): void => {
  const user = me(tx).id;
  const views = store.listViews(tx, user);
  if (views.some(({ fragment }) => fragment === view.fragment)) {
    fail("BAD_REQUEST", "Navigation view already exists.");
  }
  if (views.length >= maxViews) fail("BAD_REQUEST", `You can keep at most ${maxViews} navigation views.`);
  if (view.name !== undefined) checkName(views, view.fragment, view.name);
  else if (!builtInFragments.has(view.fragment)) fail("BAD_REQUEST", "Custom views must have a valid name.");

  store.insertView(tx, user, view);
  tx.emit(viewAdded, to(user), { navigation_view: view });
});

/** Pins, hides or renames a view. */
export const editView = action(allow.user, (tx, changes: ViewPatch): void => {
  const { views, view } = viewFor(tx, changes.fragment);
  if (changes.name !== undefined) checkName(views, view.fragment, changes.name);
  const data = {
    ...(isNew(changes.is_pinned, view.is_pinned) ? { is_pinned: changes.is_pinned } : {}),
    ...(isNew(changes.name, view.name) ? { name: changes.name } : {}),
  };
  if (Object.keys(data).length === 0) return;

  store.setView(tx, tx.actor.id, { ...view, ...data });
  tx.emit(viewUpdated, to(tx.actor.id), { fragment: view.fragment, data });
});

export const removeView = action(allow.user, (tx, named: string): void => {
  const { fragment } = viewFor(tx, named).view;

  store.deleteView(tx, tx.actor.id, fragment);
  tx.emit(viewRemoved, to(tx.actor.id), { fragment });
});

const isNew = <T>(given: T | undefined, present: T | undefined): given is T =>
  given !== undefined && given !== present;

/** A view in the actor's list, together with the whole list. */
function viewFor(ctx: Ctx, fragment: string): { views: NavigationView[]; view: NavigationView } {
  const views = store.listViews(ctx, me(ctx).id);
  const view = views.find((one) => one.fragment === fragment);
  return { views, view: view ?? fail("NOT_FOUND", "Navigation view does not exist.") };
}

function checkName(views: readonly NavigationView[], fragment: string, name: string): void {
  if (builtInFragments.has(fragment)) fail("BAD_REQUEST", "Built-in views cannot have a custom name.");
  if (views.some((view) => view.name === name && view.fragment !== fragment)) {
    fail("BAD_REQUEST", "Navigation view with this name already exists.");
  }
}

/** Part of erasing a person: deletes the views that they pin or hide, at most `max`. Returns how many it deleted. */
export function forgetSomeViews(tx: Tx, userId: number, max: number): number {
  return store.deleteSomeViews(tx, userId, max);
}
