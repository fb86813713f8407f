import { allow, me } from "@/foundation/permissions/access.ts";
import { to } from "@/kernel/events.ts";
import { action } from "@/kernel/operation.ts";
import { remainingSteps } from "./queries.ts";
import { type StepName, stepsChanged } from "./schema.ts";
import * as store from "./store.ts";

/** Remembers that the actor has been shown a step, so that no client of theirs shows it again. */
export const markStepSeen = action(allow.user, (tx, step: StepName): void => {
  const user = me(tx).id;
  if (store.seenSteps(tx, user).has(step)) return;

  store.insertSeen(tx, user, step);
  tx.emit(stepsChanged, to(user), { onboarding_steps: remainingSteps(tx) });
});
