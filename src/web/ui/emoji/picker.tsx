import { EmojiPicker, type EmojiPickerListEmojiProps } from "frimousse";
import { useEffect, useMemo, useState } from "react";
import { useClient } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import { type EmojiEntry, listEmoji, loadUnicodeEmoji } from "./names.ts";
import css from "./picker.module.css";
import { entryFor, pickerData } from "./picker-data.ts";

interface PickerProps {
  onPick: (entry: EmojiEntry) => void;
}

/** Emoji to choose from, by pointer, by arrow keys or by name. */
export function Picker({ onPick }: PickerProps) {
  const client = useClient();
  const { store, boot } = client;
  const [known, setKnown] = useState<readonly EmojiEntry[] | null>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    loadUnicodeEmoji(client).then(
      () => setKnown(listEmoji(store.get())),
      () => setProblem(t("The emoji could not be loaded. Close this and try again.")),
    );
  }, [client, store]);
  const components = useMemo(() => ({ CategoryHeader, Row, Emoji: emojiButton(known ?? []) }), [known]);
  if (problem) {
    return (
      <p className={css.message} role="alert">
        {problem}
      </p>
    );
  }
  if (!known) return <div className={css.picker} aria-busy="true" />;
  return (
    <EmojiPicker.Root
      className={css.picker}
      columns={9}
      resolveEmojiData={() => pickerData(boot.emoji_data, known)}
      onEmojiSelect={({ emoji }) => {
        const entry = entryFor(emoji, known);
        if (entry) onPick(entry);
      }}
    >
      <EmojiPicker.Search
        className={css.search}
        aria-label={t("Search emoji")}
        placeholder={t("Search emoji")}
        autoFocus
      />
      <EmojiPicker.Viewport className={css.viewport}>
        <EmojiPicker.Loading className={css.message}>{t("Loading …")}</EmojiPicker.Loading>
        <EmojiPicker.Empty className={css.message}>
          {({ search }) => <>{t("No emoji is called “{name}”.", { name: search })}</>}
        </EmojiPicker.Empty>
        <EmojiPicker.List className={css.list} components={components} />
      </EmojiPicker.Viewport>
      <EmojiPicker.ActiveEmoji>
        {({ emoji }) => (
          <p className={css.active} aria-hidden="true">
            {emoji ? emoji.label : t("Choose an emoji")}
          </p>
        )}
      </EmojiPicker.ActiveEmoji>
    </EmojiPicker.Root>
  );
}

function CategoryHeader({ category, ...rest }: { category: { label: string } }) {
  return (
    <div {...rest} className={css.category}>
      {category.label}
    </div>
  );
}

function Row(props: object) {
  return <div {...props} className={css.row} />;
}

function emojiButton(known: readonly EmojiEntry[]) {
  return function Emoji({ emoji, ...rest }: EmojiPickerListEmojiProps) {
    const image = emoji.emoji.startsWith(":") ? entryFor(emoji.emoji, known)?.image : undefined;
    return (
      <button type="button" {...rest} className={css.emoji} data-active={emoji.isActive || undefined}>
        {image ? <img src={image} alt={emoji.label} width={22} height={22} /> : emoji.emoji}
      </button>
    );
  };
}
