// What a person does first: the owner of a new organization sets it up, a new member looks around. Shown above the inbox, on phones above
// the sidebar, until it is done or skipped; the server remembers that for all devices.
import { lazy, Suspense } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import css from "./first-day.module.css";
import { isFirstDay } from "./onboarding.ts";

const FirstSteps = lazy(() =>
  import("./first-steps.tsx").then(({ FirstSteps: steps }) => ({ default: steps })),
);

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
