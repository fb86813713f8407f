import { CalendarClock } from "lucide-react";
import { useState } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { formatTime, laterTimes } from "../../lib/later.ts";
import { t } from "../../lib/texts.ts";
import { clockTime } from "../../lib/times.ts";
import type { Place } from "../../state/places.ts";
import { IconButton } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { onDemand } from "../../ui/on-demand.tsx";
import { showFailure, showToast } from "../../ui/toasts.tsx";

const TimeDialog = onDemand(async () => (await import("./time-dialog.tsx")).TimeDialog);

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
