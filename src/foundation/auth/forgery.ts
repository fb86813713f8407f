// Cross-site request forgery: browsers add saved credentials to requests that other sites' pages send.

import { authErrors } from "@/foundation/permissions/schema.ts";
import type { RawAnswer } from "@/kernel/http/endpoint.ts";
import { errorAnswer, jsonHeaders } from "@/kernel/http/http-answers.ts";
import { AppError, englishOnly } from "@/kernel/lib/errors.ts";
import type { Log } from "@/kernel/lib/log.ts";
import { safeMethods } from "./schema.ts";

const ownSites = ["same-origin", "none"];

export interface Suspect {
  readonly method: string;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
}

/** Refuses a request from another site's page that would change something; null for all other requests. */
export function refuseForged(request: Suspect, { site, log }: { site: string; log: Log }): RawAnswer | null {
  if (safeMethods.includes(request.method) || isOwn(request, site)) return null;
  const error = new AppError(
    authErrors.CSRF_FAILED,
    englishOnly("Pages of other sites may not act in your name."),
  );
  log.info("request", { operation: "none", status: error.status });
  return errorAnswer(error, { operation: "none", log, headers: { ...jsonHeaders } });
}

/** Browsers send Sec-Fetch-Site, older ones at least Origin; other programs send neither. */
function isOwn({ headers, url }: Suspect, site: string): boolean {
  const said = headers.get("sec-fetch-site");
  if (said !== null) return ownSites.includes(said);
  const origin = headers.get("origin");
  return origin === null || isHost(origin, url) || isHost(origin, site);
}

/** Whether two URLs have the same host. Schemes may differ behind a proxy that terminates TLS. */
function isHost(origin: string, address: string): boolean {
  const [a, b] = [URL.parse(origin), URL.parse(address)];
  if (!a || !b || !/^https?:$/.test(a.protocol)) return false;
  b.protocol = a.protocol;
  return a.host === b.host;
}
