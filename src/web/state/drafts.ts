import type * as schema from "@/personal/drafts/schema.ts";
import type { EventsOf, StateNoun } from "./noun.ts";
import { byKey, withDropped, withPut } from "./records.ts";
import type { SettingsEvents } from "./settings.ts";

interface Drafts {
  drafts: Record<number, schema.Draft>;
}

export const drafts: StateNoun<{ drafts: schema.Draft[] }, Drafts, EventsOf<typeof schema> & SettingsEvents> =
  {
    takes: ["drafts"],
    initial: ({ drafts }) => ({ drafts: byKey(drafts, "id") }),
    reducers: {
      "drafts/add": (state, { drafts }) => withPut(state, "drafts", "id", drafts),
      "drafts/update": (state, { draft }) => withPut(state, "drafts", "id", [draft]),
      "drafts/remove": (state, { draft_id }) => withDropped(state, "drafts", draft_id),
      // The server has deleted them.
      "user_settings/update": (state, { property, value }) =>
        property === "enable_drafts_synchronization" && value === false ? { ...state, drafts: {} } : state,
    },
  };
