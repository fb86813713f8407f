import { useEffect, useState } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import type { Person } from "../../state/people.ts";
import { mayChangeAccount } from "../../state/permissions.ts";
import { Confirm } from "../../ui/dialog.tsx";
import { showToast } from "../../ui/toasts.tsx";

/** Whether somebody uses two-step sign-in; false for those who may not turn it off. */
export function useHasTwoStep(person: Person): boolean {
  const { user_id, is_bot, is_active } = person;
  const { api } = useClient();
  const [isOn, setOn] = useState(false);
  const mayReset = useSelect((state) => state.self.user_id !== user_id && mayChangeAccount(state, person));
  const isAsked = mayReset && !is_bot && is_active;
  useEffect(() => {
    if (!isAsked) return;
    api.get<{ is_on: boolean }>(`/users/${user_id}/two_step`).then(
      ({ is_on }) => setOn(is_on),
      () => {}, // The card does without the row.
    );
  }, [api, isAsked, user_id]);
  return isAsked && isOn;
}

export function TwoStepReset({ userId, onClose }: { userId: number; onClose: () => void }) {
  const { api } = useClient();
  const name = useSelect((state) => state.users[userId]?.full_name ?? "");
  const reset = async () => {
    await api.delete(`/users/${userId}/two_step`);
    showToast({ text: t("{name} signs in without a code now.", { name }) });
  };
  return (
    <Confirm
      title={t("Turn off two-step sign-in for {name}?", { name })}
      action={t("Turn it off")}
      danger
      onClose={onClose}
      onConfirm={reset}
    >
      <p>
        {t(
          "This is for somebody who has lost both their app and their recovery codes. Make sure that it is {name} who asks: their password alone signs them in until they set it up again.",
          { name },
        )}
      </p>
    </Confirm>
  );
}
