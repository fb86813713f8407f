import {
  Bold,
  ChartNoAxesColumn,
  Code,
  Ellipsis,
  EyeOff,
  Italic,
  Library,
  Link,
  List,
  ListChecks,
  ListOrdered,
  Paperclip,
  Sigma,
  Strikethrough,
  TextQuote,
} from "lucide-react";
import { type ReactNode, type RefObject, useRef, useState } from "react";
import { formatKeys } from "../../lib/keys.ts";
import { t } from "../../lib/texts.ts";
import { IconButton } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { onDemand } from "../../ui/on-demand.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { type MarkdownMark, toggleMark } from "./markdown-edits.ts";
import { applyEdit, replaceRange } from "./text-area.ts";
import css from "./toolbar.module.css";

const SnippetPicker = onDemand(async () => (await import("../snippets/snippet-picker.tsx")).SnippetPicker);

interface ToolbarProps {
  area: RefObject<HTMLTextAreaElement | null>;
  onFiles: (files: readonly File[]) => void;
  /** Buttons at the end: emoji, preview. */
  children?: ReactNode;
}

export function Toolbar({ area, onFiles, children }: ToolbarProps) {
  const files = useRef<HTMLInputElement>(null);
  const mark = (kind: MarkdownMark) => {
    const field = area.current;
    if (field) applyEdit(field, toggleMark(field.value, field.selectionStart, field.selectionEnd, kind));
  };
  const [snippetsFor, setSnippetsFor] = useState<string | null>(null);
  const insert = (content: string) => {
    // The dialog gives the focus back first.
    requestAnimationFrame(() => {
      const field = area.current;
      if (!field) return;
      const { selectionStart, selectionEnd, value, maxLength } = field;
      const length = value.length - (selectionEnd - selectionStart) + content.length;
      if (maxLength >= 0 && length > maxLength) showToast({ text: t("This is too long for a message.") });
      else replaceRange(field, selectionStart, selectionEnd, content);
    });
  };
  const begin = (command: string) => {
    const field = area.current;
    if (field) replaceRange(field, 0, 0, command);
  };
  return (
    <div className={css.toolbar} role="toolbar" aria-label={t("Formatting")}>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <IconButton
        size="small"
        label={t("Attach files")}
        icon={Paperclip}
        onClick={() => files.current?.click()}
      />
      <span className={css.wide}>
        <IconButton
          size="small"
          label={t("Bold")}
          icon={Bold}
          keys={formatKeys("$mod+B")}
          onClick={() => mark("bold")}
        />
        <IconButton
          size="small"
          label={t("Italic")}
          icon={Italic}
          keys={formatKeys("$mod+I")}
          onClick={() => mark("italic")}
        />
        <IconButton size="small" label={t("Link")} icon={Link} onClick={() => mark("link")} />
        <IconButton
          size="small"
          label={t("Code|of a program")}
          icon={Code}
          keys={formatKeys("$mod+E")}
          onClick={() => mark("code")}
        />
        <IconButton size="small" label={t("Quote")} icon={TextQuote} onClick={() => mark("quote")} />
      </span>
      <Menu
        label={t("More formatting")}
        placement="top-start"
        trigger={<IconButton size="small" label={t("More formatting")} icon={Ellipsis} />}
        items={[
          { label: t("Bold"), icon: Bold, keys: formatKeys("$mod+B"), onSelect: () => mark("bold") },
          { label: t("Italic"), icon: Italic, keys: formatKeys("$mod+I"), onSelect: () => mark("italic") },
          { label: t("Strikethrough"), icon: Strikethrough, onSelect: () => mark("strike") },
          { label: t("Code|of a program"), icon: Code, onSelect: () => mark("code") },
          { label: t("Link"), icon: Link, onSelect: () => mark("link") },
          { label: t("Bulleted list"), icon: List, onSelect: () => mark("list") },
          { label: t("Numbered list"), icon: ListOrdered, onSelect: () => mark("numbers") },
          { label: t("Quote"), icon: TextQuote, onSelect: () => mark("quote") },
          { label: t("Spoiler"), icon: EyeOff, onSelect: () => mark("spoiler") },
          { label: t("Formula"), icon: Sigma, onSelect: () => mark("math") },
          "line",
          { label: t("Poll"), icon: ChartNoAxesColumn, onSelect: () => begin("/poll ") },
          { label: t("List of tasks"), icon: ListChecks, onSelect: () => begin("/todo ") },
          "line",
          {
            label: t("Snippets …"),
            icon: Library,
            onSelect: () => setSnippetsFor(area.current?.value ?? ""),
          },
        ]}
      />
      {snippetsFor !== null ? (
        <SnippetPicker text={snippetsFor} onPick={insert} onClose={() => setSnippetsFor(null)} />
      ) : null}
      {children}
    </div>
  );
}
