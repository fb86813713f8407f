import { allow } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import type { Playground } from "./schema.ts";
import * as store from "./store.ts";

/** All playgrounds, oldest first. */
export const listPlaygrounds = query(allow.user, (ctx): readonly Playground[] => store.listPlaygrounds(ctx));

export function playgroundsState(ctx: Ctx): Record<string, unknown> {
  return { realm_playgrounds: store.listPlaygrounds(ctx) };
}
