// The lines of Mattermost's bulk export, as far as they are read. Other fields are ignored.
import { z } from "zod";
import { number, numberOrNull, orNull, text, yesNo } from "@/operations/import/intake/checking.ts";

const name = z.string().min(1);
const milliseconds = numberOrNull.transform((value) => value ?? 0);
const list = <T extends z.ZodType>(rule: T) =>
  z
    .array(rule)
    .nullish()
    .transform((given) => given ?? []);

const membership = z.object({ name, roles: text });
const attachment = z.object({ path: text });
const reaction = z.object({ user: name, create_at: milliseconds, emoji_name: name });
export type MattermostReaction = z.infer<typeof reaction>;

const reply = z.object({
  user: name,
  type: text,
  message: text,
  create_at: number,
  edit_at: milliseconds,
  flagged_by: list(z.string()),
  reactions: list(reaction),
  attachments: list(attachment),
  is_pinned: yesNo,
  props: z.record(z.string(), z.unknown()).nullish(),
});
export type MattermostReply = z.infer<typeof reply>;

const post = reply.extend({ team: name, channel: name, replies: list(reply) });
const directPost = reply.extend({ channel_members: z.array(name), replies: list(reply) });

const user = z.object({
  username: name,
  email: text,
  nickname: text,
  first_name: text,
  last_name: text,
  roles: text,
  delete_at: milliseconds,
  profile_image: text,
  teams: list(z.object({ name, channels: list(membership) })),
});
export type MattermostUser = z.infer<typeof user>;

const bot = z.object({
  username: name,
  owner: text,
  display_name: text,
  delete_at: milliseconds,
  profile_image: text,
});
export type MattermostBot = z.infer<typeof bot>;

const channel = z.object({
  team: name,
  name,
  display_name: text,
  type: z.enum(["O", "P"]),
  header: text,
  purpose: text,
  deleted_at: milliseconds,
  delete_at: milliseconds,
});
export type MattermostChannel = z.infer<typeof channel>;

/** Lines of other types (schemes, roles, information about the export) are ignored. */
export const knownLine = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("version"),
    version: z.literal(1, "Only version 1 of the format can be read."),
  }),
  z.object({ type: z.literal("team"), team: z.object({ name, display_name: text }) }),
  z.object({ type: z.literal("channel"), channel }),
  z.object({ type: z.literal("user"), user }),
  z.object({ type: z.literal("bot"), bot }),
  z.object({ type: z.literal("emoji"), emoji: z.object({ name, image: text }) }),
  z.object({ type: z.literal("post"), post }),
  z.object({
    type: z.literal("direct_channel"),
    direct_channel: z.object({ members: orNull(z.array(name)) }),
  }),
  z.object({ type: z.literal("direct_post"), direct_post: directPost }),
]);
export type KnownLine = z.infer<typeof knownLine>;

export const anyLine = z.object({ type: z.string() });
export const knownTypes: ReadonlySet<string> = new Set(
  knownLine.options.map(({ shape }) => shape.type.value),
);

/** Names of channels are unique only within a team. */
export const channelKey = (team: string, channel: string) => `${team}/${channel}`;
