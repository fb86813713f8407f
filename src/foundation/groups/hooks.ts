import type { GroupSettingValue } from "@/foundation/permissions/schema.ts";
import type { Ctx, ReadsNow, Tx } from "@/kernel/core/context.ts";
import { hook, soleHook } from "@/kernel/store/hooks.ts";

export interface MembersChange {
  groupId: number;
  /** The users who may enter or leave. */
  userIds: Iterable<number>;
}

export interface ChannelGrants {
  channelId: number;
  values: Record<string, GroupSettingValue>;
}

export const groupHooks = {
  /**
   * Very many members of a group, given by ID, are about to change in a transaction. What each function resolves to is called after
   * that.
   */
  membersMayChange: hook<number, Promise<() => void>, Ctx>(),
  /** The members of a group are about to change; the returned function is called after the change. */
  membersChange: hook<MembersChange, (tx: Tx) => void, ReadsNow>(),
  /** A channel's permission settings changed, because a user that they name was deactivated or reactivated. */
  channelGrantsChanged: hook<ChannelGrants>(),
  /** Whether the actor may see a channel, by ID. */
  isChannelVisible: soleHook<number, boolean, Ctx>("groupHooks.isChannelVisible"),
};
