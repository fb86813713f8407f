// Limits on what one person can create. The tests fill the tables directly, because the API would take hours.
import { describe, expect, test } from "bun:test";
import { emojiLimits } from "@/foundation/emoji/schema.ts";
import { deactivate, insertEmoji } from "@/foundation/emoji/store.ts";
import { maxGroupsMade } from "@/foundation/groups/schema.ts";
import { insertGroup } from "@/foundation/groups/store.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { actingAs } from "@/kernel/core/operation.ts";
import { maxEmoji } from "@/messaging/reactions/schema.ts";
import { insertReaction } from "@/messaging/reactions/store.ts";
import { maxFiles } from "@/messaging/uploads/schema.ts";
import { insertUpload } from "@/messaging/uploads/store.ts";
import { createBot } from "@/outside/bots/actions.ts";
import { maxBots } from "@/outside/bots/schema.ts";
import { createLink } from "@/outside/invitations/actions.ts";
import { maxLinks } from "@/outside/invitations/schema.ts";
import { insertChannel } from "@/places/channel-administration/store.ts";
import { maxChannelsMade } from "@/places/channels/schema.ts";
import { maxPolicies, policies } from "@/places/user-topics/schema.ts";
import { setPolicy } from "@/places/user-topics/store.ts";
import { file, png } from "../support/pictures.ts";
import { type Answer, type CastName, type World, world } from "../support/world.ts";

/** Adds this many as one user. */
const fill = (w: World, who: CastName, count: number, add: (tx: Tx, index: number) => void) =>
  w.app.env.db.write(w.ctx(who), (tx) => {
    const as = actingAs(tx, { kind: "user", id: w.user(who).id, client: "website" });
    for (let index = 0; index < count; index++) add(as, index);
  });

const refused = (answer: Answer, msg: string) =>
  expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", msg }, events: [] });
const taken = (answer: Answer) => expect(answer).toMatchObject({ status: 200 });

describe("policies for topics", () => {
  const full = `You can mute, unmute or follow at most ${maxPolicies} topics. Reset some of them first.`;

  async function withPolicies(count: number) {
    const w = world();
    const subscribers = [w.user("mel").id, w.user("max").id];
    const { id } = (await w.as("mel").post("/channels/create", { name: "lab", subscribers })).body;
    const followed = { channelId: id, policy: policies.followed };
    await fill(w, "mel", count, (tx, index) =>
      setPolicy(tx, tx.actor.id, { ...followed, topic: `t${index}` }),
    );
    const set = (topic: string, visibility_policy: number, who: CastName = "mel") =>
      w.as(who).post("/user_topics", { stream_id: id, topic, visibility_policy });
    return { ...w, id, set };
  }

  test("are refused beyond the maximum, while existing ones can change", async () => {
    const w = await withPolicies(maxPolicies - 1);
    taken(await w.set("last", policies.muted));
    refused(await w.set("more", policies.muted), full);
    const mute = { stream_id: w.id, topic: "more", op: "add" };
    refused(await w.as("mel").patch("/users/me/subscriptions/muted_topics", mute), full);
    taken(await w.set("T0", policies.muted));
    taken(await w.set("more", policies.muted, "max"));
    taken(await w.set("T0", policies.none));
    taken(await w.set("more", policies.muted));
  });

  test("are then not created automatically, without blocking messages", async () => {
    const w = await withPolicies(maxPolicies);
    await w.as("mel").patch("/settings", { automatically_follow_topics_policy: 1 });
    const message = { type: "channel", to: w.id, topic: "new", content: "hello" };
    const { status, body, events } = await w.as("mel").post("/messages", message);
    expect([status, body.automatic_new_visibility_policy]).toEqual([200, undefined]);
    expect(events.map(({ event }) => event.type)).toEqual(["message"]);
  });
});

describe("reactions on a message", () => {
  async function withMessage() {
    const w = world();
    const message = { type: "direct", to: [w.user("max").id], content: "cake" };
    const { id } = (await w.as("mel").post("/messages", message)).body;
    const names = Array.from({ length: maxEmoji.ofAll + 1 }, (_, index) => `e${index}`);
    await fill(w, "olive", names.length, (tx, index) =>
      insertEmoji(tx, { name: `e${index}`, file: `${index}`, is_animated: 0, author_id: tx.actor.id }),
    );
    const react = (who: CastName, name: string | undefined) =>
      w.as(who).post(`/messages/${id}/reactions`, { emoji_name: name });
    return { ...w, id, names, react };
  }

  test("are limited per person", async () => {
    const w = await withMessage();
    for (const name of w.names.slice(0, maxEmoji.ofOne)) taken(await w.react("max", name));
    const next = w.names[maxEmoji.ofOne];
    refused(await w.react("max", next), `You can react to a message with at most ${maxEmoji.ofOne} emoji.`);
    taken(await w.react("mel", next));
    taken(await w.as("max").delete(`/messages/${w.id}/reactions`, { emoji_name: w.names[0] }));
    taken(await w.react("max", next));
  });

  test("are limited in different emoji, not in people per emoji", async () => {
    const w = await withMessage();
    await fill(w, "mel", maxEmoji.ofAll, (tx, index) => {
      const emoji = { emoji_code: `${index + 1}`, reaction_type: "realm_emoji" } as const;
      insertReaction(tx, w.id, w.user("gus").id, { ...emoji, emoji_name: w.names[index] as string });
    });
    const full = `A message can have at most ${maxEmoji.ofAll} different reactions.`;
    refused(await w.react("max", w.names.at(-1)), full);
    taken(await w.react("max", w.names[0]));
  });
});

describe("files", () => {
  test("are limited in number, including empty ones", async () => {
    const w = world();
    const none = { size: 0, content_type: "text/plain", width: null, height: null, is_animated: 0 } as const;
    await fill(w, "mel", maxFiles - 1, (tx, index) =>
      insertUpload(tx, {
        ...none,
        owner_id: tx.actor.id,
        file: `f${index}`,
        path_id: `1/f${index}/a`,
        name: "a",
      }),
    );
    const upload = (who: CastName) => w.as(who).upload("/user_uploads", file("", "a.txt"));
    taken(await upload("mel"));
    refused(await upload("mel"), `You can store at most ${maxFiles} files. Delete some first.`);
    taken(await upload("max"));
    taken(await w.as("mel").delete(`/attachments/${maxFiles}`));
    taken(await upload("mel"));
  });
});

describe("channels", () => {
  test("are limited per creator, including archived ones, except for administrators", async () => {
    const w = world();
    const make = (who: CastName, name: string) =>
      w.as(who).post("/channels/create", { name, subscribers: [] });
    await fill(w, "mel", maxChannelsMade - 1, (tx, index) => {
      const traits = { description: "", rendered_description: "", creator_id: tx.actor.id };
      const privacy = { invite_only: false, is_web_public: false, history_public_to_subscribers: true };
      insertChannel(tx, { name: `c${index}`, ...traits, ...privacy });
    });
    const { id } = (await make("mel", "last")).body;
    taken(await w.as("mel").delete(`/streams/${id}`));
    const full = `You have made ${maxChannelsMade} channels, and only administrators can make more.`;
    refused(await make("mel", "more"), full);
    const named = { subscriptions: [{ name: "more" }] };
    refused(await w.as("mel").post("/users/me/subscriptions", named), full);
    taken(await make("max", "more"));
    await w.as("olive").patch(`/users/${w.user("mel").id}`, { role: roles.admin });
    taken(await make("mel", "and more"));
  });
});

describe("user groups", () => {
  test("are limited per creator, except for administrators", async () => {
    const w = world();
    const make = (who: CastName, name: string) =>
      w.as(who).post("/user_groups/create", { name, description: "", members: [] });
    await fill(w, "mel", maxGroupsMade - 1, (tx, index) =>
      insertGroup(tx, { name: `g${index}`, description: "", creator_id: tx.actor.id }),
    );
    const { group_id } = (await make("mel", "last")).body;
    taken(await w.as("mel").post(`/user_groups/${group_id}/deactivate`));
    const full = `You have made ${maxGroupsMade} user groups, and only administrators can make more.`;
    refused(await make("mel", "more"), full);
    taken(await make("max", "more"));
    await w.as("olive").patch(`/users/${w.user("mel").id}`, { role: roles.admin });
    taken(await make("mel", "and more"));
  });
});

describe("bots", () => {
  test("are limited per owner, whether created, received or deactivated", async () => {
    const w = world();
    const make = (who: CastName, name: string) =>
      w.as(who).post("/bots", { full_name: name, short_name: name });
    await fill(w, "max", maxBots - 1, (tx, index) =>
      createBot.in(tx, { full_name: `Bot ${index}`, short_name: `b${index}` }),
    );
    const { user_id } = (await make("max", "last")).body;
    taken(await w.as("max").delete(`/bots/${user_id}`));
    const full = `A person can have at most ${maxBots} bots.`;
    refused(await make("max", "more"), full);
    const given = { bot_owner_id: w.user("max").id };
    refused(await w.as("mel").patch(`/bots/${w.user("bolt").id}`, given), full);
    taken(await make("mel", "more"));
  });
});

describe("invitation links", () => {
  test("are limited while open", async () => {
    const w = world();
    const open = (who: CastName) => w.as(who).post("/invites/multiuse");
    const terms = {
      invite_as: roles.member,
      group_ids: [],
      stream_ids: [],
      include_realm_default_subscriptions: false,
      welcome_message_custom_text: null,
    };
    await fill(w, "ada", maxLinks - 1, (tx) => void createLink.in(tx, terms));
    taken(await open("ada"));
    refused(await open("ada"), `You can have at most ${maxLinks} invitation links: revoke some first.`);
    taken(await open("olive"));
    taken(await w.as("ada").delete("/invites/multiuse/1"));
    taken(await open("ada"));
  });
});

describe("custom emoji", () => {
  test("are limited per organization, including deactivated ones", async () => {
    const w = world();
    await fill(w, "mel", emojiLimits.max - 1, (tx, index) => {
      deactivate(
        tx,
        insertEmoji(tx, { name: "e", file: `${index}`, is_animated: 0, author_id: tx.actor.id }),
      );
    });
    const dot = () => file(png(4, 4), "dot.png", "image/png");
    taken(await w.as("mel").upload("/realm/emoji/last", dot()));
    taken(await w.as("mel").delete("/realm/emoji/last"));
    refused(
      await w.as("max").upload("/realm/emoji/more", dot()),
      `An organization can have at most ${emojiLimits.max} custom emoji, including deactivated ones.`,
    );
  });
});
