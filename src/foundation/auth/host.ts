import { myself } from "@/foundation/users/access.ts";
import type { Ctx } from "@/kernel/context.ts";

interface Asking {
  /** A temporary key. */
  key: string;
  patienceMs: number;
  init?: RequestInit;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** Sends a request as the actor to the server of this data folder. Follows no redirects, which could leak the key. */
export function askOwnServer(ctx: Ctx, path: string, asking: Asking): Promise<Response> {
  const { key, patienceMs, init = {}, fetch: send = fetch } = asking;
  const authorization = `Basic ${Buffer.from(`${myself(ctx).delivery_email}:${key}`).toString("base64")}`;
  return send(`${ctx.env.site}${path}`, {
    redirect: "error",
    signal: AbortSignal.timeout(patienceMs),
    ...init,
    headers: { ...init.headers, authorization },
  });
}
