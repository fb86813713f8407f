// The files of a Slack export, as far as they are read. Other fields are ignored.
import { z } from "zod";
import { numberOrNull, text, yesNo } from "@/operations/import/intake/checking.ts";

const profile = z.object({
  real_name: text,
  display_name: text,
  email: text,
  bot_id: text,
  image_original: text,
  image_512: text,
  image_192: text,
});

const user = z.object({
  id: z.string().min(1),
  name: text,
  real_name: text,
  deleted: yesNo,
  tz: text,
  is_admin: yesNo,
  is_owner: yesNo,
  is_primary_owner: yesNo,
  is_restricted: yesNo,
  is_ultra_restricted: yesNo,
  is_bot: yesNo,
  profile: profile.partial().nullish(),
});
export type SlackUser = z.infer<typeof user>;
export const usersFile = z.array(user);

const ids = z
  .array(z.string())
  .nullish()
  .transform((list) => list ?? []);
const titled = z
  .object({ value: text })
  .nullish()
  .transform((given) => given?.value ?? "");

const channel = z.object({
  id: z.string().min(1),
  name: text,
  created: numberOrNull,
  creator: text,
  is_archived: yesNo,
  is_general: yesNo,
  members: ids,
  topic: titled,
  purpose: titled,
  pins: z
    .array(z.object({ id: text }).catch({ id: "" }))
    .nullish()
    .transform((list) => list ?? []),
});
export type SlackChannel = z.infer<typeof channel>;
export const channelsFile = z.array(channel);

const file = z.object({
  id: text,
  name: text,
  title: text,
  mode: text,
  mimetype: text,
  url_private: text,
  url_private_download: text,
  user: text,
  created: numberOrNull,
});
export type SlackFile = z.infer<typeof file>;

const attachment = z.object({
  fallback: text,
  pretext: text,
  title: text,
  title_link: text,
  text: text,
  author_name: text,
  footer: text,
  from_url: text,
  image_url: text,
  fields: z
    .array(z.object({ title: text, value: text }))
    .nullish()
    .transform((list) => list ?? []),
});
export type SlackAttachment = z.infer<typeof attachment>;

const time = z
  .union([z.string(), z.number().transform(String)])
  .pipe(z.string().regex(/^\d+(\.\d+)?$/, "A time looks like 1503435956.000247."));

const message = z.object({
  type: text,
  subtype: text,
  ts: time,
  user: text,
  bot_id: text,
  username: text,
  text: text,
  thread_ts: text,
  edited: z.object({ user: text, ts: time }).nullish(),
  reactions: z.array(z.object({ name: z.string(), users: ids })).nullish(),
  files: z.array(file).nullish(),
  file: file.nullish(),
  attachments: z.array(attachment).nullish(),
  pinned_to: ids,
  user_profile: z.object({ real_name: text, display_name: text, name: text }).nullish(),
  bot_profile: z.object({ name: text }).nullish(),
  hidden: yesNo,
});
export type SlackMessage = z.infer<typeof message>;
export const messagesFile = z.array(message);

/** The answer of Slack's `emoji.list`, or its field `emoji`: a URL or `alias:NAME` for each name. */
export const emojiFile = z.union([
  z.object({ emoji: z.record(z.string(), z.string()) }).transform(({ emoji }) => emoji),
  z.record(z.string(), z.string()),
]);
