// Settings as fields of forms, and under which heading they are.

import { realmAreas } from "@/foundation/realm/descriptions.ts";
import {
  aboutText,
  forEver,
  meaningOf,
  noLimit,
  takesText,
  valueText,
  type WordedSetting,
  wordOf,
} from "@/foundation/realm/words.ts";
import { personalAreas } from "@/foundation/user-settings/descriptions.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { choicesOf } from "@/kernel/http/rule-words.ts";
import type { Described } from "@/kernel/store/settings.ts";
import type { Field } from "./screen.ts";

/** A form's field for a setting, with its values as words. */
export function fieldFor(setting: WordedSetting, value: unknown): Field {
  const { form, values, rule } = setting;
  const common = { label: "Value", about: `${aboutText(setting)}.`, rule, start: valueText(setting, value) };
  const read = (_: Ctx, text: string) => meaningOf(setting, text);
  if (values) {
    const words = values.map(([, word]) => wordOf(word));
    return { ...common, read, choices: words, ...(choicesOf(rule) ? {} : { open: true }) };
  }
  const longer = { ...common, read, about: `${common.about} ${sentence(takesText(setting))}`, open: true };
  if (form === "time") {
    const times = ["10 minutes", "1 hour", "1 day", "1 week"];
    return { ...longer, choices: rule.safeParse(null).success ? [noLimit, ...times] : times };
  }
  if (form === "days") return { ...longer, choices: [forEver, "30 days", "90 days", "365 days"] };
  const choices = choicesOf(rule);
  if (!choices?.some((one) => /^[a-z]+(_[a-z]+)+$/.test(one))) return common;
  return { ...common, read, choices: choices.map((one) => one.replaceAll("_", " ")) };
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const otherArea = "Not used here";
export const permissionArea = "Who may";
const order = [...realmAreas, ...personalAreas].map(({ title }) => wordOf(title));

/** The heading under which people would look for a setting. */
export function areaOf({ area }: Described): string {
  return area === undefined ? otherArea : wordOf(area);
}

/** Rows by their area; within it, in the order given. */
export function sortByArea<R extends { area: string }>(rows: readonly R[]): R[] {
  const places = [...order, permissionArea, otherArea];
  return rows.toSorted((a, b) => places.indexOf(a.area) - places.indexOf(b.area));
}
