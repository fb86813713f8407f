import { z } from "zod";
import { earlyInSteps, forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { runInSlices } from "@/kernel/lib/tasks.ts";
import { createSnippet, deleteSnippet, editSnippet } from "./actions.ts";
import { listSnippets } from "./queries.ts";
import { newSnippet, savedSnippet, snippetId, snippetPatch } from "./schema.ts";

export default domain({
  name: "saved-snippets",
  about: "texts that a person saves for later messages",
  state: {
    saved_snippets: forSpectators(
      earlyInSteps(
        function* (ctx) {
          return { saved_snippets: yield* listSnippets(ctx) };
        },
        ["saved_snippets", "users"],
      ),
      { saved_snippets: [] },
    ),
  },
  endpoints: [
    endpoint("get-saved-snippets", {
      about: "Lists the caller's saved snippets.",
      method: "GET",
      path: "/saved_snippets",
      returns: { saved_snippets: z.array(savedSnippet) },
      run: async (ctx) => ({ saved_snippets: await runInSlices(listSnippets(ctx)) }),
    }),
    endpoint("create-saved-snippet", {
      about: "Saves a text for use in later messages.",
      method: "POST",
      path: "/saved_snippets",
      params: newSnippet.shape,
      returns: { saved_snippet_id: snippetId },
      keeps: "results",
      run: async (ctx, params) => ({ saved_snippet_id: await createSnippet(ctx, params) }),
    }),
    endpoint("edit-saved-snippet", {
      about: "Changes the title or content of a saved snippet.",
      method: "PATCH",
      path: "/saved_snippets/{saved_snippet_id:[0-9]+}",
      params: snippetPatch.shape,
      run: (ctx, params) => editSnippet(ctx, params),
    }),
    endpoint("delete-saved-snippet", {
      about: "Deletes a saved snippet.",
      method: "DELETE",
      path: "/saved_snippets/{saved_snippet_id:[0-9]+}",
      params: { saved_snippet_id: snippetId },
      run: (ctx, params) => deleteSnippet(ctx, params.saved_snippet_id),
    }),
  ],
});
