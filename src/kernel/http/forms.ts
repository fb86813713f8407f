// Reads query strings and form bodies (docs/reference/http-api.md#conventions).
import { unescape as unescaped } from "node:querystring";
import { fail } from "@/kernel/lib/errors.ts";

/** More than ten times what any endpoint has. */
const maxParameters = 1_000;

function tooManyParameters(): never {
  fail("BAD_REQUEST", `A request has at most ${maxParameters} parameters.`);
}

/** Reads the parameters of a query string or of a form body; the first value of a repeated name counts. */
export function readForm(text: string, into: Map<string, string>): void {
  let count = 0;
  for (let start = 0; start < text.length; ) {
    if (++count > maxParameters) tooManyParameters();
    const next = text.indexOf("&", start);
    const end = next < 0 ? text.length : next;
    if (end > start) readField(text.slice(start, end), into);
    start = end + 1;
  }
}

function readField(field: string, into: Map<string, string>): void {
  const sign = field.indexOf("=");
  const name = decodeValue(sign < 0 ? field : field.slice(0, sign));
  if (!into.has(name)) into.set(name, sign < 0 ? "" : decodeValue(field.slice(sign + 1)));
}

const escaped = /%[0-9a-f]{2}/i;

/** Decodes a name or a value of a form. What is not valid stays as it is. */
function decodeValue(written: string): string {
  const spaced = written.includes("+") ? written.replaceAll("+", " ") : written;
  if (!spaced.includes("%")) return spaced;
  return escaped.test(spaced) ? unescaped(spaced) : spaced;
}
