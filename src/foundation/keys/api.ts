import { z } from "zod";
import { userHooks } from "@/foundation/users/hooks.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { endKeysFor } from "./actions.ts";
import { listKeys } from "./queries.ts";
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
  ],
});
