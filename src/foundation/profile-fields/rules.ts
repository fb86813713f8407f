// The rules of profile fields.
import type { z } from "zod";
import { fail, ruleSentence } from "@/kernel/lib/errors.ts";
import { wordingOf } from "@/kernel/lib/wording.ts";
import {
  account,
  type FieldData,
  type FieldRow,
  type FieldType,
  fieldLimits,
  fieldTypes,
  knownAccounts,
  options,
} from "./schema.ts";

/** A field's data in its stored form; throws if it does not fit the field's type. */
export function checkData(type: FieldType, given: FieldData | undefined): string {
  if (type === fieldTypes.SELECT.id) return JSON.stringify(parseData(options, given ?? {}));
  if (type === fieldTypes.EXTERNAL_ACCOUNT.id) return JSON.stringify(parseData(account, given ?? {}));
  if (given && Object.keys(given).length > 0) {
    fail("BAD_REQUEST", "Only lists of options and external accounts have field data.");
  }
  return "";
}

function parseData<T>(rule: z.ZodType<T>, given: FieldData): T {
  const result = rule.safeParse(given);
  if (result.success) return result.data;
  const own = result.error.issues
    .flatMap(innermost)
    .map(wordingOf)
    .find(({ isSentence }) => isSentence);
  if (own) fail("BAD_REQUEST", ruleSentence(own.text));
  fail("BAD_REQUEST", "This field data does not fit the type of the profile field.");
}

/** The issues inside an issue. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code === "invalid_union") return issue.errors.flat();
  return issue.code === "invalid_key" ? issue.issues : [issue];
}

type Account = (typeof knownAccounts)[keyof typeof knownAccounts];

/** The known account of a field, which has a fixed name and hint; null for other fields. */
export function accountOf({ type, field_data }: Pick<FieldRow, "type" | "field_data">): Account | null {
  if (type !== fieldTypes.EXTERNAL_ACCOUNT.id) return null;
  const { subtype } = JSON.parse(field_data) as { subtype: string };
  return (knownAccounts as Record<string, Account>)[subtype] ?? null;
}

const tooLarge: readonly FieldType[] = [fieldTypes.USER.id];

const matched: readonly FieldType[] = [fieldTypes.SHORT_TEXT.id, fieldTypes.EXTERNAL_ACCOUNT.id];

/** Throws if people cannot be found by fields of this type. */
export function checkMatching(type: FieldType): void {
  if (!matched.includes(type)) fail("BAD_REQUEST", "People cannot be found by fields of this type.");
}

/** Throws if a field cannot be in the profile summary, or if the summary is full. */
export function checkSummary(type: FieldType, others: readonly FieldRow[]): void {
  if (tooLarge.includes(type)) {
    fail("BAD_REQUEST", "Fields of this type cannot be displayed in the profile summary.");
  }
  if (others.filter((row) => row.display_in_profile_summary).length >= fieldLimits.summary) {
    fail("BAD_REQUEST", `Only ${fieldLimits.summary} fields can be displayed in the profile summary.`);
  }
}

export function checkLabel(name: string, others: readonly FieldRow[]): void {
  if (name === "") fail("BAD_REQUEST", "Label cannot be blank.");
  if (others.some((row) => row.name.toLowerCase() === name.toLowerCase())) {
    fail("BAD_REQUEST", "A field with that label already exists.");
  }
}
