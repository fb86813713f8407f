// Leads to the first message of a day.
import { CalendarSearch } from "lucide-react";
import { createStore, useStore } from "../../lib/observable.ts";
import { t } from "../../lib/texts.ts";
import type { Term } from "../../state/narrows.ts";
import { IconButton } from "../../ui/button.tsx";
import { onDemand } from "../../ui/on-demand.tsx";

/** Among which messages the person looks for a day, and the day that is offered first; null while the dialog is closed. */
export const jumpingToDate = createStore<{ terms: readonly Term[]; date?: string } | null>(null);

/** How often the day of the address was chosen again. */
export const jumpsAgain = createStore(0);

const DateDialog = onDemand(async () => (await import("./date-dialog.tsx")).DateDialog);

/** Mount it once. */
export function DateDialogs() {
  const open = useStore(jumpingToDate);
  if (!open) return null;
  return (
    <DateDialog
      {...open}
      onAgain={() => jumpsAgain.set(jumpsAgain.get() + 1)}
      onClose={() => jumpingToDate.set(null)}
    />
  );
}

export function DateButton({ terms }: { terms: readonly Term[] }) {
  return (
    <IconButton
      label={t("Jump to a date")}
      icon={CalendarSearch}
      onClick={() => jumpingToDate.set({ terms })}
    />
  );
}
