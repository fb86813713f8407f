import { recordAudit } from "@/foundation/audit/tx.ts";
import { allow } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { everyone } from "@/kernel/events.ts";
import { action } from "@/kernel/operation.ts";
import { linkifierFor } from "./access.ts";
import { checkRule } from "./rules.ts";
import { type LinkifierRow, linkifiersChanged, mostLinkifiers } from "./schema.ts";
import type { NewLinkifier } from "./store.ts";
import * as store from "./store.ts";

/** Adds a linkifier, which applies after all others. */
export const addLinkifier = action(allow.admin, (tx, input: NewLinkifier): { id: number } => {
  const others = store.listLinkifiers(tx);
  if (others.length >= mostLinkifiers) {
    fail("BAD_REQUEST", `An organization has at most ${mostLinkifiers} linkifiers.`);
  }
  checkRule(input);
  checkIsNew(input, others);

  const id = store.insertLinkifier(tx, input);
  recordAudit(tx, { event: "linkifier_added", about: { kind: "linkifier", id }, data: { ...input } });
  tellOf(tx);
  return { id };
});

/** Replaces the pattern and the template; the order stays as it is. */
export const updateLinkifier = action(allow.admin, (tx, input: LinkifierRow): void => {
  const old = linkifierFor(tx, input.id);
  // Who changes the address alone need not rewrite the pattern.
  const dialect = input.pattern === old.pattern ? old.dialect : "python";
  checkRule(input, dialect);
  checkIsNew(
    input,
    store.listLinkifiers(tx).filter((row) => row.id !== input.id),
  );
  if (input.pattern === old.pattern && input.url_template === old.url_template) return;

  store.setLinkifier(tx, { ...input, dialect });
  const { id, ...to } = input;
  const from = { pattern: old.pattern, url_template: old.url_template };
  recordAudit(tx, { event: "linkifier_changed", about: { kind: "linkifier", id }, data: { from, to } });
  tellOf(tx);
});

export const removeLinkifier = action(allow.admin, (tx, id: number): void => {
  const { pattern, url_template } = linkifierFor(tx, id);

  store.deleteLinkifier(tx, id);
  const about = { kind: "linkifier", id } as const;
  recordAudit(tx, { event: "linkifier_removed", about, data: { pattern, url_template } });
  tellOf(tx);
});

/** Where two linkifiers match, the earlier one's link is taken; the list names each once. */
export const reorderLinkifiers = action(allow.admin, (tx, ids: readonly number[]): void => {
  const from = store.listLinkifiers(tx).map((row) => row.id);
  const named = new Set(ids);
  if (named.size !== ids.length || ids.length !== from.length || !from.every((id) => named.has(id))) {
    fail("BAD_REQUEST", "The new order must name every linkifier exactly once.");
  }
  if (from.every((id, i) => id === ids[i])) return;

  store.setOrder(tx, ids);
  recordAudit(tx, { event: "linkifiers_reordered", about: { kind: "linkifier" }, data: { from, to: ids } });
  tellOf(tx);
});

function tellOf(tx: Tx): void {
  tx.emit(linkifiersChanged, everyone, { realm_linkifiers: [...store.listLinkifiers(tx)] });
}

function checkIsNew({ pattern }: NewLinkifier, others: readonly LinkifierRow[]): void {
  if (others.some((row) => row.pattern === pattern))
    fail("BAD_REQUEST", "There is a linkifier with this pattern already.");
}
