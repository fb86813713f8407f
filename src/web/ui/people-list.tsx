import { X } from "lucide-react";
import { useSelect } from "../api/client.ts";
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
    .map((id) => ({ id, name: users[id]?.full_name ?? "Unknown person", picture: users[id]?.avatar_url }))
    .sort((a, b) => a.name.localeCompare(b.name));
  return (
    <>
      <ul className={css.list}>
        {people.slice(0, maxShown).map(({ id, name, picture }) => (
          <li key={id} className={css.item}>
            <Avatar src={picture ?? `/avatar/${id}`} size={24} />
            <span className={css.itemText}>{name}</span>
            {onRemove ? (
              <IconButton size="small" icon={X} label={`Remove ${name}`} onClick={() => onRemove(id)} />
            ) : null}
          </li>
        ))}
      </ul>
      {people.length > maxShown ? <p className={css.quiet}>and {people.length - maxShown} others</p> : null}
    </>
  );
}
