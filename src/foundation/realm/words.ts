// Values of settings in words, and words as values: the same in the console and for commands.

import type { z } from "zod";
import { choicesOf, problemOf, ruleText, textOf } from "@/kernel/http/rule-words.ts";
import { countText, wordingOf } from "@/kernel/lib/wording.ts";
import type { Described } from "@/kernel/store/settings.ts";

export interface WordedSetting extends Described {
  readonly name: string;
  readonly rule: z.ZodType;
}

type Valued = Pick<WordedSetting, "values" | "form">;

export const noLimit = "no limit";
export const forEver = "for ever";
export const none = "none";
/** Of a channel's setting: what the organization says. */
export const asRealm = "as the organization's";

const endless = new Set([noLimit, forEver, "forever", "unlimited"]);
const isListed = (value: string) => /^[a-z]+(_[a-z]+)+$/.test(value);
const mayBe = (rule: z.ZodType, value: unknown) => rule.safeParse(value).success;

/** A text of a description, without the sense that its bar names. */
export const wordOf = (text: string) => text.replace(/\|.*$/, "");

/** What a setting is, after its heading: some mean something only below it. */
export function aboutText({ about, area }: Described): string {
  return area === undefined ? wordOf(about) : `${wordOf(area)}: ${wordOf(about)}`;
}

/** The values that a setting accepts, in words. */
export function takesText({ values, form, rule }: WordedSetting): string {
  if (values) {
    const words = values.map(([, word]) => wordOf(word)).join(", ");
    return choicesOf(rule) ? words : `${words}, or ${ruleText(rule)}`;
  }
  if (form === "channel") return `a channel's name or ID, or '${none}'`;
  if (form === "time") return `a time such as '2 hours'${mayBe(rule, null) ? `, or '${noLimit}'` : ""}`;
  if (form === "days") return `a number of days, or '${forEver}'`;
  return ruleText(rule).replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, (word) => word.replaceAll("_", " "));
}

const units = [
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

function timeText(seconds: number): string {
  const [name, size] = units.find(([, one]) => seconds % one === 0) ?? ["second", 1];
  return countText(seconds / size, name);
}

function secondsOf(text: string): number | null {
  const [, count, word = ""] = /^(\d{1,12}) *([a-z]*)$/i.exec(text) ?? [];
  if (count === undefined) return null;
  const [, size] = word === "" ? ["", 1] : (units.find(([name]) => name.startsWith(singular(word))) ?? []);
  return size === undefined ? null : Number(count) * size;
}

const singular = (word: string) => word.toLowerCase().replace(/(?<=.)s$/, "");

function daysOf(text: string): number | null {
  const [, count] = /^(\d{1,9})(?: *days?)?$/i.exec(text) ?? [];
  return count === undefined ? null : Number(count);
}

const daysText = (days: number) => (days < 0 ? forEver : countText(days, "day"));

/** A value in words; the ID of a channel stays one. */
export function valueText({ values, form }: Valued, value: unknown): string {
  const [, word] = values?.find(([one]) => one === value) ?? [];
  if (word !== undefined) return wordOf(word);
  if (form === "time") return value === null ? noLimit : timeText(Number(value));
  if (form === "days") return daysText(Number(value));
  if (typeof value === "string" && isListed(value)) return value.replaceAll("_", " ");
  return textOf(value);
}

/** The value that a setting's words mean; the text itself if it is no word of it. */
export function meaningOf({ values, form, rule }: Omit<WordedSetting, "name">, text: string): unknown {
  const said = text.trim().toLowerCase();
  const [named] = values?.find(([, word]) => wordOf(word).toLowerCase() === said) ?? [];
  if (named !== undefined) return named;
  if (form === "time") return said === "" || endless.has(said) ? null : (secondsOf(said) ?? text);
  if (form === "days") return endless.has(said) ? -1 : (daysOf(said) ?? text);
  const isFlag = mayBe(rule, true) || mayBe(rule, false);
  if (isFlag && /^(yes|on|true)$/.test(said)) return true;
  if (isFlag && /^(no|off|false)$/.test(said)) return false;
  if (said === none && !mayBe(rule, text) && mayBe(rule, null)) return null;
  const choice = said.replaceAll(/[ -]/g, "_");
  return (isListed(choice) && choicesOf(rule)?.find((one) => one === choice)) || text;
}

/** The value of a text typed for a setting: JSON, or the text, or words; or the problem, as a sentence that lists the words. */
export function readSetting(setting: WordedSetting, text: string): { value: unknown } | { problem: string } {
  const { name, rule } = setting;
  const candidates = [jsonIn(text), text, meaningOf(setting, text)].filter((one) => one !== undefined);
  for (const candidate of text === "null" ? [null] : candidates) {
    const { success, data: value } = rule.safeParse(candidate);
    if (success) return { value };
  }
  const ownWords = rule
    .safeParse(candidates.at(-1))
    .error?.issues.map(wordingOf)
    .find(({ isSentence }) => isSentence);
  if (ownWords && !setting.values) return { problem: ownWords.text };
  const takes = takesText(setting) || problemOf(rule, undefined);
  return { problem: `${name} cannot be '${text}'. It takes: ${takes}.` };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** For how long a channel keeps messages; null is as the organization says. */
export function retentionText(days: number | null): string {
  return days === null ? asRealm : daysText(days);
}

/** The same as the rule of that setting takes it. */
export function parseRetention(text: string): string {
  const said = text.trim().toLowerCase();
  if (endless.has(said)) return "unlimited";
  if (said === asRealm || said === "realm default") return "realm_default";
  return daysOf(said)?.toString() ?? text;
}

/** Whether messages of a channel may have no topic. */
export function topicsText(policy: string): string {
  return policy === "inherit" ? asRealm : policy.replaceAll("_", " ");
}

/** The same as the rule of that setting takes it. */
export function topicsOf(text: string): string {
  const said = text.trim().toLowerCase();
  return said === asRealm ? "inherit" : said.replaceAll(/[ -]/g, "_");
}
