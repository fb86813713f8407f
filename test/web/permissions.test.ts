// The web client offers a member what the server lets them do, and nothing else.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { faultsOf } from "../support/axe.ts";
import { type Seat, type WebOrganization, webOrganization } from "../support/web-people.ts";

let w: WebOrganization;
let mel: Seat;
const roles: Record<string, number> = {};

beforeAll(async () => {
  w = await webOrganization("olive", "mel", "max");
  const { user_groups } = await w.ask("olive", ["GET", "/user_groups"]);
  for (const { name, id } of user_groups as { name: string; id: number }[]) roles[name] = id;
  await w.channel("harbour", ["olive", "mel", "max"]);
  mel = await w.sit("mel");
});
afterAll(() => w.close());

/** In the order of the pages. */
const channelPermissions = [
  "can_send_message_group",
  "can_create_topic_group",
  "can_subscribe_group",
  "can_add_subscribers_group",
  "can_remove_subscribers_group",
  "can_resolve_topics_group",
  "can_move_messages_within_channel_group",
  "can_move_messages_out_of_channel_group",
  "can_delete_own_message_group",
  "can_delete_any_message_group",
  "can_administer_channel_group",
];
const groupPermissions = [
  "can_mention_group",
  "can_join_group",
  "can_leave_group",
  "can_add_members_group",
  "can_remove_members_group",
  "can_manage_group",
];

const hasButton = (name: string) =>
  `[...document.querySelectorAll("button")].some((one) => (one.ariaLabel ?? one.innerText) === ${JSON.stringify(name)})`;
const sees = (button: string) => mel.until(hasButton(button));
const lacks = (button: string) => mel.until(`!${hasButton(button)}`);

async function press(name: string): Promise<void> {
  await mel.click(`aria/${name}[role="button"]`);
}

/** The owner gives a permission of the organization to a system group. */
const give = (permission: string, group: string) =>
  w.ask("olive", ["PATCH", "/realm"], { [permission]: { new: roles[group] } });

const menuRows = async () => {
  await press("Mel, you are connected");
  await mel.tab.waitForSelector("[role=menuitem]");
  const rows = await mel.tab.$$eval("[role=menuitem]", (all) => all.map((row) => row.textContent));
  await mel.press("Escape");
  return rows;
};

const radios = () =>
  mel.tab.$$eval("[role=dialog] input[type=radio] + label", (all) => all.map((label) => label.textContent));

describe("a member", () => {
  test("is offered the kinds of invitations that they may make", async () => {
    await mel.go("#organization/invitations");
    await sees("Invite by address");
    await lacks("Make a link");
    await give("create_multiuse_invite_group", "role:members");
    await sees("Make a link");
    await give("can_invite_users_group", "role:administrators");
    await lacks("Invite by address");
    expect(await menuRows()).toContain("Invite people");
    await give("create_multiuse_invite_group", "role:administrators");
    await mel.sees("You cannot invite people here.");
    await lacks("Make a link");
    expect(await menuRows()).not.toContain("Invite people");
    expect(await faultsOf(mel.page)).toEqual([]);
  });

  test("is offered the kinds of channels that they may create", async () => {
    await mel.go("#channels");
    await press("New channel");
    await mel.tab.waitForSelector("[role=dialog] input[type=radio]");
    expect(await radios()).toEqual(["Everyone here", "Who is in it", "Who is in it, from when they join"]);
    // The organization has no channel for announcements.
    expect(await mel.tab.evaluate("document.body.innerText")).not.toContain("Announce it");
    await mel.press("Escape");
    await give("can_create_public_channel_group", "role:administrators");
    await press("New channel");
    await mel.until("document.querySelectorAll('[role=dialog] input[type=radio]').length === 2");
    await mel.until("document.activeElement?.matches('[role=dialog] input:not([type=radio])')");
    await mel.tab.keyboard.type("crew");
    await mel.press("Enter");
    await mel.until(
      "location.hash.startsWith('#topics') && document.querySelector('[role=dialog]') === null",
    );
    await mel.go("#channels");
    await give("can_create_private_channel_group", "role:administrators");
    await lacks("New channel");
  });

  test("gets a permission of their channel only offered for those who may have it", async () => {
    const { stream_id } = await w.ask("mel", ["GET", "/get_stream_id"], { stream: "crew" });
    await mel.go(`#channels/${stream_id}/crew/permissions`);
    const fixed = () =>
      mel.tab.$$eval("main select:disabled", (all) => all.map(({ labels }) => labels[0]?.textContent));
    await mel.tab.waitForSelector("main select");
    expect(await fixed()).toEqual(["May delete their own messages", "May delete any message"]);
    await give("can_set_delete_message_policy_group", "role:members");
    await mel.until("document.querySelector('main select:disabled') === null");
    await eachChoiceWorks(["PATCH", `/streams/${stream_id}`], channelPermissions);
    await mel.go(`#channels/${stream_id}/crew/about`);
    await give("can_set_topics_policy_group", "role:administrators");
    await mel.until(
      "[...document.querySelectorAll('select')].some(({ disabled, labels }) => disabled && labels[0].innerText === 'Topics')",
    );
  });

  test("is offered what they may do with a group", async () => {
    const { group_id } = await w.ask("olive", ["POST", "/user_groups/create"], {
      name: "pilots",
      description: "They steer.",
      members: [w.people.max?.id],
      can_join_group: roles["role:members"],
    });
    await mel.go(`#groups/${group_id}`);
    await mel.sees("They steer.");
    expect(await mel.tab.$("main input, main select:enabled")).toBeNull();
    await lacks("Remove Max");
    await lacks("Deactivate the group …");
    await press("Join the group");
    await sees("Leave the group");
    await mel.until("/Max\\s+Mel/.test(document.querySelector('main').innerText)");
    expect(await faultsOf(mel.page)).toEqual([]);
    await press("Leave the group");
    await sees("Join the group");
    await w.ask("olive", ["PATCH", `/user_groups/${group_id}`], {
      can_remove_members_group: { new: roles["role:members"] },
    });
    await sees("Remove Max");
    await lacks("Deactivate the group …");
  });

  test("gets a permission of their group only offered for those who may have it", async () => {
    await mel.go("#groups");
    await sees("New group");
    const { group_id } = await w.ask("mel", ["POST", "/user_groups/create"], {
      name: "deck",
      description: "",
      members: [],
    });
    await mel.go(`#groups/${group_id}`);
    await sees("Deactivate the group …");
    await eachChoiceWorks(["PATCH", `/user_groups/${group_id}`], groupPermissions);
    await mel.go("#groups");
    await give("can_create_groups", "role:administrators");
    await lacks("New group");
  });

  test("is offered to add emoji, and to remove their own, if they may", async () => {
    await mel.go("#organization/emoji");
    await sees("Add the emoji");
    await give("can_add_custom_emoji_group", "role:administrators");
    await mel.sees("You cannot add emoji here.");
    await lacks("Add the emoji");
  });

  test("cannot write into what the organization has fixed", async () => {
    await mel.go("#settings/profile");
    await sees("Upload a picture");
    await w.ask("olive", ["PATCH", "/realm"], {
      name_changes_disabled: true,
      avatar_changes_disabled: true,
      email_changes_disabled: true,
    });
    await mel.sees("Only administrators can change names.");
    await lacks("Upload a picture");
    await mel.until("document.querySelector('input[autocomplete=name]').readOnly");
    await mel.go("#settings/account");
    await mel.until("document.querySelector('input[autocomplete=email]')?.readOnly");
    expect(await faultsOf(mel.page)).toEqual([]);
  });
});

/** The server accepts every choice of every permission on the page. */
async function eachChoiceWorks(
  request: readonly [method: string, path: string],
  permissions: readonly string[],
): Promise<void> {
  const choices = await mel.tab.$$eval("main select", (all) =>
    all.map(({ options }) => [...options].map(({ value }) => Number(value)).filter((id) => id > 0)),
  );
  expect(choices.length).toBe(permissions.length);
  const own = { direct_members: [w.people.mel?.id], direct_subgroups: [] };
  for (const [at, name] of permissions.entries()) {
    expect(choices[at]?.length).toBeGreaterThan(3);
    for (const id of choices[at] ?? []) {
      await w.ask("mel", request, { [name]: { new: id } });
      // Giving this one away, Mel may no longer take it back.
      const who = /administer|manage/.test(name) ? "olive" : "mel";
      await w.ask(who, request, { [name]: { new: own } });
    }
  }
}
