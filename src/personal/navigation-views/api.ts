import { z } from "zod";
import { domain } from "@/kernel/domain.ts";
import { endpoint } from "@/kernel/endpoint.ts";
import { addView, editView, removeView } from "./actions.ts";
import { listViews } from "./queries.ts";
import { fragment, navigationView, viewName } from "./schema.ts";

export default domain({
  name: "navigation-views",
  state: { navigation_views: (ctx) => ({ navigation_views: listViews(ctx) }) },
  endpoints: [
    endpoint("get-navigation-views", {
      method: "GET",
      path: "/navigation_views",
      returns: { navigation_views: z.array(navigationView) },
      run: (ctx) => ({ navigation_views: listViews(ctx) }),
    }),
    endpoint("add-navigation-view", {
      method: "POST",
      path: "/navigation_views",
      params: { fragment, is_pinned: z.boolean(), name: viewName.optional() },
      run: async (ctx, params) => {
        await addView(ctx, params);
        return {};
      },
    }),
    endpoint("edit-navigation-view", {
      method: "PATCH",
      path: "/navigation_views/{fragment:.+}",
      params: { fragment, is_pinned: z.boolean().optional(), name: viewName.optional() },
      run: async (ctx, params) => {
        await editView(ctx, params);
        return {};
      },
    }),
    endpoint("remove-navigation-view", {
      method: "DELETE",
      path: "/navigation_views/{fragment:.+}",
      params: { fragment },
      run: async (ctx, params) => {
        await removeView(ctx, params.fragment);
        return {};
      },
    }),
  ],
});
