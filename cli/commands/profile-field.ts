import { z } from "zod";
import { createField, deleteField, reorderFields, updateField } from "@/foundation/profile-fields/actions.ts";
import { countUse, listFields } from "@/foundation/profile-fields/queries.ts";
import { fieldName, fieldPatch, type ProfileField } from "@/foundation/profile-fields/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { operand, operands, option, options } from "../args.ts";
import { command } from "../command.ts";
import { confirm, yes } from "../confirm.ts";
import { table } from "../output.ts";
import { yesOrNo } from "../values.ts";
import { type FieldKind, fieldNamed, kindOf, kinds, optionsOf } from "./user-profile.ts";

const kindName = z.enum(Object.keys(kinds) as [FieldKind, ...FieldKind[]]);
const shape = z.object({
  id: z.int(),
  name: z.string(),
  kind: kindName,
  hint: z.string(),
  options: z.array(z.string()),
  in_summary: z.boolean(),
  required: z.boolean(),
  editable_by_user: z.boolean(),
  finds_people: z.boolean(),
});
type Shown = z.infer<typeof shape>;

function presentField(field: ProfileField): Shown {
  return {
    id: field.id,
    name: field.name,
    kind: kindOf(field),
    hint: field.hint,
    options: optionsOf(field).map(([, text]) => text),
    in_summary: field.display_in_profile_summary === true,
    required: field.required,
    editable_by_user: field.editable_by_user,
    finds_people: field.use_for_user_matching === true,
  };
}

const all = (ctx: Ctx) => listFields(ctx).map(presentField);
const again = (ctx: Ctx, id: number) => all(ctx).find((field) => field.id === id) as Shown;

const named = operand("FIELD", z.string().min(1), "the field's label");
const fieldOptions = {
  hint: option("TEXT", fieldPatch.shape.hint, "a hint on how to fill it in"),
  option: options("TEXT", z.array(z.string()).optional(), "for a choice: the options"),
  summary: option("yes|no", yesOrNo, "whether short profiles show it"),
  required: option("yes|no", yesOrNo, "whether clients ask people to fill it in"),
  editable: option("yes|no", yesOrNo, "whether people may change it themselves"),
  finds: option("yes|no", yesOrNo, "whether people are found by it where one writes a mention"),
};

interface FieldOptions {
  hint?: string;
  option?: string[];
  summary?: boolean;
  required?: boolean;
  editable?: boolean;
  finds?: boolean;
}

function dataOf(
  { option: texts, ...given }: FieldOptions,
  before: readonly [key: string, text: string][] = [],
) {
  const used = new Map(before.map(([key, text]) => [text, key]));
  const fresh = (at: number) => String(Math.max(-1, ...before.map(([key]) => Number(key) || 0)) + 1 + at);
  const entries = texts?.map((text, at) => [used.get(text) ?? fresh(at), { text, order: String(at + 1) }]);
  return {
    hint: given.hint,
    field_data: entries && (Object.fromEntries(entries) as Record<string, unknown>),
    display_in_profile_summary: given.summary,
    required: given.required,
    editable_by_user: given.editable,
    use_for_user_matching: given.finds,
  };
}

const yesNo = (value: boolean) => (value ? "yes" : "no");
const fieldTable = (fields: readonly Shown[]) =>
  table(
    ["ID", "FIELD", "KIND", "SUMMARY", "REQUIRED", "EDITABLE", "OPTIONS"],
    fields.map((field) => [
      String(field.id),
      field.name,
      field.kind,
      yesNo(field.in_summary),
      yesNo(field.required),
      yesNo(field.editable_by_user),
      field.options.join(", "),
    ]),
  );

export default [
  command({
    name: "profile-field create",
    summary: "Add a field to people's profiles",
    examples: [
      "confab profile-field create 'Job title'",
      "confab profile-field create Team --kind choice --option Design Engineering --summary true",
      "confab profile-field create Mentor --kind people --editable false",
    ],
    args: {
      field: operand("LABEL", fieldName.min(1, "A field needs a label."), "its label"),
      kind: option(
        "KIND",
        kindName.exclude(["account"]).default("text"),
        kindName.exclude(["account"]).options.join(", "),
      ),
      ...fieldOptions,
    },
    result: shape,
    run: async (ctx, { field, kind, ...given }) =>
      again(ctx, await createField(ctx, { name: field, field_type: kinds[kind], ...dataOf(given) })),
    print: ({ id, name }) => `Added the profile field ${name} (ID ${id}).`,
  }),

  command({
    name: "profile-field list",
    isUnaudited: true,
    summary: "List the fields of people's profiles, in their order",
    examples: ["confab profile-field list"],
    args: {},
    result: z.array(shape),
    run: all,
    print: fieldTable,
  }),

  command({
    name: "profile-field update",
    summary: "Change a field of people's profiles",
    about:
      "Changes only what is given. --option replaces all options; removing one also removes it from people's profiles.",
    examples: [
      "confab profile-field update 'Job title' --name Role --required true",
      "confab profile-field update Team --option Design Engineering Support",
    ],
    args: {
      field: named,
      name: option("LABEL", fieldPatch.shape.name, "its new label"),
      ...fieldOptions,
      yes,
    },
    result: shape,
    run: async (ctx, { field, name, yes, ...given }) => {
      const before = fieldNamed(ctx, field);
      const gone = optionsOf(before).filter(([, text]) => !(given.option ?? [text]).includes(text));
      const { options } = await countUse(ctx, before.id);
      const lost = gone.reduce((sum, [key]) => sum + (options[key] ?? 0), 0);
      const names = gone.map(([, text]) => text);
      if (lost > 0) {
        const loss = {
          does: "removes",
          count: [names.length, "option"],
          along: [[lost, "value"]],
          names,
        } as const;
        await confirm({ ...loss, note: "Who had chosen it has chosen nothing afterwards." }, yes);
      }
      await updateField(ctx, { id: before.id, name, ...dataOf(given, optionsOf(before)) });
      return again(ctx, before.id);
    },
    print: ({ name }) => `The profile field is now ${name}.`,
  }),

  command({
    name: "profile-field delete",
    summary: "Delete a field with everyone's values",
    examples: ["confab profile-field delete 'Job title' --yes"],
    args: { field: named, yes },
    result: shape.pick({ id: true, name: true }),
    run: async (ctx, { field, yes }) => {
      const { id, name } = fieldNamed(ctx, field);
      const along = [[(await countUse(ctx, id)).people, "value"]] as const;
      await confirm({ does: "deletes", count: [1, "profile field"], along, names: [name] }, yes);
      await deleteField(ctx, id);
      return { id, name };
    },
    print: ({ name }) => `Deleted the profile field ${name}.`,
  }),

  command({
    name: "profile-field reorder",
    summary: "Change the order of profile fields",
    about: "Moves the named fields to the front, in the order given; the others follow in their old order.",
    examples: ["confab profile-field reorder Pronouns 'Job title'"],
    args: { fields: operands("FIELD", z.array(z.string()).min(1), "labels of fields") },
    result: z.array(shape),
    run: async (ctx, { fields }) => {
      const first = fields.map((label) => fieldNamed(ctx, label).id);
      const others = listFields(ctx).map(({ id }) => id);
      await reorderFields(ctx, [...first, ...others.filter((id) => !first.includes(id))]);
      return all(ctx);
    },
    print: fieldTable,
  }),
];
