import { myself } from "@/foundation/users/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { operatorScheme } from "./operator-token.ts";

interface Asking {
  /** Where the server listens on this machine. */
  address: string;
  /** A temporary key. */
  key: string;
  init?: BunFetchRequestInit;
  fetch?: (url: string, init: BunFetchRequestInit) => Promise<Response>;
}

/**
 * Sends a request as the actor to this data folder's server, at its local address, because its public name may not work
 * from here. Follows no redirects, which could leak the key.
 */
export function askOwnServer(ctx: Ctx, path: string, asking: Asking): Promise<Response> {
  const { address, key, init = {}, fetch: send = fetch } = asking;
  const authorization = `Basic ${Buffer.from(`${myself(ctx).delivery_email}:${key}`).toString("base64")}`;
  return send(`${address}${path}`, {
    redirect: "error",
    ...init,
    // The certificate names the public host, but this connects to the local machine.
    tls: { rejectUnauthorized: false },
    headers: { ...init.headers, authorization },
  });
}

/** The header of a request by the operator, who acts as the user with an address or, without one, as the first owner. */
export function operatorHeader(token: string, as: string | null): string {
  return `${operatorScheme} ${Buffer.from(`${token}:${as ?? ""}`).toString("base64")}`;
}
