// Makes names of other chats follow our rules.
import { customEmojiName } from "@/foundation/emoji/schema.ts";
import { limits } from "@/foundation/realm/schema.ts";
import { isOrderly, shorten } from "@/foundation/realm/texts.ts";
import { emailAddress, fullName } from "@/foundation/users/schema.ts";
import { asTopic } from "@/places/topics/schema.ts";
import { withoutMarks } from "./references.ts";

/** A valid name for a person; made from `key` if the given name has no valid character. */
export function personName(given: string, key: string): string {
  const plain = (name: string) =>
    withoutMarks(name)
      .replaceAll(/[*`\\>"@\p{C}\u2028\u2029]/gu, "")
      .replaceAll(/\s+/g, " ")
      .replace(/\|\d+$/, "")
      .trim()
      .slice(0, 100)
      .trim();
  for (const name of [plain(given), `${plain(given)} (${plain(key)})`, plain(`Person ${key}`)]) {
    if (fullName.safeParse(name).success) return name;
  }
  return "Unnamed person";
}

/** The address, if it is valid; else null. */
export function mailAddress(given: string | null): string | null {
  const result = emailAddress.safeParse(given ?? "");
  return result.success ? result.data : null;
}

const noDomain = "@imported.invalid";

/** A placeholder address for a person whose export has none. */
export function noAddress(source: string, key: string): string {
  const part = key.toLowerCase().replaceAll(/[^a-z0-9._-]+/g, "-");
  return `${source}-${part.slice(0, 100)}${noDomain}`;
}

/** Whether an address is real: not made by `noAddress`. */
export function hasAddress(email: string): boolean {
  return !email.endsWith(noDomain);
}

function printable(given: string): string {
  return [...withoutMarks(given)]
    .map((point) => (isOrderly(point) ? point : " "))
    .join("")
    .replaceAll(/\s+/g, " ")
    .trim();
}

export function channelNameOf(given: string, key: string): string {
  return shorten(printable(given) || `channel ${printable(key)}`, limits.max_stream_name_length, "…");
}

/** The first of `name`, `name (2)`, … that is not in `taken`, to which it is added. `taken` holds lower-case names. */
export function freeName(name: string, taken: Set<string>, max: number): string {
  for (let n = 1; ; n++) {
    const ending = n === 1 ? "" : ` (${n})`;
    const candidate = ending === "" ? name : shorten(`${name}${ending}`, max, ending);
    const fits = candidate.endsWith(ending)
      ? candidate
      : `${[...name].slice(0, max - ending.length).join("")}${ending}`;
    if (taken.has(fits.toLowerCase())) continue;
    taken.add(fits.toLowerCase());
    return fits;
  }
}

export function description(given: string): string {
  return shorten(withoutMarks(given).trim(), limits.max_stream_description_length, "…");
}

export function topicOf(given: string): string {
  return asTopic(printable(given));
}

/** Maximum length of a thread's topic; leaves room for a number. */
const maxThread = limits.max_topic_length - 6;

/** A topic for a thread: the beginning of its first message, without formatting. */
export function threadTopic(content: string, fallback: string): string {
  const line = content
    .replaceAll(/\u{e000}(?:person|silent|channel)\u{e002}[^\u{e001}]*\u{e001}/gu, " ")
    .replaceAll(/\u{e000}[^\u{e001}]*\u{e001}/gu, " ")
    .split("\n")
    .map((part) => printable(part.replaceAll(/^```.*$|\(https?:[^)]*\)|[*_`~>#[\]]+/g, "")))
    .find((part) => /[\p{L}\p{N}]/u.test(part));
  return topicOf(shorten(line ?? fallback, maxThread, "…"));
}

/** A valid name for a custom emoji, similar to the given one; null if it has no valid character. */
export function emojiName(given: string): string | null {
  const name = given
    .toLowerCase()
    .replaceAll(/[^0-9a-z_-]+/g, "_")
    .replace(/[_-]+$/, "");
  return customEmojiName.safeParse(name).success ? name : null;
}
