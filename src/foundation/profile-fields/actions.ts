import { recordAudit } from "@/foundation/audit/actions.ts";
import type { AuditEvent } from "@/foundation/audit/schema.ts";
import { allow } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { everyone } from "@/kernel/core/events.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { fieldFor } from "./access.ts";
import { dropValues } from "./actions-values.ts";
import { presentField } from "./queries.ts";
import { accountOf, checkData, checkLabel, checkMatching, checkSummary } from "./rules.ts";
import {
  type FieldPatch,
  type FieldRow,
  type FieldTraits,
  fieldLimits,
  fieldsChanged,
  fieldTypes,
  type NewProfileField,
} from "./schema.ts";
import * as store from "./store.ts";

const bit = (value: boolean): 0 | 1 => (value ? 1 : 0);

/** Adds a profile field after the others. */
export const createField = action(allow.admin, (tx, input: NewProfileField): number => {
  const { field_type: type } = input;
  const others = store.listFields(tx);
  if (others.length >= fieldLimits.fields) {
    fail("BAD_REQUEST", `An organization has at most ${fieldLimits.fields} profile fields.`);
  }
  const field_data = checkData(type, input.field_data);
  const settled = accountOf({ type, field_data });
  const { name, hint } = settled ?? { name: input.name ?? "", hint: input.hint ?? "" };
  checkLabel(name, others);
  if (input.display_in_profile_summary) checkSummary(type, others);
  if (input.use_for_user_matching) checkMatching(type);

  const field = {
    type,
    name,
    hint,
    field_data,
    display_in_profile_summary: bit(input.display_in_profile_summary ?? false),
    required: bit(input.required ?? false),
    editable_by_user: bit(input.editable_by_user ?? true),
    use_for_user_matching: bit(input.use_for_user_matching ?? false),
  };
  const last = others.reduce((highest, row) => Math.max(highest, row.position), 0);
  const id = store.insertField(tx, field, last + 1);
  record(tx, { event: "profile_field_added", id, data: { name, type } });
  emitFields(tx);
  return id;
});

/** Changes the given properties of a field; clears values whose option was removed. */
export const updateField = action(allow.admin, (tx, input: FieldPatch): void => {
  const before = fieldFor(tx, input.id);
  const after = changeField(before, input);
  if (JSON.stringify(after) === JSON.stringify(before)) return;
  const others = store.listFields(tx).filter((row) => row.id !== before.id);
  if (accountOf(before)) checkSettled(before, after);
  checkLabel(after.name, others);
  if (after.display_in_profile_summary && !before.display_in_profile_summary) {
    checkSummary(after.type, others);
  }
  if (after.use_for_user_matching) checkMatching(after.type);

  store.setField(tx, after);
  if (after.type === fieldTypes.SELECT.id) dropRemoved(tx, after);
  const { position, ...from } = before;
  const { position: _, ...to } = after;
  record(tx, { event: "profile_field_changed", id: before.id, data: { from, to } });
  emitFields(tx);
});

function changeField(before: FieldRow, input: FieldTraits): FieldRow {
  const bitOr = (given: boolean | undefined, old: 0 | 1) => (given === undefined ? old : bit(given));
  return {
    ...before,
    name: input.name ?? before.name,
    hint: input.hint ?? before.hint,
    field_data: input.field_data === undefined ? before.field_data : checkData(before.type, input.field_data),
    display_in_profile_summary: bitOr(input.display_in_profile_summary, before.display_in_profile_summary),
    required: bitOr(input.required, before.required),
    editable_by_user: bitOr(input.editable_by_user, before.editable_by_user),
    use_for_user_matching: bitOr(input.use_for_user_matching, before.use_for_user_matching),
  };
}

/** For a known account, the organization can only change whether it is in the summary, and whether people are found by it. */
function checkSettled(before: FieldRow, after: FieldRow): void {
  const { display_in_profile_summary, use_for_user_matching } = after;
  const same = { ...before, display_in_profile_summary, use_for_user_matching };
  if (JSON.stringify(same) === JSON.stringify(after)) return;
  fail("BAD_REQUEST", "Default custom field cannot be updated.");
}

function dropRemoved(tx: Tx, field: FieldRow): void {
  const left = new Set(Object.keys(JSON.parse(field.field_data)));
  dropValues(tx, field.id, ({ value }) => !left.has(value));
}

/** Removes a field and its values. */
export const deleteField = action(allow.admin, (tx, id: number): void => {
  const { name } = fieldFor(tx, id);

  store.deleteField(tx, id);
  record(tx, { event: "profile_field_removed", id, name, data: { name } });
  emitFields(tx);
});

/** Puts the fields into this order, which must name each once. */
export const reorderFields = action(allow.admin, (tx, ids: readonly number[]): void => {
  const from = store.listFields(tx).map((row) => row.id);
  const named = new Set(ids);
  if (named.size !== ids.length || ids.length !== from.length || !from.every((id) => named.has(id))) {
    fail("BAD_REQUEST", "The new order must name every profile field exactly once.");
  }
  if (ids.join() === from.join()) return;

  for (const [at, id] of ids.entries()) store.setPosition(tx, id, at + 1);
  record(tx, { event: "profile_fields_reordered", id: null, data: { from, to: ids } });
  emitFields(tx);
});

function emitFields(tx: Tx): void {
  tx.emit(fieldsChanged, everyone, { fields: store.listFields(tx).map(presentField) });
}

function record(
  tx: Tx,
  {
    event,
    id,
    name,
    data,
  }: { event: AuditEvent; id: number | null; name?: string; data: Record<string, unknown> },
): void {
  recordAudit(tx, { event, about: { kind: "profile_field", id, name }, data });
}
