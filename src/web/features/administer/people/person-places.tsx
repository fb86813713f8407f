// Where a person is: groups, channels; and the bots that they own.
import { X } from "lucide-react";
import { sameJson, useClient, useSelect } from "../../../api/client.ts";
import { useLoaded } from "../../../api/loaded.ts";
import { collator, t } from "../../../lib/texts.ts";
import type { Person } from "../../../state/people.ts";
import { mayChangeGroup, mayRemoveOthers } from "../../../state/permissions.ts";
import { channelOf } from "../../../state/selectors.ts";
import type { State } from "../../../state/state.ts";
import { Tag } from "../../../ui/badge.tsx";
import { IconButton } from "../../../ui/button.tsx";
import { type FieldChoice, Select } from "../../../ui/field.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { hashOf, type Route } from "../../../ui/routes/route.ts";
import { showFailure } from "../../../ui/toasts.tsx";
import { addToChannel, channelsToAdd, groupsToAdd } from "./many-people.tsx";
import css from "./people.module.css";

interface Place {
  id: number;
  name: string;
  mayRemove: boolean;
}

interface PlacesProps {
  places: readonly Place[];
  linkOf: (id: number) => Route;
  onRemove: (id: number) => void;
  /** What the person may add. */
  choices: readonly FieldChoice<number>[];
  addLabel: string;
  onAdd: (id: number) => void;
  none: string;
}

const maxShown = 100;

function Places({ places, linkOf, onRemove, choices, addLabel, onAdd, none }: PlacesProps) {
  const rest = places.length - maxShown;
  return (
    <>
      {places.length === 0 ? <p className={css.quiet}>{none}</p> : null}
      <ul className={css.list}>
        {places.slice(0, maxShown).map(({ id, name, mayRemove }) => (
          <li key={id} className={css.item}>
            <a className={css.itemText} href={hashOf(linkOf(id))}>
              <bdi>{name}</bdi>
            </a>
            {mayRemove ? (
              <IconButton
                size="small"
                icon={X}
                label={t("Remove from {name}", { name })}
                onClick={() => onRemove(id)}
              />
            ) : null}
          </li>
        ))}
      </ul>
      {rest > 0 ? (
        <p className={css.quiet}>
          {t("{count, plural, one {and # other} other {and # others}}", { count: rest })}
        </p>
      ) : null}
      {choices.length > 0 ? (
        <Select
          label={addLabel}
          value={0}
          choices={[{ value: 0, label: t("Choose …") }, ...choices]}
          onChange={(id) => {
            if (id !== 0) onAdd(id);
          }}
        />
      ) : null}
    </>
  );
}

const byName = (a: Place, b: Place) => collator.compare(a.name, b.name);

export function Groups({ person: { user_id, is_active } }: { person: Person }) {
  const { api } = useClient();
  const places = useSelect(
    (state) =>
      Object.values(state.groups)
        .filter((one) => !one.is_system_group && !one.deactivated && one.members.includes(user_id))
        .map((one) => ({ id: one.id, name: one.name, mayRemove: mayChangeGroup(state, one, "remove") }))
        .sort(byName),
    sameJson,
  );
  const choices = useSelect(
    (state) =>
      is_active ? groupsToAdd(state).filter(({ value }) => !places.some(({ id }) => id === value)) : [],
    sameJson,
  );
  const move = (id: number, params: Record<string, readonly number[]>) =>
    void api.post(`/user_groups/${id}/members`, params).catch(showFailure);
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Groups")}</h2>
      <Places
        places={places}
        linkOf={(group) => ({ view: "groups", group })}
        onRemove={(id) => move(id, { delete: [user_id] })}
        choices={choices}
        addLabel={t("Add to a group")}
        onAdd={(id) => move(id, { add: [user_id] })}
        none={t("In no group.")}
      />
    </section>
  );
}

function channelPlace(state: State, id: number): Place[] {
  const channel = channelOf(state, id);
  return channel ? [{ id, name: `#${channel.name}`, mayRemove: mayRemoveOthers(state, channel) }] : [];
}

export function Channels({ person: { user_id } }: { person: Person }) {
  const { api, store } = useClient();
  const loaded = useLoaded<{ subscribed_channel_ids: number[] }>(`/users/${user_id}/channels`);
  const possible = useSelect(channelsToAdd, sameJson);
  const ids = loaded.value?.subscribed_channel_ids ?? [];
  const places = useSelect((state) => ids.flatMap((id) => channelPlace(state, id)).sort(byName), sameJson);
  const remove = (id: number) => {
    const name = channelOf(store.get(), id)?.name ?? "";
    api
      .delete("/users/me/subscriptions", { subscriptions: [name], principals: [user_id] })
      .then(loaded.again, showFailure);
  };
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Channels")}</h2>
      <Loading of={loaded} lines={3}>
        {() => (
          <Places
            places={places}
            linkOf={(channel) => ({ view: "channels", channel })}
            onRemove={remove}
            choices={possible.filter(({ value }) => !ids.includes(value))}
            addLabel={t("Add to a channel")}
            onAdd={(id) => {
              addToChannel(api, store.get(), id, user_id).then(loaded.again, showFailure);
            }}
            none={t("In no channel that you see.")}
          />
        )}
      </Loading>
    </section>
  );
}

export function Bots({ person: { user_id } }: { person: Person }) {
  const users = useSelect((state) => state.users);
  const bots = Object.values(users)
    .filter(({ is_bot, bot_owner_id }) => is_bot && bot_owner_id === user_id)
    .sort((a, b) => collator.compare(a.full_name, b.full_name));
  if (bots.length === 0) return null;
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Bots")}</h2>
      <ul className={css.list}>
        {bots.map((bot) => (
          <li key={bot.user_id} className={css.item}>
            <a
              className={css.itemText}
              href={hashOf({ view: "organization", section: "bots", path: [String(bot.user_id)] })}
            >
              <bdi>{bot.full_name}</bdi>
            </a>
            {bot.is_active ? null : <Tag text={t("Deactivated")} look="warn" />}
          </li>
        ))}
      </ul>
    </section>
  );
}
