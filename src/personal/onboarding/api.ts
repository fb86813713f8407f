import { userHooks } from "@/foundation/users/hooks.ts";
import { forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { markStepSeen, welcomeOwner } from "./actions.ts";
import { remainingSteps } from "./queries.ts";
import { stepName } from "./schema.ts";

export default domain({
  name: "onboarding",
  about:
    "what new users see: the welcome message, the first channel, clients that work, hints that are shown once",
  hooks: [userHooks.firstVisitEnded.register(welcomeOwner)],
  state: {
    onboarding_steps: forSpectators(
      (ctx) => ({ onboarding_steps: remainingSteps(ctx), navigation_tour_video_url: null }),
      { onboarding_steps: [], navigation_tour_video_url: null },
    ),
  },
  endpoints: [
    endpoint("post-users-me-onboarding-steps", {
      about: "Marks a hint as seen, so that clients do not show it to the caller again.",
      method: "POST",
      path: "/users/me/onboarding_steps",
      params: { onboarding_step: stepName },
      run: (ctx, params) => markStepSeen(ctx, params.onboarding_step),
    }),
  ],
});
