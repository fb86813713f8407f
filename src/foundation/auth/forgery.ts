// Requests that another site has a browser send: browsers add credentials they remember, whoever asks.

import { AppError } from "@/kernel/errors.ts";
import { errorResponse, jsonHeaders } from "@/kernel/http-answers.ts";
import type { Log } from "@/kernel/log.ts";
import { authErrors } from "./schema.ts";

const ownSites = ["same-origin", "none"];
const harmless = ["GET", "HEAD", "OPTIONS"];

/** The refusal of a request that changes something at the wish of another site; null for all others. */
export function refuseForged(request: Request, { site, log }: { site: string; log: Log }): Response | null {
  if (harmless.includes(request.method) || isOwn(request, site)) return null;
  const error = new AppError(authErrors.CSRF_FAILED, "Pages of other sites may not act here in your name.");
  log.info("request", { operation: "none", status: error.status });
  return errorResponse(error, { operation: "none", log, headers: { ...jsonHeaders } });
}

/** Browsers say which site's page asks, older ones at least where it lies; programs say neither. */
function isOwn({ headers, url }: Request, site: string): boolean {
  const said = headers.get("sec-fetch-site");
  if (said !== null) return ownSites.includes(said);
  const origin = headers.get("origin");
  return origin === null || isHost(origin, url) || isHost(origin, site);
}

/** Whether two addresses have the same host; a proxy that ends TLS asks us by another scheme than browsers ask it. */
function isHost(origin: string, address: string): boolean {
  const [a, b] = [URL.parse(origin), URL.parse(address)];
  if (!a || !b || !/^https?:$/.test(a.protocol)) return false;
  b.protocol = a.protocol;
  return a.host === b.host;
}
