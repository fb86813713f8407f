import type { Reads } from "@/kernel/core/context.ts";
import { fail, type KnownText, type Sentence } from "@/kernel/lib/errors.ts";
import { cache, declareCache } from "@/kernel/store/cache.ts";
import { sentence } from "@/text/language/tables.ts";
import { type Linkifier, newLinkWork } from "@/text/links/link-work.ts";
import { safeHref } from "@/text/links/urls.ts";
import { linksInTopic } from "@/text/rendering/linkifiers.ts";
import { compilePattern, type Dialect, matchesOf, type Pattern } from "./patterns.ts";
import { type LinkifierRule, maxLinkifiers, type NewLinkifier } from "./schema.ts";
import { expandShortForm, parseShortForm, type ShortForm } from "./short-forms.ts";
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
export function checkRule(
  input: Pick<NewLinkifier, "pattern" | "url_template">,
  dialect: Dialect = "python",
): Rule {
  const pattern = compilePattern(input.pattern, dialect);
  if ("problem" in pattern) fail("BAD_REQUEST", pattern.problem);
  const template = checkTemplate(input.url_template, pattern);
  const sample = template.expand(Object.fromEntries(template.variables.map((name) => [name, "1"])));
  if (sample === null || safeHref(sample) === null) {
    fail("BAD_REQUEST", "The URL template must lead to an address that is safe to open.");
  }
  return { pattern, template };
}

/** A URL template must insert each of the pattern's groups, and nothing else. */
function checkTemplate(source: string, pattern: Pattern): Template {
  const template = parseTemplate(source);
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
  return template;
}

/**
 * The whole rule that was asked for, checked. What a change leaves out stays, unless it does not fit the new pattern: a
 * client that knows nothing of it could not correct it.
 */
export function completeRule(input: NewLinkifier, old?: store.StoredLinkifier): LinkifierRule {
  const dialect = old && dialectFor(old, input.pattern);
  const { pattern } = checkRule(input, dialect);
  return {
    pattern: input.pattern,
    url_template: input.url_template,
    ...shortFormFor(input, pattern, old),
    alternative_url_templates: alternativesFor(input, pattern, old),
  };
}

type WithShortForm = Pick<LinkifierRule, "example_input" | "reverse_template">;

function shortFormFor(input: NewLinkifier, pattern: Pattern, old?: WithShortForm): WithShortForm {
  const example_input = (input.example_input ?? old?.example_input) || null;
  const reverse_template = (input.reverse_template ?? old?.reverse_template) || null;
  const problem = problemOfShortForm({ example_input, reverse_template }, pattern);
  if (problem === null) return { example_input, reverse_template };
  if (input.example_input !== undefined || input.reverse_template !== undefined) fail("BAD_REQUEST", problem);
  return { example_input: null, reverse_template: null };
}

function problemOfShortForm(
  { example_input, reverse_template }: WithShortForm,
  pattern: Pattern,
): KnownText | Sentence | null {
  if (example_input === null)
    return reverse_template === null ? null : "A template of short forms needs an example of a text.";
  const [match] = matchesOf(pattern, example_input, newLinkWork());
  if (!match) return "The example is not a text that the pattern finds.";
  if (reverse_template === null) return null;
  const form = parseShortForm(reverse_template);
  if (form === null)
    return "A template of short forms inserts groups by their names in braces; braces of the text are doubled.";
  const stray = strayName(form, pattern);
  if (stray !== undefined)
    return sentence(
      "The template of short forms inserts ''{name}'', but the pattern has no group of that name.",
      {
        name: stray,
      },
    );
  if (expandShortForm(form, match.values) === example_input) return null;
  return sentence(
    "The template of short forms makes ''{text}'' of the example; it must make the example itself.",
    {
      text: expandShortForm(form, match.values),
    },
  );
}

function strayName(form: ShortForm, { groups }: Pattern): string | undefined {
  return form.flatMap((part) => (typeof part === "string" || groups.has(part.name) ? [] : [part.name]))[0];
}

function alternativesFor(
  { alternative_url_templates: given }: NewLinkifier,
  pattern: Pattern,
  old?: Pick<LinkifierRule, "alternative_url_templates">,
): string[] {
  for (const template of given ?? []) checkTemplate(template, pattern);
  if (given) return [...new Set(given)];
  return (old?.alternative_url_templates ?? []).filter((template) => fits(template, pattern));
}

function fits(source: string, { groups }: Pattern): boolean {
  const template = parseTemplate(source);
  if ("problem" in template) return false;
  return groups.size === template.variables.length && template.variables.every((name) => groups.has(name));
}
