import { z } from "zod";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { fetchApiKey } from "./actions.ts";

export default domain({
  name: "auth",
  endpoints: [
    endpoint("fetch-api-key", {
      about:
        "Returns a new API key for an address and password. Attempts are limited by account and network address. Where signing " +
        "in takes a second step, it is refused with TWO_STEP_REQUIRED or TWO_STEP_SETUP_REQUIRED: keys are then made in the settings.",
      method: "POST",
      path: "/fetch_api_key",
      auth: "none",
      params: { username: z.string(), password: z.string() },
      returns: { api_key: z.string(), email: z.string(), user_id: z.int() },
      run: (ctx, params, { address }) => fetchApiKey(ctx, { ...params, address }),
    }),
  ],
});
