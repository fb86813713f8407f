// The server's memory of whether a person has seen the first steps, for all their devices.
import type { StepName } from "@/personal/onboarding/schema.ts";
import type { Api } from "../../api/request.ts";
import type { State } from "../../state/state.ts";

/** The hint that clients of the family show above the inbox once; ours are the first steps. */
const hint: StepName = "intro_inbox_view_modal";
const newForSeconds = 14 * 86_400;

export function isFirstDay({ organization, self, users }: State): boolean {
  const steps = organization.onboarding_steps as readonly { name: string }[] | undefined;
  const joined = Date.parse(users[self.user_id]?.date_joined ?? "") / 1000;
  return steps?.some(({ name }) => name === hint) === true && Date.now() / 1000 - joined < newForSeconds;
}

export const markSeen = (api: Api) => api.post("/users/me/onboarding_steps", { onboarding_step: hint });
