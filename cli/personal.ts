import { z } from "zod";
import { fail } from "@/kernel/errors.ts";
import { updateOwnSettings } from "@/user-settings/actions.ts";
import { type PersonalName, personalNames, personalSettings, personalTable } from "@/user-settings/schema.ts";
import { operand } from "./args.ts";
import { command } from "./command.ts";
import { table } from "./output.ts";
import { changedShape, checked, settingRows, settingShape, settingValue, valueText } from "./values.ts";

function settingNamed(name: string): PersonalName {
  const found = personalNames.find((known) => known === name);
  return found ?? fail("BAD_REQUEST", `There is no setting '${name}'; 'confab settings list' lists them.`);
}

export default [
  command({
    name: "settings list",
    summary: "List somebody's personal settings",
    about: "Lists the personal settings of who acts; --as EMAIL names somebody else.",
    examples: ["confab settings list --as ada@example.com"],
    args: {},
    result: z.array(settingShape),
    run: (ctx) => {
      const values = personalSettings.read(ctx, ctx.actor.id);
      return personalNames.map((name) => ({ name, value: values[name], about: personalTable[name].about }));
    },
    print: (settings) => table(["SETTING", "VALUE", "WHAT IT IS"], settingRows(settings)),
  }),

  command({
    name: "settings set",
    summary: "Change one of somebody's personal settings",
    about: "Changes a personal setting of who acts; --as EMAIL names somebody else.",
    examples: ["confab settings set twenty_four_hour_time true --as ada@example.com"],
    args: {
      name: operand("SETTING", z.string(), "its name"),
      value: operand("VALUE", z.string(), "its value: JSON, or a text as it is"),
    },
    result: changedShape,
    run: async (ctx, { name, value }) => {
      const setting = settingNamed(name);
      const rule: z.ZodType = personalTable[setting].rule;
      await updateOwnSettings(ctx, { settings: { [setting]: checked(rule, setting, settingValue(value)) } });
      return { name: setting, value: personalSettings.read(ctx, ctx.actor.id)[setting] };
    },
    print: ({ name, value }) => `${name}: ${valueText(value)}`,
  }),
];
