// Changes of the organization: its settings, domains, linkifiers, pictures, exports, and what waits to be sent.
import { z } from "zod";
import * as emoji from "@/foundation/emoji/actions.ts";
import { customEmojiName, emojiLimits } from "@/foundation/emoji/schema.ts";
import * as linkifiers from "@/foundation/linkifiers/actions.ts";
import { linkifierId, linkifierParams } from "@/foundation/linkifiers/schema.ts";
import * as mail from "@/foundation/mail/actions.ts";
import * as personal from "@/foundation/own-account/actions.ts";
import { grantUpdateParams } from "@/foundation/permissions/schema.ts";
import { domainName, limits, realmSettings } from "@/foundation/realm/schema.ts";
import * as realm from "@/foundation/realm-administration/actions-changes.ts";
import * as domains from "@/foundation/realm-administration/actions-domains.ts";
import * as pictures from "@/foundation/realm-administration/actions-pictures.ts";
import { defaultNames, settingParams } from "@/foundation/user-settings/schema.ts";
import * as exports from "@/operations/export/actions.ts";
import { exportType } from "@/operations/export/schema.ts";
import * as webhooks from "@/outside/webhooks/actions.ts";
import { change, changeByPicture } from "../change.ts";

const { site: _, ...settings } = realmSettings.table;
type Settings = { [K in keyof typeof settings]: z.ZodOptional<(typeof settings)[K]["rule"]> };
const settingRules = Object.fromEntries(
  Object.entries(settings).map(([name, { rule }]) => [name, rule.optional()]),
) as unknown as Settings;

export const updateRealm = change(
  realm.updateRealm,
  z.strictObject({ ...settingRules, ...grantUpdateParams("realm") }),
);
export const updateSettingDefaults = change(
  personal.updateSettingDefaults,
  z.strictObject(settingParams(defaultNames)).partial(),
);

const domain = z.strictObject({ domain: domainName, allow_subdomains: z.boolean() });

export const addDomain = change(domains.addDomain, domain);
export const changeDomain = change(domains.changeDomain, domain);
export const removeDomain = change(domains.removeDomain, domainName);

const ids = z.array(linkifierId).readonly();

export const addLinkifier = change(
  linkifiers.addLinkifier,
  z.strictObject(linkifierParams),
  z.object({ id: linkifierId }),
);
export const updateLinkifier = change(
  linkifiers.updateLinkifier,
  z.strictObject({ id: linkifierId, ...linkifierParams }),
);
export const removeLinkifier = change(linkifiers.removeLinkifier, linkifierId);
export const reorderLinkifiers = change(linkifiers.reorderLinkifiers, ids);

const which = z.enum(["icon", "logo", "night_logo"]);

export const addEmoji = changeByPicture(emoji.addEmoji, {
  takes: z.strictObject({ name: customEmojiName }),
  maxMib: emojiLimits.fileMib,
});
export const deactivateEmoji = change(emoji.deactivateEmoji, customEmojiName);
export const setRealmPicture = changeByPicture(pictures.setRealmPicture, {
  takes: z.strictObject({ which }),
  maxMib: Math.max(limits.max_icon_file_size_mib, limits.max_logo_file_size_mib),
});
export const deleteRealmPicture = change(pictures.deleteRealmPicture, which);

export const requestExport = change(exports.requestExport, exportType);
export const deleteExport = change(exports.deleteExport, z.int());
export const tryMailNow = change(mail.tryMailNow, z.int());
export const discardMail = change(mail.discardMail, z.int());
export const tryCallNow = change(webhooks.tryCallNow, z.int());
export const discardCall = change(webhooks.discardCall, z.int());
