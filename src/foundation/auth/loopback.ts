// A server in development mode lets anyone in, so it answers only where a browser says that it asked this machine: another name
// may be that of a page whose name was made to lead here (DNS rebinding).
import type { RawAnswer } from "@/kernel/http/endpoint.ts";
import { errorAnswer, jsonHeaders } from "@/kernel/http/http-answers.ts";
import { AppError, englishOnly } from "@/kernel/lib/errors.ts";
import type { Log } from "@/kernel/lib/log.ts";
import type { Suspect } from "./forgery.ts";

/** Refuses a request that names another host than this machine; null for all others. */
export function refuseElsewhere({ headers, url }: Suspect, log: Log): RawAnswer | null {
  const host = headers.get("host") ?? URL.parse(url)?.host ?? "";
  if (isThisMachine(host)) return null;
  const sentence = "A server in development mode answers only as localhost, 127.0.0.1 or [::1].";
  const error = new AppError("ACCESS_DENIED", englishOnly(sentence));
  log.warn("request", { operation: "none", status: error.status, host: host.slice(0, 260) });
  return errorAnswer(error, { operation: "none", log, headers: { ...jsonHeaders } });
}

function isThisMachine(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host);
}
