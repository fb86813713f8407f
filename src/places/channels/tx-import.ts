// Stores imported channels, with their past, and without events, since no client is connected.
import { giveGrant } from "@/foundation/permissions/tx.ts";
import { renderText } from "@/foundation/realm/hooks.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { atTime } from "@/kernel/core/operation.ts";
import { openChannelConversation } from "@/places/conversations/tx.ts";
import * as store from "./store.ts";

export interface ImportedChannel {
  name: string;
  description: string;
  invite_only: boolean;
  is_web_public: boolean;
  history_public_to_subscribers: boolean;
  is_archived: boolean;
  creator_id: number | null;
  /** UNIX seconds. */
  date_created: number;
  /** Users who administer it. */
  administrators: readonly number[];
}

/** Adds a channel with its conversation; returns its ID. The name must be free. */
export function insertImported(tx: Tx, channel: ImportedChannel): number {
  const { is_archived, date_created, administrators, ...traits } = channel;
  const id = store.insertChannel(atTime(tx, date_created), {
    ...traits,
    rendered_description: renderText(tx, channel.description).html,
  });
  openChannelConversation(tx, id);
  if (is_archived) store.setArchived(tx, id, true);
  const name = "can_administer_channel_group";
  const value = { direct_members: [...administrators], direct_subgroups: [] };
  if (administrators.length > 0) giveGrant(tx, { scope: "channel", ownerId: id, name }, value);
  return id;
}
