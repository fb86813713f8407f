import { allow, me } from "@/foundation/permissions/access.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { lastMessageId } from "@/messaging/messages/access.ts";
import { type OnboardingStep, stepNames } from "./schema.ts";
import { seenSteps } from "./store.ts";

/** The steps that the actor has not seen yet. */
export function remainingSteps(ctx: Ctx): OnboardingStep[] {
  const seen = seenSteps(ctx, me(ctx).id);
  return stepNames.filter((name) => !seen.has(name)).map((name) => ({ type: "one_time_notice", name }));
}

/** Whether no server has run on this data yet, or nobody has sent a message. */
export const isUnused = query(
  allow.system,
  (ctx): boolean => realmSettings.read(ctx).site === "" || lastMessageId(ctx) === 0,
);
