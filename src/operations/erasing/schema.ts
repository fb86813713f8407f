import { z } from "zod";
import { userId } from "@/foundation/users/schema.ts";

const count = z.int().min(0);

/** In this order; those that a work does not need do nothing. */
export const stages = [
  "messages",
  "reactions",
  "mentions",
  "files",
  "belongings",
  "reports",
  "audit",
] as const;
export type Stage = (typeof stages)[number];

const messageCounts = z.object({ public_channels: count, private_channels: count, direct: count });
export type MessageCounts = z.infer<typeof messageCounts>;

/** What somebody sent, and what goes with it. */
export const sentThings = z.object({
  /** By a person and their bots. */
  messages: messageCounts,
  reactions: count,
  /** Their files that no other message links to. */
  files: count,
  file_bytes: count,
  bots: z.array(z.object({ user_id: userId, full_name: z.string(), is_active: z.boolean() })),
});
export type SentThings = z.infer<typeof sentThings>;

/** What goes when a person is erased, and where traces stay. */
export const erasurePreview = z.object({
  ...sentThings.shape,
  /** Files that no message links to: they go even if the messages stay. */
  unlinked_files: count,
  belongings: z.object({
    drafts: count,
    scheduled_messages: count,
    reminders: count,
    saved_snippets: count,
    profile_values: count,
    keys: count,
    sessions: count,
    groups: count,
    subscriptions: count,
  }),
  has_picture: z.boolean(),
  has_status: z.boolean(),
  /** Whether owners may export their data (`POST /users/{user_id}/export`). */
  agreed_to_export: z.boolean(),
  /** Finished exports that were not deleted: they hold the person. */
  exports: count,
  /** When the oldest and the newest known backup were made, in UNIX seconds: they hold the person. */
  oldest_backup: z.int().nullable(),
  newest_backup: z.int().nullable(),
});
export type ErasurePreview = z.infer<typeof erasurePreview>;

/** What was deleted, or is being deleted, of an account. */
export const deletion = z.object({
  is_erased: z.boolean(),
  /** What is under way, of a user and then of their bots, and how far that is; empty if nothing is. */
  under_way: z.array(
    z.object({
      user_id: userId,
      stage: z.enum(stages),
      messages: count,
      reactions: count,
      files: count,
      /** Whether it does not go on now; the server tries again, and the doctor says why. */
      is_stuck: z.boolean(),
    }),
  ),
});
export type Deletion = z.infer<typeof deletion>;

export const messageChoice = z.enum(["keep", "delete"]);
export type MessageChoice = z.infer<typeof messageChoice>;

export const erasing = z.object({ user_id: userId, messages: messageChoice });
export type Erasing = z.infer<typeof erasing>;

/** The kinds of messages that are deleted: bits of `account_work.messages`. */
export const messageKinds = { public: 1, private: 2, direct: 4 } as const;
export const allKinds = 7;

/** The `actions` of a deactivation. */
export const farewellActions = z.object({
  delete_profile: z.boolean().default(false),
  delete_public_channel_messages: z.boolean().default(false),
  delete_private_channel_messages: z.boolean().default(false),
  delete_direct_messages: z.boolean().default(false),
});
export type FarewellActions = z.infer<typeof farewellActions>;

/** What a person was called, and their addresses: looked for where others stored them. */
export interface Traces {
  names: string[];
  addresses: string[];
}

/** An account of which something is deleted in several transactions. */
export interface AccountWork {
  id: number;
  user_id: number;
  actor_id: number;
  client: string;
  messages: number;
  reactions: 0 | 1;
  /** JSON of `Traces`; null if the person is not erased. */
  traces: string | null;
  stage: Stage;
  last_id: number;
  deleted_messages: number;
  deleted_reactions: number;
  deleted_files: number;
  fault: string | null;
  /** UNIX seconds. */
  fault_since: number | null;
}
