import { allow } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { runInSlices, type Task } from "@/kernel/lib/tasks.ts";
import { fieldFor } from "./access.ts";
import { type FieldRow, type FieldUse, fieldTypes, type ProfileField } from "./schema.ts";
import * as store from "./store.ts";

export const listFields = query(allow.user, (ctx): ProfileField[] => store.listFields(ctx).map(presentField));

/** How many people have filled in a field, and of a list of options, how many have chosen each. */
export const countUse = query(
  allow.admin,
  (ctx, id: number): Promise<FieldUse> => runInSlices(countIn(ctx, fieldFor(ctx, id))),
);

function* countIn(ctx: Ctx, { id, type }: FieldRow): Task<FieldUse> {
  const options = new Map<string, number>();
  let people = 0;
  for (const rows of store.valuesByUser(ctx).values()) {
    yield 1;
    const value = rows.find(({ field_id }) => field_id === id)?.value;
    if (value === undefined) continue;
    people++;
    if (type === fieldTypes.SELECT.id) options.set(value, (options.get(value) ?? 0) + 1);
  }
  return { people, options: Object.fromEntries(options) };
}

/** The `custom_profile_fields` section of the initial state. */
export function fieldsState(ctx: Ctx) {
  return { custom_profile_fields: listFields(ctx), custom_profile_field_types: fieldTypes };
}

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
    ...(row.use_for_user_matching ? { use_for_user_matching: true as const } : {}),
    required: row.required === 1,
    editable_by_user: row.editable_by_user === 1,
  };
}
