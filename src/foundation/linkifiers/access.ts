import { cache } from "@/kernel/cache.ts";
import type { Reads } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";
import type { Linkifier } from "@/text/links/link-work.ts";
import { linksInTopic } from "@/text/rendering/linkifiers.ts";
import { compilePattern, matchesOf } from "./patterns.ts";
import * as store from "./store.ts";
import { parseTemplate } from "./templates.ts";

/** The organization's linkifiers ready for use, in the order in which they apply. */
export function activeLinkifiers(reads: Reads): readonly Linkifier[] {
  return compiled(reads);
}

const compiled = cache(["linkifiers"], (reads): readonly Linkifier[] => store.listRules(reads).map(compile));

function compile(row: store.StoredLinkifier): Linkifier {
  const pattern = compilePattern(row.pattern, row.dialect);
  const template = parseTemplate(row.url_template);
  if ("problem" in pattern || "problem" in template) throw new Error(`Linkifier ${row.id} cannot be used`);
  return {
    find: (text, work) =>
      matchesOf(pattern, text, work).flatMap(({ start, end, values }) => {
        const url = template.expand(values);
        return url === null ? [] : { start, end, url };
      }),
  };
}

/** The links in a topic's name: its URLs, and those that linkifiers make. */
export const topicLinks = cache(["linkifiers"], (reads, topic: string) =>
  linksInTopic(topic, activeLinkifiers(reads)),
);

/** A linkifier by ID; throws if there is none. */
export function linkifierFor(reads: Reads, id: number): store.StoredLinkifier {
  const found = store.listRules(reads).find((row) => row.id === id);
  return found ?? fail("BAD_REQUEST", "Linkifier not found.");
}
