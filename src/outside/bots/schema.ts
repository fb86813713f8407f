import { z } from "zod";
import { botTypes, role } from "@/foundation/permissions/schema.ts";
import { hasNoNull } from "@/foundation/realm/texts.ts";
import { fullName, userId } from "@/foundation/users/schema.ts";
import { event } from "@/kernel/core/events.ts";

/** Per owner, including deactivated bots, because all clients receive them. */
export const maxBots = 500;

const shortNameRule =
  "A short name may contain only letters, digits, dots, dashes and underscores, at most 60.";

/** The first part of a bot's email address, before "-bot". */
export const shortName = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9]([a-z0-9._-]{0,58}[a-z0-9])?$/, shortNameRule)
  .meta({ minLength: 1, maxLength: 60 });

const botType = z.literal(Object.values(botTypes), "There is no such type of bot.");
export type BotType = z.infer<typeof botType>;

/** The formats in which messages are posted to outgoing webhooks and replies are read. */
export const interfaces = { generic: 1, slack: 2 } as const;
const serviceInterface = z.literal(Object.values(interfaces), "There is no such interface.");
export type ServiceInterface = z.infer<typeof serviceInterface>;

/** Clients also send it as a JSON string. */
export const payloadUrl = z
  .string()
  .max(2000, "The URL of a webhook can have at most 2000 characters.")
  .transform((text) => (/^".*"$/s.test(text) ? text.slice(1, -1) : text))
  .refine(isWebAddress, "The URL of a webhook must begin with http:// or https:// and contain no password.");

function isWebAddress(text: string): boolean {
  const url = /[\s\p{Cc}]/u.test(text) ? null : URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === "";
}

/** A channel's name; empty for none. */
const channelOrNone = z.string().max(200, "The channel name is too long.");

const service = z.object({ base_url: z.string(), interface: z.int(), token: z.string() });

/** The defaults of a bot's clients, as channel names. */
export const botDefaults = z.object({
  default_sending_stream: z.string().nullable(),
  default_events_register_stream: z.string().nullable(),
  default_all_public_streams: z.boolean(),
});
export type BotDefaults = z.infer<typeof botDefaults>;

const defaultChanges = z
  .object({
    default_sending_stream: channelOrNone,
    default_events_register_stream: channelOrNone,
    default_all_public_streams: z.boolean(),
  })
  .partial();
export type DefaultChanges = z.infer<typeof defaultChanges>;

export const newBot = z.object({
  full_name: fullName,
  short_name: shortName,
  bot_type: botType.optional(),
  /** The actor if absent. Only administrators may create bots for others. */
  owner_id: userId.optional(),
  /** The URL that an outgoing webhook's messages are posted to, and their format. */
  payload_url: payloadUrl.optional(),
  interface_type: serviceInterface.optional(),
  ...defaultChanges.shape,
});
export type NewBot = z.infer<typeof newBot>;

export const botPatch = z.object({
  bot_id: userId,
  full_name: fullName.optional(),
  short_name: shortName.optional(),
  role: role.optional(),
  bot_owner_id: userId.optional(),
  service_payload_url: payloadUrl.optional(),
  service_interface: serviceInterface.optional(),
  ...defaultChanges.shape,
});
export type BotPatch = z.infer<typeof botPatch>;

/** A bot as returned to users who may change it. `api_key` is empty, because keys are stored only as hashes. */
export const bot = z.object({
  user_id: z.int(),
  full_name: z.string(),
  email: z.string(),
  api_key: z.literal(""),
  avatar_url: z.string(),
  owner_id: z.int().nullable(),
  bot_type: z.int(),
  is_active: z.boolean(),
  ...botDefaults.shape,
  services: z.array(service),
});
export type Bot = z.infer<typeof bot>;

/** What clients keep current of a bot that the user may change. The rest is said of it as of any user. */
const botConfiguration = z.object({
  user_id: z.int(),
  ...botDefaults.shape,
  services: z.array(service),
});
export type BotConfiguration = z.infer<typeof botConfiguration>;

export const botAdded = event("realm_bot", {
  about: "A bot was created, or this user became its owner.",
  op: "add",
  schema: z.object({ bot: botConfiguration }),
});
export const botUpdated = event("realm_bot", {
  about:
    "A bot was changed; carries the changed fields. None of them if its webhook secret was (`get-webhook-secret`).",
  op: "update",
  schema: z.object({ bot: botConfiguration.partial().required({ user_id: true }) }),
});
export const botDeleted = event("realm_bot", {
  about: "The user no longer owns this bot.",
  op: "delete",
  schema: z.object({ bot: z.object({ user_id: z.int() }) }),
});

/** Limits of a bot's key-value storage: characters in total, characters of a key, and keys. */
export const storageLimits = { size: 10_000_000, key: 1000, keys: 100_000 } as const;
export const storageKey = z
  .string()
  .min(1, "A storage key must not be empty.")
  .max(storageLimits.key, `A storage key can have at most ${storageLimits.key} characters.`)
  .refine(hasNoNull, "A storage key must not contain null bytes.");
/** SQLite's LENGTH stops at a null byte, so the size would be wrong. */
export const storedText = z.string().refine(hasNoNull, "A stored value must not contain null bytes.");

export interface ServiceRow {
  base_url: string;
  interface: ServiceInterface;
  token: string;
}
