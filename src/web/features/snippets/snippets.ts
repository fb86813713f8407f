import type { SavedSnippet } from "@/personal/saved-snippets/schema.ts";
import { collator } from "../../lib/texts.ts";

export function sortSnippets(snippets: readonly SavedSnippet[]): SavedSnippet[] {
  return snippets.toSorted((a, b) => collator.compare(a.title, b.title) || a.id - b.id);
}
