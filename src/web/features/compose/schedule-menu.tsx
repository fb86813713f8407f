import { CalendarClock } from "lucide-react";
import { useState } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { reasonOf } from "../../api/request.ts";
import { formatTime, laterTimes, localInput } from "../../lib/later.ts";
import { t } from "../../lib/texts.ts";
import { clockTime } from "../../lib/times.ts";
import type { Place } from "../../state/places.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Menu } from "../../ui/menu.tsx";
import { showFailure, showToast } from "../../ui/toasts.tsx";

interface ScheduleMenuProps {
  place: Place;
  text: string;
  isReady: () => boolean;
  onScheduled: (text: string) => void;
}

/** Sends the text at a later time. */
export function ScheduleMenu({ place, text, isReady, onScheduled }: ScheduleMenuProps) {
  const { api } = useClient();
  const isTwentyFour = useSelect((state) => state.user_settings.twenty_four_hour_time);
  const [isChoosing, setChoosing] = useState(false);
  const schedule = async (time: Date) => {
    const where =
      "user_ids" in place
        ? { type: "direct", to: place.user_ids }
        : { type: "channel", to: place.stream_id, topic: place.topic };
    const scheduled_delivery_timestamp = Math.floor(time.getTime() / 1000);
    await api.post("/scheduled_messages", { ...where, content: text, scheduled_delivery_timestamp });
    onScheduled(text);
    showToast({ text: t("Scheduled for {time}.", { time: formatTime(time, isTwentyFour) }) });
  };
  const scheduleNow = (time: Date) => {
    schedule(time).catch(showFailure);
  };
  return (
    <>
      <Menu
        label={t("Send later")}
        placement="top-end"
        trigger={
          <IconButton
            size="small"
            label={t("Send later")}
            icon={CalendarClock}
            disabled={text.trim() === ""}
          />
        }
        items={[
          { title: t("Send later") },
          ...laterTimes(new Date()).map(({ label, time }) => ({
            label: t("{day}, {time}", { day: label, time: clockTime(time.getTime() / 1000, isTwentyFour) }),
            onSelect: () => isReady() && scheduleNow(time),
          })),
          "line",
          { label: t("At another time …"), onSelect: () => isReady() && setChoosing(true) },
        ]}
      />
      {isChoosing ? (
        <TimeDialog
          title={t("Send later")}
          action={t("Schedule")}
          onChoose={schedule}
          onClose={() => setChoosing(false)}
        />
      ) : null}
    </>
  );
}

interface TimeDialogProps {
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
