// Who is online.
import type * as schema from "@/personal/presence/schema.ts";
import type { EventsOf, StateNoun } from "./noun.ts";

interface Presences {
  presences: Record<number, schema.ModernPresence>;
}

export const presence: StateNoun<Partial<Presences>, Presences, EventsOf<typeof schema>> = {
  takes: ["presences"],
  initial: ({ presences = {} }) => ({ presences }),
  reducers: {
    // Clients that lack the web client's capabilities get another form.
    presence: (state, event) =>
      "presences" in event ? { ...state, presences: { ...state.presences, ...event.presences } } : state,
  },
};
