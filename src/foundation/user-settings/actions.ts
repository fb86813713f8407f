import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { findLanguage, type Language } from "@/text/language/languages.ts";
import { defaultsOf } from "./queries.ts";
import { findChanged, personalSettings } from "./schema.ts";
import { deleteSomeSettings } from "./store.ts";

/** Gives a new person the organization's defaults; part of their creation. */
export function copyDefaults(tx: Tx, userId: number): void {
  const before = personalSettings.read(tx, userId);
  for (const [name, value] of findChanged(before, defaultsOf(tx)))
    personalSettings.write(tx, userId, name, value);
}

/** Gives a new person the language in which they came, if the organization's is another one; part of their creation. */
export function startInLanguage(tx: Tx, userId: number, language: Language | null): void {
  const { default_language: usual } = realmSettings.read(tx);
  if (language === null || findLanguage(usual) === language) return;
  personalSettings.write(tx, userId, "default_language", language.tag);
}

/** Part of erasing a person: deletes their settings, at most `max`. Returns how many it deleted. */
export function forgetSomeSettings(tx: Tx, userId: number, max: number): number {
  return deleteSomeSettings(tx, userId, max);
}
