// Templates of one's own: Markdown in which {{paths}} stand for values of a payload. There are no expressions, so that filling one
// takes a time that grows with its length alone.
import { message } from "./parts.ts";
import { firstOf, type PayloadValue } from "./payload.ts";
import { placeholder, placeOf, templateLimits, type WebhookTemplate } from "./schema.ts";
import type { Said } from "./sender.ts";
import { escapeText, shortenText, webAddress, withoutMentions } from "./wording.ts";

/** The message that a template makes of a payload; null if nothing is in it. */
export function sayByTemplate({ topic, content }: WebhookTemplate, payload: PayloadValue): Said | null {
  const filled = fill(content, payload, valueAsMarkdown);
  if (filled.trim() === "") return null;
  const named = fill(topic, payload, (text) => text.slice(0, templateLimits.topic));
  return message(named.trim(), withoutMentions(shortenText(filled, templateLimits.message)));
}

/** The paths of a template at which a payload has nothing. */
export function pathsWithoutValue({ topic, content }: WebhookTemplate, payload: PayloadValue): string[] {
  const all = [...`${topic} ${content}`.matchAll(placeholder)].map(([, inside = ""]) => placeOf(inside).path);
  return [...new Set(all)].filter((path) => textAt(payload, path) === "");
}

function fill(template: string, payload: PayloadValue, present: (text: string) => string): string {
  return template.replaceAll(placeholder, (_, inside: string) => {
    const { path, fallback } = placeOf(inside);
    const text = textAt(payload, path);
    return text === "" ? fallback : present(text);
  });
}

/** A value without what would format or mention; an address stays one, also within the parentheses of a link. */
function valueAsMarkdown(text: string): string {
  const address = /^https?:\/\/\S+$/.test(text) ? webAddress(text) : null;
  if (address === null) return escapeText(text, templateLimits.value);
  return address.replaceAll(
    /[*[\]|~$]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The text of the value at a path; that of a list is its texts with commas. */
function textAt(payload: PayloadValue, path: string): string {
  const value = valueAt(payload, path);
  const items = value.list.slice(0, templateLimits.items).map(({ text }) => text);
  return firstOf(value.text, items.filter((text) => text !== "").join(", "));
}

/** The value at a path; a key may contain dots itself, and the longest key that is there is taken. */
function valueAt(payload: PayloadValue, path: string): PayloadValue {
  const whole = payload.at(path);
  if (whole.isThere) return whole;
  for (let dot = path.lastIndexOf("."); dot > 0; dot = path.lastIndexOf(".", dot - 1)) {
    const head = payload.at(path.slice(0, dot));
    if (head.isThere) return valueAt(head, path.slice(dot + 1));
  }
  return whole;
}

const maxVisited = 500;

/** The paths at which a payload has texts, numbers and booleans, some of them: of a list, those of its first element. */
export function pathsIn(payload: PayloadValue): string[] {
  const found = new Set<string>();
  const waiting: [path: string, value: PayloadValue][] = [["", payload]];
  for (let at = 0; at < waiting.length && at < maxVisited && found.size < templateLimits.named; at++) {
    const [path, value] = waiting[at] ?? ["", payload];
    if (path !== "" && value.text !== "") found.add(path);
    const first = value.at(0);
    const inside = first.isThere ? [["0", first] as const] : value.fields.slice(0, maxVisited);
    for (const [name, one] of inside) {
      const longer = path === "" ? name : `${path}.${name}`;
      if (isNameable(name) && longer.length <= templateLimits.path) waiting.push([longer, one]);
    }
  }
  return [...found];
}

const isNameable = (name: string): boolean =>
  name.trim() === name && /^[^{}|\p{C}\p{Zl}\p{Zp}]+$/u.test(name);
