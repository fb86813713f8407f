import type { Reads } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { cache, declareCache } from "@/kernel/store/cache.ts";
import { sentence } from "@/text/language/tables.ts";
import type { Linkifier } from "@/text/links/link-work.ts";
import { safeHref } from "@/text/links/urls.ts";
import { linksInTopic } from "@/text/rendering/linkifiers.ts";
import { compilePattern, type Dialect, matchesOf, type Pattern } from "./patterns.ts";
import { maxLinkifiers, type NewLinkifier } from "./schema.ts";
import * as store from "./store.ts";
import { parseTemplate, type Template } from "./templates.ts";

/** The organization's linkifiers ready for use, in the order in which they apply. */
export function activeLinkifiers(reads: Reads): readonly Linkifier[] {
  return compiled(reads);
}

/** By dialect and source. Compiling a pattern takes milliseconds: the others stay compiled when one changes. */
const patternCache = declareCache<string, Pattern>({ name: "patterns", max: maxLinkifiers });

const compiled = cache(["linkifiers"], (reads): readonly Linkifier[] =>
  store.listRules(reads).map((row) => linkifierOf(row, patternOf(reads, row))),
);

function patternOf(reads: Reads, row: store.StoredLinkifier): Pattern {
  const patterns = patternCache(reads);
  const key = `${row.dialect} ${row.pattern}`;
  const pattern = patterns.get(key) ?? compilePattern(row.pattern, row.dialect);
  if ("problem" in pattern) return unusable(row);
  patterns.set(key, pattern);
  return pattern;
}

function linkifierOf(row: store.StoredLinkifier, pattern: Pattern): Linkifier {
  const template = parseTemplate(row.url_template);
  return "problem" in template ? unusable(row) : linkifierFrom({ pattern, template });
}

/** A rule in use. */
export function linkifierFrom({ pattern, template }: Rule): Linkifier {
  return {
    find: (text, work) =>
      matchesOf(pattern, text, work).flatMap(({ start, end, values }) => {
        const url = template.expand(values);
        return url === null ? [] : { start, end, url };
      }),
  };
}

function unusable({ id }: store.StoredLinkifier): never {
  throw new Error(`Linkifier ${id} cannot be used`);
}

/** The links in a topic's name: its URLs, and those that linkifiers make. */
export const topicLinks = cache(["linkifiers"], (reads, topic: string) =>
  linksInTopic(topic, activeLinkifiers(reads)),
);

/** A linkifier by ID; throws for an unknown ID. */
export function linkifierFor(reads: Reads, id: number): store.StoredLinkifier {
  const found = store.listRules(reads).find((row) => row.id === id);
  return found ?? fail("BAD_REQUEST", "Linkifier not found.");
}

/** An unchanged pattern keeps its dialect, so that only the URL can be changed too. */
export function dialectFor(old: store.StoredLinkifier, pattern: string): Dialect {
  return pattern === old.pattern ? old.dialect : "python";
}

export interface Rule {
  pattern: Pattern;
  template: Template;
}

/** Both parts must be valid, and the pattern's groups must be the template's variables. */
export function checkRule(input: NewLinkifier, dialect: Dialect = "python"): Rule {
  const pattern = compilePattern(input.pattern, dialect);
  const template = parseTemplate(input.url_template);
  if ("problem" in pattern) fail("BAD_REQUEST", pattern.problem);
  if ("problem" in template) fail("BAD_REQUEST", template.problem);
  for (const name of template.variables) {
    if (pattern.groups.has(name)) continue;
    fail(
      "BAD_REQUEST",
      sentence("The URL template inserts ''{name}'', but the pattern has no group of that name.", { name }),
    );
  }
  for (const name of pattern.groups.keys()) {
    if (template.variables.includes(name)) continue;
    fail(
      "BAD_REQUEST",
      sentence("The pattern has a group ''{name}'' that the URL template does not insert.", { name }),
    );
  }
  const sample = template.expand(Object.fromEntries(template.variables.map((name) => [name, "1"])));
  if (sample === null || safeHref(sample) === null) {
    fail("BAD_REQUEST", "The URL template must lead to an address that is safe to open.");
  }
  return { pattern, template };
}
