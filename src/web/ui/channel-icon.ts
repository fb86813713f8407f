<<<<<<< HEAD
import { Archive, Globe, Hash, Lock } from "lucide-react";
import type { Channel } from "../state/channels.ts";

type Kind = Pick<Channel, "invite_only" | "is_web_public" | "is_archived">;

/** What stands before a channel's name: who may read it. */
export function channelIcon({ invite_only, is_web_public, is_archived }: Kind) {
=======
import { Archive, Globe, Hash, Lock, type LucideIcon } from "lucide-react";
import type { Channel } from "../state/channels.ts";

/** What stands before a channel's name: who may read it. */
export function channelIcon({
  invite_only,
  is_web_public,
  is_archived,
}: Pick<Channel, "invite_only" | "is_web_public" | "is_archived">): LucideIcon {
>>>>>>> 509b5288 (compose: A button for a new message in Inbox and Recent conversations; find its channel by typing)
  if (is_archived) return Archive;
  if (invite_only) return Lock;
  return is_web_public ? Globe : Hash;
}
