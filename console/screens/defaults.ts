import { updateSettingDefaults } from "@/foundation/user-settings/actions.ts";
import { defaultsOf } from "@/foundation/user-settings/queries.ts";
import { defaultNames, type PersonalName, personalTable } from "@/foundation/user-settings/schema.ts";
import type { Ctx } from "@/kernel/context.ts";
import { ruleText } from "../desk/rules.ts";
import { changeForm, type Form, screen } from "../screen.ts";
import type { Session } from "../session.ts";
import { aboutText, areaOf, fieldFor, valueText } from "../words.ts";

interface Row {
  name: PersonalName;
  about: string;
  value: string;
  area: string;
}

function rows({ ctx }: Session): Row[] {
  const values = defaultsOf(ctx());
  return defaultNames.map((name) => ({
    name,
    about: aboutText(personalTable[name].about),
    value: valueText({ name, about: personalTable[name].about }, values[name]),
    area: areaOf(name),
  }));
}

function edit(now: Ctx, { name, about }: Row): Form {
  const { rule, about: whole, fallback } = personalTable[name];
  return changeForm({
    title: about,
    fields: {
      value: {
        ...fieldFor({ name, about: whole, rule }, defaultsOf(now)[name]),
        usual: valueText({ name, about: whole }, fallback),
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
  rows,
  id: ({ name }) => name,
  copies: ({ value }) => value,
  name: ({ about }) => about,
  columns: [
    { title: "AREA", value: ({ area }) => area, tone: () => "dim" },
    { title: "SETTING", value: ({ about }) => about },
    { title: "VALUE", value: ({ value }) => value, tone: () => "accent", grow: true, most: 22 },
    { title: "NAME", value: ({ name }) => name, tone: () => "dim", spare: true },
  ],
  facts: (_, { name, about, value, area }) => [
    ["About", about],
    ["New users get", value],
    ["Usually", valueText({ name, about: personalTable[name].about }, personalTable[name].fallback)],
    ["Area", area],
    ["Name", name],
    ["Takes", ruleText(personalTable[name].rule)],
  ],
  edit,
});
