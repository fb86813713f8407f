// An export of Zulip with everything that an import takes over, in the tables and files that Zulip writes.
import { png } from "../pictures.ts";
import type { Members } from "./archives.ts";

const [owner, admin, member, guest, gone, bot, dummy] = [11, 12, 13, 14, 15, 16, 17];
const welcome = 5;
const joined = 1_500_000_000.5;

const user = (id: number, full_name: string, more: Record<string, unknown> = {}) => ({
  id,
  full_name,
  email: `${full_name.split(" ")[0]?.toLowerCase()}@example.com`,
  delivery_email: `${full_name.split(" ")[0]?.toLowerCase()}@example.com`,
  role: 400,
  is_active: true,
  is_bot: false,
  bot_type: null,
  bot_owner: null,
  timezone: "",
  date_joined: joined,
  avatar_source: "G",
  ...more,
});

const stream = (id: number, name: string, more: Record<string, unknown> = {}) => ({
  id,
  name,
  description: `About ${name}`,
  invite_only: false,
  is_web_public: false,
  history_public_to_subscribers: true,
  deactivated: false,
  date_created: joined,
  creator: owner,
  recipient: 100 + id,
  ...more,
});

const zulipPicture = png(64, 64);
export const zulipFile = "the plan, in full\n";
const filePath = "2/ab/Xy_1-9/plan v2.txt";

const recipient = (id: number, type: number, type_id: number) => ({ id, type, type_id });
const subscription = (user_profile: number, recipientId: number, active = true) => ({
  id: user_profile * 1000 + recipientId,
  user_profile,
  recipient: recipientId,
  active,
  color: "#c2c2c2",
});

const general = 121;
const secret = 122;
const old = 123;
const huddle = 140;

function realm() {
  return {
    zerver_realm: [{ id: 2, name: "Zulip Crew", string_id: "crew" }],
    zerver_userprofile: [
      user(owner, "Olive Owner", { role: 100, timezone: "Europe/Rome", avatar_source: "U" }),
      user(admin, "Ada Admin", { role: 200 }),
      user(member, "Mel Member"),
      user(guest, "Gus Guest", { role: 600 }),
      user(gone, "Dex Gone", { is_active: false }),
      user(bot, "Robot", { is_bot: true, bot_type: 1, bot_owner: admin }),
    ],
    zerver_userprofile_mirrordummy: [
      user(dummy, "Left Long Ago", { is_active: false, is_mirror_dummy: true }),
    ],
    zerver_userprofile_crossrealm: [{ id: welcome, email: "welcome-bot@zulip.com" }],
    zerver_stream: [
      stream(21, "general"),
      stream(22, "secret lab", { invite_only: true, history_public_to_subscribers: false }),
      stream(23, "old stuff", { deactivated: true }),
    ],
    zerver_defaultstream: [{ id: 1, stream: 21 }],
    zerver_recipient: [
      recipient(general, 2, 21),
      recipient(secret, 2, 22),
      recipient(old, 2, 23),
      ...[owner, admin, member, guest, gone].map((id) => recipient(200 + id, 1, id)),
      recipient(huddle, 3, 1),
    ],
    zerver_subscription: [
      ...[owner, admin, member, gone].map((id) => subscription(id, general)),
      subscription(guest, general, false),
      ...[owner, member].map((id) => subscription(id, secret)),
      subscription(admin, old),
      ...[owner, admin, member].map((id) => subscription(id, huddle)),
    ],
    zerver_huddle: [{ id: 1, huddle_hash: "abc" }],
    zerver_realmemoji: [
      { id: 1, name: "party_crab", author: admin, file_name: "1.png", deactivated: false },
      { id: 2, name: "retired", author: admin, file_name: "2.png", deactivated: true },
    ],
    zerver_usergroup: [{ id: 31, named_user_group: 31 }],
    zerver_namedusergroup: [
      {
        usergroup_ptr: 31,
        name: "crabs",
        description: "Who like crabs",
        is_system_group: false,
        deactivated: false,
      },
      { usergroup_ptr: 32, name: "role:members", description: "", is_system_group: true, deactivated: false },
    ],
    zerver_usergroupmembership: [
      { id: 1, user_group: 31, user_profile: admin },
      { id: 2, user_group: 31, user_profile: member },
      { id: 3, user_group: 32, user_profile: member },
    ],
    zerver_reaction: [
      {
        id: 1,
        user_profile: admin,
        message: 1002,
        emoji_name: "tada",
        emoji_code: "1f389",
        reaction_type: "unicode_emoji",
      },
      {
        id: 2,
        user_profile: member,
        message: 1002,
        emoji_name: "party_crab",
        emoji_code: "1",
        reaction_type: "realm_emoji",
      },
      {
        id: 3,
        user_profile: member,
        message: 1002,
        emoji_name: "retired",
        emoji_code: "2",
        reaction_type: "realm_emoji",
      },
    ],
    zerver_draft: [{ id: 1 }],
    zerver_usertopic: [{ id: 1 }, { id: 2 }],
  };
}

const message = (id: number, sender: number, recipientId: number, more: Record<string, unknown>) => ({
  id,
  sender,
  recipient: recipientId,
  subject: "",
  sending_client: 1,
  date_sent: 1_600_000_000 + id + 0.25,
  edit_history: null,
  rendered_content: "<p>…</p>",
  ...more,
});

const first = [
  message(1001, owner, general, {
    subject: "plans",
    content: "Welcome @**Mel Member** and @_**Ada Admin|12**",
  }),
  message(1002, admin, general, {
    subject: "Plans",
    content: `See [the plan](/user_uploads/${encodeURI(filePath)}) in #**general>plans**, not \`@**Mel Member**\``,
    edit_history: JSON.stringify([
      {
        user_id: owner,
        timestamp: 1_600_002_000,
        prev_topic: "ideas",
        topic: "Plans",
        prev_stream: 23,
        stream: 21,
      },
      {
        user_id: admin,
        timestamp: 1_600_001_500,
        prev_content: "See the plan, @**Mel Member**",
        prev_rendered_content: "",
      },
    ]),
  }),
  message(1003, member, secret, { subject: "", content: "Nobody else must know" }),
  message(1004, member, 200 + owner, { content: "For Olive alone" }),
  message(1005, owner, 200 + member, { content: "And back" }),
  message(1006, admin, huddle, { content: "The three of us" }),
];
const second = [
  message(1007, bot, general, { subject: "builds", content: "Build **passed**" }),
  message(1008, gone, old, { subject: "bye", content: "So long" }),
  message(1009, member, general, {
    subject: "plans",
    content:
      "As [said](#narrow/channel/21-general/topic/Plans/near/1002) before\n```\n@**Mel Member** /user_uploads/x\n```",
  }),
  message(1010, dummy, general, { subject: "mail", content: "By mail" }),
  message(1011, welcome, 200 + member, { content: "Hello, and welcome to Zulip!" }),
];

const marks = (id: number, flags: Record<number, number>) =>
  Object.entries(flags).map(([person, flags_mask]) => ({
    user_profile: Number(person),
    message: id,
    flags_mask,
  }));

export function zulipExport(): Members {
  return {
    "realm.json": realm(),
    "messages-000001.json": {
      zerver_message: first,
      zerver_usermessage: [...marks(1001, { [owner]: 1, [member]: 3 }), ...marks(1003, { [owner]: 0 })],
    },
    "messages-000002.json": { zerver_message: second, zerver_usermessage: marks(1007, { [admin]: 2 }) },
    "attachment.json": {
      zerver_attachment: [
        {
          id: 1,
          file_name: "plan v2.txt",
          path_id: filePath,
          owner: admin,
          create_time: 1_600_000_900,
          messages: [1002],
        },
      ],
    },
    "uploads/records.json": [{ path: filePath, s3_path: filePath, user_profile_id: admin }],
    [`uploads/${filePath}`]: zulipFile,
    "avatars/records.json": [
      { path: "2/abc.png", s3_path: "2/abc.png", user_profile_id: owner },
      { path: "2/abc.original", s3_path: "2/abc.original", user_profile_id: owner },
    ],
    "avatars/2/abc.png": png(10, 10),
    "avatars/2/abc.original": zulipPicture,
    "emoji/records.json": [
      { path: "2/emoji/images/1.png", s3_path: "2/emoji/images/1.png", file_name: "1.png" },
    ],
    "emoji/2/emoji/images/1.png": png(32, 32),
  };
}

/** A public channel with many messages, in files of a thousand. */
export function manyZulipMessages(count: number): Members {
  const { zerver_usergroupmembership: _, ...rest } = realm();
  const words =
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau".split(
      " ",
    );
  const files: Members = {
    "realm.json": { ...rest, zerver_reaction: [] },
    "attachment.json": { zerver_attachment: [] },
  };
  for (let from = 0; from < count; from += 1000) {
    const list = Array.from({ length: Math.min(1000, count - from) }, (_x, i) => {
      const n = from + i;
      const word = (k: number) => words[(n * 7 + k * 13) % words.length];
      const content = `Message ${n}: ${word(1)} ${word(2)} **${word(3)}** ${word(4)} :tada: ${word(5)} https://example.com/${n}`;
      return message(2000 + n, [owner, admin, member][n % 3] ?? owner, general, {
        subject: `topic ${n % 500}`,
        content,
      });
    });
    const number = String(from / 1000 + 1).padStart(6, "0");
    files[`messages-${number}.json`] = { zerver_message: list, zerver_usermessage: [] };
  }
  return files;
}

/** An export that has only people; the first one owns the organization. */
export function manyZulipPeople(count: number): Members {
  const people = Array.from({ length: count }, (_x, n) => {
    const email = `person${n}@example.com`;
    return user(100 + n, `Person ${n}`, { email, delivery_email: email, role: n === 0 ? 100 : 400 });
  });
  return {
    "realm.json": {
      ...{ zerver_realm: realm().zerver_realm, zerver_userprofile: people },
      ...{ zerver_stream: [], zerver_recipient: [], zerver_subscription: [] },
    },
    "attachment.json": { zerver_attachment: [] },
  };
}
