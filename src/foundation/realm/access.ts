import { createHash } from "node:crypto";
import { isIP } from "node:net";
import type { Reads } from "@/kernel/core/context.ts";
import { fail, failInEnglish } from "@/kernel/lib/errors.ts";
import { cache } from "@/kernel/store/cache.ts";
import { english, findLanguage, type Language } from "@/text/language/languages.ts";
import { translatorFor } from "@/text/language/tables.ts";
import type { Translator } from "@/text/language/translator.ts";
import {
  loginSettings,
  type RealmPicture,
  type RealmRow,
  realmErrors,
  realmId,
  realmSettings,
  serverOptions,
} from "./schema.ts";
import { findRealm } from "./store.ts";

/** The organization, which exists after `init`. */
export function realmOf(ctx: Reads): RealmRow {
  return (
    findRealm(ctx) ??
    failInEnglish("SERVER_NOT_READY", "This data folder has no organization yet: run `confab init` first.")
  );
}

/** Throws while the organization is deactivated. */
export function checkRealmActive(ctx: Reads): void {
  if (!isRealmOpen(ctx)) fail(realmErrors.REALM_DEACTIVATED, "This organization has been deactivated");
}

/** False while the organization is deactivated. */
export function isRealmOpen(ctx: Reads): boolean {
  return realmOf(ctx).deactivated_at === null;
}

export function hasRealm(ctx: Reads): boolean {
  return findRealm(ctx) !== null;
}

/** The language of the organization; English if its setting names a language that we do not have. */
export function organizationLanguage(reads: Reads): Language {
  return findLanguage(realmSettings.read(reads).default_language) ?? english;
}

/** For texts that several people read: in the organization's language. */
export function translatorToAll(reads: Reads): Translator {
  return translatorFor(organizationLanguage(reads));
}

/** Path of the generated picture of a user (by ID) or of the organization; reveals nothing about them. */
export const picturePath = cache(["realm"], (reads, owner: number | "realm"): string => {
  const seed = createHash("sha256")
    .update(`${realmOf(reads).avatar_salt}:${owner}`)
    .digest("hex");
  return `/user_avatars/identicon/${seed.slice(0, 20)}.png`;
});

/** The domain of the addresses that the server generates; never an IP address. */
export function botDomain(site: string): string {
  const { hostname } = new URL(site);
  return isIP(hostname.replaceAll(/[[\]]/g, "")) ? "localhost" : hostname;
}

/** The names that clients know for the ways to sign in. */
export const loginNames = { passwords: "Email", openid: "OpenID Connect" } as const;

/** The methods by which people may sign in, and those that the server offers. */
export function loginMethods(reads: Reads): Record<string, { enabled: boolean; available: boolean }> {
  const { passwords, openid } = loginSettings.read(reads);
  const isOffered = serverOptions.read(reads).sign_on.length > 0;
  return {
    [loginNames.passwords]: { enabled: passwords, available: true },
    [loginNames.openid]: { enabled: openid && isOffered, available: isOffered },
  };
}

/** Whether people may sign in by password. */
export function takesPasswords(reads: Reads): boolean {
  return loginSettings.read(reads).passwords;
}

/** `icon_url` and `icon_source`, and their like. */
export type PictureFields = Record<`${RealmPicture}_${"url" | "source"}`, string>;

// Wire: clients read these letters as "generated", and "U" as "uploaded".
const madeSource: Record<RealmPicture, string> = { icon: "G", logo: "D", night_logo: "D" };

/** The URL of a picture of the organization, and whether it was uploaded. */
export function pictureFields(reads: Reads, which: RealmPicture): PictureFields {
  const file = realmOf(reads)[`${which}_file`];
  const url = file === null ? picturePath(reads, "realm") : `/user_avatars/${realmId}/realm/${file}.webp`;
  return {
    [`${which}_url`]: url,
    [`${which}_source`]: file === null ? madeSource[which] : "U",
  } as PictureFields;
}

/** The providers at which people may sign in, in the order of their buttons. */
export function listProviders(reads: Reads): { name: string; button: string; icon: string | null }[] {
  return loginSettings.read(reads).openid ? [...serverOptions.read(reads).sign_on] : [];
}
