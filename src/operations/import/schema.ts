// The common form of all sources, and the report.
import { z } from "zod";
import type { Role } from "@/foundation/permissions/schema.ts";

export const sources = ["slack", "zulip", "mattermost", "confab"] as const;
export type ImportSource = (typeof sources)[number];
export const sourceNames: Record<ImportSource, string> = {
  slack: "Slack",
  zulip: "Zulip",
  mattermost: "Mattermost",
  confab: "Confab",
};

/** All keys are the source's own IDs. Times are UNIX seconds, with a fraction if the source has one. */
export interface ImportedPerson {
  key: string;
  /** Null if the export has none. */
  email: string | null;
  name: string;
  role: Role;
  isBot: boolean;
  /** The person who owns the bot, if known. */
  owner: string | null;
  isActive: boolean;
  timezone: string;
  joined: number | null;
  /** A file of the unpacked export. */
  picture: string | null;
}

export interface ImportedChannel {
  key: string;
  name: string;
  description: string;
  isPrivate: boolean;
  isWebPublic: boolean;
  /** Whether new subscribers may read earlier messages. */
  sharesHistory: boolean;
  isArchived: boolean;
  created: number | null;
  creator: string | null;
  members: string[];
  administrators: string[];
  /** Whether new people are subscribed to it. */
  isDefault: boolean;
}

export interface ImportedGroup {
  name: string;
  description: string;
  members: string[];
}

export interface ImportedEmoji {
  name: string;
  path: string;
  author: string | null;
}

export interface ExportedFile {
  key: string;
  name: string;
  /** A file of the unpacked export. */
  path: string;
  owner: string;
  at: number;
}

export interface ImportedEdit {
  by: string;
  at: number;
  /** The text before the edit; null if it did not change. */
  before: string | null;
  topic: { from: string; to: string } | null;
  channel: { from: string; to: string } | null;
}

export interface ImportedMessage {
  key: string;
  at: number;
  sender: string;
  place: { channel: string; topic: string } | { people: string[] };
  /** Markdown, with `referTo` placeholders for what has no ID yet. */
  content: string;
  /** Oldest first. */
  edits: ImportedEdit[];
  /** Pinned messages are starred for everyone who received them. */
  isPinned: boolean;
}

export interface ImportedReaction {
  by: string;
  /** The name of an emoji, without a skin tone. */
  emoji: string;
  at: number;
}

/** Links to choose a password: mailed, or for the administrator to hand over. */
const invitations = z.object({
  by: z.enum(["mail", "links"]),
  /** How many were mailed or got a link; in a dry run, how many would. */
  people: z.int(),
  /** How many were mailed by an earlier run. */
  mailed_before: z.int(),
  /** How many cannot be mailed, because the export lacks their address. */
  without_address: z.int(),
  /** UNIX seconds; null in a dry run. */
  expires_at: z.int().nullable(),
  /** Empty if the links were mailed or written to a file. */
  links: z.array(z.object({ email: z.string(), name: z.string(), url: z.string() })),
});
export type Invitations = z.infer<typeof invitations>;

/** How to invite people without a password. */
export interface InvitePlan {
  by: Invitations["by"];
  /** How long links work, in seconds. */
  life: number;
}

/** What was imported, and what was left out. */
export const importReport = z.object({
  source: z.enum(sources),
  organization: z.string(),
  dry_run: z.boolean(),
  /** All people, including `known_people`. */
  people: z.int(),
  known_people: z.int(),
  bots: z.int(),
  deactivated: z.int(),
  channels: z.int(),
  private_channels: z.int(),
  archived_channels: z.int(),
  conversations: z.int(),
  messages: z.int(),
  threads: z.int(),
  edits: z.int(),
  reactions: z.int(),
  stars: z.int(),
  emoji: z.int(),
  files: z.int(),
  file_bytes: z.int(),
  lost: z.array(z.object({ what: z.string(), count: z.int() })),
  /** Files in the export that were not read, because this kind of file is not known or nothing refers to them. */
  not_read: z.array(z.string()),
  /** In a dry run: people of the export who have an account here already, with the same address. */
  matches: z.array(z.object({ email: z.string(), name: z.string(), name_here: z.string() })),
  invitations: invitations.nullable(),
  remarks: z.array(z.string()),
  seconds: z.number(),
});
export type ImportReport = z.infer<typeof importReport>;

/** The counts of an `importReport`. */
export type Counts = Pick<
  ImportReport,
  | "people"
  | "known_people"
  | "bots"
  | "deactivated"
  | "channels"
  | "private_channels"
  | "archived_channels"
  | "conversations"
  | "messages"
  | "threads"
  | "edits"
  | "reactions"
  | "stars"
  | "emoji"
  | "files"
  | "file_bytes"
>;

/** Shows progress; `of` is 0 if the total is unknown. */
export type OnProgress = (doing: string, done: number, of: number) => void;

/** In place of the text before an edit, if the source does not keep it. */
export const earlierText = "*The text before this edit is not in the export.*";
