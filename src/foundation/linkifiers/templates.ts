// URL templates (RFC 6570): checks them, lists their variables, and expands them.

import { parseTemplate as compile } from "url-template";
import type { Sentence } from "@/kernel/lib/errors.ts";
import { sentence } from "@/text/language/tables.ts";

export interface Template {
  /** The variables it inserts, each once. */
  readonly variables: readonly string[];
  /** The URL with these values; null if it is not valid, for instance with half a character. */
  expand(values: Record<string, string>): string | null;
}

const variable =
  "(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*(?::[1-9]\\d{0,3}|\\*)?";
const expression = new RegExp(`^[+#./;?&]?(${variable}(?:,${variable})*)$`);
const notInAddresses = /[\p{Cc}\p{Cs}\s<>"]/u;

/** What is wrong, in words for the author. */
export interface Problem {
  problem: Sentence;
}

/** Parses a template; returns the problem in words for its author if that fails. */
export function parseTemplate(source: string): Template | Problem {
  if (notInAddresses.test(source))
    return { problem: sentence("A URL template must not contain blanks, quotes or angle brackets.") };
  const variables = new Set<string>();
  for (const [, inner, stray] of source.matchAll(/\{([^{}]*)\}|([{}])/g)) {
    if (stray !== undefined) return { problem: sentence("A URL template must close every brace it opens.") };
    const names = expression.exec(inner ?? "")?.[1];
    if (names === undefined)
      return {
        problem: sentence("A URL template cannot insert ''{expression}''.", { expression: `{${inner}}` }),
      };
    for (const name of names.split(",")) variables.add(name.replace(/[:*].*$/, ""));
  }
  return { variables: [...variables], expand: expander(source) };
}

function expander(source: string): Template["expand"] {
  const compiled = compile(source);
  return (values) => {
    try {
      return compiled.expand(values);
    } catch {
      // A prefix such as `{name:3}` may end in the middle of a character, which no URL can hold.
      return null;
    }
  };
}
