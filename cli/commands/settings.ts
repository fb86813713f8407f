import { updateOwnSettings } from "@/foundation/own-account/actions.ts";
import { personalNames, personalSettings, personalTable } from "@/foundation/user-settings/schema.ts";
import { settingVerbs } from "./setting-verbs.ts";

export default settingVerbs({
  list: {
    name: "settings list",
    summary: "List a user's personal settings",
    about: "Lists the personal settings of the acting user; --as EMAIL selects another user.",
    examples: ["confab settings list --as ada@example.com"],
  },
  set: {
    name: "settings set",
    isUnaudited: true,
    summary: "Change one of a user's personal settings",
    about: "Changes a personal setting of the acting user; --as EMAIL selects another user.",
    examples: ["confab settings set twenty_four_hour_time yes --as ada@example.com"],
  },
  names: personalNames,
  table: personalTable,
  read: (ctx) => personalSettings.read(ctx, ctx.actor.id),
  write: (ctx, settings) => updateOwnSettings(ctx, { settings }),
});
