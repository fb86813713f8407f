// Settings in the words that the console shows, typed for commands: on the executable, and each row of the tables.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { systemGroups } from "@/foundation/permissions/schema.ts";
import { groupOfWord, roleNames, whoIn, whoText } from "@/foundation/permissions/words.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import {
  meaningOf,
  parseRetention,
  readSetting,
  retentionText,
  takesText,
  topicsOf,
  topicsText,
  valueText,
  type WordedSetting,
} from "@/foundation/realm/words.ts";
import { personalTable } from "@/foundation/user-settings/schema.ts";
import { choicesOf } from "@/kernel/http/rule-words.ts";
import type { Setting } from "@/kernel/store/settings.ts";
import { retention, topicsPolicy } from "@/places/channels/schema.ts";
import { commandLine } from "../support/command-line.ts";
import { cleanUp, newOrganization } from "../support/executable.ts";

let data = "";
const { json, text, refused } = commandLine(() => data);

beforeAll(async () => {
  data = (await newOrganization()).data;
  await json(["channel", "create", "mods", "--private"]);
});
afterAll(() => cleanUp());

describe("realm set, default set and settings set", () => {
  const words = [
    ["default set", "color_scheme", "dark", 2, "Dark (2)"],
    ["default set", "color_scheme", "Light", 3, "Light (3)"],
    ["default set", "color_scheme", "1", 1, "As the system (1)"],
    ["default set", "web_home_view", "recent topics", "recent", "Recent conversations (recent)"],
    ["default set", "web_home_view", "inbox", "inbox", "Inbox (inbox)"],
    ["default set", "twenty_four_hour_time", "yes", true, "yes"],
    ["settings set", "enter_sends", "true", true, "yes"],
    [
      "settings set",
      "user_list_style",
      "names, statuses and pictures",
      3,
      "Names, statuses and pictures (3)",
    ],
    ["realm set", "message_retention_days", "unlimited", -1, "for ever (-1)"],
    ["realm set", "message_retention_days", "365 days", 365, "365 days (365)"],
    ["realm set", "message_retention_days", "for ever", -1, "for ever (-1)"],
    ["realm set", "message_retention_days", "400", 400, "400 days (400)"],
    ["realm set", "message_content_edit_limit_seconds", "2 hours", 7200, "2 hours (7200)"],
    ["realm set", "message_content_edit_limit_seconds", "unlimited", null, "no limit (null)"],
    ["realm set", "message_content_edit_limit_seconds", "90", 90, "90 seconds (90)"],
    ["realm set", "org_type", "open source", 20, "Open source (20)"],
    [
      "realm set",
      "message_edit_history_visibility_policy",
      "moves",
      "moves",
      "Only where they were moved from (moves)",
    ],
    ["realm set", "moderation_request_channel_id", "mods", 1, "mods (1)"],
    ["realm set", "moderation_request_channel_id", "none", -1, "none (-1)"],
    ["realm set", "moderation_request_channel_id", "#Mods", 1, "mods (1)"],
    ["realm set", "moderation_request_channel_id", "-1", -1, "none (-1)"],
    ["realm set", "moderation_request_channel_id", "1", 1, "mods (1)"],
    [
      "realm set",
      "jitsi_server_url",
      "https://meet.example.com",
      "https://meet.example.com",
      "https://meet.example.com",
    ],
    ["realm set", "jitsi_server_url", "none", null, "none (null)"],
    ["realm set", "name", "1984", "1984", "1984"],
    ["realm set", "description", "no", "no", "no"],
  ] as const;
  const listOf = (verb: string) =>
    verb === "settings set" ? ["settings", "list"] : [verb.split(" ")[0] ?? "", "settings"];

  test("take what people type, and what they have set is listed in words", async () => {
    // A setting that is set several times is looked at after each: one round of lists for the first word of each, and so on.
    for (let left = [...words]; left.length > 0; ) {
      const round = left.filter((one, at) => left.findIndex(([, name]) => name === one[1]) === at);
      left = left.filter((one) => !round.includes(one));
      for (const [verb, name, typed, value] of round) {
        const yes = verb === "realm set" ? ["--yes"] : [];
        const answer = await json([...verb.split(" "), name, typed, ...yes]);
        expect([typed, answer]).toEqual([typed, { name, value, words: expect.any(String) }]);
      }
      for (const verb of new Set(round.map(([verb]) => verb))) {
        const lines = (await text(listOf(verb))).split("\n");
        const listed = await json(listOf(verb));
        for (const [, name, , value, shown] of round.filter((one) => one[0] === verb)) {
          const line = lines.find((one) => one.startsWith(`${name} `));
          expect(line?.replace(/^\S+ +/, "")).toStartWith(`${shown}  `);
          expect(listed).toContainEqual(expect.objectContaining({ name, value }));
        }
      }
    }
  });

  const wrong = [
    [
      "default set",
      "color_scheme",
      "blue",
      "color_scheme cannot be 'blue'. It takes: As the system, Light, Dark.",
    ],
    ["default set", "enter_sends", "maybe", "enter_sends cannot be 'maybe'. It takes: yes, no."],
    ["settings set", "web_home_view", "mine", "It takes: Inbox, Recent conversations, Combined feed."],
    [
      "realm set",
      "moderation_request_channel_id",
      "attic",
      "There is no channel 'attic'. moderation_request_channel_id takes: a channel's name or ID, or 'none'.",
    ],
    [
      "realm set",
      "message_content_edit_limit_seconds",
      "a while",
      "It takes: a time such as '2 hours', or 'no limit'.",
    ],
    [
      "realm set",
      "message_retention_days",
      "30 apples",
      'Messages are kept for 1 to 36500 days, or "unlimited".',
    ],
    ["realm set", "digest_emails_enabled", "yes", "This server sends no digests."],
    ["realm set", "waiting_period_threshold", "soon", "It takes: a number from 0 to 36500."],
  ] as const;

  test("refuse other words, say what the setting takes, and change nothing", async () => {
    const lists = [...new Set(wrong.map(([verb]) => verb))].map(listOf);
    const all = () => Promise.all(lists.map((list) => json(list)));
    const before = await all();
    for (const [verb, name, typed, sentence] of wrong)
      expect(await refused([...verb.split(" "), name, typed], 1)).toContain(sentence);
    expect(await all()).toEqual(before);
  });
});

describe("every setting", () => {
  const rows = [...Object.entries(realmSettings.table), ...Object.entries(personalTable)].map(
    ([name, row]): WordedSetting & Setting => ({ name, ...row }),
  );

  test("takes each word that it is shown as", () => {
    for (const row of rows) {
      const listed = row.values?.map(([value]) => value) ?? choicesOf(row.rule) ?? [];
      const values = [...listed, row.fallback].filter((value) => row.rule.safeParse(value).success);
      for (const value of values.filter((one) => one !== null)) {
        const shown = valueText(row, value);
        const { data } = row.rule.safeParse(value);
        expect([row.name, shown, readSetting(row, shown)]).toEqual([row.name, shown, { value: data }]);
      }
    }
  });

  test("says in words what it takes, but for free texts", () => {
    const silent = rows.filter((row) => takesText(row) === "").map(({ name }) => name);
    expect(silent.sort()).toEqual([]);
  });

  test("leaves what is no word of it as it is", () => {
    const time = {
      about: "How long",
      form: "time",
      rule: realmSettings.table.message_content_edit_limit_seconds.rule,
    };
    for (const word of ["", "soon", "3 moons", "-3 days", "1e9 days"])
      expect([word, meaningOf(time, word)]).toEqual([word, word === "" ? null : word]);
  });
});

describe("who may do something", () => {
  test.each([
    ["moderators", "moderators", "role:moderators"],
    ["Full members", "full members", "role:fullmembers"],
    ["role:owners", "owners", "role:owners"],
    [
      "olive@example.com, administrators",
      "olive@example.com, administrators",
      "olive@example.com,role:administrators",
    ],
  ])("is typed as %j in permit", async (typed, shown, raw) => {
    const permit = ["realm", "permit", "can_create_groups"];
    expect(await json([...permit, typed])).toMatchObject({ who: raw });
    expect(await text([...permit, typed])).toBe(`can_create_groups: ${shown}\n`);
    expect(await text(["realm", "permissions"])).toMatch(new RegExp(`^can_create_groups +${shown}$`, "m"));
    expect(await json(["channel", "permit", "mods", "can_send_message_group", typed])).toMatchObject({
      who: raw,
    });
  });

  test("has words for all roles, which a group of the same name comes before", async () => {
    for (const [index, { name }] of systemGroups.entries()) {
      expect(whoText(name)).toBe(roleNames[index] ?? "");
      expect(groupOfWord(roleNames[index] ?? "")).toBe(name);
    }
    expect(whoIn("ada@example.com, Everyone, guests too,full members")).toEqual([
      "ada@example.com",
      "role:everyone",
      "full members",
    ]);
    const unknown = await refused(["realm", "permit", "can_create_groups", "captains"], 1);
    expect(unknown).toContain("There is no user group named 'captains'");
    expect(unknown).toContain("'everyone, guests too', 'members', 'full members'");
    await json(["group", "create", "moderators"]);
    expect(await json(["realm", "permit", "can_create_groups", "moderators"])).toMatchObject({
      who: "moderators",
    });
    expect(await json(["realm", "permit", "can_create_groups", "role:moderators"])).toMatchObject({
      who: "role:moderators",
    });
  });
});

describe("channel update", () => {
  test("takes and shows retention, topics and privacy in words", async () => {
    await json(["channel", "create", "attic"]);
    const change = (...args: string[]) => json(["channel", "update", "attic", ...args]);
    await change("--retention", "for ever", "--topics", "disable empty topic", "--private", "no");
    expect(await json(["channel", "show", "attic"])).toMatchObject({
      message_retention_days: -1,
      topics_policy: "disable_empty_topic",
      invite_only: false,
    });
    const shown = await text(["channel", "show", "attic"]);
    expect(shown).toMatch(/^Topics +disable empty topic$/m);
    expect(shown).toMatch(/^Retention +for ever$/m);
    await change(
      "--retention",
      "as the organization's",
      "--topics",
      "as the organization's",
      "--private",
      "yes",
    );
    expect(await text(["channel", "show", "attic"])).toMatch(/^Retention +as the organization's$/m);
    await change("--retention", "9000 days", "--yes");
    expect(await json(["channel", "show", "attic"])).toMatchObject({ message_retention_days: 9000 });
    const topics = await refused(["channel", "update", "attic", "--topics", "some"], 2);
    expect(topics).toContain("it takes: as the organization's, allow empty topic, disable empty topic");
    expect(await refused(["channel", "update", "attic", "--private", "perhaps"], 2)).toContain("yes, no");
  });

  test("takes each word that these are shown as", () => {
    for (const policy of topicsPolicy.options) expect(topicsOf(topicsText(policy))).toBe(policy);
    for (const policy of topicsPolicy.options) expect(topicsOf(policy)).toBe(policy);
    for (const days of [null, -1, 1, 30])
      expect(retention.parse(parseRetention(retentionText(days)))).toBe(days);
    for (const [typed, days] of [
      ["unlimited", -1],
      ["realm_default", null],
      ["90", 90],
    ] as const)
      expect(retention.parse(parseRetention(typed))).toBe(days);
  });
});
