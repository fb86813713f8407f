import { z } from "zod";
import { addEmoji, deactivateEmoji } from "@/foundation/emoji/actions.ts";
import { listEmoji, listExtraEmoji } from "@/foundation/emoji/queries.ts";
import { customEmojiName, emojiLimits, type RealmEmoji } from "@/foundation/emoji/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { operand } from "../args.ts";
import { command } from "../command.ts";
import { confirm, yes } from "../confirm.ts";
import { fileOperand, locateFile, mib } from "../files.ts";
import { table } from "../output.ts";

const named = operand("NAME", customEmojiName, "its name, without colons");

const shape = z.object({
  id: z.string(),
  name: z.string(),
  is_active: z.boolean(),
  is_animated: z.boolean(),
  author_id: z.int().nullable(),
});

const listed = shape.extend({ is_custom: z.boolean() });

const asShape = ({ id, name, deactivated, author_id, still_url }: RealmEmoji): z.infer<typeof shape> => ({
  id,
  name,
  is_active: !deactivated,
  is_animated: still_url !== null,
  author_id,
});

const custom = (ctx: Ctx) => Object.values(listEmoji(ctx)).map(asShape);

export default [
  command({
    name: "emoji add",
    summary: "Add a custom emoji",
    about:
      "Adds an emoji from a PNG, JPEG, GIF or WebP file, scaled to 64 by 64 pixels. Animations are kept.",
    examples: ["confab emoji add party-parrot parrot.gif"],
    args: { name: named, file: fileOperand("the picture", { maxBytes: emojiLimits.fileMib * mib }) },
    result: shape,
    run: async (ctx, { name, file }) => {
      await addEmoji(ctx, { name, received: locateFile(file, emojiLimits.fileMib * mib) });
      const made = custom(ctx).findLast((one) => one.name === name && one.is_active);
      return made ?? fail("BAD_REQUEST", `:${name}: was deactivated by somebody else just now.`);
    },
    print: ({ name }) => `Added :${name}:`,
  }),

  command({
    name: "emoji list",
    isUnaudited: true,
    summary: "List custom emoji and the server's extra ones",
    examples: ["confab emoji list"],
    args: {},
    result: z.array(listed),
    run: (ctx) => [
      ...listExtraEmoji(ctx).map((one) => ({ ...asShape(one), is_custom: false })),
      ...custom(ctx).map((one) => ({ ...one, is_custom: true })),
    ],
    print: (emoji) =>
      table(
        ["ID", "NAME", "STATE", "KIND", "FROM"],
        emoji.map((one) => [
          String(one.id),
          one.name,
          one.is_active ? "active" : "deactivated",
          one.is_animated ? "moving" : "still",
          one.is_custom ? "organization" : "server",
        ]),
      ),
  }),

  command({
    name: "emoji deactivate",
    summary: "Deactivate a custom emoji; existing uses stay",
    examples: ["confab emoji deactivate party-parrot --yes"],
    args: { name: named, yes },
    result: shape.pick({ name: true }),
    run: async (ctx, { name, yes }) => {
      const note = "Messages and reactions that have it keep it.";
      if (custom(ctx).some((one) => one.name === name && one.is_active))
        await confirm({ does: "deactivates", count: [1, "emoji"], names: [`:${name}:`], note }, yes);
      await deactivateEmoji(ctx, name);
      return { name };
    },
    print: ({ name }) => `:${name}: is now deactivated.`,
  }),
];
