import { useState } from "react";
import { type Client, useClient, useSelect } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import { mayRead } from "../../state/permissions.ts";
import { channelOf } from "../../state/selectors.ts";
import { Button } from "../../ui/button.tsx";
import { showFailure, showToast } from "../../ui/toasts.tsx";

/** Joins a channel, or leaves it; shows the error if that is refused. Returns whether it was done. */
export async function setJoined({ api }: Client, name: string, joins: boolean): Promise<boolean> {
  try {
    if (joins) await api.post("/users/me/subscriptions", { subscriptions: [{ name }] });
    else await api.delete("/users/me/subscriptions", { subscriptions: [name] });
    return true;
  } catch (error) {
    showFailure(error);
    return false;
  }
}

/** For somebody who reads a channel that they have not joined; otherwise nothing. */
export function JoinButton({ channel }: { channel: number }) {
  const client = useClient();
  const [isBusy, setBusy] = useState(false);
  const name = useSelect((state) => {
    const about = channelOf(state, channel);
    const isOpen = about && !about.is_archived && !(channel in state.subscriptions) && mayRead(state, about);
    return isOpen ? about.name : undefined;
  });
  if (name === undefined || client.isVisitor) return null;
  const join = async () => {
    setBusy(true);
    if (await setJoined(client, name, true)) {
      showToast({ text: t("You have joined {channel}.", { channel: `#${name}` }) });
      // The button disappears.
      document.getElementById("view")?.focus();
    }
    setBusy(false);
  };
  return (
    <Button
      size="small"
      look="primary"
      busy={isBusy}
      aria-label={t("Join {channel}", { channel: name })}
      data-tip={t("Shows it in your sidebar, and counts what is new")}
      onClick={() => void join()}
    >
      {t("Join")}
    </Button>
  );
}
