import type { mutedUsersChanged } from "@/messaging/muted-users/schema.ts";
import type { ModernPresence } from "@/personal/presence/schema.ts";
import type { UserStatus } from "@/personal/user-status/schema.ts";
import { withEntry, withoutEntries } from "./records.ts";
import type { Payload, Person, Reducers, Self, State } from "./shape.ts";

type Changed = Partial<Person> & {
  user_id: number;
  new_email?: string;
  avatar_source?: string;
  avatar_url_medium?: string | null;
  custom_profile_field?: { id: number; type?: number; value: string | null; rendered_value?: string };
};

const ranks = { is_owner: 100, is_admin: 200, is_moderator: 300 } as const;

function personAfter(person: Person, change: Changed): Person {
  const {
    user_id: _,
    new_email,
    custom_profile_field: field,
    avatar_source,
    avatar_url_medium,
    ...shown
  } = change;
  const after: Person = { ...person, ...shown, ...(new_email === undefined ? {} : { email: new_email }) };
  if (shown.role !== undefined) {
    after.is_owner = shown.role === 100;
    after.is_admin = shown.role <= 200;
    after.is_guest = shown.role === 600;
  }
  if (field) {
    const { id, type, ...said } = field;
    if (said.value === null) after.profile_data = withoutEntries(after.profile_data ?? {}, [id]);
    else after.profile_data = { ...after.profile_data, [id]: { ...said, value: said.value } };
  }
  return after;
}

function selfAfter(self: Self, person: Person, change: Changed): Self {
  const after: Self = { ...self, email: person.email };
  const copied = ["full_name", "avatar_url", "avatar_url_medium", "avatar_source", "delivery_email"] as const;
  for (const name of copied) if (name in change) Object.assign(after, { [name]: change[name] });
  const { role } = change;
  if (role === undefined) return after;
  for (const [name, rank] of Object.entries(ranks)) Object.assign(after, { [name]: role <= rank });
  after.is_guest = role === 600;
  return after;
}

/** The server sends no event when a group loses people who were deactivated. */
function outOfGroups(groups: State["groups"], id: number): State["groups"] {
  const entries = Object.entries(groups).map(([key, group]) => [
    key,
    group.members.includes(id) ? { ...group, members: group.members.filter((one) => one !== id) } : group,
  ]);
  return Object.fromEntries(entries);
}

function changePerson(state: State, change: Changed): State {
  const before = state.users[change.user_id];
  if (!before) return state;
  const person = personAfter(before, change);
  const after = { ...state, users: withEntry(state.users, change.user_id, person) };
  if (change.is_active === false) after.groups = outOfGroups(after.groups, change.user_id);
  if (change.user_id !== state.self.user_id) return after;
  after.self = selfAfter(state.self, person, change);
  if (change.timezone !== undefined)
    after.user_settings = { ...state.user_settings, timezone: change.timezone };
  return after;
}

function statusAfter(before: UserStatus, change: UserStatus): UserStatus {
  const status: Record<string, unknown> = { ...before, ...change };
  if (status.emoji_name === "") delete status.reaction_type;
  for (const name of Object.keys(status))
    if (status[name] === "" || status[name] === false) delete status[name];
  return status;
}

export const people: Reducers = {
  "realm_user/add": (state, { person }: { person: Person }) => ({
    ...state,
    users: withEntry(state.users, person.user_id, { profile_data: {}, ...person }),
  }),
  "realm_user/update": (state, { person }: { person: Changed }) => changePerson(state, person),
  "realm_user/remove": (state, { person }: { person: Person }) => ({
    ...state,
    users: withoutEntries(state.users, [person.user_id]),
  }),
  user_status: (
    state,
    { user_id, type, id, ...change }: UserStatus & { user_id: number; type: string; id?: number },
  ) => {
    const status = statusAfter(state.user_status[user_id] ?? {}, change);
    const isEmpty = Object.keys(status).length === 0;
    return {
      ...state,
      user_status: isEmpty
        ? withoutEntries(state.user_status, [user_id])
        : withEntry(state.user_status, user_id, status),
    };
  },
  presence: (state, { presences = {} }: { presences?: Record<number, ModernPresence> }) => ({
    ...state,
    presences: { ...state.presences, ...presences },
  }),
  muted_users: (state, { muted_users }: Payload<typeof mutedUsersChanged>) => ({ ...state, muted_users }),
};
