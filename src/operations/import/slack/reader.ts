// Reads a Slack export: a zip archive with lists of people and channels, and a folder per channel with one file per day.
import { roles } from "@/foundation/permissions/schema.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import type { UnpackedFiles } from "@/operations/import/intake/contents.ts";
import type { Intake } from "@/operations/import/intake/intake.ts";
import { channelNameOf, description, mailAddress, personName } from "@/operations/import/intake/names.ts";
import type { ExportReading } from "@/operations/import/intake/reading.ts";
import { takeEmoji } from "./emoji.ts";
import { type SlackConversation, SlackMessages } from "./messages.ts";
import { channelsFile, messagesFile, type SlackChannel, type SlackUser, usersFile } from "./schema.ts";

export async function readSlack({
  contents: unpacked,
  intake,
  onProgress,
  fetcher,
}: ExportReading): Promise<string | null> {
  const lists = unpacked.has("org_users.json") ? "org_users.json" : "users.json";
  const contents = unpacked.with(lists);
  onProgress("Reading people and channels", 0, 0);
  const users = contents.json(lists, usersFile) ?? fail("BAD_REQUEST", `The export has no ${lists}.`);
  for (const user of users) await takePerson(user, { intake, fetcher });
  const bots = new Map(
    users.flatMap(({ id, profile }) => (profile?.bot_id ? [[profile.bot_id, id] as const] : [])),
  );
  const conversations = takeConversations(contents, intake);
  const emoji = await takeEmoji(contents, { intake, fetcher });
  const messages = new SlackMessages({ contents, intake, fetcher, bots, emoji, conversations });
  let done = 0;
  for (const conversation of conversations) {
    onProgress("Reading messages", done++, conversations.length);
    for (const name of daysOf(contents, conversation)) {
      const list = contents.json(`${conversation.folder}/${name}`, messagesFile) ?? [];
      for (const message of list) await messages.take(conversation, message);
    }
    messages.endOf(conversation);
  }
  return null;
}

/** The names of a conversation's files, oldest day first. */
function daysOf(contents: UnpackedFiles, { folder: name }: SlackConversation): string[] {
  if (name === "" || name.includes("/") || name.includes("\\") || name.startsWith(".")) return [];
  return contents.namesIn(name).filter((file) => /^\d{4}-\d{2}-\d{2}\.json$/.test(file));
}

async function takePerson(
  user: SlackUser,
  { intake, fetcher }: Pick<ExportReading, "intake" | "fetcher">,
): Promise<void> {
  const { id, profile } = user;
  const name = profile?.real_name || user.real_name || profile?.display_name || user.name;
  intake.addPerson({
    key: id,
    email: user.is_bot ? null : mailAddress(profile?.email ?? null),
    name: personName(name, user.name || id),
    role: roleOf(user),
    isBot: user.is_bot || id === "USLACKBOT",
    owner: null,
    isActive: !user.deleted,
    timezone: user.tz,
    joined: null,
    picture: await pictureOf(user, { intake, fetcher }),
  });
}

async function pictureOf(
  { profile }: SlackUser,
  { intake, fetcher }: Pick<ExportReading, "intake" | "fetcher">,
) {
  const address = profile?.image_original;
  // Without an original, Slack has generated the picture.
  if (!address) return null;
  const path = fetcher ? await fetcher.fetch(profile?.image_512 || address) : null;
  if (path === null) intake.spool.lose("pictures of people that the export only links to");
  return intake.picture(path);
}

function roleOf(user: SlackUser) {
  if (user.is_primary_owner || user.is_owner) return roles.owner;
  if (user.is_admin) return roles.admin;
  return user.is_restricted || user.is_ultra_restricted ? roles.guest : roles.member;
}

/** Adds the channels; returns all conversations, also the direct ones. */
function takeConversations(contents: UnpackedFiles, intake: Intake): SlackConversation[] {
  const read = (name: string) => contents.json(name, channelsFile) ?? [];
  const open = [
    ...read("channels.json").map((one) => channelFrom(one, intake, { isPrivate: false })),
    ...read("groups.json").map((one) => channelFrom(one, intake, { isPrivate: true })),
  ];
  const direct = [...read("dms.json"), ...read("mpims.json")].map(
    ({ id, name, members, pins }): SlackConversation => ({
      key: id,
      folder: name && contents.has(name) ? name : id,
      people: members.map((key) => intake.who(key)),
      pins: new Set(pins.map((pin) => pin.id)),
    }),
  );
  return [...open, ...direct];
}

function channelFrom(
  one: SlackChannel,
  intake: Intake,
  { isPrivate }: { isPrivate: boolean },
): SlackConversation {
  const { id, name, created, creator, is_archived, is_general, members, topic, purpose, pins } = one;
  const about = [purpose, topic].map((text) => text.trim()).filter((text) => text !== "");
  intake.addChannel({
    key: id,
    name: channelNameOf(name, id),
    description: description([...new Set(about)].join("\n")),
    isPrivate,
    isWebPublic: false,
    sharesHistory: true,
    isArchived: is_archived,
    created,
    creator: intake.people.has(creator) ? creator : null,
    members: members.map((key) => intake.who(key)),
    administrators: intake.people.has(creator) ? [creator] : [],
    isDefault: is_general,
  });
  return { key: id, folder: name || id, people: null, pins: new Set(pins.map((pin) => pin.id)) };
}
