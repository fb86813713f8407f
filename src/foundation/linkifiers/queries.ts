import { allow } from "@/foundation/permissions/access.ts";
import type { Ctx, StateRequest } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { newLinkWork } from "@/text/links/link-work.ts";
import { checkRule } from "./access.ts";
import { matchesOf } from "./patterns.ts";
import { type LinkifierRow, linkifiersFor } from "./schema.ts";
import * as store from "./store.ts";

/** The linkifiers in the order in which they apply. */
export const listLinkifiers = query(allow.user, (ctx): readonly LinkifierRow[] => store.listLinkifiers(ctx));

interface Trial {
  pattern: string;
  url_template: string;
  text: string;
}

/** Tries a linkifier on a text before it is added; throws if it is not valid. */
export const tryLinkifier = query(
  allow.admin,
  (_, { text, ...rule }: Trial): { text: string; url: string }[] => {
    const { pattern, template } = checkRule(rule);
    return matchesOf(pattern, text, newLinkWork()).flatMap(({ start, end, values }) => {
      const url = template.expand(values);
      return url === null ? [] : [{ text: text.slice(start, end), url }];
    });
  },
);

export function linkifiersState(ctx: Ctx, { capabilities }: StateRequest): Record<string, unknown> {
  return { realm_linkifiers: linkifiersFor(capabilities, store.listLinkifiers(ctx)) };
}

/** The older form of linkifiers: always empty. */
export function filtersState(): Record<string, unknown> {
  return { realm_filters: [] };
}
