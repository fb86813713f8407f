import type { Tx } from "@/kernel/core/context.ts";
import { cache } from "@/kernel/store/cache.ts";
import type { FieldRow, NewField } from "./schema.ts";

/** All fields in their order. */
export const listFields = cache(["profile_fields"], ({ db }) =>
  db.all<FieldRow>(
    "SELECT id, position, type, name, hint, field_data, display_in_profile_summary, required, editable_by_user, use_for_user_matching " +
      "FROM profile_fields ORDER BY position, id",
  ),
);

export function insertField(tx: Tx, field: NewField, position: number): number {
  return tx.run(
    "INSERT INTO profile_fields (position, type, name, name_key, hint, field_data, display_in_profile_summary, required, " +
      "editable_by_user, use_for_user_matching) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    position,
    field.type,
    field.name,
    field.name.toLowerCase(),
    field.hint,
    field.field_data,
    field.display_in_profile_summary,
    field.required,
    field.editable_by_user,
    field.use_for_user_matching,
  ).lastInsertRowid;
}

export function setField(tx: Tx, field: FieldRow): void {
  tx.run(
    "UPDATE profile_fields SET name = ?, name_key = ?, hint = ?, field_data = ?, display_in_profile_summary = ?, " +
      "required = ?, editable_by_user = ?, use_for_user_matching = ? WHERE id = ?",
    field.name,
    field.name.toLowerCase(),
    field.hint,
    field.field_data,
    field.display_in_profile_summary,
    field.required,
    field.editable_by_user,
    field.use_for_user_matching,
    field.id,
  );
}

export function setPosition(tx: Tx, id: number, position: number): void {
  tx.run("UPDATE profile_fields SET position = ? WHERE id = ?", position, id);
}

export function deleteField(tx: Tx, id: number): void {
  tx.run("DELETE FROM profile_values WHERE field_id = ?", id);
  tx.run("DELETE FROM profile_fields WHERE id = ?", id);
}

export interface ValueRow {
  user_id: number;
  field_id: number;
  value: string;
  rendered: string | null;
}

/** All values, by user. */
export const valuesByUser = cache(["profile_values"], ({ db }): ReadonlyMap<number, ValueRow[]> => {
  const rows = db.all<ValueRow>(
    "SELECT user_id, field_id, value, rendered FROM profile_values ORDER BY user_id, field_id",
  );
  return Map.groupBy(rows, (row) => row.user_id);
});

export function setValue(tx: Tx, { user_id, field_id, value, rendered }: ValueRow): void {
  tx.run(
    "INSERT INTO profile_values (user_id, field_id, value, rendered) VALUES (?, ?, ?, ?) " +
      "ON CONFLICT (user_id, field_id) DO UPDATE SET value = excluded.value, rendered = excluded.rendered",
    user_id,
    field_id,
    value,
    rendered,
  );
}

export function deleteValue(tx: Tx, userId: number, fieldId: number): void {
  tx.run("DELETE FROM profile_values WHERE user_id = ? AND field_id = ?", userId, fieldId);
}
