import { EmojiPicker, type EmojiPickerListEmojiProps } from "frimousse";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { useClient } from "../../api/client.ts";
import { language, t } from "../../lib/texts.ts";
import { countPictures } from "./drawn.ts";
import { type EmojiEntry, listEmoji, loadUnicodeEmoji } from "./names.ts";
import css from "./picker.module.css";
import { entryFor, findRows, pickerData, type Row } from "./picker-data.ts";

const columns = 9;

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
  const [rows, setRows] = useState<readonly Row[]>([]);
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const components = useMemo(
    () => ({ CategoryHeader, Row: PickerRow, Emoji: emojiButton(known ?? []) }),
    [known],
  );
  const found = useMemo(
    () => (typed.trim() === "" ? null : findRows(rows, known ?? [], typed.trim())),
    [rows, known, typed],
  );
  if (problem) {
    return (
      <p className={css.message} role="alert">
        {problem}
      </p>
    );
  }
  if (!known) return <div className={css.picker} aria-busy="true" />;
  const pick = (emoji: string) => {
    const entry = entryFor(emoji, known);
    if (entry) onPick(entry);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!found || event.nativeEvent.isComposing) return;
    const toRight = language.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
    const toLeft = language.dir === "rtl" ? "ArrowRight" : "ArrowLeft";
    const step = { [toLeft]: -1, [toRight]: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
    const chosen = found[at];
    if (step !== undefined && found[at + step]) setAt(at + step);
    else if (event.key === "Enter" && chosen) pick(chosen.emoji);
    else if (step === undefined) return;
    event.preventDefault();
  };
  return (
    <EmojiPicker.Root
      className={css.picker}
      columns={columns}
      resolveEmojiData={async () => {
        const data = await pickerData(boot.emoji_data, known);
        setRows(data.emojis);
        return data;
      }}
      onEmojiSelect={({ emoji }) => pick(emoji)}
    >
      <EmojiPicker.Search
        className={css.search}
        aria-label={t("Search emoji")}
        placeholder={t("Search emoji")}
        autoFocus
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
          // What fits is found and ordered here: the picker itself would keep it in its groups.
          event.preventDefault();
        }}
        onKeyDown={onKeyDown}
      />
      {found ? (
        <Found rows={found} known={known} typed={typed} at={at} onPoint={setAt} onPick={pick} />
      ) : null}
      <EmojiPicker.Viewport className={css.viewport} hidden={found !== null}>
        <EmojiPicker.Loading className={css.message}>{t("Loading …")}</EmojiPicker.Loading>
        <EmojiPicker.List className={css.list} components={components} />
      </EmojiPicker.Viewport>
      {found ? (
        <p className={css.active} aria-live="polite">
          {found[at]?.label}
        </p>
      ) : (
        <EmojiPicker.ActiveEmoji>
          {({ emoji }) => (
            <p className={css.active} aria-hidden="true">
              {emoji ? emoji.label : t("Choose an emoji")}
            </p>
          )}
        </EmojiPicker.ActiveEmoji>
      )}
    </EmojiPicker.Root>
  );
}

interface FoundProps {
  rows: readonly Row[];
  known: readonly EmojiEntry[];
  typed: string;
  /** The index of the one that Enter picks. */
  at: number;
  onPoint: (at: number) => void;
  onPick: (emoji: string) => void;
}

/** What was found, best first. */
function Found({ rows, known, typed, at, onPoint, onPick }: FoundProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at]);
  if (rows.length === 0)
    return <p className={css.message}>{t("No emoji is called “{name}”.", { name: typed })}</p>;
  return (
    <div ref={list} className={css.found} role="listbox" aria-label={t("Found")} tabIndex={-1}>
      {rows.map((row, i) => (
        <div
          key={row.emoji}
          role="option"
          tabIndex={-1}
          className={css.emoji}
          aria-label={row.label}
          aria-selected={i === at}
          data-active={i === at || undefined}
          // A click must not move the focus.
          onMouseDown={(event) => event.preventDefault()}
          onPointerEnter={() => onPoint(i)}
          onClick={() => onPick(row.emoji)}
          onKeyDown={() => {}}
        >
          <Drawn emoji={row.emoji} label={row.label} known={known} />
        </div>
      ))}
    </div>
  );
}

function CategoryHeader({ category, ...rest }: { category: { label: string } }) {
  return (
    <div {...rest} className={css.category}>
      {category.label}
    </div>
  );
}

function PickerRow(props: object) {
  return <div {...props} className={css.row} />;
}

function emojiButton(known: readonly EmojiEntry[]) {
  return function Emoji({ emoji, ...rest }: EmojiPickerListEmojiProps) {
    return (
      <button type="button" {...rest} className={css.emoji} data-active={emoji.isActive || undefined}>
        <Drawn emoji={emoji.emoji} label={emoji.label} known={known} />
      </button>
    );
  };
}

/** A sequence that the device draws as several pictures is made as small as one: it would cover its neighbours. */
function Drawn({ emoji, label, known }: { emoji: string; label: string; known: readonly EmojiEntry[] }) {
  const image = emoji.startsWith(":") ? entryFor(emoji, known)?.image : undefined;
  if (image) return <img src={image} alt={label} width={22} height={22} />;
  const count = countPictures(emoji);
  if (count === 1) return emoji;
  return (
    <span className={css.sequence} style={{ "--pictures": count } as object}>
      {emoji}
    </span>
  );
}
