// Changes of channels, their folders and groups, messages and reports.

import { z } from "zod";
import { realmSettings } from "@/foundation/realm/schema.ts";
import * as retention from "@/messaging/bulk-deletion/actions.ts";
import * as edits from "@/messaging/message-edits/actions.ts";
import { messagePatch } from "@/messaging/message-edits/schema.ts";
import * as messages from "@/messaging/messages/actions.ts";
import { messageId } from "@/messaging/messages/schema.ts";
import * as reports from "@/messaging/reports/actions.ts";
import { handling } from "@/messaging/reports/schema.ts";
import * as sending from "@/messaging/sending/actions.ts";
import { newMessage } from "@/messaging/sending/schema.ts";
import * as channels from "@/places/channel-administration/actions.ts";
import * as channelChanges from "@/places/channel-administration/actions-changes.ts";
import { channel, channelId, channelPatch, newChannel } from "@/places/channels/schema.ts";
import * as defaults from "@/places/default-channels/actions.ts";
import * as defaultGroups from "@/places/default-channels/actions-groups.ts";
import {
  defaultChannelChange,
  defaultGroupPatch,
  groupChannelsChange,
  groupId,
  newDefaultGroup,
} from "@/places/default-channels/schema.ts";
import * as folders from "@/places/folders/actions.ts";
import { folder, folderOrder, folderPatch, newFolder } from "@/places/folders/schema.ts";
import * as subscriptions from "@/places/subscriptions/actions.ts";
import { membership } from "@/places/subscriptions/schema.ts";
import { change } from "../change.ts";

export const createChannel = change(
  channels.createChannel,
  // Retention is a word or a number on the wire, but a number for the core.
  newChannel.omit({ message_retention_days: true }),
  channel,
);
export const updateChannel = change(
  channelChanges.updateChannel,
  channelPatch.extend({
    channel_id: channelId,
    // As the core has it: null as the organization, -1 for ever.
    message_retention_days: realmSettings.table.message_retention_days.rule.nullable().optional(),
  }),
);
export const archiveChannel = change(channels.archiveChannel, channelId);
export const setDefaultChannel = change(defaults.setDefaultChannel, defaultChannelChange);

export const subscribe = change(subscriptions.subscribe, membership);
export const unsubscribe = change(subscriptions.unsubscribe, membership);

export const createFolder = change(folders.createFolder, newFolder, folder);
export const updateFolder = change(folders.updateFolder, folderPatch, folder);
export const reorderFolders = change(folders.reorderFolders, folderOrder.readonly());

export const createDefaultGroup = change(
  defaultGroups.createDefaultGroup,
  newDefaultGroup,
  z.object({ id: groupId }),
);
export const updateDefaultGroup = change(defaultGroups.updateDefaultGroup, defaultGroupPatch);
export const changeGroupChannels = change(defaultGroups.changeGroupChannels, groupChannelsChange);
export const deleteDefaultGroup = change(defaultGroups.deleteDefaultGroup, groupId);

export const sendMessage = change(
  sending.sendMessage,
  // The console sends to a channel, by its ID.
  newMessage.pick({ type: true, topic: true, content: true }).extend({ to: z.array(channelId).length(1) }),
  z.object({ id: messageId }),
);
export const updateMessage = change(edits.updateMessage, messagePatch);
export const deleteMessage = change(messages.deleteMessage, messageId);
export const sweepNow = change(retention.sweepNow, channelId.nullable());
export const handleReport = change(reports.handleReport, handling);
