import { me } from "@/foundation/permissions/access.ts";
import type { Ctx } from "@/kernel/context.ts";
import { type OnboardingStep, stepNames } from "./schema.ts";
import { seenSteps } from "./store.ts";

/** What the actor has not been shown yet. */
export function remainingSteps(ctx: Ctx): OnboardingStep[] {
  const seen = seenSteps(ctx, me(ctx).id);
  return stepNames.filter((name) => !seen.has(name)).map((name) => ({ type: "one_time_notice", name }));
}
