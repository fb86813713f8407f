import { z } from "zod";
import { forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { addView, editView, removeView } from "./actions.ts";
import { listViews } from "./queries.ts";
import { fragment, navigationView, newView, viewPatch } from "./schema.ts";

export default domain({
  name: "navigation-views",
  about: "what a person pins to their sidebar, or hides",
  state: {
    navigation_views: forSpectators((ctx) => ({ navigation_views: listViews(ctx) }), {
      navigation_views: [],
    }),
  },
  endpoints: [
    endpoint("get-navigation-views", {
      about: "Lists the views the caller has pinned, hidden or made.",
      method: "GET",
      path: "/navigation_views",
      returns: { navigation_views: z.array(navigationView) },
      run: (ctx) => ({ navigation_views: listViews(ctx) }),
    }),
    endpoint("add-navigation-view", {
      about: "Adds a view: a built-in one to pin or hide, or one of the caller's own with a name.",
      method: "POST",
      path: "/navigation_views",
      params: newView.shape,
      run: (ctx, params) => addView(ctx, params),
    }),
    endpoint("edit-navigation-view", {
      about: "Pins, hides or renames a view.",
      method: "PATCH",
      path: "/navigation_views/{fragment:.+}",
      params: viewPatch.shape,
      run: (ctx, params) => editView(ctx, params),
    }),
    endpoint("remove-navigation-view", {
      about: "Removes a view, which gives a built-in one its default place back.",
      method: "DELETE",
      path: "/navigation_views/{fragment:.+}",
      params: { fragment },
      run: (ctx, params) => removeView(ctx, params.fragment),
    }),
  ],
});
