import { useSelect } from "../../api/client.ts";
import { collator, t } from "../../lib/texts.ts";
import { botsIn } from "../../state/selectors.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Tag } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { goTo } from "../../ui/routes/navigation.ts";
import { hashOf } from "../../ui/routes/route.ts";
import css from "./settings.module.css";

const pageOf = (path: readonly string[]) => hashOf({ view: "organization", section: "bots", path });

/** The person's own bots: each has its page in the administration. */
export function OwnBots() {
  const self = useSelect((state) => state.self.user_id);
  const bots = useSelect(botsIn);
  const own = Object.values(bots)
    .filter(({ owner_id }) => owner_id === self)
    .sort((a, b) => collator.compare(a.full_name, b.full_name));
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Your bots")}</h2>
      <p className={css.quiet}>{t("Programs that write here, or answer when they are mentioned.")}</p>
      {own.length === 0 ? <p className={css.quiet}>{t("You have no bots.")}</p> : null}
      <ul className={css.list} aria-label={t("Your bots")}>
        {own.map(({ user_id, full_name, avatar_url, is_active }) => (
          <li key={user_id} className={css.item}>
            <Avatar src={avatar_url ?? `/avatar/${user_id}`} size={24} />
            <a className={css.itemText} href={pageOf([String(user_id)])}>
              <bdi>{full_name}</bdi>
            </a>
            {is_active ? null : <Tag text={t("Deactivated")} look="warn" />}
          </li>
        ))}
      </ul>
      <div className={css.buttons}>
        <Button onClick={() => goTo(pageOf([]))}>{t("Make and change bots")}</Button>
      </div>
    </section>
  );
}
