import { z } from "zod";
import { settingsHooks } from "@/foundation/user-settings/hooks.ts";
import { earlyInSteps, forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { runInSlices } from "@/kernel/lib/tasks.ts";
import { uploadHooks } from "@/messaging/uploads/hooks.ts";
import { isInDrafts } from "./access.ts";
import { createDrafts, deleteDraft, editDraft, forgetDrafts } from "./actions.ts";
import { draftsState, listDrafts } from "./queries.ts";
import { draft, draftId, maxDrafts, newDraft } from "./schema.ts";

export default domain({
  name: "drafts",
  about: "unfinished messages, kept for all clients of their author",
  hooks: [
    uploadHooks.isToBeSent.register((ctx, { ownerId, folder }) => isInDrafts(ctx, ownerId, folder)),
    settingsHooks.changed.register(forgetDrafts),
  ],
  state: {
    drafts: forSpectators(earlyInSteps(draftsState, ["drafts", "settings", "users"]), { drafts: [] }),
  },
  endpoints: [
    endpoint("get-drafts", {
      about: "Lists the caller's drafts, the least recently edited first.",
      method: "GET",
      path: "/drafts",
      returns: { count: z.int(), drafts: z.array(draft) },
      run: async (ctx) => {
        const drafts = await runInSlices(listDrafts(ctx));
        return { count: drafts.length, drafts };
      },
    }),
    endpoint("create-drafts", {
      about: "Stores drafts and returns their IDs in the same order. One invalid draft refuses all.",
      method: "POST",
      path: "/drafts",
      params: { drafts: z.array(newDraft).max(maxDrafts, "Too many drafts in one request.").default([]) },
      returns: { ids: z.array(draftId) },
      keeps: "results",
      run: async (ctx, params) => ({ ids: await createDrafts(ctx, params.drafts) }),
    }),
    endpoint("edit-draft", {
      about: "Replaces one of the caller's drafts.",
      method: "PATCH",
      path: "/drafts/{draft_id:[0-9]+}",
      params: { draft_id: draftId, draft: newDraft },
      run: (ctx, params) => editDraft(ctx, params),
    }),
    endpoint("delete-draft", {
      about: "Deletes one of the caller's drafts.",
      method: "DELETE",
      path: "/drafts/{draft_id:[0-9]+}",
      params: { draft_id: draftId },
      run: (ctx, params) => deleteDraft(ctx, params.draft_id),
    }),
  ],
});
