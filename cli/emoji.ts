import { statSync } from "node:fs";
import { z } from "zod";
import { addEmoji, deactivateEmoji } from "@/emoji/actions.ts";
import { listEmoji } from "@/emoji/queries.ts";
import { customEmojiName, emojiLimits } from "@/emoji/schema.ts";
import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { operand } from "./args.ts";
import { command } from "./command.ts";
import { table } from "./output.ts";

const named = operand("NAME", customEmojiName, "its name, without colons");

const shown = (ctx: Ctx) =>
  Object.values(listEmoji(ctx)).map(({ id, name, deactivated, author_id, still_url }) => ({
    id,
    name,
    is_active: !deactivated,
    is_animated: still_url !== null,
    author_id,
  }));

/** A picture on this machine, which the server reads as it would an upload. */
function pictureAt(path: string): { path: string } {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) fail("BAD_REQUEST", `There is no file ${path}.`);
  if (stat.size > emojiLimits.fileMib * 1_048_576) {
    fail("BAD_REQUEST", `${path} is larger than the ${emojiLimits.fileMib} MiB that are allowed.`);
  }
  return { path };
}

export default [
  command({
    name: "emoji add",
    summary: "Add an emoji of the organization's own",
    about: "Adds an emoji from a PNG, JPEG, GIF or WebP file; it is made 64 by 64 pixels, and may move.",
    examples: ["confab emoji add party-parrot parrot.gif"],
    args: { name: named, file: operand("FILE", z.string().min(1), "the picture") },
    run: async (ctx, { name, file }) => {
      await addEmoji(ctx, { name, received: pictureAt(file) });
      return shown(ctx).findLast((one) => one.name === name && one.is_active);
    },
    print: (made) => `Added :${made?.name}:`,
  }),

  command({
    name: "emoji list",
    summary: "List the organization's own emoji",
    examples: ["confab emoji list"],
    args: {},
    run: (ctx) => shown(ctx),
    print: (emoji) =>
      table(
        ["ID", "NAME", "STATE", "KIND"],
        emoji.map((one) => [
          String(one.id),
          one.name,
          one.is_active ? "active" : "deactivated",
          one.is_animated ? "moving" : "still",
        ]),
      ),
  }),

  command({
    name: "emoji deactivate",
    summary: "Take an emoji out of use; where it stands already it stays",
    examples: ["confab emoji deactivate party-parrot"],
    args: { name: named },
    run: async (ctx, { name }) => {
      await deactivateEmoji(ctx, name);
      return { name };
    },
    print: ({ name }) => `:${name}: is out of use now.`,
  }),
];
