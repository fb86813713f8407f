// Changes of the organization: its settings, domains, linkifiers, pictures, exports, and what waits to be sent.
import { z } from "zod";
import * as emoji from "@/foundation/emoji/actions.ts";
import { customEmojiName, emojiLimits } from "@/foundation/emoji/schema.ts";
import * as linkifiers from "@/foundation/linkifiers/actions.ts";
import {
  changedLinkifier,
  linkifierId,
  linkifierOrder,
  newLinkifier,
} from "@/foundation/linkifiers/schema.ts";
import * as mail from "@/foundation/mail/actions.ts";
import * as personal from "@/foundation/own-account/actions.ts";
import { domainName, limits, newDomain, realmPicture } from "@/foundation/realm/schema.ts";
import * as realm from "@/foundation/realm-administration/actions-changes.ts";
import * as domains from "@/foundation/realm-administration/actions-domains.ts";
import * as pictures from "@/foundation/realm-administration/actions-pictures.ts";
import { realmPatch } from "@/foundation/realm-administration/schema.ts";
import { defaultNames, settingParams } from "@/foundation/user-settings/schema.ts";
import * as uploads from "@/messaging/uploads/actions.ts";
import { fileAmount, leftUploads } from "@/messaging/uploads/schema.ts";
import * as exports from "@/operations/export/actions.ts";
import { exportType } from "@/operations/export/schema.ts";
import * as webhooks from "@/outside/webhooks/actions.ts";
import { change, changeByPicture } from "../change.ts";

export const updateRealm = change(realm.updateRealm, realmPatch);
export const updateSettingDefaults = change(
  personal.updateSettingDefaults,
  z.object(settingParams(defaultNames)).partial(),
);

export const addDomain = change(domains.addDomain, newDomain);
export const changeDomain = change(domains.changeDomain, newDomain);
export const removeDomain = change(domains.removeDomain, domainName);

export const addLinkifier = change(linkifiers.addLinkifier, newLinkifier, z.object({ id: linkifierId }));
export const updateLinkifier = change(linkifiers.updateLinkifier, changedLinkifier);
export const removeLinkifier = change(linkifiers.removeLinkifier, linkifierId);
/** Adds a removed linkifier again, where it was: `order` has its former ID. */
export const restoreLinkifier = change(
  async (ctx, { former_id, order, ...rule }) => {
    const { id } = await linkifiers.addLinkifier(ctx, rule);
    await linkifiers.reorderLinkifiers(
      ctx,
      order.map((one) => (one === former_id ? id : one)),
    );
  },
  newLinkifier.extend({ former_id: linkifierId, order: linkifierOrder }),
);
export const reorderLinkifiers = change(linkifiers.reorderLinkifiers, linkifierOrder.readonly());

export const addEmoji = changeByPicture(emoji.addEmoji, {
  takes: z.object({ name: customEmojiName }),
  maxMib: emojiLimits.fileMib,
});
export const deactivateEmoji = change(emoji.deactivateEmoji, customEmojiName);
export const setRealmPicture = changeByPicture(pictures.setRealmPicture, {
  takes: z.object({ which: realmPicture }),
  maxMib: Math.max(limits.max_icon_file_size_mib, limits.max_logo_file_size_mib),
});
export const deleteRealmPicture = change(pictures.deleteRealmPicture, realmPicture);

export const deleteUnlinkedFiles = change(uploads.deleteUnlinked, leftUploads, fileAmount);

export const requestExport = change(exports.requestExport, exportType);
export const deleteExport = change(exports.deleteExport, z.int());
export const tryMailNow = change(mail.tryMailNow, z.int());
export const discardMail = change(mail.discardMail, z.int());
export const tryCallNow = change(webhooks.tryCallNow, z.int());
export const discardCall = change(webhooks.discardCall, z.int());
