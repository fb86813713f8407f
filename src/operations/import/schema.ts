// What every source is turned into before anything is written, and what is reported.
import { z } from "zod";
import type { Role } from "@/foundation/permissions/schema.ts";

export const sources = ["slack", "zulip", "mattermost", "confab"] as const;
export type Source = (typeof sources)[number];
export const sourceNames: Record<Source, string> = {
  slack: "Slack",
  zulip: "Zulip",
  mattermost: "Mattermost",
  confab: "Confab",
};

/** Keys are the source's own: of people, channels, files and messages. Times are UNIX seconds, with a fraction where known. */
export interface Person {
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

export interface Channel {
  key: string;
  name: string;
  description: string;
  isPrivate: boolean;
  isWebPublic: boolean;
  /** Whether who joins may read what was said before. */
  sharesHistory: boolean;
  isArchived: boolean;
  created: number | null;
  creator: string | null;
  members: string[];
  administrators: string[];
  /** Whether newcomers join it. */
  isDefault: boolean;
}

export interface Group {
  name: string;
  description: string;
  members: string[];
}

export interface Emoji {
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

export interface Edit {
  by: string;
  at: number;
  /** The text before; null if it stayed the same. */
  before: string | null;
  topic: { from: string; to: string } | null;
  channel: { from: string; to: string } | null;
}

export interface Message {
  key: string;
  at: number;
  sender: string;
  place: { channel: string; topic: string } | { people: string[] };
  /** Markdown; what it refers to is marked by `reference`. */
  content: string;
  /** Oldest first. */
  edits: Edit[];
  /** Whether everyone in its channel is to find it among their stars. */
  isPinned: boolean;
}

export interface Reaction {
  by: string;
  /** The name of an emoji, without a skin tone. */
  emoji: string;
  at: number;
}

/** Links by which people get in: mailed, or for the administrator to hand over. */
const invitations = z.object({
  by: z.enum(["mail", "links"]),
  /** People who were mailed or got a link; in a dry run, those who would. */
  people: z.int(),
  /** Mailed by an earlier run of the same import. */
  mailed_before: z.int(),
  /** People whose address is not in the export, so that no mail reaches them. */
  without_address: z.int(),
  /** UNIX seconds; null in a dry run. */
  expires_at: z.int().nullable(),
  /** Empty if they are mailed, or written to a file. */
  links: z.array(z.object({ email: z.string(), name: z.string(), url: z.string() })),
});
export type Invitations = z.infer<typeof invitations>;

/** What an import was made of, and what it left out. */
export const importReport = z.object({
  source: z.enum(sources),
  organization: z.string(),
  dry_run: z.boolean(),
  /** Of these, those who were there before are in `known_people`. */
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
  /** In a dry run beside existing people: who of the export is whom, because they have the same address. */
  matches: z.array(z.object({ email: z.string(), name: z.string(), name_here: z.string() })),
  invitations: invitations.nullable(),
  remarks: z.array(z.string()),
  seconds: z.number(),
});
export type ImportReport = z.infer<typeof importReport>;

/** How many there are of each, as `importReport` names them. */
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

/** How often something happened; `of` is 0 if the total is unknown. */
export type Tell = (doing: string, done: number, of: number) => void;

/** Stands for the text before an edit, where a source keeps only that there was one. */
export const earlierText = "*The text before this edit is not in the export.*";
