import { z } from "zod";
import { forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { failInEnglish } from "@/kernel/lib/errors.ts";
import { activeLinkifiers } from "./access.ts";
import { addLinkifier, removeLinkifier, reorderLinkifiers, updateLinkifier } from "./actions.ts";
import { filtersState, linkifiersState, listLinkifiers, tryLinkifier, tryLinkifiers } from "./queries.ts";
import { foundLink, linkifier, linkifierId, linkifierOrder, newLinkifier, sampleText } from "./schema.ts";

export default domain({
  name: "linkifiers",
  about: "patterns of the organization whose matches become links",
  prepare: activeLinkifiers,
  state: { realm_linkifiers: forSpectators(linkifiersState), realm_filters: forSpectators(filtersState) },
  endpoints: [
    endpoint("get-linkifiers", {
      about: "Lists the linkifiers in the order in which they apply.",
      method: "GET",
      path: "/realm/linkifiers",
      returns: { linkifiers: z.array(linkifier) },
      run: (ctx) => ({ linkifiers: listLinkifiers(ctx) }),
    }),
    endpoint("try-linkifiers", {
      about:
        "Lists the links that linkifiers make of a text: all of the organization, or, with a pattern and a URL template, one with these alone, as it would be added, or would replace that of `filter_id`. Administrators only; nothing is stored.",
      method: "GET",
      path: "/realm/linkifiers/trial",
      params: {
        text: sampleText,
        pattern: newLinkifier.shape.pattern.optional(),
        url_template: newLinkifier.shape.url_template.optional(),
        filter_id: linkifierId.optional(),
      },
      returns: { links: z.array(foundLink) },
      run: (ctx, { text, pattern, url_template, filter_id: id }) => {
        if (pattern === undefined && url_template === undefined) return { links: tryLinkifiers(ctx, text) };
        if (pattern === undefined || url_template === undefined)
          failInEnglish("BAD_REQUEST", "Give a pattern and a URL template, or neither.");
        return { links: tryLinkifier(ctx, { text, pattern, url_template, id }) };
      },
    }),
    endpoint("add-linkifier", {
      about:
        "Adds a linkifier: a regular expression in Python's syntax and a URL template. Administrators only. `reverse_template` is what clients put in place of a pasted address that the URL template, or one of `alternative_url_templates`, makes: `{name}` inserts a group, `{{` and `}}` are braces. It needs an `example_input`, a text that the pattern finds, of whose groups it must make the same text again. Lookaround, back-references and everything else that can take more than linear time is refused, with an error that names it. Unlike in Python, `\\b` knows only ASCII, and `$` matches only at the very end. A text that takes too long to search gets no more links; it is not refused.",
      method: "POST",
      path: "/realm/filters",
      params: newLinkifier.shape,
      returns: { id: linkifierId },
      keeps: "results",
      run: (ctx, params) => addLinkifier(ctx, params),
    }),
    endpoint("update-linkifier", {
      about:
        "Replaces a linkifier's pattern and template, and what else is given; its position stays. An empty `example_input` or `reverse_template` removes it. What is left out stays, unless it does not fit a new pattern. Administrators only.",
      method: "PATCH",
      path: "/realm/filters/{filter_id:[0-9]+}",
      params: { filter_id: linkifierId, ...newLinkifier.shape },
      run: (ctx, { filter_id: id, ...params }) => updateLinkifier(ctx, { id, ...params }),
    }),
    endpoint("remove-linkifier", {
      about: "Removes a linkifier. Messages that were sent keep their links. Administrators only.",
      method: "DELETE",
      path: "/realm/filters/{filter_id:[0-9]+}",
      params: { filter_id: linkifierId },
      run: (ctx, { filter_id }) => removeLinkifier(ctx, filter_id),
    }),
    endpoint("reorder-linkifiers", {
      about:
        "Sets the order in which linkifiers apply, which must name each of them once. Administrators only.",
      method: "PATCH",
      path: "/realm/linkifiers",
      params: { ordered_linkifier_ids: linkifierOrder },
      run: (ctx, { ordered_linkifier_ids }) => reorderLinkifiers(ctx, ordered_linkifier_ids),
    }),
  ],
});
