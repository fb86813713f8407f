// The bottom of a view of several conversations: buttons that open the composer once it is clear where a message goes.
import { PenLine, Reply } from "lucide-react";
import { useCallback, useEffect } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { useStore } from "../../lib/observable.ts";
import { parts, t } from "../../lib/texts.ts";
import { type Place, placeKey, placeOf } from "../../state/places.ts";
import { placeName } from "../../state/selectors.ts";
import { Button } from "../../ui/button.tsx";
import { Rich } from "../../ui/rich.tsx";
import { goTo, linkTo } from "../../ui/routes/navigation.ts";
import { placeRoute } from "../../ui/routes/route.ts";
import { showToast } from "../../ui/toasts.tsx";
import { TopicName } from "../../ui/topic-name.tsx";
import { Composer } from "../compose/composer.tsx";
import { answeredPlace, offerAnswering } from "../compose/insertion.ts";
import { newMessage } from "../compose/new-message-opener.tsx";
import css from "./answer-bar.module.css";
import { selectedMessage } from "./selection.ts";

interface AnswerBarProps {
  /** The view's channel, if it has one. */
  channel: number | undefined;
  /** Whether the view has no messages, as far as known. */
  isEmpty: boolean;
}

export function AnswerBar({ channel, isEmpty }: AnswerBarProps) {
  const { store } = useClient();
  const answered = useStore(answeredPlace);
  const sent = useCallback(
    (place: Place) => {
      answeredPlace.set(null);
      const open = () => goTo(linkTo(placeRoute(place), store.get()));
      if (store.get().user_settings.web_navigate_to_sent_message) return open();
      const text = t("Sent to {conversation}.", { conversation: placeName(store.get(), place) });
      showToast({ text, action: { label: t("Open the conversation"), run: open } });
    },
    [store],
  );
  useEffect(() => {
    const withdraw = offerAnswering((place) => answeredPlace.set(place));
    return () => {
      withdraw();
      answeredPlace.set(null);
    };
  }, []);
  const close = useCallback(() => {
    answeredPlace.set(null);
    document.querySelector<HTMLElement>(`[data-message="${selectedMessage.get()}"]`)?.focus();
  }, []);
  if (!answered) return <Choosing channel={channel} isEmpty={isEmpty} />;
  return <Composer key={placeKey(answered)} place={answered} onSent={sent} onClose={close} />;
}

function Choosing({ channel, isEmpty }: AnswerBarProps) {
  const id = useStore(selectedMessage);
  const name = useSelect((state) => {
    const message = id === null ? undefined : state.messages[id];
    return message ? placeName(state, placeOf(message, state.self.user_id)) : null;
  });
  const isDirect = useSelect((state) => id !== null && state.messages[id]?.type === "private");
  const { store } = useClient();
  const answer = () => {
    const { messages, self } = store.get();
    const message = id === null ? undefined : messages[id];
    if (message) answeredPlace.set(placeOf(message, self.user_id));
  };
  return (
    <section className={css.bar} aria-label={t("Write a message")}>
      {name === null ? (
        <p className={css.hint}>{isEmpty ? "" : t("Select a message to reply to it.")}</p>
      ) : (
        <Button className={css.answer} icon={Reply} data-keys="R" onClick={answer}>
          <span className={css.words}>
            <Rich
              parts={
                isDirect
                  ? parts("Reply to <name>{people}</name>", { people: name })
                  : parts("Reply in <name>{topic}</name>", { topic: name })
              }
              name={() => (
                <strong>
                  <TopicName name={name} />
                </strong>
              )}
            />
          </span>
        </Button>
      )}
      <Button
        className={css.newMessage}
        icon={PenLine}
        data-keys="C"
        onClick={() => newMessage.set(channel === undefined ? {} : { channel })}
      >
        {channel === undefined ? t("New message") : t("New topic")}
      </Button>
    </section>
  );
}
