// Asks for a day and a time.
import { useState } from "react";
import { reasonOf } from "../../api/request.ts";
import { laterTimes, localInput } from "../../lib/later.ts";
import { t } from "../../lib/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";

export interface TimeDialogProps {
  title: string;
  action: string;
  /** Rejects if the server refuses the time. */
  onChoose: (time: Date) => Promise<void>;
  onClose: () => void;
}

export function TimeDialog({ title, action, onChoose, onClose }: TimeDialogProps) {
  const [value, setValue] = useState(() => localInput(laterTimes(new Date())[1]?.time ?? new Date()));
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async () => {
    const time = new Date(value);
    if (Number.isNaN(time.getTime())) return setProblem(t("Choose a day and a time."));
    if (time.getTime() < Date.now()) return setProblem(t("This time has passed."));
    setBusy(true);
    try {
      await onChoose(time);
      onClose();
    } catch (error) {
      setProblem(reasonOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      width="small"
      onClose={onClose}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button type="submit" look="primary" busy={isBusy}>
            {action}
          </Button>
        </>
      }
    >
      <TextField
        label={t("Day and time")}
        type="datetime-local"
        value={value}
        min={localInput(new Date())}
        onChange={setValue}
        error={problem}
        hint={t("In your time zone.")}
      />
    </Dialog>
  );
}
