import { z } from "zod";
import { listFields } from "@/foundation/profile-fields/queries.ts";
import {
  type FieldType,
  fieldHint,
  fieldName,
  fieldTypes,
  knownAccounts,
  type ProfileField,
} from "@/foundation/profile-fields/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { createField, deleteField, reorderFields, updateField } from "../changes/people.ts";
import { partsOf } from "../names.ts";
import { changeForm, form, type ScreenForm, screen } from "../screen.ts";
import { moveActions } from "./order.ts";

const kinds = Object.values(fieldTypes).map(({ name }) => name);
const kindOf = (type: FieldType) => Object.values(fieldTypes).find(({ id }) => id === type)?.name ?? "";
const yesNo = (value: boolean | undefined) => (value ? "yes" : "no");
const flag = z.boolean();

const name = {
  label: "Label",
  about: "What the profile says before the value.",
  rule: fieldName,
  isOwn: true,
};
const hint = { label: "Hint", about: "A help for filling it in.", rule: fieldHint, isOwn: true };
const summary = {
  label: "In the card",
  about: "Shown in the small profile too; two fields at most.",
  rule: flag,
};
const required = { label: "Required", about: "People are asked to fill it in.", rule: flag };
const editable = { label: "Own", about: "People may change their own value.", rule: flag };
const choices = {
  label: "Options",
  about:
    "For a list of options, its options separated by commas; for an external account, github, gitlab, linkedin or twitter.",
  rule: z.string().max(2000),
};

/** What a field of this kind stores besides its label. */
function dataOf(kind: string, text: string) {
  const parts = partsOf(text);
  if (kind === fieldTypes.SELECT.name)
    return Object.fromEntries(parts.map((part, i) => [String(i), { text: part, order: String(i + 1) }]));
  if (kind !== fieldTypes.EXTERNAL_ACCOUNT.name) return undefined;
  const account = Object.keys(knownAccounts).find((one) => one === parts[0]?.toLowerCase());
  if (account === undefined)
    return fail("BAD_REQUEST", "Name the account: github, gitlab, linkedin or twitter.");
  return { subtype: account as keyof typeof knownAccounts };
}

function newField(): ScreenForm {
  return form({
    title: "A new profile field",
    fields: {
      kind: {
        label: "Kind",
        about: "What it holds.",
        rule: z.enum(kinds as [string, ...string[]]),
        start: kinds[0] ?? "",
      },
      name,
      hint,
      options: choices,
      required: { ...required, start: "no" },
      editable_by_user: { ...editable, start: "yes" },
    },
    async submit(ctx, { kind, options, ...traits }) {
      const type = Object.values(fieldTypes).find((one) => one.name === kind)?.id ?? fieldTypes.SHORT_TEXT.id;
      const id = await createField(ctx, { ...traits, field_type: type, field_data: dataOf(kind, options) });
      return { message: `Added the field ${traits.name || options}.`, undo: (now) => deleteField(now, id) };
    },
  });
}

function edit(_: Ctx, field: ProfileField): ScreenForm {
  return changeForm({
    title: `The profile field ${field.name}`,
    fields: {
      name: { ...name, start: field.name },
      hint: { ...hint, start: field.hint },
      display_in_profile_summary: { ...summary, start: yesNo(field.display_in_profile_summary) },
      required: { ...required, start: yesNo(field.required) },
      editable_by_user: { ...editable, start: yesNo(field.editable_by_user) },
    },
    async submit(ctx, changes) {
      await updateField(ctx, { id: field.id, ...changes });
      return { message: `Changed the field ${changes.name ?? field.name}.` };
    },
  });
}

function optionsText({ field_data }: ProfileField): string {
  if (field_data === "") return "";
  const data = JSON.parse(field_data) as Record<string, { text?: string } | string>;
  return Object.values(data)
    .map((one) => (typeof one === "string" ? one : (one.text ?? "")))
    .join(", ");
}

export const profileFields = screen<ProfileField>({
  key: "F",
  title: "Profile fields",
  area: "People",
  about: "what people may say about themselves, in this order",
  empty: "There are no profile fields.",
  rows: ({ ctx }) => listFields(ctx()),
  id: ({ id }) => id,
  copies: ({ name: label }) => label,
  columns: [
    { title: "LABEL", value: ({ name: label }) => label },
    { title: "KIND", value: ({ type }) => kindOf(type) },
    { title: "REQUIRED", value: (field) => yesNo(field.required) },
    { title: "HINT", value: (field) => field.hint, grow: true, spare: true, tone: () => "dim" },
  ],
  facts: (_, field) => [
    ["Label", field.name],
    ["Kind", kindOf(field.type)],
    ["Hint", field.hint],
    ["Options", optionsText(field)],
    ["In the card", yesNo(field.display_in_profile_summary)],
    ["Finds people", yesNo(field.use_for_user_matching)],
    ["Required", yesNo(field.required)],
    ["People change their own", yesNo(field.editable_by_user)],
  ],
  create: { title: "new field", form: newField },
  edit,
  rowActions: [
    {
      key: "d",
      title: () => "remove",
      confirm: (field) =>
        `Remove the field ${field.name}, with what people have entered? This cannot be undone.`,
      async run(ctx, field) {
        await deleteField(ctx, field.id);
        return { message: `Removed the field ${field.name}.` };
      },
    },
    ...moveActions<ProfileField>({
      ids: (ctx) => listFields(ctx).map(({ id }) => id),
      id: ({ id }) => id,
      reorder: reorderFields,
    }),
  ],
});
