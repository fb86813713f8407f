// What stands in the place of something that is loaded: grey lines, or why it did not come.
import { CloudOff } from "lucide-react";
import type { ReactNode } from "react";
import type { Loaded } from "../api/loaded.ts";
import { t } from "../lib/texts.ts";
import { Button } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";
import { Skeleton } from "./skeleton.tsx";

interface LoadingProps<T> {
  of: Pick<Loaded<T>, "value" | "problem" | "again">;
  /** How many grey lines stand there meanwhile. */
  lines?: number;
  children: (value: T) => ReactNode;
}

export function Loading<T>({ of, lines = 6, children }: LoadingProps<T>) {
  if (of.value !== null) return children(of.value);
  if (of.problem !== null) return <Failing problem={of.problem} again={of.again} />;
  return (
    <div aria-busy="true">
      <Skeleton lines={lines} />
    </div>
  );
}

export function Failing({ problem, again }: { problem: string; again: () => void }) {
  return (
    <div role="alert">
      <EmptyState
        icon={CloudOff}
        title={t("This could not be loaded")}
        action={<Button onClick={again}>{t("Try again")}</Button>}
      >
        {problem}
      </EmptyState>
    </div>
  );
}
