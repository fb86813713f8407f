import { type GroupSettingValue, groupSettingValue } from "@/foundation/permissions/schema.ts";
import { permissionOf } from "../names.ts";
import type { Field } from "../screen.ts";

/** A field for who may do something. */
export function permissionField(
  label: string,
  { groups, start, about = "" }: { groups: readonly string[]; start: string; about?: string },
): Field<GroupSettingValue> {
  const way = "A group's name, or email addresses and groups separated by commas.";
  return {
    label,
    about: about === "" ? way : `${about} ${way}`,
    rule: groupSettingValue,
    choices: groups,
    open: true,
    read: permissionOf,
    start,
  };
}
