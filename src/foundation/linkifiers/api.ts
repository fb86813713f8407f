import { z } from "zod";
import { domain } from "@/kernel/domain.ts";
import { endpoint } from "@/kernel/endpoint.ts";
import { addLinkifier, removeLinkifier, reorderLinkifiers, updateLinkifier } from "./actions.ts";
import { filtersState, linkifiersState, listLinkifiers } from "./queries.ts";
import { linkifier, linkifierId, linkifierParams, mostLinkifiers } from "./schema.ts";

export default domain({
  name: "linkifiers",
  state: { realm_linkifiers: linkifiersState, realm_filters: filtersState },
  endpoints: [
    endpoint("get-linkifiers", {
      method: "GET",
      path: "/realm/linkifiers",
      returns: { linkifiers: z.array(linkifier) },
      run: (ctx) => ({ linkifiers: listLinkifiers(ctx) }),
    }),
    endpoint("add-linkifier", {
      method: "POST",
      path: "/realm/filters",
      params: linkifierParams,
      returns: { id: linkifierId },
      run: (ctx, params) => addLinkifier(ctx, params),
    }),
    endpoint("update-linkifier", {
      method: "PATCH",
      path: "/realm/filters/{filter_id:[0-9]+}",
      params: { filter_id: linkifierId, ...linkifierParams },
      run: async (ctx, { filter_id: id, ...params }) => {
        await updateLinkifier(ctx, { id, ...params });
        return {};
      },
    }),
    endpoint("remove-linkifier", {
      method: "DELETE",
      path: "/realm/filters/{filter_id:[0-9]+}",
      params: { filter_id: linkifierId },
      run: async (ctx, { filter_id }) => {
        await removeLinkifier(ctx, filter_id);
        return {};
      },
    }),
    endpoint("reorder-linkifiers", {
      method: "PATCH",
      path: "/realm/linkifiers",
      params: { ordered_linkifier_ids: z.array(linkifierId).max(mostLinkifiers) },
      run: async (ctx, { ordered_linkifier_ids }) => {
        await reorderLinkifiers(ctx, ordered_linkifier_ids);
        return {};
      },
    }),
  ],
});
