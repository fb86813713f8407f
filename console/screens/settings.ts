import { grantWords } from "@/foundation/permissions/descriptions.ts";
import { type GrantName, realmGrants } from "@/foundation/permissions/schema.ts";
import { whoText } from "@/foundation/permissions/words.ts";
import { realmSettings } from "@/foundation/realm/schema.ts";
import { none, takesText, valueText, wordOf } from "@/foundation/realm/words.ts";
import { realmPermissions } from "@/foundation/realm-administration/queries.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import type { Setting } from "@/kernel/store/settings.ts";
import { updateRealm } from "../changes/organization.ts";
import type { Tone } from "../layout.ts";
import { channelNames, channelOrOff, channelTexts, permissionTexts } from "../names.ts";
import { changeForm, type Field, type ScreenForm, screen } from "../screen.ts";
import type { ConsoleSession } from "../session.ts";
import { areaOf, fieldFor, permissionArea, sortByArea } from "../words.ts";
import { membersText, permissionField } from "./permissions.ts";

type SettingName = Exclude<keyof typeof realmSettings.table, "site">;
const settingNames = Object.keys(realmSettings.table).filter((name) => name !== "site") as SettingName[];
const grantNames = Object.keys(realmGrants) as GrantName<"realm">[];

interface Row {
  name: string;
  about: string;
  value: string;
  /** Its default. */
  usual: string;
  area: string;
  kind: "setting" | "channel" | "permission";
}

function rows({ ctx }: ConsoleSession): Row[] {
  const now = ctx();
  const values = realmSettings.read(now);
  const granted = realmPermissions(now);
  const channelOf = channelTexts(now);
  const grantText = permissionTexts(now);
  return sortByArea([
    ...settingNames.map((name): Row => {
      const setting: Setting = realmSettings.table[name];
      const common = { name, about: wordOf(setting.about), area: areaOf(setting) };
      return setting.form === "channel"
        ? { ...common, value: channelOf(Number(values[name])), usual: "", kind: "channel" }
        : {
            ...common,
            value: valueText(setting, values[name]),
            usual: valueText(setting, setting.fallback),
            kind: "setting",
          };
    }),
    ...grantNames.map(
      (name): Row => ({
        name,
        about: wordOf(grantWords[name]),
        usual: realmGrants[name].default,
        area: permissionArea,
        value: grantText(granted[name]),
        kind: "permission",
      }),
    ),
  ]);
}

function fieldOf(now: Ctx, { name, about, value, usual, kind }: Row): Field {
  if (kind === "permission")
    return permissionField(now, "Who", {
      start: value,
      about: `${about}.`,
      grant: realmGrants[name as GrantName<"realm">],
    });
  const setting = realmSettings.table[name as SettingName];
  if (kind === "setting")
    return {
      ...fieldFor({ name, ...setting }, realmSettings.read(now)[name as SettingName]),
      usual,
    };
  return {
    label: "Value",
    about: `${about}: its name, or empty for none.`,
    rule: setting.rule,
    start: value,
    choices: channelNames(now),
    open: true,
    read: channelOrOff,
  };
}

function edit(now: Ctx, row: Row): ScreenForm {
  return changeForm({
    title: row.about,
    picksFirst: row.kind === "permission",
    fields: { value: { ...fieldOf(now, row), isOwn: true } },
    async submit(ctx, { value }) {
      await updateRealm(ctx, { [row.name]: row.kind === "permission" ? { new: value } : value });
      return { message: `Changed ${row.name}.` };
    },
  });
}

/** A value of the row's setting, in words. */
function formatValue({ kind }: Row, value: string): string {
  if (kind === "channel" && value === "") return none;
  return kind === "permission" ? whoText(value) : value;
}

/** Highlights values that differ from their default. */
export function toneOfChange({ value, usual }: { value: string; usual: string }): Tone {
  return value === usual ? "plain" : "accent";
}

export const settings = screen<Row>({
  key: "9",
  title: "Settings",
  area: "Organization",
  noun: "setting",
  about: "of the organization, and who may do what",
  empty: "There are no settings.",
  listShare: 0.68,
  rows,
  id: ({ name }) => name,
  copies: ({ value }) => value,
  name: ({ area, about }) => `${area}: ${about}`,
  columns: [
    { title: "AREA", value: ({ area }) => area, tone: () => "dim", spare: true },
    { title: "SETTING", value: ({ about }) => about },
    { title: "VALUE", value: (row) => formatValue(row, row.value), tone: toneOfChange, grow: true, most: 22 },
    { title: "NAME", value: ({ name }) => name, tone: () => "dim", spare: true },
  ],
  facts: ({ ctx }, row) => [
    ["About", row.about],
    ["Value", formatValue(row, row.value)],
    ...(row.kind === "permission" ? [["That is", membersText(ctx(), row.value)] as const] : []),
    ["Default", formatValue(row, row.usual)],
    ["Area", row.area],
    ["Name", row.name],
    ...(row.kind === "setting"
      ? [["Takes", takesText({ ...realmSettings.table[row.name as SettingName], name: row.name })] as const]
      : []),
  ],
  edit,
});
