import type { UserGroup } from "@/foundation/groups/schema.ts";
import type { GroupSettingValue } from "@/foundation/permissions/schema.ts";
import { sameList, useSelect } from "../../api/client.ts";
import { collator, listNames, t } from "../../lib/texts.ts";
import type { Organization } from "../../state/organization.ts";
import { Select } from "../../ui/field.tsx";

/** From fewest to most people. */
const systemGroups: readonly (readonly [name: string, words: string])[] = [
  ["role:nobody", t("Nobody")],
  ["role:owners", t("Owners")],
  ["role:administrators", t("Administrators and owners")],
  ["role:moderators", t("Moderators, administrators and owners")],
  ["role:fullmembers", t("Members who have been here for a while")],
  ["role:members", t("Members, not guests")],
  ["role:everyone", t("Everyone, guests too")],
];

function groupName({ name, is_system_group }: Pick<UserGroup, "name" | "is_system_group">): string {
  if (!is_system_group) return name;
  return systemGroups.find(([system]) => system === name)?.[1] ?? name;
}

interface PermissionFieldProps {
  /** What has the permission, and the permission's name: some may not be given to everybody. */
  kind: "stream" | "group";
  name: string;
  label: string;
  hint?: string;
  value: GroupSettingValue;
  disabled?: boolean;
  onChange: (group: number) => void;
}

const own = -1;

interface Allowed {
  allow_everyone_group: boolean;
  allow_nobody_group: boolean;
}
type Supported = Record<PermissionFieldProps["kind"], Record<string, Allowed>>;

/** Names of system groups to which the server does not give a permission. */
function listExcludedGroups(
  organization: Organization,
  kind: PermissionFieldProps["kind"],
  name: string,
): readonly string[] {
  const allowed = (organization.server_supported_permission_settings as Supported)[kind][name];
  return [
    ...(allowed?.allow_everyone_group === false ? ["role:everyone"] : []),
    ...(allowed?.allow_nobody_group === false ? ["role:nobody"] : []),
    // The server's list of what is allowed has no field for this.
    ...(name === "can_mention_group" ? ["role:owners"] : []),
  ];
}

/** Who may do something, in words: everyone of a role or of a group. */
export function PermissionField({
  kind,
  name: permission,
  label,
  hint,
  value,
  disabled = false,
  onChange,
}: PermissionFieldProps) {
  const groups = useSelect((state) => state.groups);
  const users = useSelect((state) => state.users);
  const excluded = useSelect(
    ({ organization }) => listExcludedGroups(organization, kind, permission),
    sameList,
  );
  const all = Object.values(groups).filter(({ deactivated }) => !deactivated);
  const system = systemGroups.flatMap(([name, words]) => {
    const group = all.find((one) => one.is_system_group && one.name === name);
    return group && (group.id === value || !excluded.includes(name))
      ? [{ value: group.id, label: words }]
      : [];
  });
  const others = all
    .filter(({ is_system_group }) => !is_system_group)
    .sort((a, b) => collator.compare(a.name, b.name))
    .map(({ id, name }) => ({ value: id, label: t("Group {name}", { name }) }));
  const isOwn = typeof value !== "number";
  const named = isOwn ? value.direct_members.map((id) => users[id]?.full_name ?? t("somebody")) : [];
  const within = isOwn
    ? value.direct_subgroups.flatMap((id) => (groups[id] ? [groupName(groups[id])] : []))
    : [];
  const chosen = isOwn ? [{ value: own, label: listNames([...named, ...within]) || t("Nobody") }] : [];
  return (
    <Select
      label={label}
      hint={hint}
      value={isOwn ? own : value}
      choices={[...chosen, ...system, ...others]}
      disabled={disabled}
      onChange={(next) => next !== own && onChange(next)}
    />
  );
}
