// A text area for Markdown: completion, formatting shortcuts, continued lists, pasted and dropped files.
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from "react";
import { shortFormOf } from "@/foundation/linkifiers/short-forms.ts";
import { useClient } from "../../api/client.ts";
import { classes } from "../../lib/classes.ts";
import { t } from "../../lib/texts.ts";
import type { Place } from "../../state/places.ts";
import { showToast } from "../../ui/toasts.tsx";
import { isInCode } from "./completing.ts";
import { CompletionList } from "./completion-list.tsx";
import { continueList, type MarkdownMark, toggleMark } from "./markdown-edits.ts";
import { pasteFormatted } from "./pasting.ts";
import { shortLink } from "./short-link.ts";
import { applyEdit, replaceRange } from "./text-area.ts";
import { filesOf } from "./uploads.ts";
import { useCompletion } from "./use-completion.ts";
import css from "./writing-area.module.css";

interface WritingAreaProps {
  area: RefObject<HTMLTextAreaElement | null>;
  label: string;
  placeholder?: string;
  place: Place | null;
  value: string;
  maxLength?: number | undefined;
  enterSends: boolean;
  onChange: (value: string) => void;
  onSend: () => void;
  onFiles: (files: readonly File[]) => void;
  /** Handles keys that completion and formatting do not use; returns whether it used the key. */
  onKey?: (event: KeyboardEvent<HTMLTextAreaElement>) => boolean;
}

const marks: Record<string, MarkdownMark> = { b: "bold", i: "italic", k: "link", e: "code" };
const shiftMarks: Record<string, MarkdownMark> = { x: "strike", "7": "numbers", "8": "list", "9": "quote" };

export function WritingArea(props: WritingAreaProps) {
  const {
    area,
    label,
    placeholder = label,
    place,
    value,
    maxLength,
    enterSends,
    onChange,
    onSend,
    onFiles,
    onKey,
  } = props;
  const { store } = useClient();
  const completion = useCompletion(area, place);
  const [isOver, setOver] = useState(false);
  /** Whether the keys ask to paste without formats, which not every browser says of what is pasted. */
  const wantsPlain = useRef(false);

  useEffect(() => {
    const field = area.current;
    if (!field || CSS.supports("field-sizing", "content")) return;
    field.style.height = "auto";
    if (value !== "") field.style.height = `${field.scrollHeight}px`;
  }, [value, area]);

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    wantsPlain.current = event.shiftKey && event.code === "KeyV";
    if (event.nativeEvent.isComposing || completion.onKeyDown(event)) return;
    if (isSend(event, enterSends)) {
      event.preventDefault();
      completion.close();
      return onSend();
    }
    const field = event.currentTarget;
    const edit = editFor(event, field);
    if (edit) {
      event.preventDefault();
      return applyEdit(field, edit);
    }
    if (onKey?.(event)) event.preventDefault();
  };

  const paste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const files = filesOf(event.clipboardData);
    const text = event.clipboardData.getData("text/plain");
    const field = event.currentTarget;
    const { selectionStart, selectionEnd } = field;
    const address = text.trim();
    if (files.length > 0 && text === "") {
      event.preventDefault();
      onFiles(files);
    } else if (field.value.length - (selectionEnd - selectionStart) + text.length > (maxLength ?? Infinity)) {
      event.preventDefault();
      showToast({
        text: t("This is too long for a message."),
        milliseconds: longOfferMs,
        action: { label: t("Add it as a file"), run: () => onFiles([fileOf(text)]) },
      });
    } else if (/^https?:\/\/\S+$/.test(address) && selectionEnd > selectionStart) {
      const words = field.value.slice(selectionStart, selectionEnd);
      if (/[\n[\]]|^https?:/.test(words)) return;
      event.preventDefault();
      replaceRange(field, selectionStart, selectionEnd, `[${words}](${address})`);
    } else {
      const state = store.get();
      const isCode = isInCode(field.value.slice(0, selectionStart));
      const mayShorten = !wantsPlain.current && !isCode;
      const short =
        shortLink(address, state) ??
        (mayShorten ? shortFormOf(address, state.organization.realm_linkifiers) : null);
      const html = event.clipboardData.getData("text/html");
      if (short !== null) {
        event.preventDefault();
        // In two steps, so that undoing brings back what was pasted.
        replaceRange(field, selectionStart, selectionEnd, address);
        replaceRange(field, selectionStart, selectionStart + address.length, short);
      } else if (!wantsPlain.current && html !== "" && text !== "" && !isCode) {
        event.preventDefault();
        void pasteFormatted(field, { plain: text, html }, { state, maxLength: maxLength ?? Infinity });
      }
    }
  };

  const drop = (event: DragEvent<HTMLTextAreaElement>) => {
    setOver(false);
    const files = filesOf(event.dataTransfer);
    if (files.length === 0) return;
    event.preventDefault();
    onFiles(files);
  };

  return (
    <div className={css.frame}>
      {completion.isOpen ? (
        <CompletionList
          id={completion.id}
          offers={completion.offers}
          chosen={completion.chosen}
          onChoose={completion.choose}
        />
      ) : null}
      <textarea
        ref={area}
        rows={1}
        // The placeholder is the page's.
        dir={value === "" ? undefined : "auto"}
        className={classes(css.text, isOver && css.over)}
        {...completion.attributes}
        aria-label={label}
        placeholder={placeholder}
        maxLength={maxLength}
        value={value}
        data-composer
        onChange={(event) => {
          onChange(event.target.value);
          completion.look();
        }}
        onClick={completion.look}
        onBlur={completion.leave}
        onKeyDown={onKeyDown}
        onKeyUp={() => {
          wantsPlain.current = false;
        }}
        onPaste={paste}
        onDrop={drop}
        onDragOver={(event) => {
          if ([...event.dataTransfer.types].includes("Files")) {
            event.preventDefault();
            setOver(true);
          }
        }}
        onDragLeave={() => setOver(false)}
      />
    </div>
  );
}

/** How long a text that is too long is offered as a file. */
const longOfferMs = 20_000;

function fileOf(text: string): File {
  return new File([text], "pasted.txt", { type: "text/plain" });
}

/** On touch screens Enter starts a line: the button sends. */
function isSend(event: KeyboardEvent, enterSends: boolean): boolean {
  if (event.key !== "Enter") return false;
  if (event.ctrlKey || event.metaKey) return true;
  return enterSends && !event.shiftKey && !event.altKey && !matchMedia("(pointer: coarse)").matches;
}

function editFor(event: KeyboardEvent, { value, selectionStart, selectionEnd }: HTMLTextAreaElement) {
  const isLine = event.key === "Enter" && selectionStart === selectionEnd;
  if (isLine) return continueList(value, selectionStart);
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return null;
  const mark = event.shiftKey
    ? (shiftMarks[event.key.toLowerCase()] ?? shiftMarks[event.code.replace("Digit", "")])
    : marks[event.key.toLowerCase()];
  if (mark === undefined) return null;
  // Ctrl+K opens the palette unless some text is selected to become a link.
  if (mark === "link" && selectionStart === selectionEnd) return null;
  return toggleMark(value, selectionStart, selectionEnd, mark);
}
