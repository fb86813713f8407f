import { allow, me } from "@/foundation/permissions/access.ts";
import { query } from "@/kernel/core/operation.ts";
import type { Task } from "@/kernel/lib/tasks.ts";
import type { SavedSnippet } from "./schema.ts";
import * as store from "./store.ts";

export const listSnippets = query(
  allow.user,
  (ctx): Task<SavedSnippet[]> => store.listSnippets(ctx, me(ctx).id),
);
