// What a person does first: the owner of a new organization sets it up, a new member looks around. Shown above the inbox, on phones above
// the sidebar, until it is done or skipped; the server remembers that for all devices.
import { Suspense } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { lazyView } from "../../ui/on-demand.tsx";
import css from "./first-day.module.css";
import { isFirstDay } from "./onboarding.ts";

const FirstSteps = lazyView(async () => (await import("./first-steps.tsx")).FirstSteps);

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
