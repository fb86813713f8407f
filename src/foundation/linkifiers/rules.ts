// Checks whether a linkifier is valid.
import { fail } from "@/kernel/lib/errors.ts";
import { safeHref } from "@/text/links/urls.ts";
import { compilePattern, type Dialect, type Pattern } from "./patterns.ts";
import type { NewLinkifier } from "./store.ts";
import { parseTemplate, type Template } from "./templates.ts";

/** Both parts must be valid, and the pattern's groups must be the template's variables. */
export function checkRule(
  input: NewLinkifier,
  dialect: Dialect = "python",
): { pattern: Pattern; template: Template } {
  const pattern = compilePattern(input.pattern, dialect);
  const template = parseTemplate(input.url_template);
  if ("problem" in pattern) fail("BAD_REQUEST", pattern.problem);
  if ("problem" in template) fail("BAD_REQUEST", template.problem);
  for (const name of template.variables) {
    if (pattern.groups.has(name)) continue;
    fail("BAD_REQUEST", `The URL template inserts '${name}', but the pattern has no group of that name.`);
  }
  for (const name of pattern.groups.keys()) {
    if (template.variables.includes(name)) continue;
    fail("BAD_REQUEST", `The pattern has a group '${name}' that the URL template does not insert.`);
  }
  const sample = template.expand(Object.fromEntries(template.variables.map((name) => [name, "1"])));
  if (sample === null || safeHref(sample) === null) {
    fail("BAD_REQUEST", "The URL template must lead to an address that is safe to open.");
  }
  return { pattern, template };
}
