import { z } from "zod";
import { userId } from "@/foundation/users/schema.ts";
import { event } from "@/kernel/core/events.ts";

const settingValue = z.union([z.boolean(), z.int(), z.string()]);

/** A setting that has changed; a language comes with its name. */
export interface SettingChange {
  property: string;
  value: z.infer<typeof settingValue>;
  language_name?: string;
}

const change = { property: z.string(), value: settingValue };
const language_name = z.string().optional();

export const settingChanged = event<SettingChange>("user_settings", {
  about: "One of the user's settings has changed.",
  op: "update",
  schema: z.object({ ...change, language_name }),
});

/** The form for older clients, which do not read `user_settings`; `user` is the address of the setting's owner. */
export type LegacyChange = SettingChange & { user: string };

const isOlder = ({ capabilities }: { capabilities: ReadonlySet<string> }) =>
  !capabilities.has("user_settings_object");
const legacy = { user: z.string(), setting: settingValue };

export const displayChanged = event<LegacyChange>("update_display_settings", {
  about: "A display setting of the user has changed. For clients that do not know `user_settings`.",
  schema: z.object({ ...legacy, setting_name: z.string(), language_name }),
  variant: (queue) => String(isOlder(queue)),
  shape: ({ property: setting_name, value: setting, ...more }, queue) =>
    isOlder(queue) ? { setting_name, setting, ...more } : null,
});

export const notificationsChanged = event<LegacyChange>("update_global_notifications", {
  about: "A notification setting of the user has changed. For clients that do not know `user_settings`.",
  schema: z.object({ ...legacy, notification_name: z.string() }),
  variant: (queue) => String(isOlder(queue)),
  shape: ({ property: notification_name, value: setting, user }, queue) =>
    isOlder(queue) ? { notification_name, setting, user } : null,
});

export const defaultChanged = event<SettingChange>("realm_user_settings_defaults", {
  about: "A default setting of new users has changed.",
  op: "update",
  schema: z.object(change),
});

/** Whether administrators may export a person's private data. */
export const exportConsentChanged = event<{ user_id: number; consented: boolean }>("realm_export_consent", {
  about: "A user has given or withdrawn consent to exports. Administrators only.",
  schema: z.object({ user_id: userId, consented: z.boolean() }),
});
