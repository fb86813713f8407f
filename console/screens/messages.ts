import { z } from "zod";
import type { Ctx } from "@/kernel/core/context.ts";
import { getMessages } from "@/messaging/message-pages/queries.ts";
import type { Message } from "@/messaging/messages/schema.ts";
import { directMessageUrl, topicUrl } from "@/text/quoting/narrow-url.ts";
import { deleteMessage, sendMessage, updateMessage } from "../changes/places.ts";
import { toAccount, toChannel } from "../jumps.ts";
import { cut, type Line, line, type Segment, timeText } from "../layout.ts";
import { channelNames, channelOrOff } from "../names.ts";
import {
  type ActionOutcome,
  changeForm,
  form,
  type ScreenForm,
  type ScreenScope,
  screen,
  timeColumn,
} from "../screen.ts";
import type { ConsoleSession } from "../session.ts";
import type { PolledSource } from "../source.ts";

const lookEveryMs = 30_000;
const maxRows = 300;
const resolvedSign = "✔ ";
const quiet = { send_notification_to_old_thread: false, send_notification_to_new_thread: false } as const;

interface Row extends Message {
  where: string;
}

const searchKey = "message search";
const viewKey = "message view";
const showsPublic = (session: ConsoleSession) => session.chosen.get(viewKey) === "public";

/** The newest messages of a channel, of the operator's own feed, or of all public channels. */
function newest(session: ConsoleSession, scope: ScreenScope | null): PolledSource<Message[]> {
  const words = session.chosen.get(searchKey) ?? "";
  const near = scope?.near;
  const narrow = [
    ...(scope
      ? typeof scope.id === "number"
        ? [{ operator: "channel", operand: scope.id, negated: false }]
        : []
      : showsPublic(session)
        ? [{ operator: "channels", operand: "public", negated: false }]
        : []),
    ...(words === "" || near !== undefined ? [] : [{ operator: "search", operand: words, negated: false }]),
  ];
  const load = async () => {
    const found = await getMessages(session.ctx(), {
      anchor: String(near ?? "newest"),
      include_anchor: true,
      num_before: near === undefined ? maxRows : maxRows / 2,
      num_after: near === undefined ? 0 : maxRows / 2,
      use_first_unread_anchor: false,
      client_gravatar: false,
      narrow,
      apply_markdown: false,
      allow_empty_topic_name: true,
    });
    return found.messages.reverse();
  };
  const { changes } = session.ctx().db;
  const name = `messages ${scope?.id ?? session.chosen.get(viewKey) ?? ""} ${near ?? ""} ${words}`;
  return session.sources.get(name, lookEveryMs, load, changes);
}

/** "#channel › topic", or the people of a direct message; within a channel, the topic. */
function whereOf(message: Message, scope: ScreenScope | null, self: number): string {
  if (!inChannel(message)) return othersIn(message, self);
  return scope ? topicOf(message) : `${placeOf(message)} › ${topicOf(message)}`;
}

function placeOf({ display_recipient: to }: Message): string {
  return typeof to === "string" ? `#${to}` : to.map(({ full_name }) => full_name).join(", ");
}

/** The people of a direct message without the operator. */
function othersIn({ display_recipient: to }: Message, self: number): string {
  if (typeof to === "string") return "";
  const others = to.filter(({ id }) => id !== self);
  return (others.length > 0 ? others : to).map(({ full_name }) => full_name).join(", ");
}

function topicOf({ display_recipient: to, subject }: Message): string {
  if (typeof to !== "string") return "";
  return subject === "" ? "general chat" : subject;
}

const inChannel = ({ display_recipient: to }: Message) => typeof to === "string";

function newMessage(now: Ctx, scope: ScreenScope | null): ScreenForm {
  return form({
    title: "A new message",
    fields: {
      channel: { ...channelField(now), start: scope?.name ?? "" },
      topic: topicField,
      content: contentField,
    },
    async submit(ctx, { channel, topic, content }) {
      const { id } = await sendMessage(ctx, { type: "channel", to: [channel], topic, content });
      return { message: "The message is sent.", undo: (at) => deleteMessage(at, id) };
    },
  });
}

const topicField = {
  label: "Topic",
  about: "Empty for general chat.",
  rule: z.string().max(60, "A topic has at most 60 characters.").meta({ maxLength: 60 }),
};

const contentField = {
  label: "Message",
  about: "In Markdown.",
  rule: z.string().min(1, "A message must not be empty.").max(10_000),
};

function channelField(now: Ctx) {
  return {
    label: "Channel",
    about: "Its name.",
    rule: z.int().positive("Enter the name of a channel."),
    choices: channelNames(now),
    open: true,
    read: channelOrOff,
  };
}

function move(now: Ctx, message: Message): ScreenForm {
  const channel = typeof message.display_recipient === "string" ? message.display_recipient : "";
  return form({
    title: "Move messages",
    fields: {
      topic: { ...topicField, start: message.subject },
      channel: { ...channelField(now), start: channel },
      which: {
        label: "Which",
        about: "How much of the topic moves.",
        rule: z.enum(["this message", "this and later ones", "the whole topic"]),
        start: "the whole topic",
      },
    },
    async submit(ctx, { topic, channel: channel_id, which }) {
      const modes = {
        "this message": "change_one",
        "this and later ones": "change_later",
        "the whole topic": "change_all",
      } as const;
      const isElsewhere = channel_id !== message.stream_id;
      await updateMessage(ctx, {
        message_id: message.id,
        topic: topic === message.subject && isElsewhere ? undefined : topic,
        channel_id: isElsewhere ? channel_id : undefined,
        propagate_mode: modes[which],
        ...quiet,
      });
      // Several messages may have joined others there, which would come along.
      if (which !== "this message") return { message: "Moved." };
      const back = {
        message_id: message.id,
        topic: message.subject,
        channel_id: isElsewhere ? message.stream_id : undefined,
        propagate_mode: "change_one",
        ...quiet,
      } as const;
      return { message: "Moved.", undo: (now) => updateMessage(now, back) };
    },
  });
}

function rewrite(_: Ctx, message: Message): ScreenForm {
  return changeForm({
    title: "Edit a message",
    fields: {
      content: { ...contentField, start: message.content, isOwn: true },
    },
    async submit(ctx, { content }) {
      await updateMessage(ctx, { message_id: message.id, content, propagate_mode: "change_one", ...quiet });
      return { message: "The message is changed." };
    },
  });
}

async function resolve(ctx: Ctx, { id, subject }: Message): Promise<ActionOutcome> {
  const isResolved = subject.startsWith(resolvedSign);
  const topic = isResolved ? subject.slice(resolvedSign.length) : resolvedSign + subject;
  const rename = (at: Ctx, to: string) =>
    updateMessage(at, {
      message_id: id,
      topic: to,
      propagate_mode: "change_all",
      send_notification_to_old_thread: false,
      send_notification_to_new_thread: true,
    });
  await rename(ctx, topic);
  return {
    message: isResolved ? `The topic ${topic} is open again.` : `The topic ${subject} is resolved.`,
    undo: (now) => rename(now, subject),
  };
}

function search(session: ConsoleSession): ScreenForm {
  return form({
    title: "Search the messages",
    fields: {
      words: {
        label: "Words",
        about: "All of them must be in the message. Empty: all messages.",
        rule: z.string().max(200, "Search for at most 200 characters."),
        start: session.chosen.get(searchKey) ?? "",
      },
    },
    async submit(_, { words }) {
      session.chosen.set(searchKey, words.trim());
      return { message: words.trim() === "" ? "Showing all messages." : `Searching for ${words.trim()}.` };
    },
  });
}

/** Which messages the list shows, as a choice of two. */
function viewLines(isPublic: boolean): Line[] {
  const choice = (text: string, isOn: boolean): Segment =>
    isOn ? { text: ` ${text} `, tone: "title", back: "selected" } : { text: ` ${text} `, tone: "dim" };
  return [
    [
      choice("your own feed", !isPublic),
      { text: " " },
      choice("all public channels", isPublic),
      { text: "  v switches", tone: "faint" },
    ],
  ];
}

export const messages = screen<Row>({
  key: "7",
  title: "Messages",
  area: "Places",
  about: "newest first",
  empty: "No messages that you may read.",
  follows: true,
  listShare: 0.7,
  rows: (session, scope) =>
    (newest(session, scope).value ?? []).map((message) => ({
      ...message,
      where: whereOf(message, scope, session.ctx().actor.id),
    })),
  id: ({ id }) => id,
  name: ({ sender_full_name, content }) => `${sender_full_name}: ${cut(content.replaceAll(/\s+/g, " "), 40)}`,
  head: (session, { scope }) => {
    const words = session.chosen.get(searchKey) ?? "";
    const { problem, value } = newest(session, scope);
    return [
      ...(scope ? [] : viewLines(showsPublic(session))),
      ...(problem === null ? [] : [line(problem, "bad")]),
      ...(value === null && problem === null ? [line("Reading …", "dim")] : []),
      ...(scope?.near === undefined ? [] : [line("Around the message that led here.", "accent"), []]),
      ...(words === "" || scope?.near !== undefined
        ? []
        : [line(`Search: ${words}  (s changes it)`, "accent"), []]),
    ];
  },
  copies: ({ content }) => content,
  page: ({ id, stream_id, display_recipient: to, subject }) =>
    `${typeof to === "string" ? topicUrl({ id: stream_id ?? 0, name: to }, subject) : directMessageUrl(to.map((one) => one.id))}/near/${id}`,
  columns: [
    timeColumn("TIME", ({ timestamp }) => timestamp),
    { title: "FROM", value: ({ sender_full_name }) => sender_full_name, tone: () => "accent", most: 14 },
    { title: "WHERE", value: ({ where }) => where, most: 20, tone: () => "dim" },
    { title: "MESSAGE", value: ({ content }) => content.replaceAll(/\s+/g, " "), grow: true },
  ],
  facts: ({ ctx }, message) => [
    ["From", message.sender_full_name, toAccount(ctx(), message.sender_id)],
    ["Sent", timeText(message.timestamp)],
    ["In", placeOf(message), toChannel(message.stream_id)],
    ...(inChannel(message) ? [["Topic", topicOf(message)] as const] : []),
    ["Number", String(message.id)],
  ],
  text: (_, { content }) => content,
  create: { title: "new message", need: "anyone", form: newMessage },
  edit: rewrite,
  editNeed: "anyone",
  actions: [
    { key: "s", title: "search", need: "anyone", form: search },
    {
      key: "v",
      need: "anyone",
      title: "view",
      isFor: (scope) => scope === null,
      async run(session) {
        const isPublic = !showsPublic(session);
        session.chosen.set(viewKey, isPublic ? "public" : "");
        return { message: isPublic ? "Showing all public channels." : "Showing your own feed." };
      },
    },
  ],
  rowActions: [
    {
      key: "d",
      need: "anyone",
      title: () => "delete",
      confirm: ({ sender_full_name }) =>
        `Delete this message of ${sender_full_name} for everyone? This cannot be undone.`,
      async run(ctx, { id }) {
        await deleteMessage(ctx, id);
        return { message: "The message is deleted." };
      },
    },
    { key: "m", need: "anyone", title: (message) => (inChannel(message) ? "move" : null), form: move },
    {
      key: "r",
      need: "anyone",
      title: (message) =>
        !inChannel(message) || message.subject === ""
          ? null
          : message.subject.startsWith(resolvedSign)
            ? "open topic"
            : "resolve",
      run: resolve,
    },
  ],
});
