import { domain } from "@/kernel/domain.ts";
import { type Endpoint, endpoint } from "@/kernel/endpoint.ts";
import { updateOwnSettings, updateSettingDefaults } from "./actions.ts";
import { defaultsState, legacyState, settingsState } from "./queries.ts";
import { defaultNames, personalNames, settingParams } from "./schema.ts";
import { timezoneName } from "./timezones.ts";

const ownParams = { ...settingParams(personalNames), timezone: timezoneName.optional() };

/** Display and notifications once were endpoints of their own: today each path takes every setting. */
const updateSettings = (id: string, path: string): Endpoint =>
  endpoint(id, {
    method: "PATCH",
    path,
    params: ownParams,
    run: async (ctx, { timezone, ...settings }) => {
      await updateOwnSettings(ctx, { settings, timezone });
      return {};
    },
  });

export default domain({
  name: "user-settings",
  state: {
    user_settings: settingsState,
    update_display_settings: (ctx, request) => legacyState(ctx, request, "display"),
    update_global_notifications: (ctx, request) => legacyState(ctx, request, "notifications"),
    realm_user_settings_defaults: defaultsState,
  },
  endpoints: [
    updateSettings("update-settings", "/settings"),
    updateSettings("update-display-settings", "/settings/display"),
    updateSettings("update-notification-settings", "/settings/notifications"),
    endpoint("update-realm-user-settings-defaults", {
      method: "PATCH",
      path: "/realm/user_settings_defaults",
      params: settingParams(defaultNames),
      run: async (ctx, params) => {
        await updateSettingDefaults(ctx, params);
        return {};
      },
    }),
  ],
});
