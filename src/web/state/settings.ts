// The person's settings, and what comes with them.
import type * as schema from "@/foundation/user-settings/schema.ts";
import type * as users from "@/foundation/users/schema.ts";
import type { EventsOf, StateNoun } from "./noun.ts";
import type { Self } from "./people.ts";

export type UserSettings = schema.PersonalValues & { timezone: string; [name: string]: unknown };

interface PersonalSettings {
  user_settings: UserSettings;
}

export type SettingsEvents = EventsOf<typeof schema>;

export const settings: StateNoun<
  PersonalSettings,
  PersonalSettings,
  SettingsEvents & EventsOf<typeof users>,
  { self: Self }
> = {
  takes: ["user_settings"],
  initial: ({ user_settings }) => ({ user_settings }),
  reducers: {
    "user_settings/update": (state, { property, value }) => withSetting(state, property, value),
    "realm_user/update": (state, { person: { user_id, timezone } }) =>
      user_id === state.self.user_id && timezone !== undefined
        ? withSetting(state, "timezone", timezone)
        : state,
  },
};

function withSetting<State extends PersonalSettings>(state: State, name: string, value: unknown): State {
  return { ...state, user_settings: { ...state.user_settings, [name]: value } };
}
