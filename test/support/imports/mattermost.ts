// A bulk export of Mattermost with everything that an import takes over.
import { png } from "../pictures.ts";
import type { Members } from "./archives.ts";

const start = 1_600_000_000_000;
const ms = (n: number) => start + n * 1000 + 250;

export const mattermostFile = "the plan, in full\n";

const user = (
  username: string,
  first_name: string,
  last_name: string,
  more: Record<string, unknown> = {},
) => ({
  type: "user",
  user: {
    ...{
      username,
      email: `${username}@example.com`,
      first_name,
      last_name,
      nickname: "",
      roles: "system_user",
    },
    ...{ auth_service: "", password: null, locale: "en", delete_at: 0 },
    teams: [
      {
        ...{ name: "crew", roles: "team_user" },
        channels: [
          { name: "town-square", roles: "channel_user", favorite: false },
          { name: "old-stuff", roles: "channel_user" },
        ],
      },
    ],
    ...more,
  },
});

const inTeam = (...channels: [name: string, roles: string][]) => [
  { name: "crew", roles: "team_user", channels: channels.map(([name, roles]) => ({ name, roles })) },
];

const channel = (name: string, display_name: string, type: string, more: Record<string, unknown> = {}) => ({
  type: "channel",
  channel: { team: "crew", name, display_name, type, header: "", purpose: `About ${display_name}`, ...more },
});

interface Said {
  [field: string]: unknown;
}

const said = (who: string, message: string, n: number, more: Said = {}): Said => ({
  ...{ user: who, type: "", message, create_at: ms(n), edit_at: 0, props: {} },
  ...more,
});

const post = (name: string, one: Said) => ({ type: "post", post: { team: "crew", channel: name, ...one } });
const direct = (members: string[], one: Said) => ({
  type: "direct_post",
  direct_post: { channel_members: members, ...one },
});

export function mattermostLines(): unknown[] {
  return [
    { type: "version", version: 1, info: { generator: "mattermost-server" } },
    { type: "role", role: { name: "custom_role" } },
    { type: "emoji", emoji: { name: "Party-Crab", image: "emoji/crab.png" } },
    { type: "team", team: { name: "crew", display_name: "The Crew", type: "I" } },
    channel("town-square", "Town Square", "O", { header: "All of us" }),
    channel("secret-lab", "Secret Lab", "P"),
    channel("old-stuff", "Old Stuff", "O", { deleted_at: ms(1) }),
    user("olive", "Olive", "Owner", {
      roles: "system_user system_admin",
      profile_image: "profile_pictures/olive.png",
      teams: inTeam(["town-square", "channel_user channel_admin"], ["secret-lab", "channel_user"]),
    }),
    user("mel.m", "Mel", "Member", {
      teams: inTeam(["town-square", "channel_user"], ["secret-lab", "channel_user"]),
    }),
    user("gus", "", "", { nickname: "Gus the Guest", roles: "system_guest" }),
    user("dex", "Dex", "Gone", { delete_at: ms(2) }),
    { type: "bot", bot: { username: "robot", owner: "olive", display_name: "Robot", delete_at: 0 } },
    // Posts are written in the order of their IDs, which are random.
    post("town-square", said("mel.m", "Later", 30)),
    post(
      "town-square",
      said("olive", "Hello @mel.m. In ~secret-lab, not `@mel.m`, @here", 3, {
        reactions: [
          { user: "mel.m", create_at: ms(4), emoji_name: "+1" },
          { user: "olive", create_at: ms(5), emoji_name: "Party-Crab" },
          { user: "olive", create_at: ms(5), emoji_name: "no-such-thing" },
        ],
        flagged_by: ["mel.m"],
      }),
    ),
    post(
      "town-square",
      said("mel.m", "**What** about the plan?", 6, {
        attachments: [{ path: "20200913/teams/crew/plan.txt" }],
        replies: [
          said("olive", "In the thread", 20, { edit_at: ms(25) }),
          said("robot", "", 21, { props: { attachments: [{ title: "Build", text: "passed" }] } }),
        ],
      }),
    ),
    post("town-square", said("olive", "olive joined the channel", 7, { type: "system_join_channel" })),
    post("town-square", said("olive", "Pinned", 8, { is_pinned: true })),
    post("secret-lab", said("olive", "Nobody else must know", 9)),
    post("old-stuff", said("dex", "So long", 10)),
    { type: "direct_channel", direct_channel: { members: ["olive", "mel.m"] } },
    direct(
      ["olive", "mel.m"],
      said("olive", "For Mel alone", 11, { replies: [said("mel.m", "A reply", 40)] }),
    ),
    direct(["gus", "mel.m", "olive"], said("gus", "The three of us", 12)),
    direct(["olive"], said("olive", "To myself", 13)),
  ];
}

export function mattermostExport(lines: readonly unknown[] = mattermostLines()): Members {
  return {
    "import.jsonl": lines.map((line) => JSON.stringify(line)).join("\n"),
    "data/20200913/teams/crew/plan.txt": mattermostFile,
    "data/emoji/crab.png": png(32, 32),
    "data/profile_pictures/olive.png": png(60, 60),
  };
}
