import { z } from "zod";
import { mailHooks } from "@/foundation/mail/hooks.ts";
import type { MailKind } from "@/foundation/mail/schema.ts";
import { limits } from "@/foundation/realm/schema.ts";
import { stayingSignedIn } from "@/foundation/sessions/actions.ts";
import {
  defaultNames,
  type PersonalChanges,
  personalNames,
  settingParams,
  settingTarget,
} from "@/foundation/user-settings/schema.ts";
import { emailAddress, fullName, password } from "@/foundation/users/schema.ts";
import { actingAs } from "@/kernel/core/operation.ts";
import { forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { type Endpoint, endpoint } from "@/kernel/http/endpoint.ts";
import { bare } from "@/kernel/http/wire.ts";
import { updateOwnAccount } from "./account.ts";
import { updateOthersSettings, updateOwnSettings, updateSettingDefaults } from "./actions.ts";
import { runCommand } from "./commands.ts";
import { defaultsState, legacyState, settingsState } from "./queries.ts";
import { timezoneName } from "./schema.ts";

/** Treats an empty text as absent, for clients that send every field of a form. */
const orEmpty = <T extends z.ZodType>(rule: T) =>
  bare(z.union([z.literal("").transform((): undefined => undefined), rule])).optional();

const oldPassword = z.string().max(limits.password_max_length, "Wrong password!");

const ownParams = {
  ...settingParams(personalNames),
  timezone: timezoneName.optional(),
  full_name: fullName.optional(),
  email: orEmpty(emailAddress),
  old_password: orEmpty(oldPassword),
  new_password: orEmpty(password),
  target_users: settingTarget.optional(),
};

/** Display and notification settings once had separate endpoints; now each path takes every setting. */
const updateSettings = (id: string, path: string, about: string): Endpoint =>
  endpoint(id, {
    about,
    method: "PATCH",
    path,
    params: ownParams,
    run: (
      ctx,
      { timezone, full_name, email, old_password, new_password, target_users: target, ...settings },
      request,
    ) => {
      if (target) {
        const isOwnOnly = [timezone, email, new_password].some((one) => one !== undefined);
        return updateOthersSettings(ctx, { settings, target, isOwnOnly });
      }
      return stayingSignedIn(ctx, {
        request,
        change: () =>
          updateOwnAccount(
            ctx,
            { settings, timezone, full_name, email, old_password, new_password },
            request,
          ),
      });
    },
  });

/** The settings that a link for unsubscribing turns off. */
const unwanted: Record<MailKind, PersonalChanges> = {
  logins: { enable_login_emails: false },
  messages: {
    enable_offline_email_notifications: false,
    enable_stream_email_notifications: false,
    enable_followed_topic_email_notifications: false,
  },
};

export default domain({
  name: "user-settings",
  about:
    "what people change of their own accounts: settings, name, address, password; the defaults for new people",
  hooks: [
    mailHooks.unsubscribed.register((tx, { userId, kind }) => {
      const person = actingAs(tx, { kind: "user", id: userId, client: "Internal" });
      updateOwnSettings.in(person, { settings: unwanted[kind] });
    }),
  ],
  state: {
    user_settings: forSpectators(settingsState),
    update_display_settings: forSpectators((ctx, request) => legacyState(ctx, request, "display")),
    update_global_notifications: forSpectators((ctx, request) => legacyState(ctx, request, "notifications")),
    realm_user_settings_defaults: forSpectators(defaultsState),
  },
  endpoints: [
    updateSettings(
      "update-settings",
      "/settings",
      "Changes the caller's own settings, name, address or password. Makes all changes or none. A new `email` is mailed a link, and the address changes once that is followed; on a server that sends no mail, it changes at once, and needs the password as `old_password`. A new password ends the " +
        "caller's other sessions and the keys that logins handed out; `change-own-password` can keep them. With `target_users`, an administrator changes settings of others instead: of people and members of groups; `skip_if_already_edited` leaves out what people have changed themselves.",
    ),
    updateSettings(
      "update-display-settings",
      "/settings/display",
      "The older address of `update-settings` for display settings.",
    ),
    updateSettings(
      "update-notification-settings",
      "/settings/notifications",
      "The older address of `update-settings` for notification settings.",
    ),
    endpoint("change-own-password", {
      about:
        "Changes the caller's password, as `update-settings` does; `old_password` may be left out if there is none yet. The caller's " +
        "other sessions and the keys that logins handed out end, unless `keep_other_devices` is true.",
      method: "PATCH",
      path: "/users/me/password",
      params: {
        old_password: orEmpty(oldPassword),
        new_password: password,
        keep_other_devices: z.boolean().default(false),
      },
      run: (ctx, given, request) =>
        stayingSignedIn(ctx, {
          request,
          change: () => updateOwnAccount(ctx, { settings: {}, ...given }, request),
        }),
    }),
    endpoint("update-realm-user-settings-defaults", {
      about: "Sets the defaults of new users; existing users keep their settings. Administrators only.",
      method: "PATCH",
      path: "/realm/user_settings_defaults",
      params: settingParams(defaultNames),
      run: (ctx, params) => updateSettingDefaults(ctx, params),
    }),
    endpoint("post-zcommand", {
      about: "Runs a command that clients pass to the server, such as `/ping` or a change of theme.",
      method: "POST",
      path: "/zcommand",
      params: { command: z.string() },
      returns: { msg: z.string() },
      run: async (ctx, { command }) => ({ msg: await runCommand(ctx, command) }),
    }),
  ],
});
