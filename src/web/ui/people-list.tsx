import { X } from "lucide-react";
import { useSelect } from "../api/client.ts";
import { collator, t } from "../lib/texts.ts";
import { Avatar } from "./avatar.tsx";
import { IconButton } from "./button.tsx";
import css from "./people-list.module.css";

interface PeopleListProps {
  ids: readonly number[];
  /** Absent if nobody may be removed. */
  onRemove?: ((userId: number) => void) | undefined;
}

const maxShown = 200;

export function PeopleList({ ids, onRemove }: PeopleListProps) {
  const users = useSelect((state) => state.users);
  const people = ids
    .map((id) => ({ id, name: users[id]?.full_name ?? t("Unknown person"), picture: users[id]?.avatar_url }))
    .sort((a, b) => collator.compare(a.name, b.name));
  return (
    <>
      <ul className={css.list}>
        {people.slice(0, maxShown).map(({ id, name, picture }) => (
          <li key={id} className={css.item}>
            <Avatar src={picture ?? `/avatar/${id}`} size={24} />
            <span className={css.itemText}>{name}</span>
            {onRemove ? (
              <IconButton
                size="small"
                icon={X}
                label={t("Remove {name}", { name })}
                onClick={() => onRemove(id)}
              />
            ) : null}
          </li>
        ))}
      </ul>
      {people.length > maxShown ? (
        <p className={css.quiet}>
          {t("{count, plural, one {and # other} other {and # others}}", { count: people.length - maxShown })}
        </p>
      ) : null}
    </>
  );
}
