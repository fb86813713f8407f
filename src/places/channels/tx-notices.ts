import { sendNotice } from "@/foundation/realm/hooks.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Tx } from "@/kernel/context.ts";
import { quoted } from "@/text/quoting/quoting.ts";
import { type ChannelRow, findChannel } from "./access.ts";
import { actorMention, channelList, noticeTopic } from "./notices.ts";

/** Tells of new channels where the organization announces them; private ones are not for everybody to hear of. */
export function announceChannels(tx: Tx, channels: readonly ChannelRow[]): void {
  const place = findChannel(tx, realmSettings.read(tx).new_stream_announcements_stream_id);
  const open = channels.filter((channel) => !channel.invite_only);
  if (!place || open.length === 0) return;
  const content = `${actorMention(tx)} created ${announced(open)}`;
  sendNotice(tx, { to: { channelId: place.id, topic: noticeTopic(place, "new channels") }, content });
}

function announced(channels: readonly ChannelRow[]): string {
  const [only] = channels;
  if (channels.length > 1 || !only) return `these new channels:\n\n${channelList(channels)}`;
  const sentence = `a new channel #**${only.name}**.`;
  return only.description === "" ? sentence : `${sentence}\n${quoted(only.description)}`;
}

/** Tells a channel's subscribers what has become of it. */
export function tellInChannel(tx: Tx, channel: ChannelRow, content: string): void {
  sendNotice(tx, { to: { channelId: channel.id, topic: noticeTopic(channel, "channel events") }, content });
}
