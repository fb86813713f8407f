import { isDeepStrictEqual } from "node:util";
import {
  addFirstOwner,
  addSystemBots,
  giveOtherKey,
  type UserWithKey,
} from "@/foundation/accounts/actions-adding.ts";
import { recordAudit } from "@/foundation/audit/actions.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { createSystemGroups } from "@/foundation/permissions/actions.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { hasRealm, realmOf } from "@/foundation/realm/access.ts";
import {
  firstVisit,
  realmDeactivated,
  realmId,
  realmSettings,
  serverOptions,
} from "@/foundation/realm/schema.ts";
import { activePeople } from "@/foundation/users/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { everyone } from "@/kernel/core/events.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail, failInEnglish } from "@/kernel/lib/errors.ts";
import type { SettingValues } from "@/kernel/store/settings.ts";
import * as store from "./store.ts";

export interface RealmNames {
  name: string;
  owner_email: string;
  owner_name: string;
  /** The tag of the organization's language; that of its setting's default if it is left out. */
  default_language?: string;
}

export interface NewRealm extends RealmNames {
  /** Random, chosen by the caller; makes the URLs of pictures unguessable. */
  avatar_salt: string;
  /** Whether the owner's name and address are made up, and are asked for at the first visit. */
  awaits_owner?: boolean;
}

export interface CreatedRealm extends UserWithKey {
  organization: { name: string; string_id: string; date_created: number };
}

const onlySystem = (ctx: Ctx) => {
  if (ctx.actor.kind !== "system") failInEnglish("BAD_REQUEST", "Only the server itself may do this.");
};

/** Creates the organization of an empty data folder, with one owner. */
export const createRealm = action(onlySystem, (tx, input: NewRealm): CreatedRealm => {
  if (hasRealm(tx)) failInEnglish("BAD_REQUEST", "This data folder already holds an organization.");

  const realm = { string_id: "", date_created: tx.now, avatar_salt: input.avatar_salt };
  store.insertRealm(tx, realm);
  realmSettings.write(tx, "name", input.name);
  // Before the owner is added, whose language it becomes, too.
  const { default_language } = input;
  if (default_language !== undefined) realmSettings.write(tx, "default_language", default_language);
  // Off where the organization is older: nobody there was told that linked sites see the server's address.
  realmSettings.write(tx, "linked_image_preview", true);
  realmSettings.write(tx, "inline_url_embed_preview", true);
  createSystemGroups(tx);
  const owner = addFirstOwner(tx, { email: input.owner_email, full_name: input.owner_name });
  if (input.awaits_owner) firstVisit.write(tx, "owner", owner.user.user_id);
  addSystemBots(tx);
  const { string_id, date_created } = realm;
  return { organization: { name: input.name, string_id, date_created }, ...owner };
});

/**
 * Continues after a process that created the organization was killed before it could show the owner's key: gives another one. Null
 * if the organization is older than that process, which began at `since` (UNIX seconds), or was created with other names or in
 * another language.
 */
export const continueRealm = action(
  onlySystem,
  (tx, { since, names }: { since: number; names?: RealmNames }): CreatedRealm | null => {
    const { string_id, date_created } = realmOf(tx);
    const { name, default_language } = realmSettings.read(tx);
    const owner = activePeople(tx).find(({ role }) => role === roles.owner);
    if (!owner || date_created < since) return null;
    const { delivery_email: owner_email, full_name: owner_name } = owner;
    const given = names && { ...names, default_language: names.default_language ?? default_language };
    if (given && !isDeepStrictEqual(given, { name, owner_email, owner_name, default_language })) return null;

    return { organization: { name, string_id, date_created }, ...giveOtherKey(tx, owner) };
  },
);

/** Stores the URL at which clients reach this server, for processes started without it. */
export const setSite = action(onlySystem, (tx, site: string): void => {
  if (realmSettings.read(tx).site !== site) realmSettings.write(tx, "site", site);
});

type ServerOptions = SettingValues<typeof serverOptions.table>;

/** Like `setSite`, for the server's other options. */
export const setServerOptions = action(onlySystem, (tx, options: Partial<ServerOptions>): void => {
  const before = serverOptions.read(tx);
  for (const name of Object.keys(before) as (keyof ServerOptions)[]) {
    const value = options[name];
    if (value !== undefined && value !== before[name]) serverOptions.write(tx, name, value);
  }
});

/** Closes the organization to everyone; its data stays until the operator removes the data folder. */
export const deactivateRealm = action(
  allow.owner,
  (tx, { deletion_delay_days }: { deletion_delay_days?: number | null }): void => {
    if (deletion_delay_days != null) {
      fail(
        "BAD_REQUEST",
        "This server does not delete organizations: its operator can remove the data folder.",
      );
    }
    if (realmOf(tx).deactivated_at !== null) fail("BAD_REQUEST", "The organization is deactivated already.");

    store.setDeactivatedAt(tx, tx.now);
    recordAudit(tx, { event: "realm_deactivated", about: { kind: "realm" } });
    tx.emit(realmDeactivated, everyone, { realm_id: realmId });
  },
);

/** Opens the organization again. Only for the command line, because nobody can log in. */
export const reactivateRealm = action(allow.owner, (tx): void => {
  if (realmOf(tx).deactivated_at === null) fail("BAD_REQUEST", "The organization is not deactivated.");

  store.setDeactivatedAt(tx, null);
  recordAudit(tx, { event: "realm_reactivated", about: { kind: "realm" } });
});
