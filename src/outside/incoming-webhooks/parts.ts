// What the messages of many senders share.
import { topicOf } from "./forge.ts";
import { firstOf, type PayloadValue } from "./payload.ts";
import type { PayloadWording, Said } from "./sender.ts";
import { code, escapeText, shortenText, withoutMentions } from "./wording.ts";

/** A message; absent parts are left out, and each is a paragraph. */
export function message(topic: string, ...parts: readonly string[]): Said {
  const content = parts.map((part) => part.trim()).filter((part) => part !== "");
  return { topic: topicOf(topic, ""), content: content.join("\n\n") };
}

/** A sentence for events that have no text of their own. */
export const plainEvent =
  (title: string): PayloadWording =>
  (_, __, event) => ({ topic: title, content: `${title}: ${code(event) || "an event without a name"}.` });

/** The message about a call that only tries the address. */
export const connected =
  (title: string): PayloadWording =>
  () => ({ topic: title, content: `${title} is connected: its events come here.` });

const marks: readonly [string, RegExp][] = [
  [
    "✅ ",
    /^(success|successful|succeeded|passed|fixed|up|ok|ready|recovered|recovery|resolved|closed|operational|completed|finished|released)$/,
  ],
  [
    "❌ ",
    /^(fail|failed|failure|failing|error|errored|broken|down|critical|unreachable|crashed|major_outage|disaster)$/,
  ],
  [
    "⚠ ",
    /^(unstable|warning|warn|partiallysucceeded|degraded_performance|partial_outage|still failing|high|average|no data)$/,
  ],
  ["⏹ ", /^(canceled|cancelled|aborted|stopped|interrupted|unauthorized|not_built|skipped)$/],
];

/** A mark for the state of a build, a check or an alert, with a space; empty for other states. */
export function markOf(state: string): string {
  const word = state.trim().toLowerCase();
  return marks.find(([, pattern]) => pattern.test(word))?.[0] ?? "";
}

const maxFacts = 10;

/** A list of named values; those that are empty are left out. */
export function facts(rows: readonly (readonly [name: string, value: string])[]): string {
  return rows
    .filter(([, value]) => value.trim() !== "")
    .slice(0, maxFacts)
    .map(([name, value]) => `* ${escapeText(name, 60)}: ${escapeText(value, 300)}`)
    .join("\n");
}

/** A text of HTML without its tags. */
export function withoutTags(html: string): string {
  return html
    .slice(0, 5_000)
    .replaceAll(/<br ?\/?>|<\/(?:p|div|li)>/gi, "\n")
    .replaceAll(/<[^<>]*>/g, "")
    .trim();
}

const maxOwnText = 8_000;

/** Texts that the owners of an address wrote themselves, as Markdown; they mention nobody. */
export function ownText(payload: PayloadValue, title: string): Said | null {
  const items = payload.list.length > 0 ? payload.list.slice(0, 50) : [payload];
  const read = (one: PayloadValue, ...names: string[]) => firstOf(...names.map((name) => one.at(name).text));
  const texts = items
    .map((one) => firstOf(one.text, read(one, "content", "message", "text", "body")).trim())
    .filter((text) => text !== "");
  if (texts.length === 0) return null;
  const named = items[0] ? read(items[0], "topic", "subject", "title") : "";
  return message(firstOf(named, title), withoutMentions(shortenText(texts.join("\n\n"), maxOwnText)));
}

/** A time in seconds as every reader's own; empty if there is none. */
export function timeOf(seconds: number): string {
  const isTime = Number.isFinite(seconds) && seconds > 0 && seconds < 8_000_000_000;
  return isTime ? `<time:${new Date(seconds * 1000).toISOString()}>` : "";
}
