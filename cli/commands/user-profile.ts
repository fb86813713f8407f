// Profile fields and their values as typed: fields by label, options by text, people by email address.

import { getUser } from "@/foundation/accounts/queries.ts";
import { listFields } from "@/foundation/profile-fields/queries.ts";
import { fieldTypes, type GivenValue, type ProfileField } from "@/foundation/profile-fields/schema.ts";
import { addressOf } from "@/foundation/users/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { userIds } from "../values.ts";

/** The kinds of fields, by the names used on the command line. */
export const kinds = {
  text: fieldTypes.SHORT_TEXT.id,
  paragraph: fieldTypes.LONG_TEXT.id,
  choice: fieldTypes.SELECT.id,
  date: fieldTypes.DATE.id,
  link: fieldTypes.URL.id,
  people: fieldTypes.USER.id,
  account: fieldTypes.EXTERNAL_ACCOUNT.id,
  pronouns: fieldTypes.PRONOUNS.id,
} as const;
export type FieldKind = keyof typeof kinds;

export function kindOf({ type }: ProfileField): FieldKind {
  return (Object.keys(kinds) as FieldKind[]).find((name) => kinds[name] === type) ?? "text";
}

export function fieldNamed(ctx: Ctx, label: string): ProfileField {
  const key = label.toLowerCase();
  const found = listFields(ctx).find(({ name }) => name.toLowerCase() === key);
  return found ?? fail("BAD_REQUEST", `There is no profile field named '${label}'.`);
}

/** The options of a choice field, with the keys under which they are stored. */
export function optionsOf(field: ProfileField): [key: string, text: string][] {
  if (field.type !== fieldTypes.SELECT.id) return [];
  const options = JSON.parse(field.field_data) as Record<string, { text: string; order: string }>;
  return Object.entries(options)
    .sort(([, a], [, b]) => Number(a.order) - Number(b.order))
    .map(([key, { text }]) => [key, text]);
}

export function parseGiven(ctx: Ctx, field: ProfileField, text: string): { id: number; value: GivenValue } {
  const { id, type } = field;
  if (text === "") return { id, value: null };
  if (type === fieldTypes.USER.id) {
    const emails = text.split(",").map((part) => part.trim());
    return { id, value: userIds(ctx, emails) };
  }
  const chosen = optionsOf(field).find(([, option]) => option.toLowerCase() === text.toLowerCase());
  return { id, value: chosen?.[0] ?? text };
}

/** A user's profile values, by field label. */
export function profileOf(ctx: Ctx, user_id: number): Record<string, string> {
  const { profile_data = {} } = getUser(ctx, { user_id, include_custom_profile_fields: true });
  const found = listFields(ctx).flatMap((field) => {
    const { value } = profile_data[field.id] ?? {};
    return value === undefined ? [] : [[field.name, textOf(ctx, field, value)] as const];
  });
  return Object.fromEntries(found);
}

function textOf(ctx: Ctx, field: ProfileField, value: string): string {
  if (field.type === fieldTypes.USER.id) {
    const ids = JSON.parse(value) as number[];
    return ids.map((user_id) => addressOf(getUser(ctx, { user_id }))).join(", ");
  }
  return optionsOf(field).find(([key]) => key === value)?.[1] ?? value;
}
