import { z } from "zod";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { listAudit } from "./queries.ts";
import { auditEntry, maxEntries, subjects } from "./schema.ts";

export default domain({
  name: "audit",
  about: "who did what to the organization and to what is not their own, and when",
  endpoints: [
    endpoint("get-audit-log", {
      about:
        "Lists who did what to the organization and to other people's things, newest first. `by` is the user who acted, `about_user_id` the one whose account or things it concerned, `about_name` what the thing is or was called. `since` and `until` are UNIX seconds; the second is exclusive. `before` is the ID of the last entry seen. Administrators only.",
      method: "GET",
      path: "/audit_log",
      params: {
        limit: z.int().min(1).max(maxEntries).default(100),
        before: z.int().optional(),
        by: z.int().optional(),
        about_user_id: z.int().optional(),
        kind: z.enum(subjects).optional(),
        about_id: z.int().optional(),
        about_name: z.string().optional(),
        event: z.string().optional(),
        since: z.int().optional(),
        until: z.int().optional(),
      },
      returns: { entries: z.array(auditEntry) },
      run: (ctx, { by, about_user_id, kind, about_id, about_name, ...filter }) => ({
        entries: listAudit(ctx, {
          ...filter,
          actorId: by,
          personId: about_user_id,
          about: { kind, id: about_id },
          aboutName: about_name,
        }),
      }),
    }),
  ],
});
