import { allow, presentGrants } from "@/foundation/permissions/access.ts";
import { type GrantName, type GroupSettingValue, realmGrants } from "@/foundation/permissions/schema.ts";
import { changeGrant } from "@/foundation/permissions/tx-grants.ts";
import type { Tx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import { action } from "@/kernel/operation.ts";
import { realmOf } from "./access.ts";
import { callProviders, realmSettings } from "./schema.ts";
import { announce, type Changes, changeSettings } from "./tx.ts";
import { type GrantUpdates, ownersOwn, type RealmUpdate } from "./updates.ts";

/** Changes settings of the organization, all of them or none; returns those whose value is different now. */
export const updateRealm = action(allow.admin, (tx, update: RealmUpdate): Record<string, unknown> => {
  if (ownersOwn.some((name) => update[name] !== undefined)) allow.owner(tx);
  checkIdentity(tx, update);
  const changes = { ...changeSettings(tx, update), ...changeGrants(tx, update) };
  if (Object.keys(changes).length === 0) return {};
  checkCalls(tx);

  return announce(tx, changes);
});

/** The login methods, by the names that clients know. */
const loginMethods = ["Email"];

function checkIdentity(tx: Tx, { string_id, authentication_methods: methods }: RealmUpdate): void {
  if (string_id !== undefined && string_id !== realmOf(tx).string_id) {
    fail("BAD_REQUEST", "This organization's subdomain cannot be changed.");
  }
  if (!methods) return;
  const strange = Object.keys(methods).find((name) => methods[name] && !loginMethods.includes(name));
  if (strange !== undefined) fail("BAD_REQUEST", `This server does not offer login by '${strange}'.`);
  if (loginMethods.every((name) => !methods[name])) {
    fail("BAD_REQUEST", "At least one authentication method must be enabled.");
  }
}

function checkCalls(tx: Tx): void {
  const { video_chat_provider, jitsi_server_url } = realmSettings.read(tx);
  if (video_chat_provider === callProviders.jitsi && jitsi_server_url === null) {
    fail("BAD_REQUEST", "Calls by Jitsi need the address of a Jitsi server.");
  }
}

function changeGrants(tx: Tx, update: GrantUpdates): Changes {
  const before = presentGrants(tx, "realm", 0);
  const changes: Changes = {};
  for (const name of Object.keys(realmGrants) as GrantName<"realm">[]) {
    const given = update[name];
    const to: GroupSettingValue | null = given
      ? changeGrant(tx, { scope: "realm", ownerId: 0, name }, given)
      : null;
    if (to !== null) changes[name] = { from: before[name], to };
  }
  return changes;
}
