import { allow, me } from "@/foundation/permissions/access.ts";
import { query } from "@/kernel/core/operation.ts";
import type { NavigationView } from "./schema.ts";
import * as store from "./store.ts";

export const listViews = query(allow.user, (ctx): NavigationView[] => store.listViews(ctx, me(ctx).id));
