// The organization's own emoji.
import type * as schema from "@/foundation/emoji/schema.ts";
import type { EventsOf, StateNoun } from "./noun.ts";

interface OwnEmoji {
  realm_emoji: schema.EmojiById;
}

export const emoji: StateNoun<OwnEmoji, OwnEmoji, EventsOf<typeof schema>> = {
  takes: ["realm_emoji"],
  initial: ({ realm_emoji }) => ({ realm_emoji }),
  reducers: {
    "realm_emoji/update": (state, { realm_emoji }) => ({ ...state, realm_emoji }),
  },
};
