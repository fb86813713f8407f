import type { z } from "zod";
import { type GrantName, realmGrants } from "@/foundation/permissions/schema.ts";
import { updateRealm } from "@/foundation/realm/actions-changes.ts";
import { realmPermissions } from "@/foundation/realm/queries.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import type { Ctx } from "@/kernel/context.ts";
import { ruleText, textOf } from "../desk/rules.ts";
import { channelNames, channelOrOff, channelText, groupNames, permissionText, spoken } from "../names.ts";
import { changeForm, type Field, type Form, screen } from "../screen.ts";
import type { Session } from "../session.ts";
import { permissionField } from "./permissions.ts";

type SettingName = Exclude<keyof typeof realmSettings.table, "site">;
const settingNames = Object.keys(realmSettings.table).filter((name) => name !== "site") as SettingName[];
const grantNames = Object.keys(realmGrants) as GrantName<"realm">[];

interface Row {
  name: string;
  about: string;
  value: string;
  kind: "setting" | "channel" | "permission";
}

const namesChannel = (name: string) => /_(stream|channel)_id$/.test(name);

function rows({ ctx }: Session): Row[] {
  const now = ctx();
  const values = realmSettings.read(now);
  const granted = realmPermissions(now);
  return [
    ...settingNames.map((name): Row => {
      const { about } = realmSettings.table[name];
      return namesChannel(name)
        ? { name, about, value: channelText(now, Number(values[name])), kind: "channel" }
        : { name, about, value: textOf(values[name]), kind: "setting" };
    }),
    ...grantNames.map(
      (name): Row => ({
        name,
        about: spoken(name),
        value: permissionText(now, granted[name]),
        kind: "permission",
      }),
    ),
  ];
}

function fieldFor(now: Ctx, { name, about, value, kind }: Row): Field {
  if (kind === "permission")
    return permissionField("Who", { groups: groupNames(now), start: value, about: `${about}.` });
  const rule: z.ZodType = realmSettings.table[name as SettingName].rule;
  const field = { label: "Value", about: `${about}.`, rule, start: value };
  if (kind === "setting") return field;
  return {
    ...field,
    about: `${about}: its name, or empty for none.`,
    choices: channelNames(now),
    open: true,
    read: channelOrOff,
  };
}

function edit(now: Ctx, row: Row): Form {
  return changeForm({
    title: row.name,
    fields: { value: fieldFor(now, row) },
    async submit(ctx, { value }) {
      await updateRealm(ctx, { [row.name]: row.kind === "permission" ? { new: value } : value });
      return { message: `Changed ${row.name}.` };
    },
  });
}

export const settings = screen<Row>({
  key: "9",
  title: "Settings",
  area: "Organization",
  noun: "setting",
  about: "of the organization, and who may do what",
  empty: "There are no settings.",
  rows,
  id: ({ name }) => name,
  copies: ({ value }) => value,
  columns: [
    { title: "SETTING", value: ({ about }) => about },
    { title: "VALUE", value: ({ value }) => value, tone: () => "accent", grow: true },
    { title: "NAME", value: ({ name }) => name, tone: () => "dim", spare: true },
  ],
  facts: (_, { name, about, value, kind }) => [
    ["Name", name],
    ["About", about],
    ["Value", value],
    ...(kind === "setting"
      ? [["Takes", ruleText(realmSettings.table[name as SettingName].rule)] as const]
      : []),
  ],
  edit,
});
