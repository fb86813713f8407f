import { z } from "zod";
import { listLinkifiers, tryLinkifier } from "@/foundation/linkifiers/queries.ts";
import { type LinkifierRow, linkifierPattern, urlTemplate } from "@/foundation/linkifiers/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { AppError } from "@/kernel/lib/errors.ts";
import {
  addLinkifier,
  removeLinkifier,
  reorderLinkifiers,
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
    async submit(ctx, { pattern, url_template }) {
      const { id } = await addLinkifier(ctx, { pattern, url_template });
      return { message: `Added the linkifier ${pattern}.`, undo: (now) => removeLinkifier(now, id) };
    },
  });
}

function edit(_: Ctx, { id, pattern, url_template }: LinkifierRow): ScreenForm {
  return changeForm({
    title: `The linkifier ${pattern}`,
    fields: {
      ...fields,
      pattern: { ...fields.pattern, start: pattern },
      url_template: { ...fields.url_template, start: url_template },
    },
    preview,
    async submit(ctx, changes) {
      await updateLinkifier(ctx, {
        id,
        pattern: changes.pattern ?? pattern,
        url_template: changes.url_template ?? url_template,
      });
      return { message: `Changed the linkifier ${changes.pattern ?? pattern}.` };
    },
  });
}

async function remove(ctx: Ctx, { id, pattern, url_template }: LinkifierRow): Promise<ActionOutcome> {
  const order = listLinkifiers(ctx).map((row) => row.id);
  await removeLinkifier(ctx, id);
  return {
    message: `Removed the linkifier ${pattern}.`,
    async undo(now) {
      const { id: renewed } = await addLinkifier(now, { pattern, url_template });
      await reorderLinkifiers(
        now,
        order.map((one) => (one === id ? renewed : one)),
      );
    },
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
  facts: (_, { id, pattern, url_template }) => [
    ["ID", String(id)],
    ["Pattern", pattern],
    ["URL template", url_template],
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
