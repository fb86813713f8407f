// The organization's icon and logos: verbs of the noun `realm`.

import { z } from "zod";
import { limits } from "@/foundation/realm/schema.ts";
import { deleteRealmPicture, setRealmPicture } from "@/foundation/realm-administration/actions-pictures.ts";
import { operand } from "../args.ts";
import { command } from "../command.ts";
import { confirm, yes } from "../confirm.ts";
import { fileOperand, locateFile, mib } from "../files.ts";

const names = { icon: "icon", logo: "logo", "night-logo": "night_logo" } as const;
type Name = keyof typeof names;
const name = z.enum(Object.keys(names) as [Name, ...Name[]]);
const which = operand("WHICH", name, name.options.join(", "));
const shape = z.object({ picture: name, url: z.string() });

const maxBytes = (name: Name) =>
  mib * (name === "icon" ? limits.max_icon_file_size_mib : limits.max_logo_file_size_mib);
const picture = fileOperand("the picture", { maxBytes: Math.max(...name.options.map(maxBytes)) });

export default [
  command({
    name: "realm set-picture",
    summary: "Set the organization's icon, or its logo for light or dark themes",
    about:
      "Takes a PNG, JPEG, GIF or WebP file. Icons are scaled to 100 by 100 pixels, logos to at most 800 by 100.",
    examples: ["confab realm set-picture icon crew.png", "confab realm set-picture night-logo crew-dark.png"],
    args: { which, file: picture },
    result: shape,
    run: async (ctx, { which, file }) => {
      const picture = names[which];
      const fields = await setRealmPicture(ctx, {
        which: picture,
        received: locateFile(file, maxBytes(which)),
      });
      return { picture: which, url: fields[`${picture}_url`] };
    },
    print: ({ picture }) => `The organization has a new ${picture}.`,
  }),

  command({
    name: "realm remove-picture",
    summary: "Remove the organization's icon or a logo",
    examples: ["confab realm remove-picture night-logo --yes"],
    args: { which, yes },
    result: shape,
    run: async (ctx, { which, yes }) => {
      const picture = names[which];
      await confirm(
        { does: "deletes", count: [1, "picture"], of: "of the organization", names: [which] },
        yes,
      );
      const fields = await deleteRealmPicture(ctx, picture);
      return { picture: which, url: fields[`${picture}_url`] };
    },
    print: ({ picture }) => `The ${picture} is now the default one.`,
  }),
];
