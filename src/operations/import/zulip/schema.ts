// The tables of a Zulip export, as far as they are read. Other columns are ignored.
import { z } from "zod";
import { number, numberOrNull, orNull, text, yesNo } from "@/operations/import/intake/checking.ts";

const id = number.pipe(z.int());
const key = id.transform(String);
const keyOrNull = orNull(key);
const time = numberOrNull;

const rows = <T extends z.ZodType>(row: T) =>
  z
    .array(row)
    .nullish()
    .transform((list) => list ?? []);
const counted = z
  .array(z.unknown())
  .nullish()
  .transform((list) => list?.length ?? 0);

const user = z.object({
  id: key,
  email: text,
  delivery_email: text,
  full_name: text,
  role: orNull(z.int()),
  is_realm_admin: yesNo,
  is_guest: yesNo,
  is_active: z
    .boolean()
    .nullish()
    .transform((value) => value ?? true),
  is_bot: yesNo,
  bot_owner: keyOrNull,
  timezone: text,
  date_joined: time,
});
export type ZulipUser = z.infer<typeof user>;

const stream = z.object({
  id: key,
  name: z.string(),
  description: text,
  invite_only: yesNo,
  is_web_public: yesNo,
  history_public_to_subscribers: z.boolean().nullish(),
  deactivated: yesNo,
  date_created: time,
  creator: keyOrNull,
});
export type ZulipStream = z.infer<typeof stream>;

export const realmFile = z.object({
  zerver_realm: z.array(z.object({ name: text, string_id: text })).min(1),
  zerver_userprofile: z.array(user),
  zerver_userprofile_mirrordummy: rows(user),
  zerver_userprofile_crossrealm: rows(z.object({ id: key, email: text })),
  zerver_stream: z.array(stream),
  zerver_defaultstream: rows(z.object({ stream: key })),
  zerver_recipient: z.array(z.object({ id: key, type: z.int(), type_id: key })),
  zerver_subscription: z.array(
    z.object({
      user_profile: key,
      recipient: key,
      active: z
        .boolean()
        .nullish()
        .transform((value) => value ?? true),
    }),
  ),
  zerver_realmemoji: rows(
    z.object({ name: z.string(), author: keyOrNull, file_name: text, deactivated: yesNo }),
  ),
  zerver_usergroup: rows(
    z.object({ id: orNull(key), name: text, description: text, is_system_group: yesNo }),
  ),
  zerver_namedusergroup: rows(
    z.object({
      usergroup_ptr: key,
      name: text,
      description: text,
      is_system_group: yesNo,
      deactivated: yesNo,
    }),
  ),
  zerver_usergroupmembership: rows(z.object({ user_group: key, user_profile: key })),
  zerver_reaction: rows(
    z.object({ user_profile: key, message: key, emoji_name: z.string(), reaction_type: text }),
  ),
  zerver_customprofilefieldvalue: counted,
  zerver_usertopic: counted,
  zerver_mutedtopic: counted,
  zerver_muteduser: counted,
  zerver_realmfilter: counted,
  zerver_realmplayground: counted,
  zerver_alertword: counted,
  zerver_draft: counted,
  zerver_scheduledmessage: counted,
  zerver_savedsnippet: counted,
  zerver_submessage: counted,
});
export type ZulipRealm = z.infer<typeof realmFile>;

const historyEntry = z.object({
  user_id: keyOrNull,
  timestamp: number,
  prev_content: z.string().nullish(),
  prev_topic: z.string().nullish(),
  prev_subject: z.string().nullish(),
  topic: z.string().nullish(),
  prev_stream: key.nullish(),
  stream: key.nullish(),
});
export const editHistory = z.array(historyEntry);
export type ZulipEdit = z.infer<typeof historyEntry>;

const message = z.object({
  id: key,
  sender: key,
  recipient: key,
  subject: text,
  content: text,
  date_sent: time,
  pub_date: time,
  edit_history: z.union([z.string(), z.array(z.unknown())]).nullish(),
});
export type ZulipMessage = z.infer<typeof message>;

export const messageFile = z.object({
  zerver_message: z.array(message),
  zerver_usermessage: rows(z.object({ user_profile: key, message: key, flags_mask: z.int().nullish() })),
  zerver_submessage: counted,
});

export const attachmentFile = z.object({
  zerver_attachment: rows(z.object({ file_name: text, path_id: z.string(), owner: key, create_time: time })),
});

export const recordsFile = z.array(
  z.object({
    path: z.string(),
    s3_path: text,
    user_profile_id: keyOrNull,
    file_name: text,
  }),
);
