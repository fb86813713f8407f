import { recordAudit } from "@/foundation/audit/actions.ts";
import type { ChangeOf } from "@/foundation/audit/schema.ts";
import { translatorToAll } from "@/foundation/realm/access.ts";
import { sendNotice } from "@/foundation/realm/hooks.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { quote } from "@/text/quoting/quoting.ts";
import { findChannel } from "./access.ts";
import { channelHooks, type SightChange } from "./hooks.ts";
import { presentEmpty } from "./present.ts";
import { actorMention, channelList, channelReference, noticeTopic } from "./queries.ts";
import { type ChannelRow, channelCreated, channelDeleted, nameChannels } from "./schema.ts";

/** Adds an audit entry for a change of a channel. */
export function recordChannelChange(
  tx: Tx,
  { id }: Pick<ChannelRow, "id">,
  change: ChangeOf<"channel">,
  data?: Record<string, unknown>,
): void {
  recordAudit(tx, { event: `channel_${change}`, about: { kind: "channel", id }, data });
}

/** Emits to users which channels they see from now on, or no longer. Every way to gain or lose sight of an existing channel ends here. */
export function emitSight(tx: Tx, changes: readonly SightChange[]): void {
  for (const { kind, userIds, channels } of changes) {
    if (kind === "lost") tx.emit(channelDeleted, { to: userIds }, nameChannels(channels));
    else tx.emit(channelCreated, { to: userIds }, { streams: channels.map((one) => presentEmpty(tx, one)) });
  }
  channelHooks.sightChanged(tx, changes);
}

/** Announces new channels in the organization's announcement channel, if it has one. Private channels are not announced. */
export function announceChannels(tx: Tx, channels: readonly ChannelRow[]): void {
  const place = findChannel(tx, realmSettings.read(tx).new_stream_announcements_stream_id);
  const open = channels.filter((channel) => !channel.invite_only);
  if (!place || open.length === 0) return;
  const { t } = translatorToAll(tx);
  const topic = noticeTopic(place, t("new channels"));
  sendNotice(tx, { to: { channelId: place.id, topic }, content: announcementOf(tx, open) });
}

function announcementOf(tx: Tx, channels: readonly ChannelRow[]): string {
  const translator = translatorToAll(tx);
  const { t } = translator;
  const person = actorMention(tx, translator);
  const [only] = channels;
  if (channels.length > 1 || !only) {
    return `${t("{person} created these new channels:", { person })}\n\n${channelList(channels)}`;
  }
  const sentence = t("{person} created a new channel {channel}.", {
    person,
    channel: channelReference(only),
  });
  return only.description === "" ? sentence : `${sentence}\n${quote(only.description)}`;
}

/** Sends a notice to the channel's "channel events" topic, if the organization wants them. */
export function sendChannelNotice(tx: Tx, channel: ChannelRow, content: string): void {
  if (!realmSettings.read(tx).send_channel_events_messages) return;
  const { t } = translatorToAll(tx);
  sendNotice(tx, {
    to: { channelId: channel.id, topic: noticeTopic(channel, t("channel events")) },
    content,
  });
}
