import { X } from "lucide-react";
import { useMemo, useState } from "react";
import type { UserGroup } from "@/foundation/groups/schema.ts";
import type { GroupSettingValue } from "@/foundation/permissions/schema.ts";
import { sameList, useSelect } from "../../api/client.ts";
import { reasonOf } from "../../api/request.ts";
import { collator, listNames, t } from "../../lib/texts.ts";
import { coveredUsers } from "../../state/groups.ts";
import type { Organization } from "../../state/organization.ts";
import type { State } from "../../state/state.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Select } from "../../ui/field.tsx";
import { PeopleList } from "../../ui/people-list.tsx";
import { PeoplePicker } from "../../ui/people-picker.tsx";
import { showToast } from "../../ui/toasts.tsx";
import css from "./organize.module.css";

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
  kind: "realm" | "stream" | "group";
  name: string;
  label: string;
  value: GroupSettingValue;
  disabled?: boolean;
  /** Why it is disabled. */
  hint?: string | undefined;
  /** Saves what was chosen. */
  onSave: (value: GroupSettingValue) => Promise<unknown>;
}

/** Choices besides the groups. */
const [several, asNamed] = [-1, -2];

interface Allowed {
  allow_everyone_group: boolean;
  allow_nobody_group: boolean;
  require_system_group: boolean;
  allowed_system_groups: string[];
}
type Supported = Record<PermissionFieldProps["kind"], Record<string, Allowed>>;

const listAllowed = ({ server_supported_permission_settings: all }: Organization) => all as Supported;

/** Names of system groups to which the server does not give a permission. */
function listExcludedGroups(
  organization: Organization,
  kind: PermissionFieldProps["kind"],
  name: string,
): readonly string[] {
  const allowed = listAllowed(organization)[kind][name];
  const only = allowed?.allowed_system_groups ?? [];
  return [
    ...(allowed?.allow_everyone_group === false ? ["role:everyone"] : []),
    ...(allowed?.allow_nobody_group === false ? ["role:nobody"] : []),
    ...(only.length === 0 ? [] : systemGroups.map(([one]) => one).filter((one) => !only.includes(one))),
    // The server's list of what is allowed has no field for this.
    ...(name === "can_mention_group" ? ["role:owners"] : []),
  ];
}

/** Whom a value names, in words. */
function wordValue({ groups, users }: Pick<State, "groups" | "users">, value: GroupSettingValue): string {
  const ofGroup = (id: number) => (groups[id] ? groupName(groups[id]) : t("somebody"));
  if (typeof value === "number") return ofGroup(value);
  const named = value.direct_members.map((id) => users[id]?.full_name ?? t("somebody"));
  return listNames([...named, ...value.direct_subgroups.map(ofGroup)]) || t("Nobody");
}

const isPerson = (users: State["users"], id: number) => {
  const user = users[id];
  return user?.is_active === true && !user.is_bot;
};

const fewNames = 3;

/** "Mel, Max and 12 others"; empty for nobody. */
function namePeople(users: State["users"], ids: readonly number[]): string {
  const names = ids.map((id) => users[id]?.full_name ?? "").sort(collator.compare);
  const count = names.length - fewNames;
  const others = t("{count, plural, one {# other} other {# others}}", { count });
  return listNames(count <= 0 ? names : [...names.slice(0, fewNames), others]);
}

/** Who may do something, in words: everyone of a role or of a group, or groups and people by name. A choice shows what it changes, and is saved by a button. */
export function PermissionField({
  kind,
  name: permission,
  label,
  value,
  disabled = false,
  hint,
  onSave,
}: PermissionFieldProps) {
  const groups = useSelect((state) => state.groups);
  const users = useSelect((state) => state.users);
  const excluded = useSelect(
    ({ organization }) => listExcludedGroups(organization, kind, permission),
    sameList,
  );
  const isForSystemGroups = useSelect(
    ({ organization }) => listAllowed(organization)[kind][permission]?.require_system_group === true,
  );
  const [draft, setDraft] = useState<GroupSettingValue | null>(null);
  const [isNaming, setNaming] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const [problem, setProblem] = useState<string>();
  const shown = draft ?? value;
  const all = Object.values(groups).filter(({ deactivated }) => !deactivated);
  const system = systemGroups.flatMap(([name, words]) => {
    const group = all.find((one) => one.is_system_group && one.name === name);
    return group && (group.id === shown || !excluded.includes(name))
      ? [{ value: group.id, label: words }]
      : [];
  });
  const others = all
    .filter(({ is_system_group }) => !is_system_group)
    .sort((a, b) => collator.compare(a.name, b.name))
    .map(({ id, name }) => ({ value: id, label: t("Group {name}", { name }) }));
  const isNamed = typeof shown !== "number";
  const named = isNamed ? [{ value: asNamed, label: wordValue({ groups, users }, shown) }] : [];
  const choices = isForSystemGroups
    ? [...named, ...system]
    : [...named, ...system, ...others, { value: several, label: t("Several people and groups …") }];
  const choose = (next: number) => {
    setProblem(undefined);
    if (next === several) setNaming(true);
    else if (next !== asNamed) setDraft(next === value ? null : next);
  };
  const save = () => {
    if (draft === null) return;
    setSaving(true);
    onSave(draft).then(
      () => {
        setDraft(null);
        setSaving(false);
        showToast({ text: t("Saved: {what}.", { what: label }) });
      },
      (error: unknown) => {
        setProblem(reasonOf(error));
        setSaving(false);
      },
    );
  };
  return (
    <div className={css.permission}>
      <Select
        label={label}
        hint={hint}
        error={problem}
        value={isNamed ? asNamed : shown}
        choices={choices}
        disabled={disabled || isSaving}
        onChange={choose}
      />
      {draft === null ? null : (
        <>
          <Difference from={value} to={draft} />
          <div className={css.buttons}>
            <Button look="primary" busy={isSaving} onClick={save}>
              {t("Save")}
            </Button>
            <Button look="quiet" disabled={isSaving} onClick={() => setDraft(null)}>
              {t("Take back the changes")}
            </Button>
          </div>
        </>
      )}
      {isNaming ? (
        <NamingDialog
          label={label}
          start={shown}
          groups={[...system, ...others]}
          onChoose={(next) => setDraft(next)}
          onClose={() => setNaming(false)}
        />
      ) : null}
    </div>
  );
}

/** Whom a change takes a permission from, and to whom it gives it. */
function Difference({ from, to }: { from: GroupSettingValue; to: GroupSettingValue }) {
  const groups = useSelect((state) => state.groups);
  const users = useSelect((state) => state.users);
  const { count, gained, lost } = useMemo(() => {
    const [before, after] = [coveredUsers(groups, from), coveredUsers(groups, to)];
    const people = [...after].filter((id) => isPerson(users, id));
    return {
      count: people.length,
      gained: namePeople(
        users,
        people.filter((id) => !before.has(id)),
      ),
      lost: namePeople(
        users,
        [...before].filter((id) => isPerson(users, id) && !after.has(id)),
      ),
    };
  }, [groups, users, from, to]);
  return (
    <div className={css.difference} role="status">
      <p>
        {t(
          "{count, plural, =0 {Nobody will have it.} one {# person will have it.} other {# people will have it.}}",
          { count },
        )}
      </p>
      {gained === "" ? null : <p>{t("Gets it: {names}", { names: gained })}</p>}
      {lost === "" ? null : <p>{t("Loses it: {names}", { names: lost })}</p>}
    </div>
  );
}

interface NamingDialogProps {
  label: string;
  start: GroupSettingValue;
  groups: readonly { value: number; label: string }[];
  onChoose: (value: GroupSettingValue) => void;
  onClose: () => void;
}

/** Chooses several people and groups. */
function NamingDialog({ label, start, groups, onChoose, onClose }: NamingDialogProps) {
  const begun = typeof start === "number" ? { direct_members: [], direct_subgroups: [start] } : start;
  const [members, setMembers] = useState<readonly number[]>(begun.direct_members);
  const [within, setWithin] = useState<readonly number[]>(begun.direct_subgroups);
  const left = groups.filter(({ value }) => !within.includes(value));
  const none = { value: 0, label: t("Choose a group") };
  return (
    <Dialog
      title={label}
      onClose={onClose}
      onSubmit={() => {
        onChoose({ direct_members: [...members], direct_subgroups: [...within] });
        onClose();
      }}
      actions={
        <Button type="submit" look="primary">
          {t("Choose")}
        </Button>
      }
    >
      <ul className={css.list}>
        {within.map((id) => (
          <li key={id} className={css.item}>
            <span className={css.grow}>{groups.find(({ value }) => value === id)?.label}</span>
            <IconButton
              size="small"
              icon={X}
              label={t("Remove {name}", { name: groups.find(({ value }) => value === id)?.label ?? "" })}
              onClick={() => setWithin(within.filter((one) => one !== id))}
            />
          </li>
        ))}
      </ul>
      <PeopleList ids={members} onRemove={(id) => setMembers(members.filter((one) => one !== id))} />
      <Select
        label={t("Add a group")}
        value={0}
        choices={[none, ...left]}
        onChange={(id) => id !== 0 && setWithin([...within, id])}
      />
      <PeoplePicker
        label={t("Add people")}
        without={new Set(members)}
        onPick={(id) => setMembers([...members, id])}
      />
    </Dialog>
  );
}
