// The channels that new users are subscribed to. Cached, without permission checks.

import { usersUpTo } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import type { Reads } from "@/kernel/core/context.ts";
import type { Audience } from "@/kernel/core/events.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { sentence } from "@/text/language/tables.ts";
import type { DefaultChannelGroup } from "./schema.ts";
import type { DefaultGroupRow } from "./store.ts";
import * as store from "./store.ts";

/** Ascending. The set is shared: do not modify it. */
export function defaultChannelIds(reads: Reads): ReadonlySet<number> {
  return store.defaultChannelIds(reads);
}

export function isDefaultChannel(reads: Reads, channelId: number): boolean {
  return defaultChannelIds(reads).has(channelId);
}

export function defaultChannelGroups(reads: Reads): DefaultChannelGroup[] {
  return store.listGroups(reads).map((row) => ({ ...row, streams: store.channelsOfGroup(reads, row.id) }));
}

export function groupFor(reads: Reads, id: number): DefaultGroupRow {
  const group = store.listGroups(reads).find((row) => row.id === id);
  return (
    group ??
    fail("BAD_REQUEST", sentence("There is no default channel group with the ID {id}.", { id: String(id) }))
  );
}

/** Everyone but guests: only they see every channel that can be a default one. */
export function nonGuests(reads: Reads): Audience {
  return { to: usersUpTo(reads, roles.member) };
}
