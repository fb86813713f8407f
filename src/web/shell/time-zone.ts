// Asks, once per device, whether to change the time zone setting when the computer's differs.
import { useEffect } from "react";
import { useClient } from "../api/client.ts";
import { t } from "../lib/texts.ts";
import { showFailure, showToast } from "../ui/toasts.tsx";

const key = "time zone asked";
const shownFor = 30_000;

export function useTimeZoneHint(): void {
  const { api, store, isVisitor } = useClient();
  useEffect(() => {
    const { timezone, web_suggest_update_timezone: isWanted } = store.get().user_settings;
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (isVisitor || isWanted !== true || !timezone || !here || timezone === here) return;
    if (localStorage.getItem(key) === `${timezone} ${here}`) return;
    localStorage.setItem(key, `${timezone} ${here}`);
    const change = () => {
      api
        .patch("/settings", { timezone: here })
        .then(() => showToast({ text: t("Your time zone is changed.") }), showFailure);
    };
    showToast({
      text: t("Your settings say {setting}, this computer {zone}.", {
        setting: plain(timezone),
        zone: plain(here),
      }),
      milliseconds: shownFor,
      action: { label: t("Change the time zone"), run: change },
    });
  }, [api, store, isVisitor]);
}

const plain = (zone: string) => zone.replaceAll("_", " ");
