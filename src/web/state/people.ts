import type * as schema from "@/foundation/users/schema.ts";
import type { ChangedUser } from "@/foundation/users/schema.ts";
import type { EventsOf, StateNoun } from "./noun.ts";
import { byKey, withEntry, withoutEntries } from "./records.ts";

export interface Person extends schema.User {
  is_system_bot?: boolean;
}

export interface Self
  extends Pick<
    schema.User,
    "user_id" | "email" | "full_name" | "avatar_url" | "is_owner" | "is_admin" | "is_guest"
  > {
  delivery_email: string;
  avatar_url_medium: string | null;
  avatar_source: string;
  is_moderator: boolean;
}

interface People {
  self: Self;
  users: Record<number, Person>;
}

interface Registered extends Self {
  realm_users: Person[];
  realm_non_active_users: Person[];
  cross_realm_bots: Person[];
}

const ofSelf = [
  "user_id",
  "email",
  "delivery_email",
  "full_name",
  "avatar_url",
  "avatar_url_medium",
  "avatar_source",
  "is_owner",
  "is_admin",
  "is_moderator",
  "is_guest",
] as const satisfies readonly (keyof Self)[];

export const people: StateNoun<Registered, People, EventsOf<typeof schema>> = {
  takes: [...ofSelf, "realm_users", "realm_non_active_users", "cross_realm_bots"],
  initial: (answer) => ({
    self: Object.fromEntries(ofSelf.map((name) => [name, answer[name]])) as unknown as Self,
    users: byKey(
      [...answer.realm_users, ...answer.realm_non_active_users, ...answer.cross_realm_bots],
      "user_id",
    ),
  }),
  reducers: {
    "realm_user/add": (state, { person }) => ({
      ...state,
      users: withEntry(state.users, person.user_id, { profile_data: {}, ...person }),
    }),
    "realm_user/update": (state, { person }) => changePerson(state, person),
    "realm_user/remove": (state, { person }) => ({
      ...state,
      users: withoutEntries(state.users, [person.user_id]),
    }),
  },
};

/** The code of the role that only owners give and change. */
export const ownerRole = 100;

const ranks = { is_owner: ownerRole, is_admin: 200, is_moderator: 300 } as const;

function personAfter(person: Person, change: ChangedUser): Person {
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
    after.is_owner = shown.role === ownerRole;
    after.is_admin = shown.role <= 200;
    after.is_guest = shown.role === 600;
  }
  if (field) {
    const { id, ...said } = field;
    if (said.value === null) after.profile_data = withoutEntries(after.profile_data ?? {}, [id]);
    else after.profile_data = { ...after.profile_data, [id]: { ...said, value: said.value } };
  }
  return after;
}

function selfAfter(self: Self, person: Person, change: ChangedUser): Self {
  const after: Self = { ...self, email: person.email };
  const copied = ["full_name", "avatar_url", "avatar_url_medium", "avatar_source", "delivery_email"] as const;
  for (const name of copied) if (name in change) Object.assign(after, { [name]: change[name] });
  const { role } = change;
  if (role === undefined) return after;
  for (const [name, rank] of Object.entries(ranks)) Object.assign(after, { [name]: role <= rank });
  after.is_guest = role === 600;
  return after;
}

function changePerson(state: People, change: ChangedUser): People {
  const before = state.users[change.user_id];
  if (!before) return state;
  const person = personAfter(before, change);
  const after = { ...state, users: withEntry(state.users, change.user_id, person) };
  if (change.user_id === state.self.user_id) after.self = selfAfter(state.self, person, change);
  return after;
}
