import { z } from "zod";
import { userHooks } from "@/foundation/users/hooks.ts";
import { userId } from "@/foundation/users/schema.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { endKeysFor } from "./actions.ts";
import { listKeys, listKeysOf } from "./queries.ts";
import { keyId, keyShape } from "./schema.ts";
import { deleteUses } from "./store.ts";
import { receiveUses, saveUses } from "./uses.ts";

export default domain({
  name: "keys",
  about: "API keys: making, finding and ending them, and when each was last used",
  hooks: [userHooks.keysEnded.register((tx, { keyIds }) => deleteUses(tx, keyIds)), receiveUses],
  jobs: [{ name: "keys-used", everySeconds: 60, onEachNode: true, run: saveUses }],
  endpoints: [
    endpoint("get-keys", {
      about:
        "Lists the caller's API keys, which are stored as hashes: what each is for, and when it was last used.",
      method: "GET",
      path: "/users/me/keys",
      returns: { keys: z.array(keyShape) },
      run: (ctx) => ({ keys: listKeys(ctx) }),
    }),
    endpoint("end-key", {
      about: "Ends one of the caller's API keys at once.",
      method: "DELETE",
      path: "/users/me/keys/{key_id:[0-9]+}",
      params: { key_id: keyId },
      run: async (ctx, { key_id }) => {
        await endKeysFor(ctx, { user_id: ctx.actor.id, id: key_id });
      },
    }),
    endpoint("get-user-keys", {
      about:
        "Lists the API keys of another account, without the keys themselves. Administrators, and a bot's owner; of owners, owners only.",
      method: "GET",
      path: "/users/{user_id:[0-9]+}/keys",
      params: { user_id: userId },
      returns: { keys: z.array(keyShape) },
      run: (ctx, { user_id }) => ({ keys: listKeysOf(ctx, user_id) }),
    }),
    endpoint("end-user-key", {
      about:
        "Ends one of the API keys of another account at once. Administrators, and a bot's owner; of owners, owners only.",
      method: "DELETE",
      path: "/users/{user_id:[0-9]+}/keys/{key_id:[0-9]+}",
      params: { user_id: userId, key_id: keyId },
      run: async (ctx, { user_id, key_id: id }) => {
        await endKeysFor(ctx, { user_id, id });
      },
    }),
    endpoint("end-user-keys", {
      about:
        "Ends all API keys of another account at once. Returns how many there were. Administrators, and a bot's owner; of owners, owners only.",
      method: "DELETE",
      path: "/users/{user_id:[0-9]+}/keys",
      params: { user_id: userId },
      returns: { ended: z.int() },
      keeps: "results",
      run: async (ctx, { user_id }) => ({ ended: await endKeysFor(ctx, { user_id }) }),
    }),
  ],
});
