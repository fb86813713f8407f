import { Users } from "lucide-react";
import { useState } from "react";
import type { UserGroup } from "@/foundation/groups/schema.ts";
import { useClient, useSelect } from "../../api/client.ts";
import { collator, t } from "../../lib/texts.ts";
import { mayChangeGroup, mayMakeGroups } from "../../state/permissions.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form, useForm } from "../../ui/form.tsx";
import { PeopleList } from "../../ui/people-list.tsx";
import { PeoplePicker } from "../../ui/people-picker.tsx";
import { goToLater } from "../../ui/routes/navigation.ts";
import { hashOf } from "../../ui/routes/route.ts";
import { showFailure } from "../../ui/toasts.tsx";
import { ViewHead } from "../../ui/view-head.tsx";
import css from "./organize.module.css";
import { PermissionField } from "./permission-field.tsx";

export function GroupsPage({ groupId }: { groupId?: number | undefined }) {
  const group = useSelect((state) => (groupId === undefined ? undefined : state.groups[groupId]));
  return group && !group.is_system_group && !group.deactivated ? (
    <OneGroup key={group.id} group={group} />
  ) : (
    <AllGroups />
  );
}

function AllGroups() {
  const groups = useSelect((state) => state.groups);
  const mayMake = useSelect(mayMakeGroups);
  const [isMaking, setMaking] = useState(false);
  const own = Object.values(groups)
    .filter(({ is_system_group, deactivated }) => !is_system_group && !deactivated)
    .sort((a, b) => collator.compare(a.name, b.name));
  return (
    <>
      <ViewHead title={t("Groups")}>
        {mayMake ? <Button onClick={() => setMaking(true)}>{t("New group")}</Button> : null}
      </ViewHead>
      <div className={css.page}>
        <div className={css.inner}>
          {own.length === 0 ? (
            <EmptyState icon={Users} title={t("No groups yet")}>
              {t("A group is mentioned as one, and permissions can be given to it.")}
            </EmptyState>
          ) : null}
          <ul className={css.list}>
            {own.map(({ id, name, description, members }) => (
              <li key={id} className={css.item}>
                <a className={css.itemText} href={hashOf({ view: "groups", group: id })}>
                  <bdi>{name}</bdi>
                  {description ? (
                    <span className={css.quiet}>
                      {" "}
                      <bdi>{description}</bdi>
                    </span>
                  ) : null}
                </a>
                <span className={css.quiet}>
                  {t("{count, plural, one {# person} other {# people}}", { count: members.length })}
                </span>
              </li>
            ))}
          </ul>
        </div>
      </div>
      {isMaking ? <NewGroup onClose={() => setMaking(false)} /> : null}
    </>
  );
}

function NewGroup({ onClose }: { onClose: () => void }) {
  const { api } = useClient();
  const self = useSelect((state) => state.self.user_id);
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [people, setPeople] = useState<readonly number[]>([self]);
  const create = async () => {
    if (name.trim() === "") throw new Error(t("A group needs a name."));
    const params = { name: name.trim(), description: description.trim(), members: people };
    const goOn = goToLater();
    const { group_id } = await api.post<{ group_id: number }>("/user_groups/create", params);
    goOn(hashOf({ view: "groups", group: group_id }));
  };
  return (
    <Confirm title={t("New group")} action={t("Create the group")} onConfirm={create} onClose={onClose}>
      <TextField label={t("Name")} value={name} maxLength={100} onChange={setName} />
      <TextField label={t("Description")} value={description} maxLength={1024} onChange={setDescription} />
      <PeoplePicker
        label={t("Add people")}
        without={new Set(people)}
        onPick={(id) => setPeople([...people, id])}
      />
      <PeopleList ids={people} onRemove={(id) => setPeople(people.filter((one) => one !== id))} />
    </Confirm>
  );
}

const permissions = [
  ["can_mention_group", t("May mention it")],
  ["can_join_group", t("May join by themselves")],
  ["can_leave_group", t("May leave it")],
  ["can_add_members_group", t("May add people")],
  ["can_remove_members_group", t("May remove people")],
  ["can_manage_group", t("May change it")],
] as const;

function OneGroup({ group }: { group: UserGroup }) {
  const change = useChange(group);
  const mayManage = useSelect((state) => mayChangeGroup(state, group, "manage"));
  return (
    <>
      <ViewHead title={t("Group {name}", { name: group.name })}>
        <OwnMembership group={group} />
      </ViewHead>
      <div className={css.page}>
        <div className={css.inner}>
          <a href={hashOf({ view: "groups" })}>{t("All groups")}</a>
          {mayManage ? <About group={group} /> : null}
          {!mayManage && group.description !== "" ? <p>{group.description}</p> : null}
          <People group={group} />
          <section className={css.group}>
            <h2 className={css.groupTitle}>{t("Permissions")}</h2>
            {mayManage ? null : <p className={css.quiet}>{t("You cannot change this group.")}</p>}
            {permissions.map(([name, label]) => (
              <PermissionField
                key={name}
                kind="group"
                name={name}
                label={label}
                value={group[name]}
                disabled={!mayManage}
                onSave={(to) => change({ [name]: { new: to } })}
              />
            ))}
          </section>
          {mayManage ? <Deactivation group={group} /> : null}
        </div>
      </div>
    </>
  );
}

function useChange({ id }: UserGroup) {
  const { api } = useClient();
  return (params: Record<string, unknown>) => api.patch(`/user_groups/${id}`, params);
}

function useMove({ id }: UserGroup) {
  const { api } = useClient();
  return (params: { add?: number[]; delete?: number[] }) =>
    void api.post(`/user_groups/${id}/members`, params).catch(showFailure);
}

/** For the person to join the group or leave it, if they may. */
function OwnMembership({ group }: { group: UserGroup }) {
  const move = useMove(group);
  const self = useSelect((state) => state.self.user_id);
  const isIn = group.members.includes(self);
  const may = useSelect((state) => mayChangeGroup(state, group, isIn ? "leave" : "join"));
  if (!may) return null;
  return (
    <Button size="small" onClick={() => move(isIn ? { delete: [self] } : { add: [self] })}>
      {isIn ? t("Leave the group") : t("Join the group")}
    </Button>
  );
}

function About({ group }: { group: UserGroup }) {
  const change = useChange(group);
  const { name, description } = group;
  const form = useForm({
    saved: { name, description },
    labels: { name: t("Name"), description: t("Description") },
    save: change,
  });
  return (
    <Form form={form}>
      <TextField {...form.field("name")} />
      <TextField {...form.field("description")} />
    </Form>
  );
}

function People({ group }: { group: UserGroup }) {
  const move = useMove(group);
  const mayAdd = useSelect((state) => mayChangeGroup(state, group, "add"));
  const mayRemove = useSelect((state) => mayChangeGroup(state, group, "remove"));
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("People")}</h2>
      {mayAdd ? (
        <PeoplePicker
          label={t("Add people")}
          without={new Set(group.members)}
          onPick={(id) => move({ add: [id] })}
        />
      ) : null}
      <PeopleList ids={group.members} onRemove={mayRemove ? (id) => move({ delete: [id] }) : undefined} />
    </section>
  );
}

function Deactivation({ group }: { group: UserGroup }) {
  const { api } = useClient();
  const [isAsking, setAsking] = useState(false);
  return (
    <div className={css.buttons}>
      <Button look="danger" onClick={() => setAsking(true)}>
        {t("Deactivate the group …")}
      </Button>
      {isAsking ? (
        <Confirm
          title={t("Deactivate {name}?", { name: group.name })}
          action={t("Deactivate")}
          danger
          onConfirm={async () => {
            const goOn = goToLater();
            await api.post(`/user_groups/${group.id}/deactivate`);
            goOn(hashOf({ view: "groups" }));
          }}
          onClose={() => setAsking(false)}
        >
          <p>{t("It can no longer be mentioned or given permissions.")}</p>
        </Confirm>
      ) : null}
    </div>
  );
}
