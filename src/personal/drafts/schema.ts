import { z } from "zod";
import { hasNoNull } from "@/foundation/realm/texts.ts";
import { event } from "@/kernel/core/events.ts";

export const draftId = z.int();
const draftType = z.enum(["", "stream", "private"]);

/** A draft as clients send it; the server gives it an ID. */
export const newDraft = z.strictObject({
  type: draftType,
  to: z.array(z.int()).max(1000, "A draft can have at most 1000 recipients."),
  topic: z.string().refine(hasNoNull, "Topic must not contain null bytes"),
  content: z.string().refine(hasNoNull, "Content must not contain null bytes"),
  timestamp: z.int().min(0, "Timestamp must not be negative.").optional(),
});
export type NewDraft = z.infer<typeof newDraft>;

/** Limited because clients fetch all drafts at once. */
export const maxDrafts = 1000;

export const draft = z.object({
  id: draftId,
  type: draftType,
  to: z.array(z.int()),
  topic: z.string(),
  content: z.string(),
  timestamp: z.int(),
});
export type Draft = z.infer<typeof draft>;

export const draftsAdded = event("drafts", {
  about: "Drafts were stored, by any client of the user.",
  op: "add",
  schema: z.object({ drafts: z.array(draft) }),
});

export const draftUpdated = event("drafts", {
  about: "A draft was replaced.",
  op: "update",
  schema: z.object({ draft }),
});

export const draftRemoved = event("drafts", {
  about: "A draft was deleted.",
  op: "remove",
  schema: z.object({ draft_id: draftId }),
});
