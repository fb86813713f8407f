import { allow, me } from "@/foundation/permissions/access.ts";
import { query } from "@/kernel/core/operation.ts";
import * as store from "./store.ts";

/** The actor's alert words in alphabetical order. */
export const listAlertWords = query(allow.user, (ctx): string[] => store.listWords(ctx, me(ctx).id));
