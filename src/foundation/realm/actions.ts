import { createSystemGroups } from "@/foundation/permissions/tx.ts";
import { addFirstOwner, addSystemBots, type UserWithKey } from "@/foundation/users/tx.ts";
import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { action } from "@/kernel/operation.ts";
import type { SettingValues } from "@/kernel/settings.ts";
import { hasRealm } from "./access.ts";
import { realmSettings, serverOptions } from "./schema.ts";
import * as store from "./store.ts";

export interface NewRealm {
  name: string;
  owner_email: string;
  owner_name: string;
  /** Random, chosen by the caller; makes the URLs of pictures unguessable. */
  avatar_salt: string;
}

export interface CreatedRealm extends UserWithKey {
  organization: { name: string; string_id: string; date_created: number };
}

const onlySystem = (ctx: Ctx) => {
  if (ctx.actor.kind !== "system") fail("BAD_REQUEST", "Only the server itself may do this.");
};

/** Creates the organization of an empty data folder, with one owner. */
export const createRealm = action(onlySystem, (tx, input: NewRealm): CreatedRealm => {
  if (hasRealm(tx)) fail("BAD_REQUEST", "This data folder already holds an organization.");

  const realm = { string_id: "", date_created: tx.now, avatar_salt: input.avatar_salt };
  store.insertRealm(tx, realm);
  realmSettings.write(tx, "name", input.name);
  createSystemGroups(tx);
  const owner = addFirstOwner(tx, { email: input.owner_email, full_name: input.owner_name });
  addSystemBots(tx);
  const { string_id, date_created } = realm;
  return { organization: { name: input.name, string_id, date_created }, ...owner };
});

/** Stores the URL at which clients reach this server, for processes started without it. */
export const setSite = action(onlySystem, (tx, site: string): void => {
  if (realmSettings.read(tx).site !== site) realmSettings.write(tx, "site", site);
});

export type ServerOptions = SettingValues<typeof serverOptions.table>;

/** Like `setSite`, for the server's other options. */
export const setServerOptions = action(onlySystem, (tx, options: Partial<ServerOptions>): void => {
  const before = serverOptions.read(tx);
  for (const name of Object.keys(before) as (keyof ServerOptions)[]) {
    const value = options[name];
    if (value !== undefined && value !== before[name]) serverOptions.write(tx, name, value);
  }
});
