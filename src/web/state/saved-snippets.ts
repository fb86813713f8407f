import type * as schema from "@/personal/saved-snippets/schema.ts";
import type { EventsOf, StateNoun } from "./noun.ts";
import { byKey, withDropped, withPut } from "./records.ts";

interface SavedSnippets {
  saved_snippets: Record<number, schema.SavedSnippet>;
}

export const savedSnippets: StateNoun<
  { saved_snippets: schema.SavedSnippet[] },
  SavedSnippets,
  EventsOf<typeof schema>
> = {
  takes: ["saved_snippets"],
  initial: ({ saved_snippets }) => ({ saved_snippets: byKey(saved_snippets, "id") }),
  reducers: {
    "saved_snippets/add": (state, { saved_snippet }) =>
      withPut(state, "saved_snippets", "id", [saved_snippet]),
    "saved_snippets/update": (state, { saved_snippet }) =>
      withPut(state, "saved_snippets", "id", [saved_snippet]),
    "saved_snippets/remove": (state, { saved_snippet_id }) =>
      withDropped(state, "saved_snippets", saved_snippet_id),
  },
};
