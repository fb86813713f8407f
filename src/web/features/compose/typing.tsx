// Sends typing notices: at the start, repeatedly while the person types, and at the end.
import { type Client, sameList, useSelect } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import { type Place, placeKey } from "../../state/places.ts";
import { nameOf } from "../../state/selectors.ts";
import css from "./composer.module.css";

export interface TypingReporter {
  /** Call it with every change of the text. */
  touch(): void;
  stop(): void;
}

/** Ignores errors, because typing notices are not important. */
export function typingIn({ api, store }: Client, place: Place): TypingReporter {
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

  const stop = () => {
    clearTimeout(timer);
    if (startedAt === 0) return;
    startedAt = 0;
    send("stop");
  };

  return {
    touch() {
      const { organization } = store.get();
      const again = organization.server_typing_started_wait_period_milliseconds;
      if (Date.now() - startedAt > again) {
        startedAt = Date.now();
        send("start");
      }
      clearTimeout(timer);
      timer = setTimeout(stop, organization.server_typing_stopped_wait_period_milliseconds);
    },
    stop,
  };
}

/** Shows who is typing. Keeps its space while nobody is, so that nothing moves. */
export function TypingLine({ place }: { place: Place }) {
  const key = placeKey(place);
  const names = useSelect(
    (state) =>
      state.typing
        .filter((one) => one.place === key && one.user_id !== state.self.user_id)
        .map(({ user_id }) => nameOf(state, user_id)),
    sameList,
  );
  return (
    <p className={css.typing} aria-live="polite">
      {describeTyping(names)}
    </p>
  );
}

function describeTyping(names: readonly string[]): string {
  const [first = "", second = ""] = names;
  if (names.length === 0) return "";
  if (names.length === 1) return t("{name} is writing …", { name: first });
  if (names.length === 2) return t("{first} and {second} are writing …", { first, second });
  return t("Several people are writing …");
}
