import { z } from "zod";
import { event } from "@/kernel/core/events.ts";

/** Hints that clients show each user once, in this order. Clients know the steps by these names. */
export const stepNames = [
  "intro_inbox_view_modal",
  "intro_recent_view_modal",
  "first_stream_created_banner",
  "jump_to_conversation_banner",
  "non_interleaved_view_messages_fade",
  "interleaved_view_messages_fade",
  "visibility_policy_banner",
  "narrow_to_dm_with_welcome_bot_new_user",
] as const;
export type StepName = (typeof stepNames)[number];

export const stepName = z.enum(stepNames, { error: "Unknown onboarding step." });

const onboardingStep = z.object({ type: z.literal("one_time_notice"), name: stepName });
export type OnboardingStep = z.infer<typeof onboardingStep>;

/** Carries the remaining steps. */
export const stepsChanged = event("onboarding_steps", {
  about: "The hints still to be shown have changed; carries all of them.",
  schema: z.object({ onboarding_steps: z.array(onboardingStep) }),
});
