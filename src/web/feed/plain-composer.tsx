// The place to write.
import { SendHorizontal } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useRef, useState } from "react";
import { useClient, useSelect } from "../client.ts";
import type { Place } from "../state/message-shape.ts";
import { colorOf, placeName } from "../state/selectors.ts";
import { IconButton } from "../ui/button.tsx";
import css from "./plain-composer.module.css";

export function PlainComposer({ place }: { place: Place }) {
  const { sending } = useClient();
  const [text, setText] = useState("");
  const form = useRef<HTMLFormElement>(null);
  const name = useSelect((state) => placeName(state, place));
  const color = useSelect((state) => ("stream_id" in place ? colorOf(state, place.stream_id) : undefined));
  const enterSends = useSelect((state) => state.user_settings.enter_sends);
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() === "") return;
    sending.send(place, text);
    setText("");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    const isSend = enterSends ? !event.shiftKey : event.ctrlKey || event.metaKey;
    if (!isSend) return;
    event.preventDefault();
    send();
  };
  return (
    <form ref={form} className={css.composer} onSubmit={send} style={{ borderColor: color }}>
      <textarea
        className={css.text}
        aria-label={`Message to ${name}`}
        placeholder={`Message to ${name}`}
        data-composer
        rows={Math.min(10, text.split("\n").length)}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <IconButton
        type="submit"
        label="Send"
        icon={SendHorizontal}
        keys={enterSends ? "Enter" : "Ctrl Enter"}
      />
    </form>
  );
}
