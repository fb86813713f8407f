// People's values of profile fields.

import { allow, isAdmin, me } from "@/foundation/permissions/access.ts";
import { renderText } from "@/foundation/realm/hooks.ts";
import { myself, userFor, userNamed } from "@/foundation/users/access.ts";
import { emitUserChange } from "@/foundation/users/actions.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { sentence } from "@/text/language/tables.ts";
import { fieldFor, presentValue, profileOf } from "./access.ts";
import { type FieldRow, type FieldType, fieldTypes, type GivenValue, type ProfileData } from "./schema.ts";
import type { ValueRow } from "./store.ts";
import * as store from "./store.ts";

/** Sets the actor's values in some profile fields; an empty value clears one. */
export const updateOwnProfile = action(allow.user, (tx, data: ProfileData): void => {
  const user = ownProfile(tx);
  for (const { id } of data) checkEditable(tx, fieldFor(tx, id));
  setProfile(tx, user, data);
});

/** Clears some of the actor's fields. */
export const clearOwnProfile = action(allow.user, (tx, ids: readonly number[]): void => {
  const user = ownProfile(tx);
  for (const id of ids) checkEditable(tx, fieldFor(tx, id));
  setProfile(
    tx,
    user,
    ids.map((id) => ({ id, value: null })),
  );
});

function ownProfile(tx: Tx): UserRow {
  const user = myself(tx);
  return user.is_bot ? fail("BAD_REQUEST", "Bots have no profile fields.") : user;
}

function checkEditable(ctx: Ctx, field: FieldRow): void {
  if (field.editable_by_user || isAdmin(me(ctx))) return;
  fail(
    "BAD_REQUEST",
    sentence("Only administrators may change the field ''{field}''.", { field: field.name }),
  );
}

/** Sets a user's values of some fields, as part of another action; returns true if anything changed. */
export function setProfile(tx: Tx, user: UserRow, data: ProfileData): boolean {
  if (user.is_bot) fail("BAD_REQUEST", "Bots have no profile fields.");
  return data.map((given) => setOne(tx, user, given)).some((isNew) => isNew);
}

function setOne(tx: Tx, user: UserRow, { id, value: given }: ProfileData[number]): boolean {
  const field = fieldFor(tx, id);
  const value = checkFieldValue(tx, field, given);
  const before = profileOf(tx, user.id)[id]?.value ?? "";
  if (value === before) return false;

  if (value === "") {
    store.deleteValue(tx, user.id, id);
    emitUserChange(tx, user, { custom_profile_field: { id, value: null } });
    return true;
  }
  const rendered = renderedTypes.includes(field.type) ? renderText(tx, value).html : null;
  store.setValue(tx, { user_id: user.id, field_id: id, value, rendered });
  emitUserChange(tx, user, { custom_profile_field: { id, ...presentValue({ value, rendered }) } });
  return true;
}

const renderedTypes: readonly FieldType[] = [fieldTypes.SHORT_TEXT.id, fieldTypes.LONG_TEXT.id];

type Check = (ctx: Ctx, field: FieldRow, value: string) => boolean;

const atMost =
  (max: number): Check =>
  (_, __, value) =>
    [...value].length <= max;

type Complaint =
  | "The value of ''{field}'' is too long (limit: 50 characters)."
  | "The value of ''{field}'' is too long (limit: 500 characters)."
  | "The value of ''{field}'' is not one of the options."
  | "The value of ''{field}'' is not a date, such as 2020-02-29."
  | "The value of ''{field}'' is not a web address."
  | "The value of ''{field}'' is not a list of the IDs of people.";

/** For each type, a check of the value and the message if it fails. */
const checks: Record<FieldType, [Check, Complaint]> = {
  [fieldTypes.SHORT_TEXT.id]: [atMost(50), "The value of ''{field}'' is too long (limit: 50 characters)."],
  [fieldTypes.LONG_TEXT.id]: [atMost(500), "The value of ''{field}'' is too long (limit: 500 characters)."],
  [fieldTypes.SELECT.id]: [
    (_, { field_data }, value) => Object.hasOwn(JSON.parse(field_data), value),
    "The value of ''{field}'' is not one of the options.",
  ],
  [fieldTypes.DATE.id]: [
    (_, __, value) => isDate(value),
    "The value of ''{field}'' is not a date, such as 2020-02-29.",
  ],
  [fieldTypes.URL.id]: [
    (_, __, value) => /^https?:\/\/\S+$/.test(value) && URL.canParse(value) && value.length <= 2000,
    "The value of ''{field}'' is not a web address.",
  ],
  [fieldTypes.USER.id]: [
    (ctx, _, value) => arePeople(ctx, value),
    "The value of ''{field}'' is not a list of the IDs of people.",
  ],
  [fieldTypes.EXTERNAL_ACCOUNT.id]: [
    atMost(50),
    "The value of ''{field}'' is too long (limit: 50 characters).",
  ],
  [fieldTypes.PRONOUNS.id]: [atMost(50), "The value of ''{field}'' is too long (limit: 50 characters)."],
};

/** A value in its stored form: people as a JSON list, all else as text; no value is empty. */
function checkFieldValue(ctx: Ctx, field: FieldRow, given: GivenValue): string {
  const value = asText(given, field.type === fieldTypes.USER.id);
  if (value === "" || value === "[]") return "";
  const [isRight, complaint] = checks[field.type];
  if (value.includes("\0") || !isRight(ctx, field, value)) {
    fail("BAD_REQUEST", sentence(complaint, { field: field.name }));
  }
  return value;
}

function asText(given: GivenValue, isOfPeople: boolean): string {
  if (given === null) return "";
  if (typeof given === "string") return given.trim();
  if (!isOfPeople) fail("BAD_REQUEST", "Only fields of people take a list.");
  return JSON.stringify([...new Set(given)]);
}

function isDate(text: string): boolean {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  return date !== null && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function arePeople(ctx: Ctx, text: string): boolean {
  try {
    const ids: unknown = JSON.parse(text);
    if (!Array.isArray(ids) || ids.length > 100) return false;
    return ids.every((id) => Number.isInteger(id) && isPerson(ctx, id));
  } catch {
    return false;
  }
}

function isPerson(ctx: Ctx, id: number): boolean {
  const user = userNamed(ctx, null, id);
  return user !== null && user.is_active === 1 && !user.is_bot;
}

/** Clears a field for the users whose value `isMeant` selects, and emits an event for each. */
export function dropValues(tx: Tx, fieldId: number, isMeant: (row: ValueRow) => boolean): void {
  for (const [userId, rows] of store.valuesByUser(tx)) {
    if (!rows.some((row) => row.field_id === fieldId && isMeant(row))) continue;
    store.deleteValue(tx, userId, fieldId);
    emitUserChange(tx, userFor(tx, userId), { custom_profile_field: { id: fieldId, value: null } });
  }
}

/** Clears all fields of a user, and emits an event for each. */
export function dropValuesOf(tx: Tx, user: UserRow): void {
  for (const { field_id: id } of store.valuesByUser(tx).get(user.id) ?? []) {
    store.deleteValue(tx, user.id, id);
    emitUserChange(tx, user, { custom_profile_field: { id, value: null } });
  }
}
