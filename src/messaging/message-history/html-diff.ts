// The differences between two renderings of a message, as safe HTML.
import { diffArrays } from "diff";
import { htmlParts, isTag, tagName } from "@/text/html/html-parts.ts";

/** Words with the space after them. */
const words = /\S+\s*|\s+/g;
/** Elements that are replaced as a whole, because their meaning is in their attributes or their structure. */
const wholeTag = /^<(a|audio|math|svg|time|video)\b/;
const wholeClass =
  /^<span\b[^>]*\bclass="(?:[^"]* )?(?:emoji|katex|topic-mention|user-mention|user-group-mention)[ "]/;

/**
 * The new document, with added words marked as inserted and removed words put back, marked as deleted. All tags come from
 * the new document, so the result is well-formed. If more than `max` tokens differ, the whole text counts as replaced,
 * because finding the shortest difference would take too long.
 */
export function htmlDiff(before: string, after: string, max: number): string {
  const [from, to] = [tokensOf(before), tokensOf(after)];
  const changes = diffArrays(from, to, { comparator: isSame, maxEditLength: max }) ?? [
    { removed: true, added: false, value: from },
    { removed: false, added: true, value: to },
  ];
  return changes
    .map(({ added, removed, value }) => {
      if (removed) return renderDeleted(value);
      return added ? renderInserted(value) : value.map(whole).join("");
    })
    .join("");
}

interface Token {
  /** A word, a tag, or an element that is replaced as a whole. */
  text: string;
  /** The white space after a word. Ignored in comparisons. */
  space: string;
}

const isSame = (one: Token, other: Token) => one.text === other.text;
const whole = ({ text, space }: Token) => text + space;

function tokensOf(html: string): Token[] {
  const found = [...htmlParts(html)].flatMap((part) => (isTag(part) ? [part] : (part.match(words) ?? [])));
  const tokens: Token[] = [];
  for (let at = 0; at < found.length; at++) {
    const first = found[at] as string;
    const end = isWhole(first) ? endOf(found, at) : at;
    tokens.push(tokenOf(found.slice(at, end + 1).join("")));
    at = end;
  }
  return tokens;
}

function tokenOf(part: string): Token {
  const text = part.trimEnd();
  return text === "" ? { text: part, space: "" } : { text, space: part.slice(text.length) };
}

const isWhole = (tag: string) => wholeTag.test(tag) || wholeClass.test(tag);

/** Index of the tag that closes the element opened at `start`. */
function endOf(found: readonly string[], start: number): number {
  const name = tagName(found[start] as string);
  let depth = 0;
  for (let at = start; at < found.length; at++) {
    const met = tagName(found[at] as string);
    if (met === name) depth++;
    else if (met === `/${name}`) depth--;
    if (depth === 0) return at;
  }
  return start;
}

const isMarkup = ({ text }: Token) => /^<[^>]*>$/.test(text) && !text.startsWith("<img");

const inline = /^<\/?(code|del|em|span|strong)\b/;

/** Removed text as one run. Tags between blocks become a space. */
function renderDeleted(tokens: readonly Token[]): string {
  let run = "";
  let isParted = false;
  for (const token of tokens) {
    if (isMarkup(token)) isParted ||= !inline.test(token.text);
    else {
      const isJoint = isParted && run !== "" && !/\s$/.test(run);
      run += (isJoint ? " " : "") + whole(token);
      isParted = false;
    }
  }
  return run.trim() === "" ? "" : spanOf("deleted", run);
}

/** Added text: marks the runs of text between the tags. */
function renderInserted(tokens: readonly Token[]): string {
  let html = "";
  let run = "";
  const close = () => {
    html += run.trim() === "" ? run : spanOf("inserted", run);
    run = "";
  };
  for (const token of tokens) {
    if (isMarkup(token)) {
      close();
      html += whole(token);
    } else run += whole(token);
  }
  close();
  return html;
}

function spanOf(how: "inserted" | "deleted", run: string): string {
  const text = run.trimEnd();
  return `<span class="highlight_text_${how}">${text}</span>${run.slice(text.length)}`;
}
