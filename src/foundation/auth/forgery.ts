// Requests that another site has a browser send: browsers add credentials they remember, whoever asks.
import { AppError } from "@/kernel/errors.ts";
import { errorResponse, jsonHeaders } from "@/kernel/http-answers.ts";
import type { Log } from "@/kernel/log.ts";

const ownSites = ["same-origin", "none"];
const harmless = ["GET", "HEAD", "OPTIONS"];

/** The refusal of a request that changes something at the wish of another site; null for all others. */
export function refuseForged(request: Request, log: Log): Response | null {
  if (harmless.includes(request.method)) return null;
  const site = request.headers.get("sec-fetch-site");
  if (site === null || ownSites.includes(site)) return null;
  const error = new AppError("CSRF_FAILED", "Pages of other sites may not act here in your name.");
  log.info("request", { operation: "none", status: error.status });
  return errorResponse(error, { operation: "none", log, headers: { ...jsonHeaders } });
}
