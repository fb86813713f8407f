// Fills an empty data folder with a sample organization, through the same actions that users call.

import { createUser, deactivateUser } from "@/foundation/accounts/actions.ts";
import { createGroup } from "@/foundation/groups/actions.ts";
import { addLinkifier } from "@/foundation/linkifiers/actions.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { addPlayground } from "@/foundation/playgrounds/actions.ts";
import { updateRealm } from "@/foundation/realm-administration/actions-changes.ts";
import type { Actor, Ctx } from "@/kernel/core/context.ts";
import type { Clock } from "@/kernel/lib/clock.ts";
import { addAlertWords } from "@/messaging/alert-words/actions.ts";
import { markAllAsRead, updateFlags } from "@/messaging/flags/actions.ts";
import { updateMessage } from "@/messaging/message-edits/actions.ts";
import { addReaction } from "@/messaging/reactions/actions.ts";
import { handleReport, reportMessage } from "@/messaging/reports/actions.ts";
import { listReports } from "@/messaging/reports/queries.ts";
import { noActs } from "@/messaging/reports/schema.ts";
import { sendMessage } from "@/messaging/sending/actions.ts";
import { addSubmessage } from "@/messaging/submessages/actions.ts";
import { createBot } from "@/outside/bots/actions.ts";
import { createDrafts } from "@/personal/drafts/actions.ts";
import { addView } from "@/personal/navigation-views/actions.ts";
import { createReminder } from "@/personal/reminders/actions.ts";
import { createSnippet } from "@/personal/saved-snippets/actions.ts";
import { scheduleMessage } from "@/personal/scheduled-messages/actions.ts";
import { updateOwnStatus } from "@/personal/user-status/actions.ts";
import { createChannel } from "@/places/channel-administration/actions.ts";
import { createFolder } from "@/places/folders/actions.ts";
import { setTopicPolicy } from "@/places/user-topics/actions.ts";
import { policies } from "@/places/user-topics/schema.ts";
import { createSample } from "./actions.ts";
import { conversations } from "./conversations.ts";
import { channels, groups, moderation } from "./places.ts";
import { addressOf, type CastMember, people, type ScriptLine, type Speaker } from "./schema.ts";

const minute = 60;
const day = 24 * 60 * minute;

/** A clock that the script advances, so that messages are days apart. */
export interface SampleClock extends Clock {
  advance(seconds: number): void;
}

/** Starts far enough in the past that the script ends about now. */
export function sampleClock(now: number): SampleClock {
  const spoken = conversations.reduce((sum, { after = 0 }) => sum + after * minute, 0);
  let at = now - spoken - day;
  return {
    now: () => at,
    ms: () => at * 1000,
    steady: () => at * 1000,
    advance(seconds) {
      at += seconds;
    },
  };
}

/** As much of an app as the script needs. */
interface App {
  ctx(actor: Actor): Ctx;
  readonly system: Ctx;
}

interface Cast {
  as(who: Speaker): Ctx;
  id(who: Speaker): number;
}

interface Sample extends Cast {
  clock: SampleClock;
  channels: ReadonlyMap<string, number>;
}

/** Fills the organization of `app`, which must use `clock`. */
export async function fillSample(app: App, clock: SampleClock, avatar_salt: string): Promise<void> {
  const cast = await settle(app, avatar_salt);
  await setUp(cast.as("tomas"));
  const sample = { ...cast, clock, channels: await openChannels(cast) };
  clock.advance(day / 2);
  const said = new Map<string, number>();
  for (const line of conversations) said.set(keyOf(line), await say(sample, line));
  await report(sample, said);
  await conclude(sample, said);
  await leaveThings(sample, said);
}

async function settle(app: App, avatar_salt: string): Promise<Cast> {
  const ids = new Map<Speaker, number>();
  const id = (who: Speaker) => ids.get(who) ?? 0;
  const as = (who: Speaker): Ctx =>
    app.ctx({ kind: "user", id: id(who), client: who === "builds" ? "Builds" : "website" });
  const owner = { owner_email: addressOf("ines"), owner_name: people.ines.full_name };
  const { user } = await createSample(app.system, { name: "Tidewater", ...owner, avatar_salt });
  ids.set("ines", user.user_id);
  for (const [name, { full_name, role }] of Object.entries(people)) {
    const person = name as CastMember;
    if (person === "ines") continue;
    const made = await createUser(as("ines"), { email: addressOf(person), full_name, role: roles[role] });
    ids.set(person, made.user.user_id);
  }
  const bot = await createBot(as("tomas"), { full_name: "Builds", short_name: "builds" });
  ids.set("builds", bot.user.user_id);
  return { as, id };
}

async function setUp(admin: Ctx): Promise<void> {
  await updateRealm(admin, { description: "We measure tides. **Everything** is wet, and most of it works." });
  await addLinkifier(admin, {
    ...{ pattern: "#(?P<id>[0-9]+)", url_template: "https://tracker.example.com/{id}" },
    ...{ example_input: "#12", reverse_template: "#{id}" },
    alternative_url_templates: ["https://tracker.example.com/issues/{id}"],
  });
  const python = { name: "Python", pygments_language: "Python" };
  await addPlayground(admin, { ...python, url_template: "https://play.example.com/{code}" });
}

async function openChannels({ as, id }: Cast): Promise<Map<string, number>> {
  const admin = as("tomas");
  const folders = new Map<string, number>();
  for (const [name, description] of [
    ["Projects", "What we build"],
    ["Company", "Who we are"],
  ] as const) {
    folders.set(name, (await createFolder(admin, { name, description })).id);
  }
  const opened = new Map<string, number>();
  for (const { folder, members, isDefault, ...channel } of channels) {
    const made = await createChannel(as("ines"), {
      ...channel,
      folder_id: folders.get(folder),
      is_default_stream: isDefault,
      subscribers: members.map(id),
    });
    opened.set(channel.name, made.stream_id);
  }
  for (const { members, ...group } of groups)
    await createGroup(admin, { ...group, members: members.map(id) });
  return opened;
}

const keyOf = ({ to, who }: ScriptLine) => `${to.join(" > ")} by ${who}`;

async function say(sample: Sample, line: ScriptLine): Promise<number> {
  const { as, clock } = sample;
  clock.advance((line.after ?? 0) * minute);
  const message_id = await send(sample, line);
  clock.advance(minute);
  if (line.better !== undefined)
    await updateMessage(as(line.who), { ...alone, message_id, content: line.better });
  for (const [emoji_name, fans = []] of Object.entries(line.reactions ?? {})) {
    for (const fan of fans) await addReaction(as(fan), { message_id, emoji_name });
  }
  for (const [voter, choice] of line.votes ?? []) {
    const content = JSON.stringify(widgetAction(line, choice));
    await addSubmessage(as(voter), { message_id, msg_type: "widget", content });
  }
  for (const fan of line.starredBy ?? []) {
    await updateFlags(as(fan), { op: "add", flag: "starred", messages: [message_id] });
  }
  return message_id;
}

const alone = {
  propagate_mode: "change_one",
  send_notification_to_old_thread: false,
  send_notification_to_new_thread: false,
} as const;

async function send({ as, id, channels, clock }: Sample, { who, to, text }: ScriptLine): Promise<number> {
  const [place = "", topic = ""] = to;
  const channel = channels.get(place);
  const highWater = new Date((clock.now() + 2 * day) * 1000).toISOString();
  const content = text.replace("{high water}", highWater);
  const where =
    channel === undefined
      ? { type: "direct" as const, to: to.map((person) => id(person as CastMember)) }
      : { type: "channel" as const, to: [channel], topic };
  return (await sendMessage(as(who), { ...where, content })).id;
}

/** A vote in a poll, or a finished task of a to-do list. */
function widgetAction({ text }: ScriptLine, choice: number): object {
  const key = `canned,${choice}`;
  return text.startsWith("/poll") ? { type: "vote", key, vote: 1 } : { type: "strike", key };
}

/** Reports messages: one report waits for the moderators, and one is dismissed. */
async function report({ as, channels }: Sample, said: ReadonlyMap<string, number>): Promise<void> {
  await updateRealm(as("ines"), { moderation_request_channel_id: channels.get(moderation) });
  await reportMessage(as("hugo"), {
    message_id: idOf(said, "kitchen > the coffee machine by ruth"),
    report_type: "other",
    description: "She has not descaled it. I did.",
  });
  const [joke] = listReports(as("priya"), { limit: 1 });
  const note = "This is between you two.";
  if (joke)
    await handleReport(as("priya"), {
      ...noActs,
      report_id: joke.id,
      is_handled: true,
      is_dismissed: true,
      note,
    });
  await reportMessage(as("mei"), {
    message_id: idOf(said, "kitchen > for sale by paul"),
    report_type: "spam",
    description: "",
  });
}

/** Resolves settled topics and deactivates people who left. */
async function conclude({ as, id }: Sample, said: ReadonlyMap<string, number>): Promise<void> {
  const message_id = idOf(said, "firmware > clock drift by tomas");
  await updateMessage(as("tomas"), {
    ...alone,
    propagate_mode: "change_all",
    message_id,
    topic: "\u2714 clock drift",
  });
  await deactivateUser(as("ines"), id("paul"));
  await markAllAsRead(as("tomas"));
  await markAllAsRead(as("omar"));
}

function idOf(said: ReadonlyMap<string, number>, key: string): number {
  const found = said.get(key);
  if (found === undefined) throw new Error(`Nobody said ${key}`);
  return found;
}

/** Drafts, scheduled messages, reminders and other personal things. */
async function leaveThings(
  { as, id, channels, clock }: Sample,
  said: ReadonlyMap<string, number>,
): Promise<void> {
  const tomorrow = clock.now() + day;
  const channel = (name: string) => channels.get(name) ?? 0;
  await createDrafts(as("ines"), [
    { type: "stream", to: [channel("harbor")], topic: "announcements", content: "About the new pier, we" },
    { type: "private", to: [id("tomas")], topic: "", content: "What would you say to" },
  ]);
  await createSnippet(as("ines"), {
    title: "Welcome",
    content: "Welcome aboard! Start in #**harbor>welcome**.",
  });
  await scheduleMessage(as("ines"), {
    type: "channel",
    to: [channel("harbor")],
    topic: "announcements",
    content: "Who comes along to the quay?",
    scheduled_delivery_timestamp: tomorrow,
  });
  await createReminder(as("ines"), {
    message_id: idOf(said, "field work > spring survey by lena"),
    scheduled_delivery_timestamp: tomorrow,
    note: "Tell Lena about the tour.",
  });
  await addView(as("ines"), { fragment: "narrow/has/reaction", is_pinned: true, name: "What was liked" });
  await addAlertWords(as("ines"), ["survey", "budget"]);
  await setTopicPolicy(as("ines"), {
    channelId: channel("kitchen"),
    topic: "the coffee machine",
    policy: policies.muted,
  });
  await setTopicPolicy(as("ines"), {
    channelId: channel("field work"),
    topic: "spring survey",
    policy: policies.followed,
  });
  await updateOwnStatus(as("omar"), { status_text: "On the water", emoji_name: "ship" });
  await updateOwnStatus(as("mei"), { status_text: "Thinking", emoji_name: "thought_balloon" });
}
