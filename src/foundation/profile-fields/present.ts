import type { FieldRow } from "./rows.ts";
import type { ProfileField } from "./schema.ts";

/** A field as clients read it; `order` is its position. */
export function presentField(row: FieldRow): ProfileField {
  return {
    id: row.id,
    type: row.type,
    order: row.position,
    name: row.name,
    hint: row.hint,
    field_data: row.field_data,
    ...(row.display_in_profile_summary ? { display_in_profile_summary: true as const } : {}),
    required: row.required === 1,
    editable_by_user: row.editable_by_user === 1,
  };
}
