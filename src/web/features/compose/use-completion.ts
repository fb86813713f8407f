import { type KeyboardEvent, type RefObject, useCallback, useEffect, useId, useMemo, useState } from "react";
import { useClient } from "../../api/client.ts";
import type { Place } from "../../state/places.ts";
import { listEmoji, loadUnicodeEmoji } from "../../ui/emoji/names.ts";
import { suggestionId } from "../../ui/suggestions.tsx";
import {
  type CompletionRequest,
  findCompletion,
  findTopicless,
  type Offer,
  offersFor,
} from "./completing.ts";
import { replaceRange, writeRange } from "./text-area.ts";

/** Completions for the text before the cursor. Call `look` when the text or the cursor has changed. */
export function useCompletion(area: RefObject<HTMLTextAreaElement | null>, place: Place | null) {
  const client = useClient();
  const { store, fetching } = client;
  const id = useId();
  const [wanted, setWanted] = useState<CompletionRequest | null>(null);
  const [chosen, setChosen] = useState(0);
  const [loaded, setLoaded] = useState(0);

  const look = useCallback(() => {
    const field = area.current;
    if (!field || field.selectionStart !== field.selectionEnd) return setWanted(null);
    const topicless = findTopicless(field.value, field.selectionStart, store.get());
    if (topicless) return replaceRange(field, topicless.start, field.selectionStart, topicless.link);
    setWanted(findCompletion(field.value, field.selectionStart, store.get()));
    setChosen(0);
  }, [area, store]);

  const kind = wanted?.kind;
  const channelId = wanted?.kind === "topic" ? wanted.channelId : null;
  useEffect(() => {
    const again = () => setLoaded((count) => count + 1);
    if (kind === "emoji") loadUnicodeEmoji(client).then(again, () => {});
    if (channelId !== null && !store.get().topic_lists[channelId]) {
      fetching.topics(channelId).then(again, () => {});
    }
  }, [kind, channelId, client, store, fetching]);

  // `loaded` changes when more names have arrived.
  const offers = useMemo(() => {
    if (!wanted || loaded < 0) return [];
    const state = store.get();
    const topicsOf = (channel: number) => (state.topic_lists[channel] ?? []).map(({ name }) => name);
    return offersFor(wanted, { state, place, emoji: kind === "emoji" ? listEmoji(state) : [], topicsOf });
  }, [wanted, kind, place, store, loaded]);

  const choose = useCallback(
    (offer: Offer) => {
      const field = area.current;
      if (!field || !wanted) return;
      setWanted(null);
      const isDone = offer.text.endsWith(" ") && field.value[field.selectionStart] === " ";
      replaceRange(field, wanted.start, field.selectionStart, isDone ? offer.text.slice(0, -1) : offer.text);
      if (isDone) field.setSelectionRange(field.selectionStart + 1, field.selectionStart + 1);
      if (wanted.kind === "channel") look();
    },
    [area, wanted, look],
  );

  /** A channel without a topic, once the person turns away from the topics offered. */
  const whole = wanted?.kind === "topic" && wanted.query === "" ? offers[0] : undefined;
  const leave = () => {
    const field = area.current;
    if (field && whole && wanted) writeRange(field, wanted.start, field.selectionStart, whole.text);
    setWanted(null);
  };

  /** Returns whether the key was for the list. */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (offers.length === 0 || event.nativeEvent.isComposing) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const offer = offers[chosen];
    if (step !== undefined) setChosen((chosen + step + offers.length) % offers.length);
    else if (event.key === "Escape" && whole) choose(whole);
    else if (event.key === "Escape") setWanted(null);
    else if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey && offer) choose(offer);
    else if (event.key === ">" && wanted?.kind === "channel" && offer) choose(offer);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };

  const isOpen = offers.length > 0;
  const attributes = {
    "aria-autocomplete": "list" as const,
    "aria-controls": isOpen ? id : undefined,
    "aria-activedescendant": isOpen ? suggestionId(id, chosen) : undefined,
  };
  return {
    id,
    offers,
    chosen,
    isOpen,
    look,
    choose,
    leave,
    close: () => setWanted(null),
    onKeyDown,
    attributes,
  };
}
