import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Reads } from "@/kernel/core/context.ts";
import { type PersonalValues, personalDefaults } from "./schema.ts";

/** The settings of new people; their language is the organization's. */
export function defaultsOf(ctx: Reads): PersonalValues {
  const { default_language } = realmSettings.read(ctx);
  return { ...personalDefaults.read(ctx), default_language };
}
