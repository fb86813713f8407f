// The posts of a bulk export, with their replies.
import { basename } from "node:path";
import { limits } from "@/foundation/realm/schema.ts";
import type { UnpackedFiles } from "@/operations/import/intake/contents.ts";
import type { Intake } from "@/operations/import/intake/intake.ts";
import { emojiName, freeName, threadTopic } from "@/operations/import/intake/names.ts";
import { referTo } from "@/operations/import/intake/references.ts";
import { earlierText, type ImportedMessage } from "@/operations/import/schema.ts";
import { findAttached } from "./files.ts";
import { channelKey, type MattermostReply } from "./schema.ts";
import { fromMattermost, type MattermostNames } from "./text.ts";

export class MattermostMessages {
  private count = 0;
  private readonly topics = new Map<string, Set<string>>();

  constructor(
    private readonly contents: UnpackedFiles,
    private readonly intake: Intake,
    private readonly isOfTeams: boolean,
  ) {}

  takePost({
    team,
    channel,
    replies,
    ...root
  }: MattermostReply & { team: string; channel: string; replies: MattermostReply[] }) {
    const key = channelKey(team, channel);
    const names = this.namesIn(team);
    const all = [root, ...replies];
    const topic =
      replies.length > 0 ? this.topicOf(key, fromMattermost(root.message, names), root.create_at) : "";
    for (const one of all) this.take(one, { place: { channel: key, topic }, names });
  }

  takeDirect({
    channel_members,
    replies,
    ...root
  }: MattermostReply & { channel_members: string[]; replies: MattermostReply[] }) {
    const names = this.namesIn(null);
    for (const one of [root, ...replies])
      this.take(one, { place: { people: [...new Set(channel_members)] }, names });
    this.intake.spool.lose(
      "threads in direct messages, whose replies are imported as plain messages",
      replies.length,
    );
  }

  /** Names of channels are unique within a team; outside of teams they are known only if there is one team. */
  private namesIn(team: string | null): MattermostNames {
    const { people, channels } = this.intake;
    const only = team ?? (this.isOfTeams ? null : ([...channels.keys()][0]?.split("/")[0] ?? null));
    return {
      hasPerson: (username) => people.has(username),
      channel: (name) =>
        only !== null && channels.has(channelKey(only, name)) ? channelKey(only, name) : null,
    };
  }

  private topicOf(channel: string, content: string, at: number): string {
    const taken = this.topics.get(channel) ?? new Set([""]);
    this.topics.set(channel, taken);
    const wanted = threadTopic(content, `Thread of ${new Date(at).toISOString().slice(0, 10)}`);
    return freeName(wanted || "Thread", taken, limits.max_topic_length);
  }

  private take(
    post: MattermostReply,
    { place, names }: { place: ImportedMessage["place"]; names: MattermostNames },
  ): void {
    const { type, user, create_at, edit_at, is_pinned, flagged_by, reactions } = post;
    if (type.startsWith("system_")) {
      this.intake.spool.lose("notices such as 'joined the channel'");
      return;
    }
    const key = String(++this.count);
    const content = this.contentOf(post, names, key);
    if (content === "") {
      this.intake.spool.lose("empty messages");
      return;
    }
    const edit = { by: user, at: edit_at / 1000, before: earlierText, topic: null, channel: null };
    this.intake.addMessage({
      key,
      at: create_at / 1000,
      sender: user,
      place,
      content,
      edits: edit_at > create_at ? [edit] : [],
      isPinned: is_pinned,
    });
    for (const username of flagged_by) this.intake.addStar(key, username);
    for (const { user: by, emoji_name, create_at: at } of reactions) {
      const custom = emojiName(emoji_name);
      const emoji = custom !== null && this.intake.spool.hasEmoji(custom) ? custom : emoji_name;
      this.intake.addReaction(key, { by, emoji, at: at / 1000 });
    }
  }

  private contentOf(post: MattermostReply, names: MattermostNames, key: string): string {
    const text = fromMattermost(post.message, names);
    const parts = [
      post.type === "me" ? `/me ${text.replace(/^\*([\s\S]*)\*$/, "$1")}` : text,
      textsOfAttachments(post, names),
    ];
    const links = post.attachments.map(({ path }, index) =>
      this.fileLink(path, { key: `${key}:${index}`, post }),
    );
    return [...parts, links.filter((link) => link !== "").join("\n")]
      .filter((part) => part.trim() !== "")
      .join("\n\n");
  }

  private fileLink(given: string, { key, post }: { key: string; post: MattermostReply }): string {
    const path = findAttached(this.contents, given);
    if (path === null) {
      this.intake.spool.lose("files that the export lists but does not contain");
      return "";
    }
    const name = basename(given);
    this.intake.addFile({ key, name, path, owner: post.user, at: post.create_at / 1000 });
    return referTo("file", key, name);
  }
}

/** The attachments of an integration, as quoted text. */
function textsOfAttachments({ props }: MattermostReply, names: MattermostNames): string {
  const list = Array.isArray(props?.attachments) ? props.attachments : [];
  const texts = list.flatMap((one: unknown) => {
    const { pretext, title, text, fallback } = (one ?? {}) as Record<string, unknown>;
    const parts = [pretext, title, text].filter(
      (part): part is string => typeof part === "string" && part !== "",
    );
    const shown = parts.length > 0 ? parts.join("\n") : typeof fallback === "string" ? fallback : "";
    return shown === "" ? [] : [fromMattermost(shown, names).replaceAll(/^/gm, "> ")];
  });
  return texts.join("\n\n");
}
