import type { GroupSettingValue } from "@/foundation/permissions/schema.ts";
import type { Ctx, ReadsNow, Tx } from "@/kernel/context.ts";
import { hook, provided } from "@/kernel/hooks.ts";

export interface MembersChange {
  groupId: number;
  /** Those who may come in or go out. */
  userIds: Iterable<number>;
}

export interface ChannelGrants {
  channelId: number;
  values: Record<string, GroupSettingValue>;
}

export const groupHooks = {
  /** Who is in a group is about to change; what is returned is called once it has. */
  membersChange: hook<MembersChange, (tx: Tx) => void, ReadsNow>(),
  /** Permission settings of a channel read differently, because somebody they name was deactivated or is back. */
  channelGrantsChanged: hook<ChannelGrants>(),
  /** Whether the actor may know of a channel, by ID. */
  isChannelVisible: provided<number, boolean, Ctx>("groupHooks.isChannelVisible"),
};
