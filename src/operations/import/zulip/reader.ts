// Reads an export made by Zulip's `manage.py export` or by "Export organization" in its settings.
import { basename } from "node:path";
import { type Role, role, roles } from "@/foundation/permissions/schema.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import type { UnpackedFiles } from "@/operations/import/intake/contents.ts";
import type { Intake } from "@/operations/import/intake/intake.ts";
import {
  channelNameOf,
  description,
  emojiName,
  mailAddress,
  personName,
} from "@/operations/import/intake/names.ts";
import type { ExportReading } from "@/operations/import/intake/reading.ts";
import { takeMessages, votesLost } from "./messages.ts";
import { membersOf, recipientTypes } from "./recipients.ts";
import { attachmentFile, realmFile, recordsFile, type ZulipRealm, type ZulipUser } from "./schema.ts";

export async function readZulip({
  contents: unpacked,
  intake,
  onProgress,
}: ExportReading): Promise<string | null> {
  const contents = unpacked.with("realm.json");
  onProgress("Reading people and channels", 0, 0);
  const realm =
    contents.json("realm.json", realmFile) ?? fail("BAD_REQUEST", "The export has no realm.json.");
  await takePeople(realm, contents, intake);
  takeChannels(realm, intake);
  takeGroups(realm, intake);
  await takeEmoji(realm, contents, intake);
  takeFiles(contents, intake);
  countLost(realm, intake);
  takeMessages(realm, contents, { intake, onProgress });
  for (const { user_profile, message, emoji_name, reaction_type } of realm.zerver_reaction) {
    const emoji = reaction_type === "realm_emoji" ? (emojiName(emoji_name) ?? emoji_name) : emoji_name;
    intake.addReaction(message, { by: user_profile, emoji, at: intake.timeOf(message) });
  }
  return realm.zerver_realm[0]?.name || null;
}

async function takePeople(realm: ZulipRealm, contents: UnpackedFiles, intake: Intake): Promise<void> {
  const pictures = picturesIn(contents);
  for (const user of realm.zerver_userprofile) {
    const picture = await intake.picture(pictures.get(user.id) ?? null);
    intake.addPerson({ ...personOf(user), picture });
  }
  for (const user of realm.zerver_userprofile_mirrordummy)
    intake.addPerson({ ...personOf(user), isActive: false, picture: null });
  for (const { id, email } of realm.zerver_userprofile_crossrealm) {
    const name = email.split("@")[0]?.replaceAll("-", " ") ?? "";
    intake.addPerson({ ...personOf(unknownBot(id, name)), picture: null });
  }
}

/** One of Zulip's own bots, such as its Welcome Bot. */
function unknownBot(id: string, full_name: string): ZulipUser {
  const traits = { role: null, is_realm_admin: false, is_guest: false, is_active: false, is_bot: true };
  return {
    id,
    email: "",
    delivery_email: "",
    full_name,
    ...traits,
    bot_owner: null,
    timezone: "",
    date_joined: null,
  };
}

function personOf(user: ZulipUser) {
  return {
    key: user.id,
    email: mailAddress(user.delivery_email || user.email),
    name: personName(user.full_name, user.id),
    role: roleOf(user),
    isBot: user.is_bot,
    owner: user.bot_owner,
    isActive: user.is_active,
    timezone: user.timezone,
    joined: user.date_joined,
  };
}

function roleOf(user: ZulipUser): Role {
  const known = role.safeParse(user.role);
  if (known.success) return known.data;
  return user.is_realm_admin ? roles.admin : user.is_guest ? roles.guest : roles.member;
}

/** The uploaded picture of each person, by key; prefers the original to the scaled one. */
function picturesIn(contents: UnpackedFiles): Map<string, string> {
  const found = new Map<string, string>();
  for (const { path, user_profile_id } of contents.json("avatars/records.json", recordsFile) ?? []) {
    const file = contents.below("avatars").file(path);
    if (user_profile_id === null || file === null) continue;
    if (!found.has(user_profile_id) || path.endsWith(".original")) found.set(user_profile_id, file);
  }
  return found;
}

function takeChannels(realm: ZulipRealm, intake: Intake): void {
  const subscribers = new Map(
    [...membersOf(realm, recipientTypes.channel).values()].map(({ typeId, members }) => [typeId, members]),
  );
  const defaults = new Set(realm.zerver_defaultstream.map(({ stream }) => stream));
  for (const stream of realm.zerver_stream) {
    // Older versions rename archived channels, to free their names.
    const name = stream.deactivated ? stream.name.replace(/^!DEACTIVATED:/, "") : stream.name;
    intake.addChannel({
      key: stream.id,
      name: channelNameOf(name, stream.id),
      description: description(stream.description),
      isPrivate: stream.invite_only,
      isWebPublic: stream.is_web_public && !stream.invite_only,
      sharesHistory: stream.history_public_to_subscribers ?? !stream.invite_only,
      isArchived: stream.deactivated,
      created: stream.date_created,
      creator: stream.creator === null ? null : intake.who(stream.creator),
      members: (subscribers.get(stream.id) ?? []).map((key) => intake.who(key)),
      administrators: stream.creator === null ? [] : [stream.creator],
      isDefault: defaults.has(stream.id),
    });
  }
}

function takeGroups(realm: ZulipRealm, intake: Intake): void {
  const members = Map.groupBy(realm.zerver_usergroupmembership, ({ user_group }) => user_group);
  const named = realm.zerver_namedusergroup.filter((group) => !group.deactivated);
  const groups = [
    ...named.map(({ usergroup_ptr, ...group }) => ({ ...group, id: usergroup_ptr })),
    ...realm.zerver_usergroup.flatMap((group) =>
      group.id === null || group.name === "" ? [] : [{ ...group, id: group.id }],
    ),
  ];
  for (const { id, name, description: about, is_system_group } of groups) {
    if (is_system_group || name.startsWith("role:")) continue;
    const people = (members.get(id) ?? []).map(({ user_profile }) => intake.who(user_profile));
    intake.spool.addGroup({ name: name.slice(0, 100), description: description(about), members: people });
  }
}

async function takeEmoji(realm: ZulipRealm, contents: UnpackedFiles, intake: Intake): Promise<void> {
  const records = contents.json("emoji/records.json", recordsFile) ?? [];
  const byFile = new Map<string, string>();
  for (const { path, file_name } of records) {
    const file = contents.below("emoji").file(path);
    if (file === null) continue;
    const name = (file_name || basename(path)).replace(/\.original$/, "");
    if (!byFile.has(name) || path.endsWith(".original")) byFile.set(name, file);
  }
  for (const { name: given, author, file_name, deactivated } of realm.zerver_realmemoji) {
    const [name, path] = [emojiName(given), byFile.get(file_name)];
    if (deactivated) intake.spool.lose("deactivated custom emoji");
    else if (name === null || path === undefined)
      intake.spool.lose("custom emoji without a usable name or picture");
    else await intake.addEmoji({ name, path, author });
  }
}

function takeFiles(contents: UnpackedFiles, intake: Intake): void {
  const { zerver_attachment } = contents.json("attachment.json", attachmentFile) ?? {
    zerver_attachment: [],
  };
  for (const { path_id, file_name, owner, create_time } of zerver_attachment) {
    const path = contents.below("uploads").file(path_id);
    if (path === null) intake.spool.lose("files that the export lists but does not contain");
    else
      intake.addFile({
        key: path_id,
        name: file_name || basename(path_id),
        path,
        owner,
        at: create_time ?? 0,
      });
  }
}

const lostTables: readonly [keyof ZulipRealm, string][] = [
  ["zerver_customprofilefieldvalue", "values of profile fields"],
  ["zerver_usertopic", "topics that people muted or followed"],
  ["zerver_mutedtopic", "topics that people muted"],
  ["zerver_muteduser", "mutes of people"],
  ["zerver_realmfilter", "linkifiers"],
  ["zerver_realmplayground", "code playgrounds"],
  ["zerver_alertword", "alert words"],
  ["zerver_draft", "drafts"],
  ["zerver_scheduledmessage", "scheduled messages"],
  ["zerver_savedsnippet", "saved snippets"],
  ["zerver_submessage", votesLost],
];

function countLost(realm: ZulipRealm, intake: Intake): void {
  for (const [table, what] of lostTables) intake.spool.lose(what, realm[table] as number);
}
