// The signatures of senders; all comparisons are in constant time.
import { createHash, createHmac } from "node:crypto";
import { isSame } from "@/foundation/secrets/secrets.ts";
import { PayloadValue } from "./payload.ts";

interface Signed {
  /** What was signed: mostly the body. */
  body: string;
  secret: string;
  /** What comes before the signature. */
  prefix?: string;
  hash?: "sha256" | "sha1";
  encoding?: "hex" | "base64" | "base64url";
}

/** Whether this is the HMAC of a text: by default SHA-256 in hexadecimal digits. */
export function isHmac(
  given: string,
  { body, secret, prefix = "", hash = "sha256", encoding = "hex" }: Signed,
): boolean {
  return isSame(given, prefix + createHmac(hash, secret).update(body).digest(encoding));
}

const maxParts = 20;

/** The values of a name in a header such as "t=1,v1=abc,v1=def". */
export function valuesIn(header: string, name: string): string[] {
  return header
    .split(",", maxParts)
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
}

/** Whether one of several signatures is right: there are several while a secret is replaced. */
export function isAnyHmac(given: readonly string[], signed: Signed): boolean {
  return given.some((one) => isHmac(one, signed));
}

const maxAgeSeconds = 300;

/** Whether a signature's time, in UNIX seconds, is near enough, so that an old event cannot be posted again later. */
export function isRecent(time: number, now: number): boolean {
  return Math.abs(now - time) <= maxAgeSeconds;
}

/** Whether a compact JWS with HMAC-SHA256 of this issuer names the SHA-256 of the body. */
export function isJws(given: string, { body, secret, issuer }: Signed & { issuer: string }): boolean {
  const [head = "", claims = "", signature = "", ...more] = given.slice(0, 4_000).split(".");
  if (more.length > 0 || partOf(head).at("alg").text !== "HS256") return false;
  if (!isHmac(signature, { body: `${head}.${claims}`, secret, encoding: "base64url" })) return false;
  const claimed = partOf(claims);
  const digest = createHash("sha256").update(body).digest("hex");
  return claimed.at("iss").text === issuer && isSame(claimed.at("sha256").text, digest);
}

function partOf(encoded: string): PayloadValue {
  try {
    return new PayloadValue(JSON.parse(Buffer.from(encoded, "base64url").toString("utf8")));
  } catch {
    return new PayloadValue(null);
  }
}
