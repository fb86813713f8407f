// The people who are online.
import { memo } from "react";
import { sameList, useClient, useSelect } from "../../api/client.ts";
import { useHeldOrder } from "../../lib/held.ts";
import { useStore } from "../../lib/observable.ts";
import { showPanel } from "../../lib/panes.ts";
import { collator, t } from "../../lib/texts.ts";
import { presenceOf } from "../../state/selectors.ts";
import type { State } from "../../state/state.ts";
import { Avatar, PresenceDot } from "../../ui/avatar.tsx";
import { useIsLost } from "../../ui/connection-banner.tsx";
import { linkTo } from "../../ui/routes/navigation.ts";
import { placeRoute } from "../../ui/routes/route.ts";
import { Section } from "./section.tsx";
import css from "./sidebar.module.css";

const maxShown = 12;

let last: { parts: readonly unknown[]; ids: number[] } | null = null;

/** The people who are online, by name, the person first. Cached for some seconds, until presence or a name changes. */
function present(state: State): number[] {
  const now = Math.floor(Date.now() / 5000) * 5;
  const parts = [state.presences, state.users, now];
  if (last?.parts.every((part, i) => part === parts[i])) return last.ids;
  last = { parts, ids: presentAt(state, now) };
  return last.ids;
}

function presentAt(state: State, now: number): number[] {
  const others = Object.keys(state.presences)
    .map(Number)
    .filter((id) => id !== state.self.user_id && presenceOf(state, id, now) === "active")
    .sort((a, b) => collator.compare(state.users[a]?.full_name ?? "", state.users[b]?.full_name ?? ""));
  return [state.self.user_id, ...others.slice(0, maxShown)];
}

const styles = { names: 1, statuses: 2, pictures: 3 };

/** In wide windows, the panel shows the same people; in narrow ones, the person chooses. */
export function People() {
  const { order, holding } = useHeldOrder(useSelect(present, sameList));
  const isOnTheLeft = useSelect((state) => state.user_settings.left_side_userlist);
  if (useStore(showPanel) && !isOnTheLeft) return null;
  return (
    <Section
      id="Here now"
      title={t("Here now")}
      className={isOnTheLeft ? undefined : css.notWhereNarrow}
      {...holding}
    >
      {(isFolded) =>
        isFolded ? null : (
          <ul className={css.list}>
            {order.map((id) => (
              <PersonLink key={id} id={id} />
            ))}
          </ul>
        )
      }
    </Section>
  );
}

const PersonLink = memo(function PersonLink({ id }: { id: number }) {
  const { store } = useClient();
  const person = useSelect((state) => state.users[id]);
  const isSelf = useSelect((state) => state.self.user_id === id);
  const isLost = useIsLost() && isSelf;
  const presence = isLost ? "offline" : "active";
  const style = useSelect((state) => state.user_settings.user_list_style);
  const status = useSelect((state) => state.user_status[id]?.status_text);
  return (
    <li>
      <a className={css.row} href={linkTo(placeRoute({ user_ids: [id] }), store.get())} data-row>
        <span className={css.mark}>
          {style === styles.pictures ? (
            <Avatar src={person?.avatar_url ?? ""} size={20} presence={presence} />
          ) : (
            <PresenceDot state={presence} />
          )}
        </span>
        <span className={css.name}>
          <bdi>{person?.full_name}</bdi>
          {isSelf ? <span className={css.status}> {t("you")}</span> : null}
          {status && style !== styles.names ? (
            <span className={css.status}>
              {" "}
              <bdi>{status}</bdi>
            </span>
          ) : null}
        </span>
      </a>
    </li>
  );
});
