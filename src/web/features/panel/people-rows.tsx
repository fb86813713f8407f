// People with their presence, those who are online first.

import { memo, useMemo, useState } from "react";
import { useSelect } from "../../api/client.ts";
import { best } from "../../lib/matching.ts";
import { collator, t } from "../../lib/texts.ts";
import { type Here, presenceOf } from "../../state/selectors.ts";
import { Avatar, PresenceDot } from "../../ui/avatar.tsx";
import { TextField } from "../../ui/field.tsx";
import { showPerson } from "../people/showing.ts";
import { StatusEmoji } from "../people/status-line.tsx";
import css from "./panel.module.css";

interface RowsProps {
  title: string;
  ids: readonly number[];
  /** Keeps the order of the IDs. */
  isInOrder?: boolean;
}

const maxShown = 60;
/** A longer list can be searched. */
const longList = 12;
const order: readonly Here[] = ["active", "idle", "offline"];

export function PeopleRows({ title, ids, isInOrder = false }: RowsProps) {
  const users = useSelect((state) => state.users);
  const presences = useSelect((state) => state.presences);
  const self = useSelect((state) => state.self);
  const organization = useSelect((state) => state.organization);
  const [wanted, setWanted] = useState("");
  const sorted = useMemo(() => {
    const state = { users, presences, self, organization };
    const now = Date.now() / 1000;
    const people = ids.flatMap((id) => (users[id] ? [{ id, name: users[id].full_name }] : []));
    const found = wanted.trim() === "" ? people : best(people, ({ name }) => name, wanted.trim(), maxShown);
    if (isInOrder) return found.map(({ id }) => id);
    const groups = Map.groupBy(found, ({ id }) => presenceOf(state, id, now));
    return order.flatMap((here) =>
      (groups.get(here) ?? []).sort((a, b) => collator.compare(a.name, b.name)).map(({ id }) => id),
    );
  }, [ids, users, presences, self, organization, wanted, isInOrder]);
  const shown = sorted.slice(0, maxShown);
  return (
    <>
      <h3 className={css.subtitle}>
        {title} <span className={css.count}>{isInOrder ? "" : ids.length}</span>
      </h3>
      {ids.length > longList ? (
        <TextField
          label={t("Find people")}
          quietLabel
          placeholder={t("Find people")}
          value={wanted}
          onChange={setWanted}
        />
      ) : null}
      <ul className={css.people}>
        {shown.map((id) => (
          <PersonRow key={id} id={id} />
        ))}
      </ul>
      {sorted.length > shown.length ? (
        <p className={css.quiet}>
          {t("{count} more: type a part of the name.", { count: String(sorted.length - shown.length) })}
        </p>
      ) : null}
    </>
  );
}

const styles = { names: 1, statuses: 2, pictures: 3 };

const PersonRow = memo(function PersonRow({ id }: { id: number }) {
  const person = useSelect((state) => state.users[id]);
  const isSelf = useSelect((state) => state.self.user_id === id);
  const here = useSelect((state) => presenceOf(state, id, Date.now() / 1000));
  const status = useSelect((state) => state.user_status[id]);
  const style = useSelect((state) => state.user_settings.user_list_style);
  const text = style === styles.names ? "" : (status?.status_text ?? "");
  return (
    <li>
      <button type="button" className={css.person} onClick={(event) => showPerson(id, event.currentTarget)}>
        {style === styles.pictures ? (
          <Avatar src={person?.avatar_url ?? ""} size={32} presence={here} />
        ) : (
          <span className={css.dot}>{person?.is_bot ? null : <PresenceDot state={here} />}</span>
        )}
        <span className={css.words}>
          <span className={css.name}>
            {person?.full_name}
            {isSelf ? <span className={css.quiet}> {t("(you)")}</span> : null}
            {person?.is_bot ? <span className={css.quiet}> {t("bot")}</span> : null}
          </span>
          {text === "" ? null : <span className={css.status}>{text}</span>}
        </span>
        <StatusEmoji status={status} />
      </button>
    </li>
  );
});
