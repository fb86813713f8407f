import { useSelect } from "../../api/client.ts";
import { collator, t } from "../../lib/texts.ts";
import { isMember } from "../../state/groups.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { goTo } from "../../ui/routes/navigation.ts";
import { hashOf } from "../../ui/routes/route.ts";
import css from "./cards.module.css";

const maxShown = 50;

export function GroupCard({ groupId, onClose }: { groupId: number; onClose: () => void }) {
  const group = useSelect((state) => state.groups[groupId]);
  const groups = useSelect((state) => state.groups);
  const users = useSelect((state) => state.users);
  if (!group) return <p className={css.inner}>{t("This group no longer exists.")}</p>;
  const members = Object.values(users)
    .filter(({ user_id, is_active }) => is_active && isMember(groups, groupId, user_id))
    .sort((a, b) => collator.compare(a.full_name, b.full_name));
  return (
    <div className={css.inner}>
      <h2 className={css.name}>{group.name}</h2>
      {group.description ? <p className={css.quiet}>{group.description}</p> : null}
      <ul
        className={css.people}
        aria-label={t("{count, plural, one {# person} other {# people}}", { count: members.length })}
      >
        {members.slice(0, maxShown).map(({ user_id, full_name, avatar_url }) => (
          <li key={user_id} className={css.person}>
            <Avatar src={avatar_url ?? `/avatar/${user_id}`} size={24} />
            {full_name}
          </li>
        ))}
      </ul>
      {members.length > maxShown ? (
        <p className={css.quiet}>
          {t("{count, plural, one {and # other} other {and # others}}", { count: members.length - maxShown })}
        </p>
      ) : null}
      <div className={css.actions}>
        <Button
          onClick={() => {
            onClose();
            goTo(hashOf({ view: "groups", group: groupId }));
          }}
        >
          {t("Open the group")}
        </Button>
      </div>
    </div>
  );
}
