import { Archive, Globe, Hash, Lock } from "lucide-react";
import type { Channel } from "../state/channels.ts";

type Kind = Pick<Channel, "invite_only" | "is_web_public" | "is_archived">;

/** What stands before a channel's name: who may read it. */
export function channelIcon({ invite_only, is_web_public, is_archived }: Kind) {
  if (is_archived) return Archive;
  if (invite_only) return Lock;
  return is_web_public ? Globe : Hash;
}
