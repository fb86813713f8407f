import { z } from "zod";
import {
  addLinkifier,
  removeLinkifier,
  reorderLinkifiers,
  updateLinkifier,
} from "@/foundation/linkifiers/actions.ts";
import { listLinkifiers } from "@/foundation/linkifiers/queries.ts";
import {
  type LinkifierRow,
  linkifier,
  type NewLinkifier,
  newLinkifier,
} from "@/foundation/linkifiers/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { type ArgValues, operand, operands, option, options } from "../args.ts";
import { command } from "../command.ts";
import { confirm, yes } from "../confirm.ts";
import { table } from "../output.ts";
import { numberOf } from "../values.ts";

const number = numberOf("the number that 'confab linkifier list' shows");
const id = operand("ID", number, "its number");
const pattern = operand("PATTERN", newLinkifier.shape.pattern, "a regular expression with named groups");
const template = operand("TEMPLATE", newLinkifier.shape.url_template, "a URL with {groups}, by RFC 6570");

const { example_input, reverse_template, alternative_url_templates } = newLinkifier.shape;
const backwards = {
  example: option("TEXT", example_input, "a text that the pattern finds"),
  short_form: option(
    "TEMPLATE",
    reverse_template,
    "what a pasted address becomes, with {groups}; needs an example",
  ),
  alternative: options("TEMPLATE", alternative_url_templates, "other URLs of the same things"),
};

const formatLinkifiers = (linkifiers: readonly LinkifierRow[]) =>
  table(
    ["ID", "PATTERN", "URL TEMPLATE", "SHORT FORM"],
    linkifiers.map((one) => [String(one.id), one.pattern, one.url_template, one.reverse_template ?? ""]),
  );

const rule = { pattern, template, ...backwards };

const ruleOf = (given: ArgValues<typeof rule>): NewLinkifier => ({
  pattern: given.pattern,
  url_template: given.template,
  example_input: given.example,
  reverse_template: given.short_form,
  alternative_url_templates: given.alternative,
});

/** A linkifier as it is after a change. */
function linkifierShown(ctx: Ctx, id: number): LinkifierRow {
  return listLinkifiers(ctx).find((one) => one.id === id) ?? fail("BAD_REQUEST", "Linkifier not found.");
}

export default [
  command({
    name: "linkifier add",
    summary: "Turn text that matches a pattern into links",
    examples: [
      "confab linkifier add '#(?P<id>[0-9]+)' 'https://issues.example.com/{id}'",
      "confab linkifier add '#(?P<id>[0-9]+)' 'https://issues.example.com/{id}' --example '#12' --short-form '#{id}'",
    ],
    args: rule,
    result: linkifier,
    run: async (ctx, args) => {
      const { id } = await addLinkifier(ctx, ruleOf(args));
      return linkifierShown(ctx, id);
    },
    print: ({ id }) => `Added linkifier ${id}.`,
  }),

  command({
    name: "linkifier list",
    isUnaudited: true,
    summary: "List linkifiers in order of precedence",
    examples: ["confab linkifier list"],
    args: {},
    result: z.array(linkifier),
    run: (ctx) => [...listLinkifiers(ctx)],
    print: formatLinkifiers,
  }),

  command({
    name: "linkifier update",
    summary: "Change a linkifier",
    examples: ["confab linkifier update 1 'GH-(?P<id>[0-9]+)' 'https://issues.example.com/{id}'"],
    args: { id, ...rule },
    result: linkifier,
    run: async (ctx, { id, ...args }) => {
      await updateLinkifier(ctx, { id, ...ruleOf(args) });
      return linkifierShown(ctx, id);
    },
    print: ({ id }) => `Changed linkifier ${id}.`,
  }),

  command({
    name: "linkifier remove",
    summary: "Remove a linkifier",
    examples: ["confab linkifier remove 1 --yes"],
    args: { id, yes },
    result: linkifier.pick({ id: true }),
    run: async (ctx, { id, yes }) => {
      const found = listLinkifiers(ctx).find((one) => one.id === id);
      if (found) await confirm({ does: "removes", count: [1, "linkifier"], names: [found.pattern] }, yes);
      await removeLinkifier(ctx, id);
      return { id };
    },
    print: ({ id }) => `Removed linkifier ${id}.`,
  }),

  command({
    name: "linkifier reorder",
    summary: "Change the order of linkifiers; earlier ones win",
    examples: ["confab linkifier reorder 3 1 2"],
    args: { ids: operands("ID", z.array(number).min(1), "all numbers, in the new order") },
    result: z.array(linkifier),
    run: async (ctx, { ids }) => {
      await reorderLinkifiers(ctx, ids);
      return [...listLinkifiers(ctx)];
    },
    print: formatLinkifiers,
  }),
];
