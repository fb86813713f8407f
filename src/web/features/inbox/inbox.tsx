// What is unread, by conversation: mentions and direct messages on top.
import { CheckCheck, Inbox as InboxIcon } from "lucide-react";
import { useEffect } from "react";
import { sameList, useClient, useSelect } from "../../api/client.ts";
import { useRoving } from "../../lib/roving.ts";
import { t } from "../../lib/texts.ts";
import { mayInvite, mayMakeLinks } from "../../state/permissions.ts";
import type { PlaceKey } from "../../state/places.ts";
import { channelOf } from "../../state/selectors.ts";
import type { State } from "../../state/state.ts";
import { isMuted } from "../../state/topics.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { goTo, linkTo } from "../../ui/routes/navigation.ts";
import type { Route } from "../../ui/routes/route.ts";
import { ViewHead } from "../../ui/view-head.tsx";
import css from "../lists/lists.module.css";
import { PlaceRow, placeFromKey } from "../lists/place-row.tsx";
import { markRead } from "../message/marking-read.tsx";

interface Group {
  title: string;
  keys: PlaceKey[];
  /** Whether its conversations are in several channels. */
  isMixed: boolean;
}

/** By conversation, newest first: mentions, direct messages, then by channel. */
export function inboxGroups(state: State): Group[] {
  const newestFirst = Object.entries(state.unread)
    .filter(([, { place, mentions }]) => mentions.length > 0 || !isMuted(state, place))
    .sort(([, a], [, b]) => (b.ids.at(-1) ?? 0) - (a.ids.at(-1) ?? 0));
  const mentions = newestFirst.filter(([, one]) => "stream_id" in one.place && one.mentions.length > 0);
  const directs = newestFirst.filter(([, { place }]) => "user_ids" in place);
  const named = new Set(mentions.map(([key]) => key));
  const rest = newestFirst.filter(([key, { place }]) => "stream_id" in place && !named.has(key));
  const channels = Map.groupBy(rest, ([, { place }]) => ("stream_id" in place ? place.stream_id : 0));
  const group = (title: string, entries: typeof newestFirst, isMixed = false): Group => ({
    title,
    keys: entries.map(([key]) => key),
    isMixed,
  });
  return [
    group(t("Mentions"), mentions, true),
    group(t("Direct messages"), directs),
    ...[...channels].map(([id, entries]) =>
      group(`#${channelOf(state, id)?.name ?? t("unknown channel")}`, entries),
    ),
  ].filter(({ keys }) => keys.length > 0);
}

const sameGroups = (a: Group[], b: Group[]) =>
  a.length === b.length &&
  a.every((one, i) => one.title === b[i]?.title && sameList(one.keys, b[i]?.keys ?? []));

const maxFetched = 200;

export function Inbox() {
  const client = useClient();
  const { fetching } = client;
  const groups = useSelect(inboxGroups, sameGroups);
  const newest = useSelect(
    (state) => groups.flatMap(({ keys }) => keys.map((key) => state.unread[key]?.ids.at(-1) ?? 0)),
    sameList,
  );
  useEffect(() => {
    fetching.byIds(newest.slice(0, maxFetched)).catch(() => {});
  }, [newest, fetching]);
  const roving = useRoving<HTMLDivElement>();
  return (
    <>
      <ViewHead title={t("Inbox")}>
        {groups.length > 0 ? (
          <IconButton
            label={t("Mark everything as read")}
            icon={CheckCheck}
            onClick={() => markRead(client, [])}
          />
        ) : null}
      </ViewHead>
      {groups.length === 0 ? (
        <Nothing />
      ) : (
        <div className={css.page} {...roving}>
          <div className={css.inner}>
            {groups.map(({ title, keys, isMixed }) => (
              <section key={title} className={css.group}>
                <h2 className={css.groupTitle}>
                  <bdi>{title}</bdi>
                </h2>
                <ul className={css.list}>
                  {keys.map((key) => (
                    <InboxRow key={key} placeKey={key} withChannel={isMixed} />
                  ))}
                </ul>
              </section>
            ))}
          </div>
        </div>
      )}
    </>
  );
}

function Nothing() {
  const { store } = useClient();
  const isNew = useSelect((state) => Object.keys(state.subscriptions).length === 0);
  const invites = useSelect((state) => mayInvite(state) || mayMakeLinks(state));
  const to = (route: Route) => () => goTo(linkTo(route, store.get()));
  if (!isNew) {
    return (
      <EmptyState
        icon={InboxIcon}
        title={t("All caught up")}
        action={<Button onClick={to({ view: "recent" })}>{t("Recent conversations")}</Button>}
      >
        {t("Whatever you have not read yet gathers here.")}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={InboxIcon}
      title={t("You are in no channel yet")}
      action={
        <>
          <Button look="primary" onClick={to({ view: "channels" })}>
            {t("Find or start a channel")}
          </Button>
          {invites ? (
            <Button onClick={to({ view: "organization", section: "invitations" })}>
              {t("Invite people")}
            </Button>
          ) : null}
        </>
      }
    >
      {t("Conversations are in channels. Whatever you have not read yet gathers here.")}
    </EmptyState>
  );
}

function InboxRow({ placeKey: key, withChannel }: { placeKey: PlaceKey; withChannel: boolean }) {
  const newest = useSelect((state) => state.unread[key]?.ids.at(-1));
  const place = useSelect(
    (state) => placeFromKey(state, key),
    () => true,
  );
  return <PlaceRow place={place} newest={newest} withChannel={withChannel} />;
}
