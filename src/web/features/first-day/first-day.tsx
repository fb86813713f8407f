// What a person does first: the owner of a new organization sets it up, a new member looks around. Shown above the inbox, on phones above
// the sidebar, until it is done or skipped; the server remembers that for all devices.
import { lazy, Suspense } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import type { State } from "../../state/state.ts";
import css from "./first-day.module.css";
import { hint } from "./hint.ts";

const FirstSteps = lazy(() =>
  import("./first-steps.tsx").then(({ FirstSteps: steps }) => ({ default: steps })),
);

const newForSeconds = 14 * 86_400;

function isFirstDay({ organization, self, users }: State): boolean {
  const steps = organization.onboarding_steps as readonly { name: string }[] | undefined;
  const joined = Date.parse(users[self.user_id]?.date_joined ?? "") / 1000;
  return steps?.some(({ name }) => name === hint) === true && Date.now() / 1000 - joined < newForSeconds;
}

/** Whether the first steps are shown. */
export function useFirstDay(): boolean {
  const { isVisitor } = useClient();
  return useSelect(isFirstDay) && !isVisitor;
}

export function FirstDay() {
  if (!useFirstDay()) return null;
  return (
    <div className={css.area}>
      <Suspense fallback={<div className={css.place} aria-busy="true" />}>
        <FirstSteps />
      </Suspense>
    </div>
  );
}
