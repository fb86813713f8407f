import { recordAudit } from "@/foundation/audit/tx.ts";
import { allow, presentGrants } from "@/foundation/permissions/access.ts";
import { type GrantName, type GroupSettingValue, realmGrants } from "@/foundation/permissions/schema.ts";
import { changeGrant } from "@/foundation/permissions/tx-grants.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { everyone } from "@/kernel/core/events.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { loginMethods, loginNames, realmOf } from "./access.ts";
import { callProviders, loginSettings, realmChanged, realmSettings } from "./schema.ts";
import { announce, type Changes, changeSettings } from "./tx.ts";
import { type GrantUpdates, ownersOwn, type RealmUpdate } from "./updates.ts";

/** Changes settings of the organization, all of them or none; returns those whose value is different now. */
export const updateRealm = action(allow.admin, (tx, update: RealmUpdate): Record<string, unknown> => {
  if (ownersOwn.some((name) => update[name] !== undefined)) allow.owner(tx);
  checkIdentity(tx, update);
  if (update.authentication_methods) changeLogin(tx, update.authentication_methods);
  const changes = { ...changeSettings(tx, update), ...changeGrants(tx, update) };
  if (Object.keys(changes).length === 0) return {};
  checkCalls(tx);

  return announce(tx, changes);
});

function checkIdentity(tx: Tx, { string_id, authentication_methods: methods }: RealmUpdate): void {
  if (string_id !== undefined && string_id !== realmOf(tx).string_id) {
    fail("BAD_REQUEST", "This organization's subdomain cannot be changed.");
  }
  if (!methods) return;
  const known = loginMethods(tx);
  const strange = Object.keys(methods).find((name) => methods[name] && !known[name]?.available);
  if (strange !== undefined) fail("BAD_REQUEST", `This server does not offer login by '${strange}'.`);
  if (Object.keys(known).every((name) => !(known[name]?.available && methods[name]))) {
    fail("BAD_REQUEST", "At least one authentication method must be enabled.");
  }
}

/** Changes the methods by which people may sign in; omitted methods are turned off. */
function changeLogin(tx: Tx, methods: Record<string, boolean>): void {
  const before = loginMethods(tx);
  loginSettings.write(tx, "passwords", methods[loginNames.passwords] === true);
  if (before[loginNames.openid]?.available) {
    loginSettings.write(tx, "openid", methods[loginNames.openid] === true);
  }
  const now = loginMethods(tx);
  if (JSON.stringify(before) === JSON.stringify(now)) return;
  const data = { authentication_methods: now };
  tx.emit(realmChanged, everyone, { property: "default", data });
  recordAudit(tx, {
    event: "realm_setting_changed",
    about: { kind: "realm" },
    data: { name: "authentication_methods", from: before, to: now },
  });
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
