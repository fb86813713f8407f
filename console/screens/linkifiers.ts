import { z } from "zod";
import { listLinkifiers, tryLinkifier } from "@/foundation/linkifiers/queries.ts";
import {
  alternativeTemplates,
  exampleInput,
  type LinkifierRow,
  linkifierPattern,
  reverseTemplate,
  urlTemplate,
} from "@/foundation/linkifiers/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { AppError } from "@/kernel/lib/errors.ts";
import {
  addLinkifier,
  removeLinkifier,
  reorderLinkifiers,
  restoreLinkifier,
  updateLinkifier,
} from "../changes/organization.ts";
import { type Line, line } from "../layout.ts";
import { type ActionOutcome, changeForm, form, type ScreenForm, screen } from "../screen.ts";
import { moveActions } from "./order.ts";

const fields = {
  pattern: {
    label: "Pattern",
    about: "A regular expression in Python's syntax, with named groups: T-(?P<id>\\d+)",
    rule: linkifierPattern,
    isOwn: true,
  },
  url_template: {
    label: "URL template",
    about: "The URL of a match, with the groups in braces: https://example.com/{id}",
    rule: urlTemplate,
    isOwn: true,
  },
  text: {
    label: "Try it on",
    about: "A text to test with; its links are shown below. It is not saved.",
    rule: z.string().max(1000, "The test text can have at most 1000 characters."),
    isOwn: true,
  },
  example_input: {
    label: "Example",
    about: "A text that becomes a link: T-12. Needed for a short form.",
    rule: exampleInput,
    isOwn: true,
  },
  reverse_template: {
    label: "Short form",
    about: "What a pasted URL becomes, with the groups in braces: T-{id}",
    rule: reverseTemplate,
    isOwn: true,
  },
  others: {
    label: "Other URLs",
    about:
      "Other URL templates of the same things, with blanks between them; they become the short form, too.",
    rule: z
      .string()
      .transform((text) => text.split(/\s+/).filter((one) => one !== ""))
      .pipe(alternativeTemplates),
    isOwn: true,
  },
};

/** The links that the form's pattern finds in its test text. */
function preview(ctx: Ctx, { pattern = "", url_template = "", text = "" }: Record<string, string>): Line[] {
  if (pattern === "" || url_template === "" || text === "") return [];
  try {
    const links = tryLinkifier(ctx, { pattern, url_template, text });
    if (links.length === 0) return [line("Nothing in this text becomes a link.", "dim")];
    return links.map((link) => [
      { text: link.text, tone: "accent" },
      { text: "  →  ", tone: "dim" },
      { text: link.url },
    ]);
  } catch (error) {
    if (error instanceof AppError) return [line(error.message, "bad")];
    throw error;
  }
}

function newLinkifier(): ScreenForm {
  return form({
    title: "A new linkifier",
    fields,
    preview,
    async submit(ctx, { text, others, ...rule }) {
      const { id } = await addLinkifier(ctx, { ...rule, alternative_url_templates: others });
      const { pattern } = rule;
      return { message: `Added the linkifier ${pattern}.`, undo: (now) => removeLinkifier(now, id) };
    },
  });
}

function edit(_: Ctx, row: LinkifierRow): ScreenForm {
  const { id, pattern, url_template } = row;
  return changeForm({
    title: `The linkifier ${pattern}`,
    fields: {
      ...fields,
      pattern: { ...fields.pattern, start: pattern },
      url_template: { ...fields.url_template, start: url_template },
      example_input: { ...fields.example_input, start: row.example_input ?? "" },
      reverse_template: { ...fields.reverse_template, start: row.reverse_template ?? "" },
      others: { ...fields.others, start: row.alternative_url_templates.join(" ") },
    },
    preview,
    async submit(ctx, changes) {
      await updateLinkifier(ctx, {
        id,
        pattern: changes.pattern ?? pattern,
        url_template: changes.url_template ?? url_template,
        example_input: changes.example_input,
        reverse_template: changes.reverse_template,
        alternative_url_templates: changes.others,
      });
      return { message: `Changed the linkifier ${changes.pattern ?? pattern}.` };
    },
  });
}

async function remove(ctx: Ctx, { id, ...rule }: LinkifierRow): Promise<ActionOutcome> {
  const order = listLinkifiers(ctx).map((row) => row.id);
  await removeLinkifier(ctx, id);
  return {
    message: `Removed the linkifier ${rule.pattern}.`,
    undo: (now) =>
      restoreLinkifier(now, {
        ...rule,
        example_input: rule.example_input ?? "",
        reverse_template: rule.reverse_template ?? "",
        former_id: id,
        order,
      }),
  };
}

export const linkifiers = screen<LinkifierRow>({
  key: "P",
  title: "Linkifiers",
  area: "Organization",
  noun: "linkifier",
  about: "patterns that become links, in order of precedence",
  empty: "There are no linkifiers.",
  rows: ({ ctx }) => listLinkifiers(ctx()),
  id: ({ id }) => id,
  copies: ({ pattern }) => pattern,
  columns: [
    { title: "PATTERN", value: ({ pattern }) => pattern },
    { title: "LEADS TO", value: ({ url_template }) => url_template, grow: true },
  ],
  facts: (_, row) => [
    ["ID", String(row.id)],
    ["Pattern", row.pattern],
    ["URL template", row.url_template],
    ["Example", row.example_input ?? ""],
    ["Short form", row.reverse_template ?? ""],
    ...row.alternative_url_templates.map((one): [string, string] => ["Other URL", one]),
  ],
  create: { title: "new linkifier", form: newLinkifier },
  edit,
  rowActions: [
    {
      key: "d",
      title: () => "remove",
      confirm: ({ pattern }) => `Remove the linkifier ${pattern}?`,
      run: remove,
    },
    ...moveActions<LinkifierRow>({
      ids: (ctx) => listLinkifiers(ctx).map(({ id }) => id),
      id: ({ id }) => id,
      reorder: reorderLinkifiers,
    }),
  ],
});
