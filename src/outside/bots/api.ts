import { z } from "zod";
import { checkAvatar } from "@/foundation/avatars/access.ts";
import { setAvatar } from "@/foundation/avatars/actions.ts";
import { oneFile } from "@/foundation/files/incoming.ts";
import { limits } from "@/foundation/realm/schema.ts";
import { userHooks } from "@/foundation/users/hooks.ts";
import { early, forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint, type ReceivedFile } from "@/kernel/http/endpoint.ts";
import { channelHooks } from "@/places/channels/hooks.ts";
import { defaultChannelOf } from "./access.ts";
import { createBot, deactivateBot, regenerateBotKey, updateBot } from "./actions.ts";
import { handOver } from "./actions-handover.ts";
import { emitVisibleBots } from "./actions-notices.ts";
import { deleteStorage, setStorage } from "./actions-storage.ts";
import { botsState, listOwnBots, presentDefaults, refuseKey } from "./queries.ts";
import {
  type Bot,
  type BotDefaults,
  botDefaults,
  botPatch,
  newBot,
  storageKey,
  storedText,
} from "./schema.ts";
import { getStorage } from "./storage.ts";

const maxKeys = 10_000;
const storageKeys = z.array(storageKey).max(maxKeys, `Name at most ${maxKeys} keys at once.`).nullable();

const picture = oneFile(() => ({ maxMib: limits.max_avatar_file_size_mib }));

/** The uploaded picture, if there is one; refuses an unreadable one before anything changes. */
async function pictureAmong([received]: readonly ReceivedFile[]): Promise<ReceivedFile | null> {
  if (received) await checkAvatar(received);
  return received ?? null;
}

const botId = { bot_id: z.int() };

function pickDefaults(bot: BotDefaults): BotDefaults {
  const { default_sending_stream, default_events_register_stream, default_all_public_streams } = bot;
  return { default_sending_stream, default_events_register_stream, default_all_public_streams };
}

const ownBot = z.object({
  username: z.string(),
  full_name: z.string(),
  api_key: z.string(),
  avatar_url: z.string(),
  default_sending_stream: z.string().nullable(),
  default_events_register_stream: z.string().nullable(),
  default_all_public_streams: z.boolean(),
});

function asOwn({ email: username, full_name, api_key, avatar_url, ...bot }: Bot) {
  return { username, full_name, api_key, avatar_url, ...pickDefaults(bot) };
}

function asChanged({ full_name, avatar_url, services: [service], ...bot }: Bot) {
  const at = service
    ? { service_interface: service.interface, service_payload_url: service.base_url }
    : undefined;
  return { full_name, avatar_url, ...pickDefaults(bot), ...at };
}

const storage = [
  endpoint("put-bot-storage", {
    about:
      "Stores values under keys for the calling bot: at most 100,000 keys, and 10,000,000 characters in total.",
    method: "PUT",
    path: "/bot_storage",
    params: { storage: z.record(storageKey, storedText) },
    run: (ctx, params) => setStorage(ctx, params.storage),
  }),
  endpoint("get-bot-storage", {
    about: "Returns values that the calling bot has stored.",
    method: "GET",
    path: "/bot_storage",
    params: { keys: storageKeys.default(null) },
    returns: { storage: z.record(z.string(), z.string()) },
    run: async (ctx, { keys }) => ({ storage: await getStorage(ctx, keys) }),
  }),
  endpoint("delete-bot-storage", {
    about: "Deletes values that the calling bot has stored.",
    method: "DELETE",
    path: "/bot_storage",
    params: { keys: storageKeys.default(null) },
    run: (ctx, { keys }) => deleteStorage(ctx, keys),
  }),
];

export default domain({
  name: "bots",
  about: "bots, their owners, their configuration and storage",
  hooks: [
    userHooks.botGiven.register(handOver),
    userHooks.roleChanges.register((tx, change) => () => emitVisibleBots(tx, change)),
    channelHooks.ofActor.register(defaultChannelOf),
  ],
  state: {
    realm_bot: forSpectators(early(botsState), { realm_bots: [] }),
    realm_embedded_bots: forSpectators(() => ({ realm_embedded_bots: [] })),
    realm_incoming_webhook_bots: forSpectators(() => ({ realm_incoming_webhook_bots: [] })),
  },
  endpoints: [
    endpoint("get-bots", {
      about: "Lists the caller's bots. `api_key` is empty: keys are stored only as hashes.",
      method: "GET",
      path: "/bots",
      returns: { bots: z.array(ownBot) },
      run: (ctx) => ({ bots: listOwnBots(ctx).map(asOwn) }),
    }),
    endpoint("post-bots", {
      about:
        "Creates a bot and returns its key, which is not shown again. The bot of a guest is a guest. Bots that run inside the server (`bot_type` 4), `service_name` and `config_data` are refused.",
      method: "POST",
      path: "/bots",
      body: picture,
      params: newBot.omit({ owner_id: true }).shape,
      returns: { user_id: z.int(), api_key: z.string(), ...botDefaults.shape },
      run: async (ctx, params, { files }) => {
        const received = await pictureAmong(files);
        const { user, api_key } = await createBot(ctx, params);
        const { user_id } = user;
        const avatar_url = received ? await setAvatar(ctx, { user_id, received }) : user.avatar_url;
        return { user_id, api_key, avatar_url, ...presentDefaults(ctx, user_id) };
      },
    }),
    endpoint("patch-bots-bot-id", {
      about:
        "Changes a bot's name, role, owner, default channels or outgoing webhook. Giving a bot away ends its keys, unless an administrator does it, and makes it a guest if its new owner is one.",
      method: "PATCH",
      path: "/bots/{bot_id:[0-9]+}",
      body: picture,
      params: botPatch.shape,
      returns: botDefaults.shape,
      run: async (ctx, params, { files }) => {
        const received = await pictureAmong(files);
        const changed = asChanged(await updateBot(ctx, params));
        if (!received) return changed;
        return { ...changed, avatar_url: await setAvatar(ctx, { user_id: params.bot_id, received }) };
      },
    }),
    endpoint("get-bot-api-key", {
      about:
        "Refuses, with what to do instead: keys are stored only as hashes, so that a bot's key can be replaced and not read. For the bot's owner and administrators.",
      method: "GET",
      path: "/bots/{bot_id:[0-9]+}/api_key",
      params: botId,
      returns: { api_key: z.string() },
      run: (ctx, { bot_id }) => refuseKey(ctx, bot_id),
    }),
    endpoint("delete-bots-bot-id", {
      about: "Deactivates a bot.",
      method: "DELETE",
      path: "/bots/{bot_id:[0-9]+}",
      params: botId,
      run: (ctx, { bot_id }) => deactivateBot(ctx, bot_id),
    }),
    endpoint("post-bots-bot-id-api-key-regenerate", {
      about: "Replaces a bot's keys with a new one, which is not shown again.",
      method: "POST",
      path: "/bots/{bot_id:[0-9]+}/api_key/regenerate",
      params: botId,
      returns: { api_key: z.string() },
      run: async (ctx, { bot_id }) => ({ api_key: await regenerateBotKey(ctx, bot_id) }),
    }),
    ...storage,
  ],
});
