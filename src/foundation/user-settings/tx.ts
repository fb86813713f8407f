import type { Tx } from "@/kernel/core/context.ts";
import { defaultsOf } from "./queries.ts";
import { type PersonalChanges, type PersonalName, type PersonalValues, personalSettings } from "./schema.ts";

export type Values = PersonalValues[PersonalName];

/** The changes whose value differs from the current one. */
export function changed(
  before: Readonly<PersonalValues>,
  changes: PersonalChanges,
): [PersonalName, Values][] {
  const given = Object.entries(changes) as [PersonalName, Values][];
  return given.filter(([name, value]) => value !== undefined && before[name] !== value);
}

/** Gives a new person the organization's defaults; part of their creation. */
export function copyDefaults(tx: Tx, userId: number): void {
  const before = personalSettings.read(tx, userId);
  for (const [name, value] of changed(before, defaultsOf(tx)))
    personalSettings.write(tx, userId, name, value);
}
