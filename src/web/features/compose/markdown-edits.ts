// Changes of Markdown text around a selection: what the toolbar and its shortcuts do.
import { parts } from "../../lib/texts.ts";

export interface TextEdit {
  /** The range to replace. */
  from: number;
  to: number;
  text: string;
  /** The selection afterwards. */
  selectFrom: number;
  selectTo: number;
}

export type MarkdownMark =
  | "bold"
  | "italic"
  | "strike"
  | "code"
  | "link"
  | "quote"
  | "list"
  | "numbers"
  | "spoiler"
  | "math";

const around: Partial<Record<MarkdownMark, readonly [before: string, after: string]>> = {
  bold: ["**", "**"],
  italic: ["*", "*"],
  strike: ["~~", "~~"],
  math: ["$$", "$$"],
};

/** Adds a mark around the selection, or removes it. */
export function toggleMark(text: string, from: number, to: number, mark: MarkdownMark): TextEdit {
  const chosen = text.slice(from, to);
  const pair = around[mark];
  if (pair) return wrapText(text, from, to, pair);
  if (mark === "code")
    return chosen.includes("\n") ? fenceText(text, from, to, "") : wrapText(text, from, to, ["`", "`"]);
  if (mark === "spoiler") return fenceText(text, from, to, "spoiler ");
  if (mark === "link") return linkText(chosen, from, to);
  return listLines(text, from, to, mark);
}

function wrapText(
  text: string,
  from: number,
  to: number,
  [before, after]: readonly [string, string],
): TextEdit {
  const chosen = text.slice(from, to);
  const isSet =
    text.slice(from - before.length, from) === before && text.slice(to, to + after.length) === after;
  const isLonger =
    before === "*" && text.slice(from - 2, from) === "**" && text.slice(from - 3, from) !== "***";
  if (isSet && !isLonger) {
    const start = from - before.length;
    return {
      from: start,
      to: to + after.length,
      text: chosen,
      selectFrom: start,
      selectTo: start + chosen.length,
    };
  }
  const start = from + before.length;
  return { from, to, text: before + chosen + after, selectFrom: start, selectTo: start + chosen.length };
}

function fenceText(text: string, from: number, to: number, label: string): TextEdit {
  const chosen = text.slice(from, to);
  const longest = Math.max(2, ...[...chosen.matchAll(/^`+/gm)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const lead = from > 0 && text[from - 1] !== "\n" ? "\n" : "";
  const open = `${lead}${fence}${label}\n`;
  const close = `\n${fence}\n`;
  const start = from + open.length;
  return { from, to, text: open + chosen + close, selectFrom: start, selectTo: start + chosen.length };
}

function linkText(chosen: string, from: number, to: number): TextEdit {
  const isUrl = /^https?:\/\/\S+$/.test(chosen);
  const [words, url] = isUrl ? ["", chosen] : [chosen, "url"];
  const text = `[${words}](${url})`;
  if (isUrl) return { from, to, text, selectFrom: from + 1, selectTo: from + 1 };
  const start = from + words.length + 3;
  return { from, to, text, selectFrom: start, selectTo: start + url.length };
}

function listLines(text: string, from: number, to: number, mark: MarkdownMark): TextEdit {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const newline = text.indexOf("\n", to);
  const end = newline < 0 ? text.length : newline;
  const lines = text.slice(start, end).split("\n");
  const prefix = (at: number) => (mark === "quote" ? "> " : mark === "list" ? "- " : `${at + 1}. `);
  const pattern = mark === "quote" ? /^> ?/ : mark === "list" ? /^[-*+] / : /^\d+\. /;
  const isSet = lines.every((line) => pattern.test(line));
  const changed = lines.map((line, at) => (isSet ? line.replace(pattern, "") : prefix(at) + line)).join("\n");
  return { from: start, to: end, text: changed, selectFrom: start, selectTo: start + changed.length };
}

/**
 * The edit for Enter in a list: begins the next item, or ends the list if the item is empty. Null outside of lists.
 */
export function continueList(text: string, cursor: number): TextEdit | null {
  const start = text.lastIndexOf("\n", cursor - 1) + 1;
  const line = text.slice(start, cursor);
  const [whole, indent = "", bullet = "", rest = ""] = /^(\s*)([-*+]|\d{1,6}\.|>)\s+(.*)$/.exec(line) ?? [];
  if (whole === undefined) {
    const empty = /^(\s*)([-*+]|\d{1,6}\.|>)\s*$/.exec(line);
    return empty ? { from: start, to: cursor, text: "", selectFrom: start, selectTo: start } : null;
  }
  if (rest === "") return { from: start, to: cursor, text: "", selectFrom: start, selectTo: start };
  const next = /^\d/.test(bullet) ? `${Number.parseInt(bullet, 10) + 1}.` : bullet;
  const inserted = `\n${indent}${next} `;
  const at = cursor + inserted.length;
  return { from: cursor, to: cursor, text: inserted, selectFrom: at, selectTo: at };
}

/** A message quoted below its sender's silent mention and a link to it. */
export function quoteAsMarkdown(
  sender: { name: string; id: number },
  link: string,
  markdown: string,
): string {
  const longest = Math.max(2, ...[...markdown.matchAll(/^`+/gm)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const head = parts("<sender></sender> <link>said</link>:").map((part) => {
    if (typeof part === "string") return part;
    return part.mark === "link" ? `[${part.parts.join("")}](${link})` : `@_**${sender.name}|${sender.id}**`;
  });
  return `${head.join("")}\n${fence}quote\n${markdown}\n${fence}\n`;
}
