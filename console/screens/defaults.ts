import type { z } from "zod";
import { updateSettingDefaults } from "@/foundation/user-settings/actions.ts";
import { defaultsOf } from "@/foundation/user-settings/queries.ts";
import { defaultNames, type PersonalName, personalTable } from "@/foundation/user-settings/schema.ts";
import type { Ctx } from "@/kernel/context.ts";
import { ruleText, textOf } from "../desk/rules.ts";
import { changeForm, type Form, screen } from "../screen.ts";
import type { Session } from "../session.ts";

interface Row {
  name: PersonalName;
  about: string;
  value: string;
}

function rows({ ctx }: Session): Row[] {
  const values = defaultsOf(ctx());
  return defaultNames.map((name) => ({
    name,
    about: personalTable[name].about,
    value: textOf(values[name]),
  }));
}

function edit(_: Ctx, { name, about, value }: Row): Form {
  const rule: z.ZodType = personalTable[name].rule;
  return changeForm({
    title: name,
    fields: { value: { label: "Value", about: `${about}.`, rule, start: value } },
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
  columns: [
    { title: "SETTING", value: ({ about }) => about },
    { title: "VALUE", value: ({ value }) => value, tone: () => "accent", grow: true },
    { title: "NAME", value: ({ name }) => name, tone: () => "dim", spare: true },
  ],
  facts: (_, { name, about, value }) => [
    ["Name", name],
    ["About", about],
    ["Default", value],
    ["Takes", ruleText(personalTable[name].rule)],
  ],
  edit,
});
