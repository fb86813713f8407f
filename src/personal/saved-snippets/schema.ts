import { z } from "zod";
import { limits } from "@/foundation/realm/schema.ts";
import { hasAtMost, hasNoNull } from "@/foundation/realm/texts.ts";
import { event } from "@/kernel/core/events.ts";

export const snippetId = z.int();

const maxTitle = 60;

const snippetTitle = z
  .string()
  .trim()
  .min(1, "Title cannot be empty.")
  .refine(hasAtMost(maxTitle), `Title is too long: at most ${maxTitle} characters are allowed.`)
  .meta({ maxLength: maxTitle })
  .refine((title) => !/\p{Cc}/u.test(title), "The title must contain only printable characters.");

const snippetContent = z
  .string()
  .trim()
  .min(1, "Content cannot be empty.")
  .refine(
    hasAtMost(limits.max_message_length),
    `Content is too long: at most ${limits.max_message_length} characters are allowed.`,
  )
  .meta({ maxLength: limits.max_message_length })
  .refine(hasNoNull, "Content must not contain null bytes");

export const newSnippet = z.object({ title: snippetTitle, content: snippetContent });
export type NewSnippet = z.infer<typeof newSnippet>;

export const snippetPatch = z.object({ saved_snippet_id: snippetId, ...newSnippet.partial().shape });
export type SnippetPatch = z.infer<typeof snippetPatch>;

/** Limited because every client that registers receives all of them. */
export const maxSnippets = 1000;

/** A text that a person saved for later messages. */
export const savedSnippet = z.object({
  id: snippetId,
  title: z.string(),
  content: z.string(),
  date_created: z.int(),
});
export type SavedSnippet = z.infer<typeof savedSnippet>;

export const snippetAdded = event("saved_snippets", {
  about: "A snippet was saved.",
  op: "add",
  schema: z.object({ saved_snippet: savedSnippet }),
});

export const snippetUpdated = event("saved_snippets", {
  about: "A saved snippet was changed.",
  op: "update",
  schema: z.object({ saved_snippet: savedSnippet }),
});

export const snippetRemoved = event("saved_snippets", {
  about: "A saved snippet was deleted.",
  op: "remove",
  schema: z.object({ saved_snippet_id: snippetId }),
});
