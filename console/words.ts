// Values of settings as words, and words as values.
import type { z } from "zod";
import type { Ctx } from "@/kernel/context.ts";
import { choicesOf, ruleText, textOf } from "./desk/rules.ts";
import type { Field } from "./screen.ts";

/** The names of numbers in a text such as "Colours: 1 automatic, 2 dark"; null for other texts. */
function namedNumbers(about: string): ReadonlyMap<number, string> | null {
  const list = /^[^:]+: (-?\d+ .*)$/.exec(about)?.[1];
  if (list === undefined) return null;
  const found = [...list.matchAll(/(?:^|, )(-?\d+) (.*?)(?=, -?\d+ |$)/g)];
  return found.length < 2 ? null : new Map(found.map(([, value, word = ""]) => [Number(value), word]));
}

/** A setting's description, without its numbers and their names. */
export function aboutText(about: string): string {
  return namedNumbers(about) ? (about.split(":")[0] ?? about) : about.replace(/ \(-1: .*\)$/, "");
}

/** The values that a setting accepts, in the words of its form. */
export function takesText({ name, about, rule }: Described & { rule: z.ZodType }): string {
  const named = namedNumbers(about);
  if (named) return [...named.values()].join(", ");
  if (isTime(name)) return `a time such as '2 hours', or '${noLimit}'`;
  if (isDays(name)) return `a number of days, or '${forEver}'`;
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
  const count = seconds / size;
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

function secondsOf(text: string): number | null {
  const [, count = "", word = ""] = /^(\d+) *([a-z]*)$/i.exec(text.trim()) ?? [];
  const unit = units.find(([name]) => word !== "" && name.startsWith(word.toLowerCase().replace(/s$/, "")));
  if (count === "") return null;
  return Number(count) * (word === "" ? 1 : (unit?.[1] ?? Number.NaN));
}

const isTime = (name: string) => /_seconds$/.test(name);
const isDays = (name: string) => name === "message_retention_days";
const noLimit = "no limit";
const forEver = "for ever";

interface Described {
  name: string;
  about: string;
}

export function valueText({ name, about }: Described, value: unknown): string {
  const named = typeof value === "number" ? namedNumbers(about)?.get(value) : undefined;
  if (named !== undefined) return named;
  if (isTime(name)) return value === null ? noLimit : timeText(Number(value));
  if (isDays(name)) return value === -1 ? forEver : `${value} days`;
  if (typeof value === "string" && /^[a-z]+(_[a-z]+)+$/.test(value)) return value.replaceAll("_", " ");
  return textOf(value);
}

/** A form's field for a setting, with its values as words. */
export function fieldFor(setting: Described & { rule: z.ZodType }, value: unknown): Field {
  const { name, about, rule } = setting;
  const start = valueText(setting, value);
  const named = namedNumbers(about);
  const common = { label: "Value", about: `${aboutText(about)}.`, rule, start };
  if (named) {
    const values = new Map([...named].map(([number, word]) => [word, number]));
    const choices = [...values.keys()];
    return { ...common, choices, read: (_: Ctx, text: string) => values.get(text) ?? text };
  }
  if (isTime(name)) {
    const choices = [noLimit, "10 minutes", "1 hour", "1 day", "1 week"];
    const read = (_: Ctx, text: string) =>
      text.trim().toLowerCase() === noLimit || text.trim() === "" ? null : secondsOf(text);
    return {
      ...common,
      about: `${common.about} A time such as '2 hours', or '${noLimit}'.`,
      choices,
      open: true,
      read,
    };
  }
  if (isDays(name)) {
    const choices = [forEver, "30 days", "90 days", "365 days"];
    const read = (_: Ctx, text: string) =>
      text.trim().toLowerCase() === forEver ? -1 : Number(/^\d+/.exec(text.trim())?.[0] ?? Number.NaN);
    return {
      ...common,
      about: `${common.about} A number of days, or '${forEver}'.`,
      choices,
      open: true,
      read,
    };
  }
  return worded(common);
}

/** Listed texts with underscores are shown with blanks. */
function worded(field: Field): Field {
  const choices = choicesOf(field.rule);
  if (!choices?.some((one) => /^[a-z]+(_[a-z]+)+$/.test(one))) return field;
  return {
    ...field,
    choices: choices.map((one) => one.replaceAll("_", " ")),
    read: (_: Ctx, text: string) => text.replaceAll(" ", "_"),
  };
}

const areas: readonly (readonly [area: string, names: RegExp])[] = [
  ["Identity", /^(name$|description|org_type|default_language|default_code_block_language|want_advertise)/],
  ["Joining", /invite|disposable|restricted_to_domains|waiting_period|welcome|signup/],
  [
    "People",
    /names|name_changes|email_changes|avatar|guest|presence|status|timezone|typing|address_visib|read_receipts|spectator/,
  ],
  ["Notices", /notif|digest|mail|desktop|sound|push|batching|announcement|moderation/],
  [
    "Messages",
    /message|edit|delete|topic|preview|emoji|giphy|video|jitsi|markread|mark_read|draft|enter_sends|inline/,
  ],
];

const otherArea = "Looks";
export const permissionArea = "Who may";
const order = [...areas.map(([area]) => area), otherArea, permissionArea];

/** The heading under which people would look for a setting. */
export function areaOf(name: string): string {
  return areas.find(([, names]) => names.test(name))?.[0] ?? otherArea;
}

/** Rows by their area; within it, in the order given. */
export function grouped<R extends { area: string }>(rows: readonly R[]): R[] {
  return rows.toSorted((a, b) => order.indexOf(a.area) - order.indexOf(b.area));
}
