// Direct conversations: those with unread messages, and the latest.
import { Plus } from "lucide-react";
import { memo, useState } from "react";
import { sameList, useClient, useSelect } from "../../api/client.ts";
import { classes } from "../../lib/classes.ts";
import { useHeldOrder } from "../../lib/held.ts";
import { useGrowing } from "../../lib/incremental.ts";
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
import { Section } from "./section.tsx";
import css from "./sidebar.module.css";

const shownAtFirst = 8;

/** Those with something unread first, then the others; the newest first in each. */
function directKeys(state: State): PlaceKey[] {
  const unread = Object.entries(state.unread).filter(([, { place }]) => "user_ids" in place);
  const newest = new Map<PlaceKey, number>(Object.entries(state.recent));
  for (const [key, { ids }] of unread) newest.set(key, Math.max(newest.get(key) ?? 0, ids.at(-1) ?? 0));
  const read = (key: PlaceKey) => (state.unread[key] ? 0 : 1);
  return [...newest].sort(([a, x], [b, y]) => read(a) - read(b) || y - x).map(([key]) => key);
}

function unreadSum(state: State, keys: readonly PlaceKey[]): number {
  return keys.reduce((sum, key) => sum + (state.unread[key]?.ids.length ?? 0), 0);
}

export function Directs({ route }: { route: Route }) {
  const [isOpen, setOpen] = useState(false);
  const { order: keys, holding } = useHeldOrder(useSelect(directKeys, sameList));
  const current = route.view === "messages" ? placeOfTerms(route.terms) : null;
  const currentKey = current && "user_ids" in current ? placeKey(current) : null;
  const unread = useSelect((state) => unreadSum(state, keys));
  const first = keys.filter((key, i) => i < shownAtFirst || key === currentKey);
  const shown = isOpen ? [...keys] : first;
  if (currentKey && !keys.includes(currentKey)) shown.unshift(currentKey);
  const hidden = keys.filter((key) => !first.includes(key));
  const unreadHidden = useSelect((state) => unreadSum(state, hidden));
  const drawn = useGrowing(shown.length);
  const links = (some: readonly PlaceKey[]) => (
    <ul className={css.list}>
      {some.map((key) => (
        <DirectLink key={key} placeKey={key} isCurrent={key === currentKey} />
      ))}
    </ul>
  );
  return (
    <Section
      id="Direct messages"
      title={t("Direct messages")}
      counts={<Badge count={unread} look="strong" />}
      tools={
        <IconButton
          size="small"
          label={t("New direct message")}
          icon={Plus}
          onClick={() => newMessage.set({ toPeople: true })}
          data-row
        />
      }
      {...holding}
    >
      {(isFolded) =>
        isFolded ? (
          links(shown.filter((key) => key === currentKey))
        ) : (
          <>
            {shown.length === 0 ? <p className={css.hint}>{t("Press + to write to somebody.")}</p> : null}
            {links(shown.slice(0, drawn))}
            {hidden.length > 0 ? (
              <button
                type="button"
                className={css.more}
                aria-expanded={isOpen}
                onClick={() => setOpen(!isOpen)}
                data-row
              >
                {isOpen
                  ? t("Fewer")
                  : t("{count, plural, one {# more} other {# more}}", { count: hidden.length })}
                {isOpen ? null : <Badge count={unreadHidden} look="strong" />}
              </button>
            ) : null}
          </>
        )
      }
    </Section>
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
