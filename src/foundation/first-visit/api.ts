import { z } from "zod";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { answerFirstVisit, showFirstVisit } from "./pages.ts";

/** Too long for every field, so that each rule words what is wrong in the form. */
const typed = z.string().max(1000).optional();

export default domain({
  name: "first-visit",
  about: "the first visit of an organization that was created without names: its owner names both",
  endpoints: [
    endpoint("get-first-visit", {
      about:
        "Returns the page on which the owner of a new organization names it and themselves; to programs, whether the link leads there. Does not use the link.",
      method: "GET",
      path: "/first-visit/{key}",
      // It counts wrong keys as guesses, which all nodes count together.
      servedBy: "leader",
      root: true,
      auth: "none",
      params: { key: z.string() },
      returns: { is_first_visit: z.boolean(), realm_name: z.string() },
      run: (ctx, { key }, request) => showFirstVisit(ctx, key, request),
    }),
    endpoint("complete-first-visit", {
      about:
        "Names a new organization and its owner, sets the owner's address and password, and signs the browser in. Uses up the owner's link for signing in.",
      method: "POST",
      path: "/first-visit/{key}",
      root: true,
      auth: "none",
      params: { key: z.string(), realm_name: typed, full_name: typed, email: typed, password: typed },
      returns: { user_id: z.int() },
      run: (ctx, { key, ...said }, request) => answerFirstVisit(ctx, { key, said, request }),
    }),
  ],
});
