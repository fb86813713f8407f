import { checkBotName, checkMayHaveBots } from "@/foundation/accounts/access.ts";
import { changeRole, deactivate, giveBot, rotateKey } from "@/foundation/accounts/actions.ts";
import { addUser, type UserWithKey } from "@/foundation/accounts/actions-adding.ts";
import { changeBotAddress, changeName } from "@/foundation/accounts/actions-identity.ts";
import { allow, isGuest, me } from "@/foundation/permissions/access.ts";
import { botTypes, roles } from "@/foundation/permissions/schema.ts";
import { botDomain } from "@/foundation/realm/access.ts";
import { newKey } from "@/foundation/secrets/secrets.ts";
import { botsOf, userFor } from "@/foundation/users/access.ts";
import { recordAccountChange } from "@/foundation/users/actions.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Ctx, Tx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { channelByName } from "@/places/channels/access.ts";
import { botFor, serviceOf } from "./access.ts";
import { notifyOfKey } from "./actions-handover.ts";
import { emitBotAdded, emitBotChanged } from "./actions-notices.ts";
import { presentBot, presentDefaults, servicesOf } from "./queries.ts";
import {
  type Bot,
  type BotDefaults,
  type BotPatch,
  type BotType,
  type DefaultChanges,
  interfaces,
  maxBots,
  type NewBot,
} from "./schema.ts";
import * as store from "./store.ts";

/** Adds a bot; returns its key, which is never shown again. */
export const createBot = action(allow.user, (tx, input: NewBot): UserWithKey => {
  const { bot_type = botTypes.generic, full_name, short_name } = input;
  checkMayHaveBots(tx, bot_type);
  const owner = ownerFor(tx, input.owner_id);
  checkType(input, bot_type);
  checkBotName(tx, full_name);

  const added = addUser(tx, {
    email: addressOf(tx, short_name),
    full_name,
    role: isGuest(owner) ? roles.guest : roles.member,
    password_hash: null,
    bot_type,
    bot_owner_id: owner.id,
  });
  const { user_id } = added.user;
  if (input.payload_url !== undefined) {
    const { payload_url: base_url, interface_type = interfaces.generic } = input;
    store.setService(tx, user_id, { base_url, interface: interface_type, token: newKey() });
  }
  changeDefaults(tx, user_id, input);
  emitBotAdded(tx, userFor(tx, user_id));
  if (owner.id !== tx.actor.id) notifyOfKey(tx, userFor(tx, user_id), "made");
  return added;
});

function addressOf(tx: Tx, shortName: string): string {
  return `${shortName}-bot@${botDomain(tx.env.site)}`;
}

function readdress(tx: Tx, bot: UserRow, email: string): void {
  if (email === bot.email) return;
  changeBotAddress(tx, bot, email);
  recordAccountChange(tx, bot, "address_changed", { from: bot.email, to: email });
}

function ownerFor(tx: Tx, id: number | undefined): UserRow {
  if (id !== undefined && id !== tx.actor.id) allow.admin(tx);
  return checkOwner(tx, id ?? me(tx).id);
}

/** The owner of a new bot, who must be an active person with fewer than the maximum of bots. */
function checkOwner(tx: Tx, id: number): UserRow {
  const owner = userFor(tx, id);
  if (!owner.is_active || owner.is_bot) fail("BAD_REQUEST", "A bot's owner must be an active person.");
  if (botsOf(tx, id).length >= maxBots) fail("BAD_REQUEST", `A person can have at most ${maxBots} bots.`);
  return owner;
}

function checkType({ payload_url, interface_type }: NewBot, type: BotType): void {
  if (type === botTypes.embedded) {
    fail("BAD_REQUEST", "This server does not support embedded bots.");
  }
  const isOutgoing = type === botTypes.outgoingWebhook;
  if (isOutgoing && payload_url === undefined) {
    fail("BAD_REQUEST", "An outgoing webhook needs a URL to post to, in payload_url.");
  }
  if (!isOutgoing && (payload_url !== undefined || interface_type !== undefined)) {
    fail("BAD_REQUEST", "Only outgoing webhooks have a URL to post to.");
  }
}

/** Changes a bot, making all given changes or none; returns its new state. */
export const updateBot = action(allow.user, (tx, input: BotPatch): Bot => {
  const { bot_id, full_name, short_name, role, bot_owner_id } = input;
  const bot = botFor(tx, bot_id);
  if (full_name !== undefined) rename(tx, bot, full_name);
  if (short_name !== undefined) readdress(tx, bot, addressOf(tx, short_name));
  if (role !== undefined) changeRole.in(tx, { user_id: bot.id, role });
  if (bot_owner_id !== undefined && bot_owner_id !== bot.bot_owner_id) give(tx, bot, bot_owner_id);
  changeService(tx, bot, input);
  const changed = changeDefaults(tx, bot.id, input);
  if (changed) {
    emitBotChanged(tx, userFor(tx, bot.id), changed);
    if (bot.bot_owner_id !== tx.actor.id) recordAccountChange(tx, bot, "defaults_changed", { ...changed });
  }
  return presentBot(tx, userFor(tx, bot.id));
});

function rename(tx: Tx, bot: UserRow, full_name: string): void {
  if (!changeName(tx, bot.id, full_name)) return;
  recordAccountChange(tx, bot, "renamed", { from: bot.full_name, to: full_name });
}

function give(tx: Tx, bot: UserRow, ownerId: number): void {
  giveBot(tx, bot, checkOwner(tx, ownerId).id);
}

function changeService(tx: Tx, bot: UserRow, input: BotPatch): void {
  const { service_payload_url: base_url, service_interface: form } = input;
  if (base_url === undefined && form === undefined) return;
  const before = serviceOf(tx, bot.id);
  if (!before) fail("BAD_REQUEST", "Only outgoing webhooks have a URL to post to.");
  const after = { ...before, base_url: base_url ?? before.base_url, interface: form ?? before.interface };
  if (after.base_url === before.base_url && after.interface === before.interface) return;

  store.setService(tx, bot.id, after);
  emitBotChanged(tx, bot, { services: servicesOf(tx, bot.id) });
  recordAccountChange(tx, bot, "service_changed", { from: before.base_url, to: after.base_url });
}

/**
 * Stores the given defaults; channels are given by name, and an empty name means none. Returns the changed ones, or
 * null.
 */
function changeDefaults(tx: Tx, botId: number, given: DefaultChanges): Partial<BotDefaults> | null {
  const before = presentDefaults(tx, botId);
  const { default_sending_stream: sending, default_events_register_stream: events } = given;
  const { default_all_public_streams: all } = given;
  if (sending !== undefined) store.setDefault(tx, botId, "sending_channel_id", channelNamed(tx, sending));
  if (events !== undefined) store.setDefault(tx, botId, "events_channel_id", channelNamed(tx, events));
  if (all !== undefined) store.setDefault(tx, botId, "all_public_channels", all ? 1 : 0);
  const after = presentDefaults(tx, botId);
  const names = Object.keys(after) as (keyof BotDefaults)[];
  const changed = names.filter((name) => after[name] !== before[name]);
  return changed.length === 0 ? null : Object.fromEntries(changed.map((name) => [name, after[name]]));
}

function channelNamed(ctx: Ctx, name: string): number | null {
  return name === "" ? null : channelByName(ctx, name, "read").id;
}

export const deactivateBot = action(allow.user, (tx, botId: number): void => {
  const bot = botFor(tx, botId);
  if (!bot.is_active) fail("BAD_REQUEST", "User is already deactivated");

  deactivate(tx, bot);
});

/** Replaces a bot's key by a new one, which is never shown again. */
export const regenerateBotKey = action(allow.user, (tx, botId: number): string => {
  const bot = botFor(tx, botId);
  const { api_key } = rotateKey.in(tx, bot.id);
  if (bot.bot_owner_id !== tx.actor.id) notifyOfKey(tx, bot, "renewed");
  return api_key;
});
