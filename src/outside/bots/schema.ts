import { z } from "zod";
import { botTypes } from "@/foundation/permissions/schema.ts";
import { hasNoNull } from "@/foundation/realm/texts.ts";
import { event } from "@/kernel/events.ts";

/** Deactivated ones count as well: everyone's clients hold them as they hold people. */
export const mostBots = 500;

const shortNameRule = "A short name has letters, digits, dots, dashes and underscores alone, at most 60.";

/** The first part of a bot's address, before "-bot". */
export const shortName = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9]([a-z0-9._-]{0,58}[a-z0-9])?$/, shortNameRule);

export const botType = z.literal(Object.values(botTypes), "There is no such type of bot.");
export type BotType = z.infer<typeof botType>;

/** In which form a message is posted to an outgoing webhook, and answered. */
export const interfaces = { generic: 1, slack: 2 } as const;
export const serviceInterface = z.literal(Object.values(interfaces), "There is no such interface.");
export type ServiceInterface = z.infer<typeof serviceInterface>;

/** Clients also send it as JSON text. */
export const payloadUrl = z
  .string()
  .max(2000, "The address of a webhook has at most 2000 characters.")
  .transform((text) => (/^".*"$/s.test(text) ? text.slice(1, -1) : text))
  .refine(isWebAddress, "The address of a webhook begins with http:// or https://, and holds no password.");

function isWebAddress(text: string): boolean {
  const url = /[\s\p{Cc}]/u.test(text) ? null : URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === "";
}

/** A channel's name, or none. */
export const channelOrNone = z.string().max(200, "There is no channel with so long a name.");

const service = z.object({ base_url: z.string(), interface: z.int(), token: z.string() });

/** What a bot's clients start from, by the names of channels. */
export const botDefaults = z.object({
  default_sending_stream: z.string().nullable(),
  default_events_register_stream: z.string().nullable(),
  default_all_public_streams: z.boolean(),
});
export type BotDefaults = z.infer<typeof botDefaults>;

/** A bot as those who may change it read it. Keys are kept only as hashes, so `api_key` is empty. */
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

export const botAdded = event<{ bot: Bot }>("realm_bot", {
  about: "A bot was created, or came to this owner.",
  op: "add",
  schema: z.object({ bot }),
});
export const botUpdated = event<{ bot: { user_id: number } & Partial<Bot> }>("realm_bot", {
  about: "A bot was changed; carries what is different.",
  op: "update",
  schema: z.object({ bot: z.looseObject({ user_id: z.int() }) }),
});
export const botDeleted = event<{ bot: { user_id: number } }>("realm_bot", {
  about: "A bot is no longer this owner's.",
  op: "delete",
  schema: z.object({ bot: z.object({ user_id: z.int() }) }),
});

/** A bot's own store of texts by key: characters in all, and in a key. */
export const storageLimits = { size: 10_000_000, key: 1000 } as const;
export const storageKey = z
  .string()
  .min(1, "A key of a bot's storage is not empty.")
  .max(storageLimits.key, `A key of a bot's storage has at most ${storageLimits.key} characters.`)
  .refine(hasNoNull, "A key of a bot's storage must not contain null bytes.");
/** Null bytes would end the text for who counts its characters. */
export const storedText = z.string().refine(hasNoNull, "What a bot stores must not contain null bytes.");
