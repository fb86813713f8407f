// Callers pass no secrets to the log, but errors from other programs may quote an address, a header or a form.
import type { LogFields } from "@/kernel/lib/log.ts";

const patterns: readonly (readonly [pattern: RegExp, masked: string])[] = [
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/gi, "$1***@"],
  [/\b(Basic|Bearer)\s+[\w+/=.~-]{8,}/gi, "$1 ***"],
  [
    /\b(api_key|apikey|password|passwd|secret|token|access_token|cookie|session)(["']?\s*[=:]\s*["']?)[^\s"'&,;}]+/gi,
    "$1$2***",
  ],
];

/** The same fields, with values that look like a password, a key or a token replaced by `***`. */
export function withoutSecrets(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "string" ? maskText(value) : value,
    ]),
  );
}

function maskText(text: string): string {
  return patterns.reduce((rest, [pattern, replacement]) => rest.replaceAll(pattern, replacement), text);
}
