import { z } from "zod";
import { recoveryCodes, typedCode } from "@/foundation/two-step/schema.ts";
import { userId } from "@/foundation/users/schema.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { runInSlices } from "@/kernel/lib/tasks.ts";
import { fetchApiKey, signIn } from "./actions.ts";
import { listSignIns } from "./queries.ts";
import { maxSignIns, signInShape } from "./schema.ts";

export default domain({
  name: "login",
  about: "signing in by password: checking it and the second step; a key or a session for it",
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
    endpoint("sign-in", {
      about:
        "Signs a browser in with an address and password: sets the cookie of a session and the one with the token that " +
        "writes under `/json` need. Attempts are limited by account and network address, and for a browser that signed in before by the cookie that it keeps. Where signing in takes a second step, " +
        "the password alone is refused with TWO_STEP_REQUIRED, and the same request with `code` is wanted; or with " +
        "TWO_STEP_SETUP_REQUIRED and a `secret` for an authenticator app, whose code then turns two-step sign-in on.",
      method: "POST",
      path: "/login",
      root: true,
      auth: "none",
      params: { username: z.string(), password: z.string(), code: typedCode.optional() },
      returns: { user_id: z.int(), email: z.string(), recovery_codes: recoveryCodes.optional() },
      run: (ctx, params, request) => signIn(ctx, { ...params, request }),
    }),
    endpoint("get-sign-ins", {
      about:
        "Lists how people sign in, and the last day, in UTC, on which each was active; of bots, when their key was used. In the order of their IDs: `after` is the ID of the last one seen, and `next` that for the next page, null with the last one. Administrators only.",
      method: "GET",
      path: "/users/sign_ins",
      params: {
        after: z.int().min(0).default(0),
        limit: z.int().min(1).max(maxSignIns).default(maxSignIns),
      },
      returns: { sign_ins: z.array(signInShape), next: userId.nullable() },
      run: async (ctx, page) => {
        const sign_ins = await runInSlices(listSignIns(ctx, page));
        const last = sign_ins.length < page.limit ? null : sign_ins.at(-1);
        return { sign_ins, next: last?.user_id ?? null };
      },
    }),
  ],
});
