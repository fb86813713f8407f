import { aboutText, takesText, valueText, wordOf } from "@/foundation/realm/words.ts";
import { defaultsOf } from "@/foundation/user-settings/queries.ts";
import { defaultNames, type PersonalName, startTable } from "@/foundation/user-settings/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { updateSettingDefaults } from "../changes/organization.ts";
import { changeForm, type ScreenForm, screen } from "../screen.ts";
import type { ConsoleSession } from "../session.ts";
import { areaOf, fieldFor, sortByArea } from "../words.ts";
import { toneOfChange } from "./settings.ts";

interface Row {
  name: PersonalName;
  about: string;
  value: string;
  usual: string;
  area: string;
}

function rows({ ctx }: ConsoleSession): Row[] {
  const values = defaultsOf(ctx());
  const all = defaultNames.map((name) => ({
    name,
    about: wordOf(startTable[name].about),
    value: valueText(startTable[name], values[name]),
    usual: valueText(startTable[name], startTable[name].fallback),
    area: areaOf(startTable[name]),
  }));
  return sortByArea(all);
}

function edit(now: Ctx, { name, usual }: Row): ScreenForm {
  const setting = startTable[name];
  return changeForm({
    title: aboutText(setting),
    fields: {
      value: {
        ...fieldFor({ name, ...setting }, defaultsOf(now)[name]),
        usual,
        isOwn: true,
      },
    },
    async submit(ctx, changes) {
      await updateSettingDefaults(ctx, { [name]: changes.value });
      return { message: `Changed the default of ${name}.` };
    },
  });
}

export const defaults = screen<Row>({
  key: "0",
  title: "Defaults",
  area: "Organization",
  noun: "default",
  about: "personal settings that new users start with",
  empty: "There are no settings.",
  listShare: 0.68,
  rows,
  id: ({ name }) => name,
  copies: ({ value }) => value,
  name: ({ area, about }) => `${area}: ${about}`,
  columns: [
    { title: "AREA", value: ({ area }) => area, tone: () => "dim", spare: true },
    { title: "SETTING", value: ({ about }) => about },
    { title: "VALUE", value: ({ value }) => value, tone: toneOfChange, grow: true, most: 22 },
    { title: "NAME", value: ({ name }) => name, tone: () => "dim", spare: true },
  ],
  facts: (_, { name, about, value, usual, area }) => [
    ["About", about],
    ["New users get", value],
    ["Default", usual],
    ["Area", area],
    ["Name", name],
    ["Takes", takesText({ ...startTable[name], name })],
  ],
  edit,
});
