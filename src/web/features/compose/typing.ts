// Sends typing notices: at the start, repeatedly while the person types, and at the end.
import type { Client } from "../../api/client.ts";
import type { Place } from "../../state/message-shape.ts";

export interface Typing {
  /** Call it with every change of the text. */
  touched(): void;
  stopped(): void;
}

/** Ignores errors, because typing notices are not important. */
export function typingIn({ api, store }: Client, place: Place): Typing {
  let startedAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const send = (op: "start" | "stop") => {
    const { user_settings, self, users } = store.get();
    const isDirect = "user_ids" in place;
    if (
      isDirect
        ? !user_settings.send_private_typing_notifications
        : !user_settings.send_stream_typing_notifications
    )
      return;
    if (isDirect && place.user_ids.every((id) => id === self.user_id || users[id]?.is_bot)) return;
    const where = isDirect
      ? { type: "direct", to: place.user_ids }
      : { type: "channel", stream_id: place.stream_id, topic: place.topic };
    api.post("/typing", { op, ...where }).catch(() => {});
  };

  const stopped = () => {
    clearTimeout(timer);
    if (startedAt === 0) return;
    startedAt = 0;
    send("stop");
  };

  return {
    touched() {
      const { organization } = store.get();
      const again = organization.server_typing_started_wait_period_milliseconds;
      if (Date.now() - startedAt > again) {
        startedAt = Date.now();
        send("start");
      }
      clearTimeout(timer);
      timer = setTimeout(stopped, organization.server_typing_stopped_wait_period_milliseconds);
    },
    stopped,
  };
}
