import { guestsToRestart } from "@/foundation/acquaintance/access.ts";
import { recordAudit } from "@/foundation/audit/actions.ts";
import { fullMembers } from "@/foundation/groups/access.ts";
import { emitFullMembers } from "@/foundation/groups/actions-roles.ts";
import { allow, presentGrants } from "@/foundation/permissions/access.ts";
import { changeGrant } from "@/foundation/permissions/actions.ts";
import {
  type GrantName,
  type GroupSettingValue,
  realmGrants,
  roles,
} from "@/foundation/permissions/schema.ts";
import { proofHooks } from "@/foundation/proofs/hooks.ts";
import { loginMethods, loginNames, realmOf } from "@/foundation/realm/access.ts";
import { realmHooks } from "@/foundation/realm/hooks.ts";
import {
  callProviders,
  loginSettings,
  realmChanged,
  realmSettings,
  realmUpdated,
  serverOptions,
} from "@/foundation/realm/schema.ts";
import { sweepDaysOf } from "@/foundation/retention/access.ts";
import { noteRetention } from "@/foundation/retention/actions.ts";
import { defaultChanged } from "@/foundation/user-settings/schema.ts";
import { activePeople } from "@/foundation/users/access.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { everyone } from "@/kernel/core/events.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { languageNamed } from "@/text/code/languages.ts";
import { sentence } from "@/text/language/tables.ts";
import { renderedDescription } from "./queries.ts";
import {
  type GrantUpdates,
  ownersOwn,
  type RealmPatch,
  type SettingName,
  type SettingUpdates,
  settingNames,
} from "./schema.ts";

/** Changes settings of the organization, all of them or none; returns those whose value is different now. */
export const updateRealm = action(allow.admin, (tx, update: RealmPatch): Record<string, unknown> => {
  if (ownersOwn.some((name) => update[name] !== undefined)) allow.owner(tx);
  checkIdentity(tx, update);
  if (update.authentication_methods) changeLogin(tx, update.authentication_methods);
  const changes = { ...changeSettings(tx, update), ...changeGrants(tx, update) };
  if (Object.keys(changes).length === 0) return {};
  checkCalls(tx);

  return announce(tx, changes);
});

function checkIdentity(tx: Tx, { string_id, authentication_methods: methods }: RealmPatch): void {
  if (string_id !== undefined && string_id !== realmOf(tx).string_id) {
    fail("BAD_REQUEST", "This organization's subdomain cannot be changed.");
  }
  if (!methods) return;
  const known = loginMethods(tx);
  const strange = Object.keys(methods).find((name) => methods[name] && !known[name]?.available);
  if (strange !== undefined)
    fail("BAD_REQUEST", sentence("This server does not offer login by ''{method}''.", { method: strange }));
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
  checkOwnersCanSignIn(tx);
  const data = { authentication_methods: now };
  tx.emit(realmChanged, everyone, { property: "default", data });
  recordAudit(tx, {
    event: "realm_setting_changed",
    about: { kind: "realm" },
    data: { name: "authentication_methods", from: before, to: now },
  });
}

/** The operator may leave no owner a way to sign in: a command makes links that sign people in. */
function checkOwnersCanSignIn(tx: Tx): void {
  if (tx.actor.kind === "system" || tx.actor.isOperator) return;
  const owners = activePeople(tx).filter(({ role }) => role === roles.owner);
  const { passwords, openid } = loginSettings.read(tx);
  const canSignIn = ({ id, password_hash }: UserRow) =>
    (passwords && (password_hash !== null || serverOptions.read(tx).sends_mail)) ||
    (openid && proofHooks.hasProvider(tx, id));
  if (owners.some(canSignIn)) return;
  const names = owners
    .slice(0, maxNamed)
    .map(({ full_name }) => full_name)
    .join(", ");
  fail(
    "BAD_REQUEST",
    passwords
      ? sentence(
          "No owner could sign in then, since none has a password: {names}. One of them has to choose one first.",
          { names },
        )
      : sentence(
          "No owner could sign in then, since none has signed in at a provider: {names}. One of them has to do that first.",
          { names },
        ),
  );
}

const maxNamed = 10;

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

export type Changes = Record<string, { from: unknown; to: unknown }>;

/** Turns off the settings by which the organization posts in a channel; part of archiving it. */
export function stopPostingIn(tx: Tx, channelId: number): void {
  const before = realmSettings.read(tx);
  const naming = channelSettings.filter((name) => before[name] === channelId);
  if (naming.length > 0)
    announce(tx, changeSettings(tx, Object.fromEntries(naming.map((name) => [name, -1]))));
}

function announce(tx: Tx, changes: Changes): Record<string, unknown> {
  recordAudit(tx, { event: "realm_changed", about: { kind: "realm" }, data: changes });
  return emitChanges(tx, changes);
}

function changeSettings(tx: Tx, update: SettingUpdates): Changes {
  const before = realmSettings.read(tx);
  const promoted = update.waiting_period_threshold === undefined ? null : fullMembers(tx);
  const changes: Changes = {};
  for (const name of settingNames) {
    const value = update[name];
    if (value === undefined || value === before[name]) continue;
    checks[name]?.(tx, value);
    if (name === "message_retention_days")
      noteRetention(tx, { channelId: 0, from: sweepDaysOf(tx), to: Number(value) });
    realmSettings.write(tx, name, value);
    changes[name] = { from: before[name], to: value };
  }
  if (promoted) emitFullMembers(tx, promoted);
  return changes;
}

type Check = (tx: Tx, value: unknown) => void;

const channelExists: Check = (tx, id) => {
  if (id === -1) return;
  const channel = realmHooks.channel(tx, Number(id));
  if (channel.is_archived)
    fail("BAD_REQUEST", sentence("Channel ''{channel}'' is archived.", { channel: channel.name }));
};

const channelIsPrivate: Check = (tx, id) => {
  channelExists(tx, id);
  if (id !== -1 && !realmHooks.channel(tx, Number(id)).invite_only) {
    fail("BAD_REQUEST", "The channel for moderation requests must be private.");
  }
};

const channelSettings = [
  "moderation_request_channel_id",
  "new_stream_announcements_stream_id",
  "service_update_announcements_stream_id",
  "signup_announcements_stream_id",
] as const;

/** Checks of a value beyond its form. */
const checks: Partial<Record<SettingName, Check>> = {
  default_code_block_language: (_, language) => {
    if (language !== "" && !languageNamed(String(language))) {
      fail(
        "BAD_REQUEST",
        sentence("There is no syntax highlighting for a language called ''{language}''.", {
          language: String(language),
        }),
      );
    }
  },
  enable_spectator_access: (tx, isOn) => {
    if (isOn && !serverOptions.read(tx).web_public_channels)
      fail("BAD_REQUEST", "This server does not offer access without an account.");
  },
  ...Object.fromEntries(channelSettings.map((name) => [name, channelExists])),
  moderation_request_channel_id: channelIsPrivate,
};

/** Settings that share an event with others, and the fields derived from each. */
const bundled: Record<string, (value: unknown, tx: Tx) => Record<string, unknown>> = {
  ...Object.fromEntries(Object.keys(realmGrants).map((name) => [name, () => ({})])),
  allow_message_editing: () => ({}),
  description: (_, tx) => ({ rendered_description: renderedDescription(tx) }),
  message_content_edit_limit_seconds: () => ({}),
  // Wire: before feature levels 392 and 421, `realm` events had these older names.
  topics_policy: (value) => ({ mandatory_topics: value === "disable_empty_topic" }),
  service_update_announcements_stream_id: (value) => ({ zulip_update_announcements_stream_id: value }),
};

function emitChanges(tx: Tx, changes: Changes): Record<string, unknown> {
  const emitted: Record<string, unknown> = {};
  const data: Record<string, unknown> = {};
  for (const [property, { to: value }] of Object.entries(changes)) {
    emitted[property] = value;
    const more = bundled[property];
    if (more) Object.assign(data, { [property]: value }, more(value, tx));
    else tx.emit(realmUpdated, everyone, { property, value: value as string | number | boolean | null });
  }
  const restarts = "can_access_all_users_group" in changes ? guestsToRestart(tx) : [];
  if (Object.keys(data).length > 0) tx.emit(realmChanged, everyone, { property: "default", data, restarts });
  const language = changes.default_language;
  if (language) {
    // This is also the default of new people.
    tx.emit(defaultChanged, everyone, { property: "default_language", value: String(language.to) });
  }
  return emitted;
}
