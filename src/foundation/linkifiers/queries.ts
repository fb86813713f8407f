import { allow } from "@/foundation/permissions/access.ts";
import type { Ctx, StateRequest } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { linksInText } from "@/text/rendering/linkifiers.ts";
import { activeLinkifiers, checkRule, dialectFor, linkifierFor, linkifierFrom } from "./access.ts";
import { type FoundLink, type LinkifierRow, linkifiersFor, type TriedLinkifier } from "./schema.ts";
import * as store from "./store.ts";

/** The linkifiers in the order in which they apply. */
export const listLinkifiers = query(allow.user, (ctx): readonly LinkifierRow[] => store.listLinkifiers(ctx));

/** The links that the organization's linkifiers make of a text. */
export const tryLinkifiers = query(allow.admin, (ctx, text: string): FoundLink[] =>
  linksInText(text, activeLinkifiers(ctx)),
);

/** The links that one linkifier makes of a text, before it is added or changed; throws if it is not valid. */
export const tryLinkifier = query(
  allow.admin,
  (ctx, { text, id, ...rule }: TriedLinkifier & { text: string }): FoundLink[] => {
    const dialect = id === undefined ? undefined : dialectFor(linkifierFor(ctx, id), rule.pattern);
    return linksInText(text, [linkifierFrom(checkRule(rule, dialect))]);
  },
);

export function linkifiersState(ctx: Ctx, { capabilities }: StateRequest): Record<string, unknown> {
  return { realm_linkifiers: linkifiersFor(capabilities, store.listLinkifiers(ctx)) };
}

/** The older form of linkifiers: always empty. */
export function filtersState(): Record<string, unknown> {
  return { realm_filters: [] };
}
