// An export of Slack with everything that an import takes over, in the files that Slack writes.
import { png } from "../pictures.ts";
import type { Members } from "./archives.ts";

const day = (ts: number) => new Date(ts * 1000).toISOString().slice(0, 10);
const start = 1_600_000_000;

const user = (id: string, real_name: string, more: Record<string, unknown> = {}) => {
  const name = real_name.split(" ")[0]?.toLowerCase();
  const { profile, ...rest } = more as { profile?: Record<string, unknown> };
  return {
    ...{
      id,
      team_id: "T1",
      name,
      deleted: false,
      real_name,
      tz: "",
      is_bot: false,
      is_admin: false,
      is_owner: false,
    },
    profile: { real_name, display_name: name, email: `${name}@example.com`, ...profile },
    ...rest,
  };
};

const channel = (id: string, name: string, members: string[], more: Record<string, unknown> = {}) => ({
  ...{ id, name, members, created: start - 1000, creator: "U1", is_archived: false, is_general: false },
  topic: { value: "" },
  purpose: { value: `About ${name}` },
  ...more,
});

interface Said {
  [field: string]: unknown;
}

let second = 0;
const ts = (n: number) => `${start + n}.000${100 + n}`;

const message = (who: string, text: string, more: Said = {}): Said => {
  second++;
  return { type: "message", user: who, text, ts: ts(second), ...more };
};

/** The files of a conversation, by day. */
function filed(folder: string, messages: Said[]): Members {
  const days = Map.groupBy(messages, (one) => day(Number(one.ts)));
  return Object.fromEntries([...days].map(([date, list]) => [`${folder}/${date}.json`, list]));
}

export const slackFile = "minutes of the meeting\n";

/** `files` is the URL of files that the export only links to. */
export function slackExport(files = "https://files.slack.com"): Members {
  second = 0;
  const generalMessages = [
    message("U1", "<@U2> has joined the channel", { subtype: "channel_join" }),
    message("U1", "Hello <@U2>, *bold* _italic_ ~gone~ &amp; `a &lt; b` in <#C2|secret>"),
    message("U2", "What about *the plan*?", { thread_ts: ts(3), reply_count: 2 }),
    message("U3", "In the thread", { thread_ts: ts(3), parent_user_id: "U2" }),
    message("U1", "What about the plan?", { thread_ts: ts(5), reply_count: 1 }),
    message("U2", "Again, for all", { thread_ts: ts(5), subtype: "thread_broadcast" }),
    message("U2", "Edited", { edited: { user: "U2", ts: `${start + 500}.000200` } }),
    message("U1", "Vote", {
      reactions: [
        { name: "+1::skin-tone-3", users: ["U1", "U2"], count: 2 },
        { name: "partycrab", users: ["U3"], count: 1 },
        { name: "crab-alias", users: ["U2"], count: 1 },
        { name: "unknown-thing", users: ["U2"], count: 1 },
      ],
    }),
    message("U1", "", {
      files: [
        {
          id: "F1",
          name: "minutes.txt",
          mode: "hosted",
          url_private: `${files}/F1/minutes.txt?t=xoxe-secret`,
          user: "U1",
        },
        { id: "F2", name: "gone.txt", mode: "tombstone" },
        {
          id: "F3",
          name: "linked.txt",
          mode: "hosted",
          url_private: `${files}/F3/linked.txt?t=xoxe-secret`,
          user: "U1",
        },
      ],
    }),
    message("", "Build <https://ci.example.com/1|#1> passed", {
      ...{ subtype: "bot_message", bot_id: "B9", username: "CI" },
      attachments: [
        {
          title: "Log",
          title_link: "https://ci.example.com/log",
          text: "all *green*",
          fields: [{ title: "Time", value: "3 s" }],
        },
      ],
    }),
    message("U9", "From outside", { user_profile: { real_name: "Otto Outside", name: "otto" } }),
    message(
      "U2",
      `See <https://crew.slack.com/archives/C1/p${start + 2}000102|this>\n• one\n• two\n&gt; quoted`,
    ),
    message("U1", "```let a = 1 &lt; 2;\n<https://x.example.com>```\n<!here> done", { pinned_to: ["C1"] }),
    message("U4", "waves", { subtype: "me_message" }),
  ];
  const secret = [message("U1", "Nobody else must know", {})];
  const old = [message("U3", "So long")];
  const direct = [message("U1", "For Ada alone"), message("U2", "In a thread", { thread_ts: ts(17) })];
  const group = [message("U3", "The three of us")];
  return {
    "users.json": [
      user("U1", "Olive Owner", {
        is_owner: true,
        is_primary_owner: true,
        tz: "Europe/Rome",
        profile: { image_original: `${files}/olive.png` },
      }),
      user("U2", "Ada Admin", { is_admin: true }),
      user("U3", "Gus Guest", { is_restricted: true }),
      user("U4", "Dex Gone", { deleted: true }),
      user("UB", "Robot", { is_bot: true, profile: { bot_id: "B1", email: undefined } }),
    ],
    "channels.json": [
      channel("C1", "general", ["U1", "U2", "U3"], { is_general: true, topic: { value: "All of us" } }),
      channel("C3", "old-stuff", [], { is_archived: true }),
    ],
    "groups.json": [channel("C2", "secret", ["U1", "U2"])],
    "dms.json": [{ id: "D1", created: start, members: ["U1", "U2"] }],
    "mpims.json": [{ id: "G1", name: "mpdm-1", created: start, creator: "U1", members: ["U1", "U2", "U3"] }],
    "integration_logs.json": [],
    "emoji.json": { ok: true, emoji: { partycrab: `${files}/crab.png`, "crab-alias": "alias:partycrab" } },
    "emoji/partycrab.png": png(32, 32),
    "__uploads/F1/minutes.txt": slackFile,
    ...filed("general", generalMessages),
    ...filed("secret", secret),
    ...filed("old-stuff", old),
    ...filed("D1", direct),
    ...filed("mpdm-1", group),
  };
}
