// The messages of a Slack export. In a channel, a thread becomes a topic, named after its first message; other messages go to
// general chat. In direct conversations, replies stay in order of time.
import { roles } from "@/foundation/permissions/schema.ts";
import { limits } from "@/foundation/realm/schema.ts";
import type { Intake } from "@/operations/import/intake/intake.ts";
import { freeName, personName, threadTopic } from "@/operations/import/intake/names.ts";
import type { ExportReading } from "@/operations/import/intake/reading.ts";
import { referTo } from "@/operations/import/intake/references.ts";
import { earlierText, type ImportedEdit } from "@/operations/import/schema.ts";
import type { EmojiNames } from "./emoji.ts";
import type { SlackAttachment, SlackFile, SlackMessage } from "./schema.ts";
import { fromSlack, type SlackExportNames } from "./text.ts";

export interface SlackConversation {
  key: string;
  /** The folder of its messages. */
  folder: string;
  /** Its people, if it is direct. */
  people: string[] | null;
  /** Times of pinned messages. */
  pins: ReadonlySet<string>;
}

interface Surroundings extends Pick<ExportReading, "contents" | "intake" | "fetcher"> {
  /** Keys of bots' accounts, by bot ID. */
  bots: ReadonlyMap<string, string>;
  emoji: EmojiNames;
  conversations: readonly SlackConversation[];
}

/** Subtypes that people or programs send; all others are Slack's own notices. */
const said = new Set([
  "",
  "bot_message",
  "me_message",
  "thread_broadcast",
  "file_share",
  "file_comment",
  "slackbot_response",
]);

interface Threads {
  topics: Map<string, string>;
  taken: Set<string>;
}

export class SlackMessages {
  private threads: Threads = { topics: new Map(), taken: new Set([""]) };
  private readonly names: SlackExportNames;
  private readonly intake: Intake;

  constructor(private readonly around: Surroundings) {
    const { intake, emoji } = around;
    this.intake = intake;
    this.names = {
      person: (id) => (intake.people.has(id) ? id : null),
      nameOf: (id) => intake.people.get(id)?.name ?? null,
      hasChannel: (id) => intake.channels.has(id),
      emoji,
    };
  }

  /** Forgets the threads, because each conversation has its own. */
  endOf(_conversation: SlackConversation): void {
    this.threads = { topics: new Map(), taken: new Set([""]) };
  }

  async take(conversation: SlackConversation, message: SlackMessage): Promise<void> {
    const { subtype, ts, hidden } = message;
    if (subtype === "tombstone" || hidden) return this.intake.spool.lose("deleted messages");
    if (!said.has(subtype)) return this.intake.spool.lose("notices such as 'has joined the channel'");
    const sender = this.senderOf(message);
    const key = `${conversation.key}:${ts}`;
    const at = Number(ts);
    const content = await this.contentOf(message, { sender, at });
    if (content === "") return this.intake.spool.lose("empty messages");
    const { people } = conversation;
    this.intake.addMessage({
      key,
      at,
      sender,
      place: people ? { people } : { channel: conversation.key, topic: this.topicOf(message, content) },
      content,
      edits: this.editsOf(message, sender),
      isPinned: message.pinned_to.length > 0 || conversation.pins.has(ts),
    });
    if (people && message.thread_ts !== "" && message.thread_ts !== ts)
      this.intake.spool.lose("threads in direct messages, whose replies are imported as plain messages");
    for (const { name, users } of message.reactions ?? []) {
      const emoji = this.around.emoji(name.replace(/::skin-tone-\d$/, ""));
      for (const by of users) this.intake.addReaction(key, { by, emoji, at });
    }
  }

  private topicOf({ thread_ts }: SlackMessage, content: string): string {
    if (thread_ts === "") return "";
    const known = this.threads.topics.get(thread_ts);
    if (known !== undefined) return known;
    const wanted = threadTopic(
      content,
      `Thread of ${new Date(Number(thread_ts) * 1000).toISOString().slice(0, 10)}`,
    );
    const topic = freeName(wanted || "Thread", this.threads.taken, limits.max_topic_length);
    this.threads.topics.set(thread_ts, topic);
    return topic;
  }

  /** The sender's key. Adds senders that only the message describes: bots without an account, people of other workspaces. */
  private senderOf({ user, bot_id, username, user_profile, bot_profile }: SlackMessage): string {
    const { people } = this.intake;
    if (people.has(user)) return user;
    const bot = this.around.bots.get(bot_id);
    if (bot !== undefined) return bot;
    if (user === "USLACKBOT") return this.addAccount({ key: user, name: "Slackbot", isBot: true });
    if (user !== "" && user_profile) {
      const { real_name, display_name, name } = user_profile;
      this.intake.spool.lose("people of other workspaces, added as deactivated accounts");
      return this.addAccount({ key: user, name: real_name || display_name || name, isBot: false });
    }
    if (bot_id === "" && username === "") return user === "" ? "(nobody)" : user;
    const name = username || bot_profile?.name || bot_id;
    return this.addAccount({ key: `bot:${bot_id || username}`, name, isBot: true });
  }

  private addAccount({ key, name, isBot }: { key: string; name: string; isBot: boolean }): string {
    if (this.intake.people.has(key)) return key;
    const account = {
      email: null,
      role: roles.member,
      owner: null,
      timezone: "",
      joined: null,
      picture: null,
    };
    this.intake.addPerson({ ...account, key, name: personName(name, key), isBot, isActive: false });
    return key;
  }

  private async contentOf(
    message: SlackMessage,
    { sender, at }: { sender: string; at: number },
  ): Promise<string> {
    const text = fromSlack(message.text, this.names);
    const parts = [message.subtype === "me_message" ? `/me ${text}` : text];
    for (const attachment of message.attachments ?? []) parts.push(this.attachmentText(attachment));
    const files = message.files ?? (message.file ? [message.file] : []);
    const links: string[] = [];
    for (const file of files) links.push(await this.fileLink(file, { sender, at }));
    return [...parts, links.filter((link) => link !== "").join("\n")]
      .filter((part) => part.trim() !== "")
      .join("\n\n");
  }

  /** The attachments of a program, as quoted text; leaves out previews of links, which clients make themselves. */
  private attachmentText(attachment: SlackAttachment): string {
    const { from_url, pretext, title, title_link, text, author_name, footer, fields, fallback, image_url } =
      attachment;
    if (from_url !== "") return "";
    const show = (part: string) => fromSlack(part, this.names);
    const heading =
      title === "" ? "" : title_link === "" ? `**${show(title)}**` : `[${show(title)}](${title_link})`;
    const facts = fields.map((field) => `**${show(field.title)}**: ${show(field.value)}`);
    const lines = [author_name, heading, show(text), ...facts, image_url, footer].filter(
      (line) => line !== "",
    );
    const body = lines.length > 0 ? lines : [show(fallback)];
    const quote = body.join("\n").trim().replaceAll(/^/gm, "> ");
    return [show(pretext), quote === "> " ? "" : quote].filter((part) => part !== "").join("\n");
  }

  private async fileLink(file: SlackFile, { sender, at }: { sender: string; at: number }): Promise<string> {
    const { id, mode, url_private, url_private_download, created } = file;
    const name = file.name || file.title || id;
    const { intake, fetcher } = this.around;
    if (mode === "tombstone" || mode === "hidden_by_limit") {
      intake.spool.lose("files that are deleted or hidden");
      return "";
    }
    if (intake.spool.hasFile(id)) return referTo("file", id, name);
    const path =
      this.findPacked(file) ??
      (fetcher && mode !== "external" ? await fetcher.fetch(url_private_download || url_private) : null);
    if (path !== null) {
      const owner = intake.people.has(file.user) ? file.user : sender;
      intake.addFile({ key: id, name, path, owner, at: created ?? at });
      return referTo("file", id, name);
    }
    if (mode !== "external") intake.spool.lose("files that the export only links to");
    // The query contains the export's token.
    const address = url_private.replace(/\?.*/, "");
    return /^https?:\/\//.test(address) ? `[${name.replaceAll(/[[\]\n]/g, " ")}](${address})` : "";
  }

  /** The file, if a tool has added it to the archive. */
  private findPacked({ id, name }: SlackFile): string | null {
    if (id === "" || name === "") return null;
    return this.around.contents.file(`__uploads/${id.replaceAll("/", "_")}/${name.replaceAll("/", "_")}`);
  }

  /** Slack exports when a message was edited, but not the earlier text. */
  private editsOf({ edited }: SlackMessage, sender: string): ImportedEdit[] {
    if (!edited) return [];
    const by = this.intake.people.has(edited.user) ? edited.user : sender;
    return [{ by, at: Number(edited.ts), before: earlierText, topic: null, channel: null }];
  }
}
