import { useEffect, useState } from "react";
import { useClient } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import { Switch } from "../../ui/field.tsx";
import { showFailure } from "../../ui/toasts.tsx";
import { type PushState, pushState, turnOff, turnOn } from "./subscription.ts";

/** Turns notifications of this browser on and off, or says why it cannot have them. */
export function PushSwitch() {
  const { api, store } = useClient();
  const [state, setState] = useState<PushState | null>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    pushState().then(setState, () => setState(null));
  }, []);
  const change = async (wanted: boolean) => {
    setBusy(true);
    try {
      setState(await (wanted ? turnOn(api, store.get().self.user_id) : turnOff(api)));
    } catch (error) {
      showFailure(error);
    }
    setBusy(false);
  };
  return (
    <Switch
      label={t("Notify me in this browser while it is closed")}
      hint={state && !state.is_possible ? state.why : t("What you are notified of is chosen below.")}
      checked={state?.is_possible === true && state.is_on}
      disabled={isBusy || state?.is_possible !== true}
      onChange={(wanted) => void change(wanted)}
    />
  );
}
