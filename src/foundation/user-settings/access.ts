// People's settings, for other parts of the server.

import { organizationLanguage } from "@/foundation/realm/access.ts";
import type { Reads } from "@/kernel/core/context.ts";
import { findLanguage, type Language } from "@/text/language/languages.ts";
import { translatorFor } from "@/text/language/tables.ts";
import type { Translator } from "@/text/language/translator.ts";
import {
  type InheritedNotifications,
  type PersonalName,
  type PersonalValues,
  personalSettings,
  rowOf,
} from "./schema.ts";
import * as store from "./store.ts";

/** One user's settings, all of them. */
export function settingsOf(reads: Reads, userId: number): Readonly<PersonalValues> {
  return personalSettings.read(reads, userId);
}

/** One user's value of a setting, fast for many users: a lookup in memory, and one query after a change. */
export function settingOf<N extends PersonalName>(reads: Reads, userId: number, name: N): PersonalValues[N] {
  return (store.exceptionsTo(reads, name).get(userId) ?? rowOf(name).fallback) as PersonalValues[N];
}

/** The language that the person chose or got when joining; null if we do not have it. */
export function languageOf(reads: Reads, userId: number): Language | null {
  return findLanguage(settingsOf(reads, userId).default_language);
}

/** For texts to a person: in their language or, if we do not have it, in the organization's. */
export function translatorTo(reads: Reads, userId: number): Translator {
  return translatorFor(languageOf(reads, userId) ?? organizationLanguage(reads));
}

/** Users whose setting differs from its default, such as those who do not want `send_read_receipts`. */
export function usersWhoChanged(reads: Reads, name: PersonalName): ReadonlySet<number> {
  return new Set(store.exceptionsTo(reads, name).keys());
}

/** A user's notification settings; they apply to channels without separate settings. */
export function notificationsOf(reads: Reads, userId: number): InheritedNotifications {
  return {
    desktop_notifications: settingOf(reads, userId, "enable_stream_desktop_notifications"),
    audible_notifications: settingOf(reads, userId, "enable_stream_audible_notifications"),
    push_notifications: settingOf(reads, userId, "enable_stream_push_notifications"),
    email_notifications: settingOf(reads, userId, "enable_stream_email_notifications"),
    wildcard_mentions_notify: settingOf(reads, userId, "wildcard_mentions_notify"),
  };
}
