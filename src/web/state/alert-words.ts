import type * as schema from "@/messaging/alert-words/schema.ts";
import type { EventsOf, StateNoun } from "./noun.ts";

interface AlertWords {
  alert_words: readonly string[];
}

export const alertWords: StateNoun<AlertWords, AlertWords, EventsOf<typeof schema>> = {
  takes: ["alert_words"],
  initial: ({ alert_words }) => ({ alert_words }),
  reducers: {
    alert_words: (state, { alert_words }) => ({ ...state, alert_words }),
  },
};
