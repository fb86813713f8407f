import { z } from "zod";
import { hasAtMost } from "@/foundation/realm/texts.ts";
import { event } from "@/kernel/core/events.ts";

/** Kinds of profile fields, with their numbers on the wire. */
export const fieldTypes = {
  SHORT_TEXT: { id: 1, name: "Text (short)" },
  LONG_TEXT: { id: 2, name: "Text (long)" },
  SELECT: { id: 3, name: "List of options" },
  DATE: { id: 4, name: "Date" },
  URL: { id: 5, name: "Link" },
  USER: { id: 6, name: "Users" },
  EXTERNAL_ACCOUNT: { id: 7, name: "External account" },
  PRONOUNS: { id: 8, name: "Pronouns" },
} as const;

const fieldType = z.literal(
  Object.values(fieldTypes).map(({ id }) => id),
  "There is no such type of profile field.",
);

export type FieldType = z.infer<typeof fieldType>;

/** External accounts with a built-in URL, by the name that clients send. */
export const knownAccounts = {
  github: {
    name: "GitHub username",
    text: "GitHub",
    hint: "",
    url_pattern: "https://github.com/%(username)s",
  },
  gitlab: {
    name: "GitLab username",
    text: "GitLab",
    hint: "",
    url_pattern: "https://gitlab.com/%(username)s",
  },
  linkedin: {
    name: "LinkedIn username",
    text: "LinkedIn",
    hint: "",
    url_pattern: "https://www.linkedin.com/in/%(username)s",
  },
  twitter: { name: "X username", text: "X", hint: "", url_pattern: "https://x.com/%(username)s" },
} as const;

export const fieldLimits = { fields: 100, summary: 2, options: 200, option: 100, pattern: 1024 } as const;

const text = (max: number, what: string) =>
  z
    .string()
    .trim()
    .refine(hasAtMost(max), `${what} has at most ${max} characters.`)
    .meta({ maxLength: max })
    .refine((value) => !/\p{Cc}/u.test(value), `${what} must be a single line.`);

/** Empty if the type of field has a fixed name. */
export const fieldName = text(40, "The label of a profile field");

export const fieldHint = text(80, "The hint of a profile field");

const optionKey = z
  .string()
  .min(1, "An option needs a key.")
  .max(100, "A key has at most 100 characters.")
  .refine((key) => !/\p{Cc}/u.test(key), "A key must be a single line.");

const option = z.strictObject({
  text: text(fieldLimits.option, "An option").min(1, "An option must not be empty."),
  order: z.string().regex(/^\d{1,6}$/, "The order of an option must be a number."),
});

export const options = z
  .record(optionKey, option)
  .refine((all) => Object.keys(all).length > 0, "A list of options needs at least one.")
  .refine(
    (all) => Object.keys(all).length <= fieldLimits.options,
    `A list has at most ${fieldLimits.options} options.`,
  )
  .refine(
    (all) => new Set(Object.values(all).map((one) => one.text)).size === Object.keys(all).length,
    "A list of options must not repeat one.",
  );

const customAccount = z.strictObject({
  subtype: z.literal("custom"),
  url_pattern: z
    .string()
    .max(fieldLimits.pattern, `An address has at most ${fieldLimits.pattern} characters.`)
    .refine(
      (pattern) =>
        /^https?:\/\/[^\s\p{Cc}]+$/u.test(pattern) && URL.canParse(pattern.replace("%(username)s", "x")),
      "The address of an account must begin with http:// or https://.",
    )
    .refine(
      (pattern) => pattern.split("%(username)s").length === 2,
      "The address of an account must contain %(username)s once.",
    ),
});

const knownAccount = z.strictObject({ subtype: z.enum(Object.keys(knownAccounts) as [string, ...string[]]) });

export const account = z.union([customAccount, knownAccount]);

/** Field data as clients send it; the rules depend on the type of field. */
const fieldData = z.record(z.string(), z.unknown());

export type FieldData = z.infer<typeof fieldData>;

/** What a field is created with besides its type, and what of it can be changed. */
const fieldTraits = z
  .object({
    name: fieldName,
    hint: fieldHint,
    field_data: fieldData,
    display_in_profile_summary: z.boolean(),
    required: z.boolean(),
    editable_by_user: z.boolean(),
    use_for_user_matching: z.boolean(),
  })
  .partial();
export type FieldTraits = z.infer<typeof fieldTraits>;

export const newProfileField = z.object({ field_type: fieldType, ...fieldTraits.shape });
export type NewProfileField = z.infer<typeof newProfileField>;

export const fieldPatch = z.object({ id: z.int(), ...fieldTraits.shape });
export type FieldPatch = z.infer<typeof fieldPatch>;

/** A field as clients read it. */
export const profileField = z.object({
  id: z.int(),
  type: fieldType,
  order: z.int(),
  name: z.string(),
  hint: z.string(),
  /** JSON, or empty. */
  field_data: z.string(),
  display_in_profile_summary: z.literal(true).optional(),
  use_for_user_matching: z.literal(true).optional(),
  required: z.boolean(),
  editable_by_user: z.boolean(),
});

export type ProfileField = z.infer<typeof profileField>;

/** What is lost if a field or its options are removed. */
export const fieldUse = z.object({
  /** How many have filled it in. */
  people: z.int(),
  /** How many have chosen each option, by its key. */
  options: z.record(z.string(), z.int()),
});
export type FieldUse = z.infer<typeof fieldUse>;

export const fieldsChanged = event("custom_profile_fields", {
  about: "The organization's profile fields have changed; carries all of them.",
  schema: z.object({ fields: z.array(profileField) }),
});

/** A value of a field: text, or the IDs of people for fields of people; an empty value clears it. */
const givenValue = z.union([
  z.string().max(5000, "A value has at most 5000 characters."),
  z.array(z.int()).max(100, "A field names at most 100 people."),
  z.null(),
]);

export type GivenValue = z.infer<typeof givenValue>;

const eachOnce = "Name each field once.";

export const profileData = z
  .array(z.object({ id: z.int(), value: givenValue }))
  .max(fieldLimits.fields, eachOnce);

export type ProfileData = z.infer<typeof profileData>;

export const fieldIds = z.array(z.int()).max(fieldLimits.fields, eachOnce);

export interface NewField {
  type: FieldType;
  name: string;
  hint: string;
  field_data: string;
  display_in_profile_summary: 0 | 1;
  required: 0 | 1;
  editable_by_user: 0 | 1;
  use_for_user_matching: 0 | 1;
}

export interface FieldRow extends NewField {
  id: number;
  position: number;
}
