import { useState } from "react";
import { useSelect } from "../api/client.ts";
import { best } from "../lib/matching.ts";
import { t } from "../lib/texts.ts";
import { Avatar } from "./avatar.tsx";
import { Button } from "./button.tsx";
import { TextField } from "./field.tsx";
import css from "./people-list.module.css";

interface PeoplePickerProps {
  label: string;
  /** People to leave out, because they are members already. */
  without: ReadonlySet<number>;
  onPick: (userId: number) => void;
}

const maxShown = 6;

/** Finds people by a part of their name. */
export function PeoplePicker({ label, without, onPick }: PeoplePickerProps) {
  const users = useSelect((state) => state.users);
  const [wanted, setWanted] = useState("");
  const possible = Object.values(users).filter(
    ({ is_active, user_id }) => is_active && !without.has(user_id),
  );
  const found =
    wanted.trim() === "" ? [] : best(possible, ({ full_name }) => full_name, wanted.trim(), maxShown);
  const pick = (userId: number) => {
    setWanted("");
    onPick(userId);
  };
  return (
    <div className={css.picker}>
      <TextField
        label={label}
        placeholder={t("A part of the name")}
        value={wanted}
        onChange={setWanted}
        onKeyDown={(event) => {
          const [first] = found;
          if (event.key !== "Enter" || !first) return;
          event.preventDefault();
          pick(first.user_id);
        }}
      />
      {found.length > 0 ? (
        <ul className={css.found} aria-label={t("People found")}>
          {found.map(({ user_id, full_name, avatar_url }) => (
            <li key={user_id}>
              <Button look="quiet" className={css.person} onClick={() => pick(user_id)}>
                <Avatar src={avatar_url ?? `/avatar/${user_id}`} size={24} />
                {full_name}
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
      {wanted.trim() !== "" && found.length === 0 ? (
        <p className={css.quiet}>{t("Nobody is called that.")}</p>
      ) : null}
    </div>
  );
}
