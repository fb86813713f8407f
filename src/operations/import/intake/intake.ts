// Collects what a reader finds, and checks that the export describes all senders and channels that its messages name.
import { statSync } from "node:fs";
import { findBuiltInCode } from "@/foundation/emoji/access.ts";
import { pictureFacts } from "@/foundation/files/pictures.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import type {
  ExportedFile,
  ImportedChannel,
  ImportedEmoji,
  ImportedMessage,
  ImportedPerson,
  ImportedReaction,
} from "@/operations/import/schema.ts";
import { personName } from "./names.ts";
import type { Spool } from "./store-spool.ts";

const shownMissing = 5;
/** Reading allocates faster than the garbage collector runs by itself, so it is run after this many messages. */
const messagesBetweenCollections = 20_000;

export class Intake {
  readonly people = new Map<string, ImportedPerson>();
  readonly channels = new Map<string, ImportedChannel>();
  private readonly missing = new Map<string, number>();
  private readonly emoji = new Map<string, boolean>();
  private messages = 0;

  constructor(
    readonly spool: Spool,
    private readonly options: { allowMissing: boolean },
  ) {}

  addPerson(person: ImportedPerson): void {
    if (!this.spool.addPerson(person)) this.spool.lose("people who are in the export twice");
    else this.people.set(person.key, person);
  }

  addChannel(channel: ImportedChannel): void {
    if (!this.spool.addChannel(channel)) this.spool.lose("channels that are in the export twice");
    else this.channels.set(channel.key, channel);
  }

  async addEmoji(emoji: ImportedEmoji): Promise<void> {
    if (!(await isPicture(emoji.path))) this.spool.lose("custom emoji whose pictures cannot be read");
    else if (!this.spool.addEmoji(emoji)) this.spool.lose("custom emoji whose names are taken");
  }

  /** The path of a person's picture, if it can be decoded. */
  async picture(path: string | null): Promise<string | null> {
    if (path === null) return null;
    if (await isPicture(path)) return path;
    this.spool.lose("pictures of people that cannot be read");
    return null;
  }

  addFile(file: ExportedFile): void {
    this.spool.addFile({ ...file, owner: this.who(file.owner) }, statSync(file.path).size);
  }

  addMessage(message: ImportedMessage): void {
    this.who(message.sender);
    for (const { by } of message.edits) this.who(by);
    const { place } = message;
    if ("people" in place) for (const key of place.people) this.who(key);
    else if (!this.channels.has(place.channel)) {
      fail(
        "BAD_REQUEST",
        `The export has messages in the channel ${place.channel}, but does not describe it.`,
      );
    }
    if (!this.spool.addMessage(message)) this.spool.lose("messages that are in the export twice");
    if (++this.messages % messagesBetweenCollections === 0) Bun.gc(true);
  }

  addReaction(message: string, reaction: ImportedReaction): void {
    if (!this.people.has(reaction.by)) this.spool.lose("reactions of people who are not in the export");
    else if (!this.knowsEmoji(reaction.emoji)) this.spool.lose("reactions whose emoji is not in the export");
    else this.spool.addReaction(message, reaction);
  }

  private knowsEmoji(name: string): boolean {
    const known = this.emoji.get(name);
    if (known !== undefined) return known;
    const found = findBuiltInCode(name) !== null || this.spool.hasEmoji(name);
    this.emoji.set(name, found);
    return found;
  }

  /** The time of a message that was added; 0 if it is unknown. */
  timeOf(message: string): number {
    return this.spool.timeOf(message) ?? 0;
  }

  addStar(message: string, person: string): void {
    if (this.people.has(person)) this.spool.addStar(message, person);
  }

  /** Records that a person is named, so that `end` can check them; returns the key. */
  who(key: string): string {
    if (!this.people.has(key)) this.missing.set(key, (this.missing.get(key) ?? 0) + 1);
    return key;
  }

  /** Ends the reading. Throws if the export names people that it does not describe, unless they are to be added. */
  end(): void {
    const missing = [...this.missing.keys()].filter((key) => !this.people.has(key));
    if (missing.length > 0 && !this.options.allowMissing) {
      const named = missing
        .slice(0, shownMissing)
        .map((key) => JSON.stringify(key))
        .join(", ");
      const more = missing.length > shownMissing ? ` and ${missing.length - shownMissing} more` : "";
      fail(
        "BAD_REQUEST",
        `The export names people that it does not describe: ${named}${more}. ` +
          "--missing-people adds them as deactivated accounts.",
      );
    }
    for (const key of missing) this.addPerson(describeUnknown(key));
    this.spool.lose(
      "people that the export does not describe, added as deactivated accounts",
      missing.length,
    );
    this.spool.dropStrays();
  }
}

function describeUnknown(key: string): ImportedPerson {
  return {
    key,
    email: null,
    name: personName(`Unknown ${key}`, key),
    role: roles.member,
    isBot: false,
    owner: null,
    isActive: false,
    timezone: "",
    joined: null,
    picture: null,
  };
}

/** Whether a file is a picture that can be decoded, judged by its header. */
async function isPicture(path: string): Promise<boolean> {
  return (await pictureFacts(path, "image/png")).width !== null;
}
