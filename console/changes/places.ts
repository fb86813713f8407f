// Changes of channels, their folders and groups, messages and reports.

import { z } from "zod";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { userId } from "@/foundation/users/schema.ts";
import * as retention from "@/messaging/bulk-deletion/actions.ts";
import * as edits from "@/messaging/message-edits/actions.ts";
import * as messages from "@/messaging/messages/actions.ts";
import { messageId } from "@/messaging/messages/schema.ts";
import * as reports from "@/messaging/reports/actions.ts";
import { handledNote } from "@/messaging/reports/schema.ts";
import * as sending from "@/messaging/sending/actions.ts";
import * as channels from "@/places/channel-administration/actions.ts";
import * as channelChanges from "@/places/channel-administration/actions-changes.ts";
import {
  channel,
  channelDescription,
  channelId,
  channelName,
  channelPatch,
  folderId,
} from "@/places/channels/schema.ts";
import * as defaults from "@/places/default-channels/actions.ts";
import * as defaultGroups from "@/places/default-channels/actions-groups.ts";
import { channelNames, groupDescription, groupId, groupName } from "@/places/default-channels/schema.ts";
import * as folders from "@/places/folders/actions.ts";
import { folder, folderDescription, folderName } from "@/places/folders/schema.ts";
import * as subscriptions from "@/places/subscriptions/actions.ts";
import { change } from "../change.ts";

export const createChannel = change(
  channels.createChannel,
  z.strictObject({
    name: channelName,
    description: channelDescription,
    invite_only: z.boolean(),
    subscribers: z.array(userId),
  }),
  channel,
);
export const updateChannel = change(
  channelChanges.updateChannel,
  channelPatch
    .extend({
      channel_id: channelId,
      // As the core has it: null as the organization, -1 for ever.
      message_retention_days: realmSettings.table.message_retention_days.rule.nullable().optional(),
    })
    .strict(),
);
export const archiveChannel = change(channels.archiveChannel, channelId);
export const setDefaultChannel = change(
  defaults.setDefaultChannel,
  z.strictObject({ channel_id: channelId, is_default: z.boolean() }),
);

const membership = z.strictObject({ channel_ids: z.array(channelId), user_ids: z.array(userId) });

export const subscribe = change(subscriptions.subscribe, membership);
export const unsubscribe = change(subscriptions.unsubscribe, membership);

export const createFolder = change(
  folders.createFolder,
  z.strictObject({ name: folderName, description: folderDescription }),
  folder,
);
export const updateFolder = change(
  folders.updateFolder,
  z.strictObject({
    channel_folder_id: folderId,
    name: folderName.optional(),
    description: folderDescription.optional(),
    is_archived: z.boolean().optional(),
  }),
  folder,
);
export const reorderFolders = change(folders.reorderFolders, z.array(folderId).readonly());

export const createDefaultGroup = change(
  defaultGroups.createDefaultGroup,
  z.strictObject({ name: groupName, description: groupDescription, channel_names: channelNames }),
  z.object({ id: groupId }),
);
export const updateDefaultGroup = change(
  defaultGroups.updateDefaultGroup,
  z.strictObject({
    group_id: groupId,
    name: groupName.optional(),
    description: groupDescription.optional(),
  }),
);
export const changeGroupChannels = change(
  defaultGroups.changeGroupChannels,
  z.strictObject({ group_id: groupId, op: z.enum(["add", "remove"]), channel_names: channelNames }),
);
export const deleteDefaultGroup = change(defaultGroups.deleteDefaultGroup, groupId);

export const sendMessage = change(
  sending.sendMessage,
  z.strictObject({
    type: z.literal("channel"),
    to: z.array(channelId).length(1),
    topic: z.string(),
    content: z.string(),
  }),
  z.object({ id: messageId }),
);
export const updateMessage = change(
  edits.updateMessage,
  z.strictObject({
    message_id: messageId,
    content: z.string().optional(),
    topic: z.string().optional(),
    channel_id: channelId.optional(),
    propagate_mode: z.enum(["change_one", "change_later", "change_all"]),
    send_notification_to_old_thread: z.boolean(),
    send_notification_to_new_thread: z.boolean(),
  }),
);
export const deleteMessage = change(messages.deleteMessage, messageId);
export const sweepNow = change(retention.sweepNow, channelId.nullable());
export const handleReport = change(
  reports.handleReport,
  z.strictObject({ report_id: z.int(), is_handled: z.boolean(), note: handledNote }),
);
