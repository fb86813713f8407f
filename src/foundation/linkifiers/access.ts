import type { Reads } from "@/kernel/core/context.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { cache } from "@/kernel/store/cache.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import type { Linkifier } from "@/text/links/link-work.ts";
import { linksInTopic } from "@/text/rendering/linkifiers.ts";
import { compilePattern, matchesOf, type Pattern } from "./patterns.ts";
import * as store from "./store.ts";
import { parseTemplate } from "./templates.ts";

/** The organization's linkifiers ready for use, in the order in which they apply. */
export function activeLinkifiers(reads: Reads): readonly Linkifier[] {
  return compiled(reads);
}

/** Compiling a pattern takes milliseconds: the patterns in use, by dialect and source, stay compiled when others change. */
const patternsOf = perApp(() => ({ inUse: new Map<string, Pattern>() }));

const compiled = cache(["linkifiers"], (reads): readonly Linkifier[] => {
  const patterns = patternsOf(reads);
  const rows = store.listRules(reads);
  const ready = rows.map((row) => ({ row, pattern: patterns.inUse.get(keyOf(row)) ?? patternOf(row) }));
  patterns.inUse = new Map(ready.map(({ row, pattern }) => [keyOf(row), pattern]));
  return ready.map(({ row, pattern }) => linkifierOf(row, pattern));
});

const keyOf = ({ dialect, pattern }: store.StoredLinkifier) => `${dialect} ${pattern}`;

function patternOf(row: store.StoredLinkifier): Pattern {
  const pattern = compilePattern(row.pattern, row.dialect);
  return "problem" in pattern ? unusable(row) : pattern;
}

function linkifierOf(row: store.StoredLinkifier, pattern: Pattern): Linkifier {
  const template = parseTemplate(row.url_template);
  if ("problem" in template) return unusable(row);
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
