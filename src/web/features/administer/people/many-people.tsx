// What is done with many people at once.
import { Hash, type LucideIcon, RotateCcw, Shield, UserMinus, UsersRound } from "lucide-react";
import { useState } from "react";
import { sameJson, useClient, useSelect } from "../../../api/client.ts";
import type { Api } from "../../../api/request.ts";
import { collator, t } from "../../../lib/texts.ts";
import { ownerRole, type Person } from "../../../state/people.ts";
import { mayAddOthers, mayChangeGroup } from "../../../state/permissions.ts";
import type { State } from "../../../state/state.ts";
import { type FieldChoice, Select } from "../../../ui/field.tsx";
import { Many } from "../../../ui/many.tsx";
import { roles } from "../../people/facts.tsx";

interface Doing {
  /** The chosen role, group or channel; 0 if none is. */
  chosen: number;
  state: State;
}

export interface ManyAct {
  label: string;
  icon: LucideIcon;
  danger?: boolean;
  /** Leaves out the person's own account, without which they could not go on. */
  isForOthers?: boolean;
  may: (state: State) => boolean;
  title: (count: number) => string;
  action: string;
  text?: string;
  /** What is to be chosen, and from which. */
  field?: { label: string; choices: (state: State) => readonly FieldChoice<number>[] };
  run: (api: Api, person: Person, doing: Doing) => Promise<unknown>;
}

const byLabel = (a: FieldChoice<number>, b: FieldChoice<number>) => collator.compare(a.label, b.label);

/** The roles that the person may give: only owners make owners. */
export const rolesToGive = ({ self }: State) =>
  roles.filter(({ value }) => self.is_owner || value !== ownerRole);

/** The groups to which the person may add others. */
export const groupsToAdd = (state: State) =>
  Object.values(state.groups)
    .filter((group) => !group.is_system_group && !group.deactivated && mayChangeGroup(state, group, "add"))
    .map(({ id, name }) => ({ value: id, label: name }))
    .sort(byLabel);

/** The channels to which the person may add others. */
export const channelsToAdd = (state: State) =>
  Object.values({ ...state.streams, ...state.subscriptions })
    .filter((channel) => mayAddOthers(state, channel))
    .map(({ stream_id, name }) => ({ value: stream_id, label: `#${name}` }))
    .sort(byLabel);

export function addToChannel(api: Api, { streams, subscriptions }: State, channel: number, userId: number) {
  const name = (subscriptions[channel] ?? streams[channel])?.name ?? "";
  return api.post("/users/me/subscriptions", { subscriptions: [{ name }], principals: [userId] });
}

export const whatDeactivatingDoes = t(
  "They are signed out everywhere and can no longer sign in, and their bots are deactivated, too. Their messages stay. They can be brought back.",
);

export const whatBringingBackDoes = t("They can sign in again, with the role they had.");

const isAdmin = ({ self }: State) => self.is_admin;

const acts: readonly ManyAct[] = [
  {
    label: t("Role …"),
    icon: Shield,
    isForOthers: true,
    may: isAdmin,
    title: (count) =>
      t("{count, plural, one {Change the role of # person?} other {Change the role of # people?}}", {
        count,
      }),
    action: t("Change the role"),
    field: { label: t("Role"), choices: rolesToGive },
    run: (api, { user_id }, { chosen }) => api.patch(`/users/${user_id}`, { role: chosen }),
  },
  {
    label: t("Add to a group …"),
    icon: UsersRound,
    may: (state) => groupsToAdd(state).length > 0,
    title: (count) =>
      t("{count, plural, one {Add # person to a group?} other {Add # people to a group?}}", { count }),
    action: t("Add"),
    field: { label: t("Group"), choices: groupsToAdd },
    run: async (api, { user_id }, { chosen, state }) => {
      if (state.groups[chosen]?.members.includes(user_id)) return;
      await api.post(`/user_groups/${chosen}/members`, { add: [user_id] });
    },
  },
  {
    label: t("Add to a channel …"),
    icon: Hash,
    may: (state) => channelsToAdd(state).length > 0,
    title: (count) =>
      t("{count, plural, one {Add # person to a channel?} other {Add # people to a channel?}}", { count }),
    action: t("Add"),
    field: { label: t("Channel"), choices: channelsToAdd },
    run: (api, { user_id }, { chosen, state }) => addToChannel(api, state, chosen, user_id),
  },
  {
    label: t("Deactivate …"),
    icon: UserMinus,
    danger: true,
    isForOthers: true,
    may: isAdmin,
    title: (count) =>
      t("{count, plural, one {Deactivate # person?} other {Deactivate # people?}}", { count }),
    action: t("Deactivate"),
    text: whatDeactivatingDoes,
    run: async (api, { user_id, is_active }) => {
      if (is_active) await api.delete(`/users/${user_id}`);
    },
  },
  {
    label: t("Bring back …"),
    icon: RotateCcw,
    may: isAdmin,
    title: (count) =>
      t("{count, plural, one {Bring # person back?} other {Bring # people back?}}", { count }),
    action: t("Bring back"),
    text: whatBringingBackDoes,
    run: async (api, { user_id, is_active }) => {
      if (!is_active) await api.post(`/users/${user_id}/reactivate`);
    },
  },
];

/** What the person may do with others. */
export const manyActs = (state: State): readonly ManyAct[] => acts.filter(({ may }) => may(state));

interface ManyPeopleProps {
  act: ManyAct;
  people: readonly Person[];
  onClose: () => void;
}

export function ManyPeople({ act, people, onClose }: ManyPeopleProps) {
  const { api, store } = useClient();
  const { title, action, text, field, danger = false, run } = act;
  const choices = useSelect((state) => field?.choices(state) ?? [], sameJson);
  const [chosen, setChosen] = useState(0);
  return (
    <Many
      title={title(people.length)}
      action={action}
      danger={danger}
      isReady={!field || chosen !== 0}
      rows={people}
      keyOf={({ user_id }) => user_id}
      nameOf={({ full_name }) => full_name}
      run={(person) => run(api, store.get().users[person.user_id] ?? person, { chosen, state: store.get() })}
      onClose={onClose}
    >
      {field ? (
        <Select
          label={field.label}
          value={chosen}
          choices={[{ value: 0, label: t("Choose …") }, ...choices]}
          onChange={setChosen}
        />
      ) : null}
      {text === undefined ? null : <p>{text}</p>}
    </Many>
  );
}
