import { z } from "zod";
import { type Role, roles } from "@/foundation/permissions/schema.ts";
import { limits } from "@/foundation/realm/schema.ts";
import { hasNoNull, isOrderly } from "@/foundation/realm/texts.ts";
import { event } from "@/kernel/core/events.ts";
import { errorKinds } from "@/kernel/lib/errors.ts";

export const userErrors = errorKinds({
  CANNOT_DEACTIVATE_LAST_USER: { status: 400 },
});

export const userId = z.int();

const forbiddenInNames = /[*`\\>"@]/;

/** A person's name; characters that would break a mention are refused. */
export const fullName = z
  .string()
  .trim()
  .min(2, "Name too short!")
  .max(100, "Name too long!")
  .refine((name) => !forbiddenInNames.test(name) && isOrderly(name), "Invalid characters in name!")
  .refine((name) => !/\|\d+$/.test(name), "Invalid format!");

export const emailAddress = z
  .string()
  .trim()
  .max(254, "Email address is too long.")
  .regex(/^[^\s\p{Cc}@"<>(),:;[\]\\]+@[^\s\p{Cc}@"<>(),:;[\]\\]+$/u, "Enter a valid email address.");

export const password = z
  .string()
  .min(limits.password_min_length, `A password has at least ${limits.password_min_length} characters.`)
  .max(limits.password_max_length, `A password has at most ${limits.password_max_length} characters.`)
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u, "A password is one line, without characters that nobody can type.");

export const easilyGuessed =
  "This password is easy to guess. Choose a longer one, such as a few unrelated words.";

/** The organization's own bots, by their task. */
export const systemBots = {
  notification: { full_name: "Notification Bot", name: "notification-bot" },
  welcome: { full_name: "Welcome Bot", name: "welcome-bot" },
} as const;

export type SystemBotKind = keyof typeof systemBots;

/** Values by the ID of their profile field. */
const profile = z.record(z.string(), z.object({ value: z.string(), rendered_value: z.string().optional() }));
export type Profile = z.infer<typeof profile>;

/** A user as others read them. */
export const user = z.object({
  user_id: userId,
  email: z.string(),
  delivery_email: z.string().nullable(),
  full_name: z.string(),
  date_joined: z.string(),
  is_active: z.boolean(),
  is_owner: z.boolean(),
  is_admin: z.boolean(),
  is_guest: z.boolean(),
  is_bot: z.boolean(),
  bot_type: z.int().nullable().optional(),
  bot_owner_id: z.int().nullable().optional(),
  role: z.int(),
  timezone: z.string(),
  avatar_url: z.string().nullable(),
  avatar_version: z.int(),
  /** Whether an import made the account and nobody has signed in to it yet. */
  is_imported_stub: z.boolean(),
  profile_data: profile.optional(),
});

export type User = z.infer<typeof user>;

/** The user's own address if the reader may see it, otherwise the generated one. */
export function addressOf({ delivery_email, email }: Pick<User, "delivery_email" | "email">): string {
  return delivery_email ?? email;
}

/** Whether a picture is a generated one, which clients may compute themselves. */
const isMade = (url: string | null) => url?.startsWith("/user_avatars/identicon/") ?? false;

interface UserAdded {
  person: User;
  /** `person` is a placeholder for a user that the recipients may not know. */
  isStranger?: boolean;
  /** Clients show the server's picture, and make none of the address. */
  hasServerPicture?: boolean;
}

export const userAdded = event("realm_user", {
  about: "A user has joined, or has become visible to the recipient.",
  op: "add",
  schema: z.object({ person: user }),
  variant: ({ options, capabilities }) =>
    `${options.client_gravatar},${capabilities.has("user_list_incomplete")}`,
  shape: ({ person, isStranger, hasServerPicture }: UserAdded, { options, capabilities }) => {
    if (isStranger && capabilities.has("user_list_incomplete")) return null;
    const drawsItself =
      options.client_gravatar &&
      !hasServerPicture &&
      person.delivery_email !== null &&
      isMade(person.avatar_url);
    return { person: drawsItself ? { ...person, avatar_url: null } : person };
  },
});

/** A user that a guest may no longer know. */
export const userRemoved = event("realm_user", {
  about: "A user is no longer visible to the recipient.",
  op: "remove",
  schema: z.object({ person: z.object({ user_id: userId, full_name: z.string() }) }),
});

/** Of the fields of a user, those that are different. */
const changedUser = user.partial().extend({
  user_id: userId,
  /** The address in the API, where it is not the person's own. */
  new_email: z.string().optional(),
  avatar_source: z.string().optional(),
  avatar_url_medium: z.string().nullable().optional(),
  custom_profile_field: z
    .object({ id: z.int(), value: z.string().nullable(), rendered_value: z.string().optional() })
    .optional(),
});

export type ChangedUser = z.infer<typeof changedUser>;

interface UserChange {
  person: ChangedUser;
  /** The change affects the person so much that their clients must register again. */
  endsQueues?: boolean;
}

/** One changed property of a user. */
export const userUpdated = event("realm_user", {
  about: "A user was changed; carries what is different. Deactivation and reactivation set `is_active`.",
  op: "update",
  schema: z.object({ person: changedUser }),
  shape: ({ person }: UserChange) => ({ person }),
  after: ({ person, endsQueues }, queues) => {
    if (person.is_active === false || endsQueues) queues.closeAllOf(person.user_id);
    // These queues asked for events of all channels; guests may only get those of channels that they are in.
    if (person.role === roles.guest) queues.closeAllOf(person.user_id, ({ traits }) => traits.taps.size > 0);
  },
});

/** A key or a session of a user has ended, so clients that wait for events must authenticate again. */
export const credentialsEnded = event("credentials", {
  about: "A key or a session of a user has ended.",
  op: "end",
  schema: z.object({ user_id: userId }),
  after: ({ user_id }, queues) => queues.endWaits(user_id),
  isInternal: true,
  isAwaited: true,
});

/** If more changes for a user at once, their clients register again, because as many events would keep other requests waiting. */
export const maxChangesSent = 200;

/** So much has changed for these users that their clients must register again. */
export const clientsOutdated = event("clients", {
  about: "So much has changed for users that their clients register again.",
  op: "outdated",
  schema: z.object({ user_ids: z.array(userId) }),
  after: ({ user_ids }, queues) => {
    for (const id of user_ids) queues.closeAllOf(id);
  },
  isInternal: true,
});

/** Which fields of users a client asks for. */
export interface UserView {
  client_gravatar: boolean;
  include_custom_profile_fields: boolean;
}

export const farewell = z
  .string()
  .trim()
  .max(2000, "A comment has at most 2000 characters.")
  .refine(hasNoNull, "A comment must not contain null bytes.");

export interface UserRow {
  id: number;
  /** The address in the API; generated if not everyone may see the person's own. */
  email: string;
  /** The person's own address. */
  delivery_email: string;
  full_name: string;
  role: Role;
  is_active: 0 | 1;
  is_bot: 0 | 1;
  bot_type: number | null;
  bot_owner_id: number | null;
  timezone: string;
  avatar_version: number;
  /** Null for the generated picture. */
  avatar_file: string | null;
  /** What stands for them without a picture: "G" what clients make of the address, "J" what the server makes. */
  default_avatar: "G" | "J";
  date_joined: number;
  password_hash: string | null;
  system_bot: SystemBotKind | null;
  /** UNIX seconds; null unless the person was erased. */
  erased_at: number | null;
  /** Who made an account that nobody has signed in to yet; null for all others. */
  awaits_login: "imported" | "created" | null;
}
