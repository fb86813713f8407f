import { useClient, useSelect } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { showFailure } from "../../ui/toasts.tsx";
import css from "./settings.module.css";

export function MutedPeople() {
  const { api } = useClient();
  const muted = useSelect((state) => state.muted_users);
  const users = useSelect((state) => state.users);
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Muted people")}</h2>
      {muted.length === 0 ? (
        <p className={css.quiet}>{t("Nobody. Mute somebody by the menu of their card.")}</p>
      ) : null}
      <ul className={css.list}>
        {muted.map(({ id }) => (
          <li key={id} className={css.item}>
            <Avatar src={users[id]?.avatar_url ?? `/avatar/${id}`} size={24} />
            <span className={css.itemText}>{users[id]?.full_name ?? t("Unknown person")}</span>
            <Button
              size="small"
              onClick={() => void api.delete(`/users/me/muted_users/${id}`).catch(showFailure)}
            >
              {t("Unmute")}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
