import type { Profile } from "@/foundation/users/schema.ts";
import type { Reads } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { sentence } from "@/text/language/tables.ts";
import type { FieldRow } from "./schema.ts";
import type { ValueRow } from "./store.ts";
import * as store from "./store.ts";

export function fieldFor(reads: Reads, id: number): FieldRow {
  const found = store.listFields(reads).find((row) => row.id === id);
  return (
    found ?? fail("BAD_REQUEST", sentence("There is no profile field with the ID {id}.", { id: String(id) }))
  );
}

/** A user's values of the organization's profile fields. */
export function profileOf(reads: Reads, userId: number): Profile {
  const rows = store.valuesByUser(reads).get(userId) ?? [];
  return Object.fromEntries(rows.map((row) => [row.field_id, presentValue(row)]));
}

export function presentValue({ value, rendered }: Pick<ValueRow, "value" | "rendered">): Profile[string] {
  return rendered === null ? { value } : { value, rendered_value: rendered };
}
