// Reads Mattermost's bulk export (`mmctl export`): a JSON document on each line, and files next to it in the archive. In a
// channel, a thread becomes a topic, named after its first message; other messages go to general chat. In direct
// conversations, replies stay in order of time.
import { roles } from "@/foundation/permissions/schema.ts";
import { limits } from "@/foundation/realm/schema.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { checkValue } from "@/operations/import/intake/checking.ts";
import type { UnpackedFiles } from "@/operations/import/intake/contents.ts";
import type { Intake } from "@/operations/import/intake/intake.ts";
import {
  channelNameOf,
  description,
  emojiName,
  freeName,
  mailAddress,
  personName,
} from "@/operations/import/intake/names.ts";
import type { ExportReading } from "@/operations/import/intake/reading.ts";
import { findAttached } from "./files.ts";
import { MattermostMessages } from "./messages.ts";
import {
  anyLine,
  channelKey,
  type KnownLine,
  knownLine,
  knownTypes,
  type MattermostBot,
  type MattermostChannel,
  type MattermostUser,
} from "./schema.ts";

export async function readMattermost({
  contents: unpacked,
  intake,
  onProgress,
}: ExportReading): Promise<string | null> {
  const lines = linesIn(unpacked);
  const teams = await takePlaces(lines, intake);
  const messages = new MattermostMessages(lines.contents, intake, teams.size > 1);
  let done = 0;
  for await (const line of readKnownLines(lines)) {
    if (++done % 1000 === 0) onProgress(`Reading line ${done}`, 0, 0);
    if (line.type === "post") messages.takePost(line.post);
    if (line.type === "direct_post") messages.takeDirect(line.direct_post);
  }
  const [only] = [...teams.values()];
  return teams.size === 1 ? (only ?? null) : null;
}

/** The .jsonl file, at the top of the archive. */
function linesIn(contents: UnpackedFiles): Lines {
  const found = contents.namesIn("").filter((name) => name.endsWith(".jsonl") && !name.startsWith("."));
  const [only] = found;
  if (found.length !== 1 || only === undefined)
    fail("BAD_REQUEST", `A bulk export has one .jsonl file at its top; this one has ${found.length}.`);
  return { contents, file: only };
}

interface Lines {
  contents: UnpackedFiles;
  file: string;
}

async function* readKnownLines({ contents, file }: Lines): AsyncGenerator<KnownLine> {
  for await (const { line, value } of contents.lines(file)) {
    const where = `${file}, line ${line}`;
    const { type } = checkValue(value, anyLine, where);
    if (line === 1 && type !== "version")
      fail("BAD_REQUEST", `${where} must contain the version of the format.`);
    if (knownTypes.has(type)) yield checkValue(value, knownLine, where);
  }
}

/** Reads people, channels and emoji; returns the display names of teams, by name. */
async function takePlaces(lines: Lines, intake: Intake): Promise<Map<string, string>> {
  const teams = new Map<string, string>();
  const channels: MattermostChannel[] = [];
  const members = new Map<string, string[]>();
  const administrators = new Map<string, string[]>();
  for await (const line of readKnownLines(lines)) {
    if (line.type === "team") teams.set(line.team.name, line.team.display_name || line.team.name);
    if (line.type === "channel") channels.push(line.channel);
    if (line.type === "bot") await takeBot(line.bot, lines, intake);
    if (line.type === "emoji") await takeEmoji(line.emoji, lines, intake);
    if (line.type !== "user") continue;
    await takeUser(line.user, lines, intake);
    for (const team of line.user.teams) {
      for (const { name, roles: given } of team.channels) {
        const key = channelKey(team.name, name);
        listIn(members, key).push(line.user.username);
        if (given.includes("channel_admin")) listIn(administrators, key).push(line.user.username);
      }
    }
  }
  const taken = new Set<string>();
  for (const channel of channels) {
    const key = channelKey(channel.team, channel.name);
    takeChannel(channel, intake, {
      key,
      name: nameFor(channel, { taken, teams }),
      members: members.get(key) ?? [],
      administrators: administrators.get(key) ?? [],
    });
  }
  return teams;
}

function listIn(lists: Map<string, string[]>, key: string): string[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

/** The channel's name, with its team's name behind it if a channel of another team has the name. */
function nameFor(
  { team, name, display_name }: MattermostChannel,
  { taken, teams }: { taken: Set<string>; teams: ReadonlyMap<string, string> },
): string {
  const wanted = channelNameOf(display_name || name, name);
  if (!taken.has(wanted.toLowerCase())) return freeName(wanted, taken, limits.max_stream_name_length);
  return freeName(
    channelNameOf(`${wanted} (${teams.get(team) ?? team})`, name),
    taken,
    limits.max_stream_name_length,
  );
}

function takeChannel(
  { name: address, type, header, purpose, deleted_at, delete_at }: MattermostChannel,
  intake: Intake,
  {
    key,
    name,
    members,
    administrators,
  }: { key: string; name: string; members: string[]; administrators: string[] },
): void {
  const about = [purpose, header].map((text) => text.trim()).filter((text) => text !== "");
  intake.addChannel({
    key,
    name,
    description: description([...new Set(about)].join("\n")),
    isPrivate: type === "P",
    isWebPublic: false,
    sharesHistory: true,
    isArchived: deleted_at > 0 || delete_at > 0,
    created: null,
    creator: null,
    members,
    administrators,
    isDefault: address === "town-square",
  });
}

async function takeUser(user: MattermostUser, { contents }: Lines, intake: Intake): Promise<void> {
  const { username, nickname, first_name, last_name, email, delete_at, profile_image } = user;
  const name = `${first_name} ${last_name}`.trim() || nickname || username;
  intake.addPerson({
    key: username,
    email: mailAddress(email),
    name: personName(name, username),
    role: roleOf(user.roles),
    isBot: false,
    owner: null,
    isActive: delete_at === 0,
    timezone: "",
    joined: null,
    picture: await intake.picture(findAttached(contents, profile_image)),
  });
}

/** System administrators become owners, because they have the highest role. */
function roleOf(given: string) {
  const names = given.split(/\s+/);
  if (names.includes("system_admin")) return roles.owner;
  return names.includes("system_guest") ? roles.guest : roles.member;
}

async function takeBot(
  { username, owner, display_name, delete_at, profile_image }: MattermostBot,
  { contents }: Lines,
  intake: Intake,
): Promise<void> {
  intake.addPerson({
    key: username,
    email: null,
    name: personName(display_name || username, username),
    role: roles.member,
    isBot: true,
    owner: owner || null,
    isActive: delete_at === 0,
    timezone: "",
    joined: null,
    picture: await intake.picture(findAttached(contents, profile_image)),
  });
}

async function takeEmoji(
  { name: given, image }: { name: string; image: string },
  { contents }: Lines,
  intake: Intake,
) {
  const [name, path] = [emojiName(given), findAttached(contents, image)];
  if (name === null || path === null) intake.spool.lose("custom emoji without a usable name or picture");
  else await intake.addEmoji({ name, path, author: null });
}
