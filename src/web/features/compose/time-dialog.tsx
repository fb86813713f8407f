// Asks for a day and a time.
import { useState } from "react";
import { useSelect } from "../../api/client.ts";
import { reasonOf } from "../../api/request.ts";
import { laterTimes, localInput } from "../../lib/later.ts";
import { t } from "../../lib/texts.ts";
import { clockTime } from "../../lib/times.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import css from "./time-dialog.module.css";

export interface TimeDialogProps {
  title: string;
  action: string;
  /** Offers usual times above the field. */
  hasOffers?: boolean;
  /** Rejects if the server refuses the time. */
  onChoose: (time: Date) => Promise<void>;
  onClose: () => void;
}

export function TimeDialog({ title, action, hasOffers = false, onChoose, onClose }: TimeDialogProps) {
  const [usual] = useState(() => laterTimes(new Date()));
  const offers = hasOffers ? usual : [];
  const isTwentyFour = useSelect((state) => state.user_settings.twenty_four_hour_time);
  const [value, setValue] = useState(() => localInput(usual[1]?.time ?? new Date()));
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const choose = async (time: Date) => {
    if (isBusy) return;
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
      onSubmit={() => void choose(new Date(value))}
      actions={
        <>
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button type="submit" look="primary" busy={isBusy}>
            {action}
          </Button>
        </>
      }
    >
      {offers.length > 0 ? (
        <ul className={css.offers}>
          {offers.map(({ label, time }) => (
            <li key={label}>
              <Button className={css.offer} onClick={() => void choose(time)}>
                <span>{label}</span>
                <span className={css.time}>{clockTime(time.getTime() / 1000, isTwentyFour)}</span>
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
      <TextField
        label={offers.length > 0 ? t("Another time") : t("Day and time")}
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
