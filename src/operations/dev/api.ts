import { z } from "zod";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { fetchKeyWithoutPassword, signInWithoutPassword } from "./actions.ts";

export default domain({
  name: "dev",
  about: "`serve --dev`: a sample organization, and keys without a password",
  endpoints: [
    endpoint("dev-fetch-api-key", {
      about: "Returns the API key of a user without a password. Exists only under `confab serve --dev`.",
      method: "POST",
      path: "/dev_fetch_api_key",
      auth: "none",
      params: { username: z.string() },
      returns: { api_key: z.string(), email: z.string(), user_id: z.int() },
      run: (ctx, { username }) => fetchKeyWithoutPassword(ctx, username),
    }),
    endpoint("dev-sign-in", {
      about: "Signs a browser in as a user without a password. Works only under `confab serve --dev`.",
      method: "POST",
      path: "/login/dev",
      root: true,
      auth: "none",
      params: { username: z.string() },
      returns: { user_id: z.int(), email: z.string() },
      run: (ctx, { username }, request) => signInWithoutPassword(ctx, { username, request }),
    }),
  ],
});
