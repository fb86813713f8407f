import { recordAudit } from "@/foundation/audit/actions.ts";
import { allow } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { everyone } from "@/kernel/core/events.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { completeRule, dialectFor, linkifierFor } from "./access.ts";
import {
  type ChangedLinkifier,
  type LinkifierRow,
  linkifiersChanged,
  maxLinkifiers,
  type NewLinkifier,
} from "./schema.ts";
import * as store from "./store.ts";

/** Adds a linkifier, which applies after all others. */
export const addLinkifier = action(allow.admin, (tx, input: NewLinkifier): { id: number } => {
  const others = store.listLinkifiers(tx);
  if (others.length >= maxLinkifiers) {
    fail("BAD_REQUEST", `An organization has at most ${maxLinkifiers} linkifiers.`);
  }
  const rule = completeRule(input);
  checkIsNew(input, others);

  const id = store.insertLinkifier(tx, rule);
  recordAudit(tx, { event: "linkifier_added", about: { kind: "linkifier", id }, data: rule });
  emitList(tx);
  return { id };
});

/** Replaces the pattern, the template and what else is given; the order stays as it is. */
export const updateLinkifier = action(allow.admin, (tx, input: ChangedLinkifier): void => {
  const old = linkifierFor(tx, input.id);
  const to = completeRule(input, old);
  checkIsNew(
    input,
    store.listLinkifiers(tx).filter((row) => row.id !== input.id),
  );
  const { id, dialect, ...from } = old;
  if (Bun.deepEquals(from, to)) return;

  store.setLinkifier(tx, { id, ...to, dialect: dialectFor(old, input.pattern) });
  recordAudit(tx, { event: "linkifier_changed", about: { kind: "linkifier", id }, data: { from, to } });
  emitList(tx);
});

export const removeLinkifier = action(allow.admin, (tx, id: number): void => {
  const { id: _, dialect, ...rule } = linkifierFor(tx, id);

  store.deleteLinkifier(tx, id);
  const about = { kind: "linkifier", id, name: rule.pattern } as const;
  recordAudit(tx, { event: "linkifier_removed", about, data: rule });
  emitList(tx);
});

/** If two linkifiers match, the earlier one makes the link. The list must name each once. */
export const reorderLinkifiers = action(allow.admin, (tx, ids: readonly number[]): void => {
  const from = store.listLinkifiers(tx).map((row) => row.id);
  const named = new Set(ids);
  if (named.size !== ids.length || ids.length !== from.length || !from.every((id) => named.has(id))) {
    fail("BAD_REQUEST", "The new order must name every linkifier exactly once.");
  }
  if (from.every((id, i) => id === ids[i])) return;

  store.setOrder(tx, ids);
  recordAudit(tx, { event: "linkifiers_reordered", about: { kind: "linkifier" }, data: { from, to: ids } });
  emitList(tx);
});

function emitList(tx: Tx): void {
  tx.emit(linkifiersChanged, everyone, { realm_linkifiers: [...store.listLinkifiers(tx)] });
}

function checkIsNew({ pattern }: { pattern: string }, others: readonly LinkifierRow[]): void {
  if (others.some((row) => row.pattern === pattern))
    fail("BAD_REQUEST", "There is already a linkifier with this pattern.");
}
