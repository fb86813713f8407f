// Settings as fields of forms, and under which heading they are.
import {
  aboutText,
  forEver,
  isDays,
  isTime,
  meaningOf,
  noLimit,
  parseNamedNumbers,
  takesText,
  valueText,
  type WordedSetting,
} from "@/foundation/realm/words.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { choicesOf } from "@/kernel/http/rule-words.ts";
import type { Field } from "./screen.ts";

/** A form's field for a setting, with its values as words. */
export function fieldFor(setting: WordedSetting, value: unknown): Field {
  const { name, about, rule } = setting;
  const common = { label: "Value", about: `${aboutText(about)}.`, rule, start: valueText(setting, value) };
  const read = (_: Ctx, text: string) => meaningOf(setting, text);
  const named = parseNamedNumbers(about);
  if (named) return { ...common, read, choices: [...named.values()] };
  const longer = { ...common, read, about: `${common.about} ${sentence(takesText(setting))}`, open: true };
  if (isTime(name)) {
    const times = ["10 minutes", "1 hour", "1 day", "1 week"];
    return { ...longer, choices: rule.safeParse(null).success ? [noLimit, ...times] : times };
  }
  if (isDays(name)) return { ...longer, choices: [forEver, "30 days", "90 days", "365 days"] };
  const choices = choicesOf(rule);
  if (!choices?.some((one) => /^[a-z]+(_[a-z]+)+$/.test(one))) return common;
  return { ...common, read, choices: choices.map((one) => one.replaceAll("_", " ")) };
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

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
export function sortByArea<R extends { area: string }>(rows: readonly R[]): R[] {
  return rows.toSorted((a, b) => order.indexOf(a.area) - order.indexOf(b.area));
}
