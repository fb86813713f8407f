// Direct conversations: those with unread messages, and the latest.
import { Plus } from "lucide-react";
import { memo, useState } from "react";
import { sameList, useClient, useSelect } from "../../api/client.ts";
import { classes } from "../../lib/classes.ts";
import { t } from "../../lib/texts.ts";
import { type PlaceKey, placeKey } from "../../state/places.ts";
import { namesOf, presenceOf } from "../../state/selectors.ts";
import type { State } from "../../state/state.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Badge } from "../../ui/badge.tsx";
import { IconButton } from "../../ui/button.tsx";
import { linkTo } from "../../ui/routes/navigation.ts";
import { placeOfTerms, placeRoute, type Route } from "../../ui/routes/route.ts";
import { newMessage } from "../compose/new-message-opener.tsx";
import css from "./sidebar.module.css";

const shownAtFirst = 6;

function directKeys(state: State): PlaceKey[] {
  const unread = Object.entries(state.unread).filter(([, { place }]) => "user_ids" in place);
  const newest = new Map<PlaceKey, number>(Object.entries(state.recent));
  for (const [key, { ids }] of unread) newest.set(key, Math.max(newest.get(key) ?? 0, ids.at(-1) ?? 0));
  return [...newest].sort(([, a], [, b]) => b - a).map(([key]) => key);
}

export function Directs({ route }: { route: Route }) {
  const [isOpen, setOpen] = useState(false);
  const keys = useSelect(directKeys, sameList);
  const current = route.view === "messages" ? placeOfTerms(route.terms) : null;
  const currentKey = current && "user_ids" in current ? placeKey(current) : null;
  const unread = useSelect((state) => keys.map((key) => state.unread[key]?.ids.length ?? 0), sameList);
  const isShown = (key: PlaceKey, i: number) =>
    isOpen || i < shownAtFirst || (unread[i] ?? 0) > 0 || key === currentKey;
  const shown = keys.filter(isShown);
  if (currentKey && !keys.includes(currentKey)) shown.unshift(currentKey);
  return (
    <section className={css.section} aria-label={t("Direct messages")}>
      <div className={css.sectionHead}>
        <h2 className={css.sectionTitle}>{t("Direct messages")}</h2>
        <IconButton
          size="small"
          label={t("New direct message")}
          icon={Plus}
          onClick={() => newMessage.set({ toPeople: true })}
          data-row
        />
      </div>
      {shown.length === 0 ? <p className={css.hint}>{t("Press + to write to somebody.")}</p> : null}
      <ul className={css.list}>
        {shown.map((key) => (
          <DirectLink key={key} placeKey={key} isCurrent={key === currentKey} />
        ))}
      </ul>
      {keys.length > shown.length || isOpen ? (
        <button
          type="button"
          className={css.more}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          data-row
        >
          {isOpen
            ? t("Fewer")
            : t("{count, plural, one {# more} other {# more}}", { count: keys.length - shown.length })}
        </button>
      ) : null}
    </section>
  );
}

const DirectLink = memo(function DirectLink({
  placeKey: key,
  isCurrent,
}: {
  placeKey: PlaceKey;
  isCurrent: boolean;
}) {
  const { store } = useClient();
  const ids = key.slice(2).split(",").map(Number);
  const [first = 0] = ids;
  const name = useSelect((state) => namesOf(state, ids));
  const count = useSelect((state) => state.unread[key]?.ids.length ?? 0);
  const picture = useSelect((state) => state.users[first]?.avatar_url ?? "");
  const here = useSelect((state) =>
    ids.length === 1 ? presenceOf(state, first, Date.now() / 1000) : undefined,
  );
  const emoji = useSelect((state) => (ids.length === 1 ? state.user_status[first]?.status_text : undefined));
  return (
    <li>
      <a
        className={classes(css.row, isCurrent && css.current, count > 0 && css.bold)}
        href={linkTo(placeRoute({ user_ids: ids }), store.get())}
        aria-current={isCurrent ? "page" : undefined}
        data-conversation
        data-row
      >
        <span className={css.mark}>
          {ids.length === 1 ? (
            <Avatar src={picture} size={20} presence={here} />
          ) : (
            <span className={css.groupCount} aria-hidden="true">
              {ids.length}
            </span>
          )}
        </span>
        <span className={css.name}>
          <bdi>{name}</bdi>
          {emoji ? (
            <span className={css.status}>
              {" "}
              <bdi>{emoji}</bdi>
            </span>
          ) : null}
        </span>
        <Badge count={count} look="strong" />
      </a>
    </li>
  );
});
