import { useRef, useState } from "react";
import { useClient } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import { localDay } from "../../lib/times.ts";
import type { Term } from "../../state/narrows.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { goTo, linkTo } from "../../ui/routes/navigation.ts";
import { isDay } from "../../ui/routes/route.ts";

interface DateDialogProps {
  terms: readonly Term[];
  date?: string;
  /** The address says that day already: the person has scrolled away from it. */
  onAgain: () => void;
  onClose: () => void;
}

export function DateDialog({ terms, date, onAgain, onClose }: DateDialogProps) {
  const { store } = useClient();
  const field = useRef<HTMLInputElement>(null);
  const today = localDay(Date.now() / 1000);
  const [chosen, setChosen] = useState(date ?? today);
  const jump = () => {
    if (!isDay(chosen)) return;
    const hash = linkTo({ view: "messages", terms, date: chosen }, store.get());
    onClose();
    if (hash === location.hash) onAgain();
    goTo(hash);
  };
  return (
    <Dialog
      title={t("Jump to a date")}
      width="small"
      initialFocus={field}
      onClose={onClose}
      onSubmit={jump}
      actions={
        <>
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button type="submit" look="primary" disabled={!isDay(chosen)}>
            {t("Jump")}
          </Button>
        </>
      }
    >
      <TextField
        ref={field}
        label={t("Day")}
        hint={t("Opens at the first message of that day, or at the next one after it.")}
        type="date"
        max={today}
        value={chosen}
        onChange={setChosen}
      />
    </Dialog>
  );
}
