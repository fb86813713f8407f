// Changes a channel step by step, and emits the changes once all are made.

import { translatorToAll } from "@/foundation/realm/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { channelReaders, existingChannel, sharesHistory, viewersOf } from "@/places/channels/access.ts";
import { emitSight, sendChannelNotice } from "@/places/channels/actions.ts";
import { channelHooks } from "@/places/channels/hooks.ts";
import { actorMention } from "@/places/channels/queries.ts";
import { type ChannelChange, type ChannelRow, channelUpdated } from "@/places/channels/schema.ts";
import type { Translator } from "@/text/language/translator.ts";

export interface Revision {
  /** Before the change. */
  readonly channel: ChannelRow;
  /** To be emitted to those who see the channel before and after. */
  readonly changes: ChannelChange[];
  /** To be sent to the channel. */
  readonly notices: string[];
  /** Of the notices. */
  readonly translator: Translator;
  /** The actor, in the notices. */
  readonly person: string;
}

/** Runs `change`, then emits to users who gained sight of the channel, kept it or lost it, and sends the notices. */
export function revise(tx: Tx, channel: ChannelRow, change: (revision: Revision) => void): void {
  const before = new Set(viewersOf(tx, channel));
  const readers = channelReaders(tx, channel);
  const translator = translatorToAll(tx);
  const person = actorMention(tx, translator);
  const revision: Revision = { channel, changes: [], notices: [], translator, person };
  change(revision);

  const revised = existingChannel(tx, channel.id);
  const after = viewersOf(tx, revised);
  const channels = [revised];
  const gained = [...after].filter((id) => !before.has(id));
  if (gained.length > 0) emitSight(tx, [{ kind: "gained", userIds: gained, channels }]);
  emitChanges(tx, revision, { revised, audience: [...after].filter((id) => before.has(id)) });
  const lost = [...before].filter((id) => !after.has(id));
  if (lost.length > 0) emitSight(tx, [{ kind: "lost", userIds: lost, channels }]);
  noteAccess(tx, revised, { channel, readers });
  // An archived channel is read-only.
  if (revised.is_archived) return;
  for (const notice of revision.notices) sendChannelNotice(tx, revised, notice);
}

/** For those who read the channel either before or after the change, and if its history is shared from now on or no longer, for all. */
function noteAccess(
  tx: Tx,
  revised: ChannelRow,
  { channel, readers }: { channel: ChannelRow; readers: ReadonlySet<number> },
): void {
  const now = channelReaders(tx, revised);
  const isSame = sharesHistory(revised) === sharesHistory(channel);
  if (isSame && now === readers) return;
  const all = [...new Set([...readers, ...now])];
  const userIds = isSame ? all.filter((id) => !readers.has(id) || !now.has(id)) : all;
  if (userIds.length > 0) channelHooks.accessChanged(tx, [{ channel: revised, userIds }]);
}

function emitChanges(
  tx: Tx,
  { channel, changes }: Revision,
  { revised, audience }: { revised: ChannelRow; audience: number[] },
): void {
  if (audience.length === 0) return;
  for (const change of changes) {
    // Wire: update-stream carries the old name when it changes, as that is what clients know the channel by.
    const { id, name } = change.property === "name" ? channel : revised;
    const is_archived = revised.is_archived === 1;
    tx.emit(channelUpdated, { to: audience }, { change: { stream_id: id, name, ...change }, is_archived });
  }
}
