import { z } from "zod";
import { hasNoNull } from "@/foundation/realm/texts.ts";
import { event } from "@/kernel/core/events.ts";

/** Limited because every message is searched for each of them. */
export const maxLinkifiers = 200;

export const linkifierId = z.int();

const patternLength = 1000;
const templateLength = 2000;
const exampleLength = 1000;
const maxAlternatives = 20;

export const linkifierPattern = z
  .string()
  .min(1, "A linkifier needs a pattern.")
  .max(patternLength, `A linkifier's pattern has at most ${patternLength} characters.`)
  .refine(hasNoNull, "A linkifier's pattern must not contain null bytes.");

export const urlTemplate = z
  .string()
  .trim()
  .min(1, "A URL template must not be empty.")
  .max(templateLength, `A URL template has at most ${templateLength} characters.`);

export const exampleInput = z
  .string()
  .trim()
  .max(exampleLength, `An example of a linkifier has at most ${exampleLength} characters.`)
  .refine(hasNoNull, "An example of a linkifier must not contain null bytes.");

export const reverseTemplate = z
  .string()
  .trim()
  .max(templateLength, `A template of short forms has at most ${templateLength} characters.`);

export const alternativeTemplates = z
  .array(urlTemplate)
  .max(maxAlternatives, `A linkifier has at most ${maxAlternatives} alternative URL templates.`);

/** What is left out is empty in a new linkifier, and stays in a changed one. */
export const newLinkifier = z.object({
  pattern: linkifierPattern,
  url_template: urlTemplate,
  example_input: exampleInput.optional(),
  reverse_template: reverseTemplate.optional(),
  alternative_url_templates: alternativeTemplates.optional(),
});
export type NewLinkifier = z.infer<typeof newLinkifier>;

/** A linkifier that replaces the one with its ID. */
export const changedLinkifier = newLinkifier.extend({ id: linkifierId });
export type ChangedLinkifier = z.infer<typeof changedLinkifier>;

const sampleLength = 1000;

/** A text to try linkifiers on. */
export const sampleText = z
  .string()
  .max(sampleLength, `A text to try has at most ${sampleLength} characters.`);

/** A linkifier that is tried: with an ID, in place of the one that has it. */
export type TriedLinkifier = Pick<NewLinkifier, "pattern" | "url_template"> & { id?: number | undefined };

/** A link that a linkifier makes of a part of a text. */
export const foundLink = z.object({ text: z.string(), url: z.string() });
export type FoundLink = z.infer<typeof foundLink>;

/** The IDs of all linkifiers, in their order. */
export const linkifierOrder = z.array(linkifierId).max(maxLinkifiers);

/** A linkifier as clients read it. */
export const linkifier = z.object({
  id: linkifierId,
  pattern: z.string(),
  url_template: z.string(),
  example_input: z.string().nullable(),
  reverse_template: z.string().nullable(),
  alternative_url_templates: z.array(z.string()),
});
export type LinkifierRow = z.infer<typeof linkifier>;
/** All of a linkifier but its ID. */
export type LinkifierRule = Omit<LinkifierRow, "id">;

const hasTemplates = (capabilities: ReadonlySet<string>) => capabilities.has("linkifier_url_template");

/** The whole list, for clients that support URL templates. */
export const linkifiersChanged = event("realm_linkifiers", {
  about: "The linkifiers have changed; carries all of them.",
  schema: z.object({ realm_linkifiers: z.array(linkifier) }),
  variant: ({ capabilities }) => String(hasTemplates(capabilities)),
  shape: (payload: { realm_linkifiers: LinkifierRow[] }, { capabilities }) =>
    hasTemplates(capabilities) ? payload : null,
});

/** The linkifiers in the initial state of a client. */
export function linkifiersFor(
  capabilities: ReadonlySet<string>,
  rows: readonly LinkifierRow[],
): readonly LinkifierRow[] {
  return hasTemplates(capabilities) ? rows : [];
}
