// Groups of channels that new users may choose together.

import { recordAudit } from "@/foundation/audit/actions.ts";
import type { ChangeOf } from "@/foundation/audit/schema.ts";
import { allow } from "@/foundation/permissions/access.ts";
import type { Tx } from "@/kernel/core/context.ts";
import { action } from "@/kernel/core/operation.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { channelByName } from "@/places/channels/access.ts";
import type { ChannelRow } from "@/places/channels/schema.ts";
import { sentence } from "@/text/language/tables.ts";
import { groupFor, isDefaultChannel } from "./access.ts";
import { emitGroups } from "./actions.ts";
import type {
  DefaultChannelGroup,
  DefaultGroupPatch,
  GroupChannelsChange,
  NewDefaultGroup,
} from "./schema.ts";
import type { DefaultGroupRow } from "./store.ts";
import * as store from "./store.ts";

export const createDefaultGroup = action(allow.admin, (tx, input: NewDefaultGroup): DefaultChannelGroup => {
  const { name, description, channel_names } = input;
  checkNameIsFree(tx, name);
  const channels = channelsToAdd(tx, channel_names);

  const id = store.insertGroup(tx, { name, description });
  for (const channel of channels) store.insertIntoGroup(tx, id, channel.id);
  record(tx, id, "created", { name, channels: channel_names });
  emitGroups(tx);
  return { ...groupFor(tx, id), streams: store.channelsOfGroup(tx, id) };
});

function checkNameIsFree(tx: Tx, name: string, own?: number): void {
  const taken = store.findGroupByName(tx, name);
  if (taken && taken.id !== own)
    fail("BAD_REQUEST", sentence("Default channel group ''{group}'' already exists.", { group: name }));
}

/** Channels by name, without duplicates. Refuses private, archived and default channels. */
function channelsToAdd(tx: Tx, names: readonly string[]): ChannelRow[] {
  const channels = channelsNamed(tx, names);
  for (const channel of channels) {
    if (channel.invite_only)
      fail(
        "BAD_REQUEST",
        sentence("''{channel}'' is private and cannot be in a default channel group.", {
          channel: channel.name,
        }),
      );
    if (channel.is_archived)
      fail(
        "BAD_REQUEST",
        sentence("''{channel}'' is archived and cannot be in a default channel group.", {
          channel: channel.name,
        }),
      );
    if (isDefaultChannel(tx, channel.id))
      fail(
        "BAD_REQUEST",
        sentence("''{channel}'' is a default channel and cannot be in a default channel group.", {
          channel: channel.name,
        }),
      );
  }
  return channels;
}

function channelsNamed(tx: Tx, names: readonly string[]): ChannelRow[] {
  return [...new Set(names.map((name) => channelByName(tx, name, "see")))];
}

function record(
  tx: Tx,
  id: number,
  change: ChangeOf<"default_channel_group">,
  data: Record<string, unknown>,
): void {
  const name = typeof data.name === "string" ? data.name : null;
  recordAudit(tx, {
    event: `default_channel_group_${change}`,
    about: { kind: "default_channel_group", id, name },
    data,
  });
}

export const updateDefaultGroup = action(allow.admin, (tx, input: DefaultGroupPatch): void => {
  const group = groupFor(tx, input.group_id);
  const { name = group.name, description = group.description } = input;
  if (input.name === undefined && input.description === undefined) {
    fail("BAD_REQUEST", 'You must pass "new_description" or "new_group_name".');
  }
  if (name === group.name && description === group.description) return;
  checkNameIsFree(tx, name, group.id);

  store.setGroup(tx, { id: group.id, name, description });
  record(tx, group.id, "changed", { from: textsOf(group), to: { name, description } });
  emitGroups(tx);
});

function textsOf({ name, description }: DefaultGroupRow): Omit<DefaultGroupRow, "id"> {
  return { name, description };
}

export const deleteDefaultGroup = action(allow.admin, (tx, id: number): void => {
  const group = groupFor(tx, id);

  store.deleteGroup(tx, id);
  record(tx, id, "deleted", { name: group.name });
  emitGroups(tx);
});

/** Adds channels to a group or removes them. Refuses everything if one is already in the group, or is not in it. */
export const changeGroupChannels = action(allow.admin, (tx, input: GroupChannelsChange): void => {
  const { op, channel_names } = input;
  const group = groupFor(tx, input.group_id);
  const channels = op === "add" ? channelsToAdd(tx, channel_names) : channelsNamed(tx, channel_names);
  const present = new Set(store.channelsOfGroup(tx, group.id));
  const wrong = channels.find(({ id }) => present.has(id) === (op === "add"));
  if (wrong) {
    const text =
      op === "add"
        ? "Channel ''{channel}'' is already in default channel group ''{group}''."
        : "Channel ''{channel}'' is not in default channel group ''{group}''.";
    fail("BAD_REQUEST", sentence(text, { channel: wrong.name, group: group.name }));
  }
  if (channels.length === 0) return;

  for (const { id } of channels) {
    if (op === "add") store.insertIntoGroup(tx, group.id, id);
    else store.deleteFromGroup(tx, group.id, id);
  }
  const change = op === "add" ? "channels_added" : "channels_removed";
  record(tx, group.id, change, { channels: channels.map(({ name }) => name) });
  emitGroups(tx);
});
