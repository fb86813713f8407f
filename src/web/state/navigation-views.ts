// What the person pins to their sidebar, or hides.
import type * as schema from "@/personal/navigation-views/schema.ts";
import type { EventsOf, StateNoun } from "./noun.ts";
import { byKey, changeEntry, withDropped, withPut } from "./records.ts";

interface NavigationViews {
  navigation_views: Record<string, schema.NavigationView>;
}

export const navigationViews: StateNoun<
  { navigation_views: schema.NavigationView[] },
  NavigationViews,
  EventsOf<typeof schema>
> = {
  takes: ["navigation_views"],
  initial: ({ navigation_views }) => ({ navigation_views: byKey(navigation_views, "fragment") }),
  reducers: {
    "navigation_view/add": (state, { navigation_view }) =>
      withPut(state, "navigation_views", "fragment", [navigation_view]),
    "navigation_view/update": (state, { fragment, data }) => ({
      ...state,
      navigation_views: changeEntry(state.navigation_views, fragment, (view) => ({ ...view, ...data })),
    }),
    "navigation_view/remove": (state, { fragment }) => withDropped(state, "navigation_views", fragment),
  },
};
