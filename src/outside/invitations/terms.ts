// Limits what an invitation may give to what its creator may.

import type { NewInvitation } from "./store.ts";

export type Promised = Pick<
  NewInvitation,
  "role" | "channel_ids" | "group_ids" | "with_defaults" | "welcome_text" | "valid_minutes" | "expires_at"
>;

/** When an invitation made now expires; null for never. */
export function expiry(now: number, minutes: number | null): number | null {
  return minutes === null ? null : now + minutes * 60;
}
