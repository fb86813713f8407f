import { z } from "zod";
import { urlTemplate } from "@/foundation/linkifiers/schema.ts";
import { isPrintable } from "@/foundation/realm/texts.ts";
import { event } from "@/kernel/core/events.ts";

/** Limited because every client loads all of them at its start. */
export const maxPlaygrounds = 200;

export const playgroundId = z.int();

/** A playground: readers of a code block in its language can open the block there. */
export const newPlayground = z.object({
  name: z
    .string()
    .trim()
    .min(1, "A playground needs a name.")
    .max(100, "A playground's name has at most 100 characters.")
    .refine(isPrintable, "A playground's name must be made of printable characters."),
  pygments_language: z
    .string()
    .trim()
    .min(1, "A playground needs a language.")
    .max(40, "The name of a language has at most 40 characters.")
    .regex(
      /^[ a-zA-Z0-9_+#./@-]*$/,
      "The name of a language must be made of letters, digits, blanks and signs such as + and #.",
    ),
  url_template: urlTemplate,
});
export type NewPlayground = z.infer<typeof newPlayground>;

/** A playground as clients read it. */
export const playground = z.object({
  id: playgroundId,
  name: z.string(),
  pygments_language: z.string(),
  url_template: z.string(),
});
export type Playground = z.infer<typeof playground>;

/** The whole list. */
export const playgroundsChanged = event("realm_playgrounds", {
  about: "The code playgrounds have changed; carries all of them.",
  schema: z.object({ realm_playgrounds: z.array(playground) }),
});
