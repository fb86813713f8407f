import { z } from "zod";
import { isPrintable } from "@/foundation/realm/texts.ts";
import { event } from "@/kernel/core/events.ts";

/** The views that every client has; their names are fixed. */
export const builtInFragments: ReadonlySet<string> = new Set([
  "inbox",
  "recent",
  "feed",
  "drafts",
  "scheduled",
  "narrow/has/reaction/sender/me",
  "narrow/is/mentioned",
  "narrow/is/starred",
]);

/** The address of a view inside a client: the part after `#`. */
export const fragment = z
  .string()
  .trim()
  .min(1, "A navigation view needs a fragment.")
  .max(2000, "The fragment of a navigation view can have at most 2000 characters.")
  .refine(isPrintable, "The fragment of a navigation view must contain only printable characters.");

const viewName = z
  .string()
  .trim()
  .min(1, "The name of a navigation view cannot be empty.")
  .max(100, "The name of a navigation view can have at most 100 characters.")
  .refine(isPrintable, "The name of a navigation view must contain only printable characters.");

/** Limited because every client that registers receives all of them. */
export const maxViews = 500;

export const navigationView = z.object({
  fragment: z.string(),
  is_pinned: z.boolean(),
  /** Only custom views have one. */
  name: z.string().optional(),
});
export type NavigationView = z.infer<typeof navigationView>;

export const newView = z.object({ fragment, is_pinned: z.boolean(), name: viewName.optional() });

export const viewPatch = z.object({ ...newView.partial().shape, fragment });
export type ViewPatch = z.infer<typeof viewPatch>;

export const viewAdded = event("navigation_view", {
  about: "A view was added.",
  op: "add",
  schema: z.object({ navigation_view: navigationView }),
});

export const viewUpdated = event("navigation_view", {
  about: "A view was changed.",
  op: "update",
  schema: z.object({
    fragment: z.string(),
    data: z.strictObject({ is_pinned: z.boolean().optional(), name: z.string().optional() }),
  }),
});

export const viewRemoved = event("navigation_view", {
  about: "A view was removed.",
  op: "remove",
  schema: z.object({ fragment: z.string() }),
});
