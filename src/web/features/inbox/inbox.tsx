// What is unread, by conversation: mentions and direct messages on top.
import { defaultRangeExtractor, useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { CheckCheck, Inbox as InboxIcon } from "lucide-react";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { sameList, useClient, useSelect } from "../../api/client.ts";
import { classes } from "../../lib/classes.ts";
import { useStore } from "../../lib/observable.ts";
import { narrow } from "../../lib/panes.ts";
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
import { NewMessageButton, roomForButton } from "../compose/new-message-button.tsx";
import { FirstDay, useFirstDay } from "../first-day/first-day.tsx";
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

export function Inbox() {
  const client = useClient();
  const groups = useSelect(inboxGroups, sameGroups);
  const isNarrow = useStore(narrow);
  return (
    <>
      <ViewHead title={t("Inbox")}>
        <NewMessageButton />
        {groups.length > 0 ? (
          <IconButton
            label={t("Mark everything as read")}
            icon={CheckCheck}
            onClick={() => markRead(client, [])}
          />
        ) : null}
      </ViewHead>
      {isNarrow ? null : <FirstDay />}
      {groups.length === 0 ? <Nothing /> : <Groups groups={groups} />}
    </>
  );
}

/** A group's title, or one of its conversations and the place that it has there. */
interface Line {
  id: string;
  group: Group;
  row?: { key: PlaceKey; position: number };
}

const linesOf = (groups: readonly Group[]): Line[] =>
  groups.flatMap((group) => [
    { id: group.title, group },
    ...group.keys.map((key, i) => ({ id: `${group.title} ${key}`, group, row: { key, position: i + 1 } })),
  ]);

const [rowHeight, titleHeight, gap, edge] = [61, 28, 24, 16];

/** Where the inbox was left, so that one comes back to it from a conversation. */
let left: { offset: number; sizes: VirtualItem[] } = { offset: 0, sizes: [] };

const guessSize = (lines: readonly Line[], index: number) =>
  lines[index]?.row ? rowHeight : titleHeight + (index > 0 ? gap : 0);

/** Where the line that was in sight first is now; if it has been read meanwhile, the next one that is still there. */
function offsetNow(lines: readonly Line[]): number {
  const { offset, sizes } = left;
  if (offset === 0) return 0;
  const known = new Map(sizes.map(({ key, size }) => [key, size]));
  const starts = new Map<unknown, number>();
  let start = edge;
  for (const [index, { id }] of lines.entries()) {
    starts.set(id, start);
    start += known.get(id) ?? guessSize(lines, index);
  }
  const first = sizes.find(({ key, end }) => end > offset && starts.has(key));
  return first ? (starts.get(first.key) ?? 0) + offset - first.start : offset;
}

/** Draws only what is near the window: an inbox may have thousands of conversations. */
function Groups({ groups }: { groups: readonly Group[] }) {
  const { fetching } = useClient();
  const isNarrow = useStore(narrow);
  const lines = useMemo(() => linesOf(groups), [groups]);
  const page = useRef<HTMLDivElement>(null);
  /** The line that gets the focus once it is drawn. */
  const wanted = useRef<number>(undefined);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => page.current,
    estimateSize: (index) => guessSize(lines, index),
    getItemKey: (index) => lines[index]?.id ?? index,
    // What comes above moves nothing, except at the top, where one waits for it.
    anchorTo: (page.current?.scrollTop ?? 0) > 0 ? "end" : "start",
    initialOffset: () => offsetNow(lines),
    initialMeasurementsCache: left.sizes,
    rangeExtractor: (range) => {
      const near = defaultRangeExtractor(range);
      // The row with the focus stays.
      const focused = page.current?.querySelector<HTMLElement>("li:focus-within")?.dataset.line;
      const at = focused === undefined ? -1 : lines.findIndex(({ id }) => id === focused);
      return at < 0 || near.includes(at) ? near : [...near, at].sort((a, b) => a - b);
    },
    overscan: 10,
    paddingStart: edge,
    paddingEnd: isNarrow ? roomForButton : edge,
    useFlushSync: false,
  });
  const focusWanted = (): boolean => {
    const row = page.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"] [data-row]`);
    if (!row) return false;
    wanted.current = undefined;
    row.focus();
    return true;
  };
  const { ref, ...roving } = useRoving<HTMLDivElement>((by) => {
    const rows = lines.flatMap(({ row }, index) => (row ? [index] : []));
    const focused = document.activeElement?.closest<HTMLElement>("li")?.dataset.index;
    const at = rows.indexOf(wanted.current ?? Number(focused));
    const to = by === "first" ? 0 : by === "last" ? rows.length - 1 : at + by;
    wanted.current = rows[Math.max(0, Math.min(rows.length - 1, to))];
    if (!focusWanted()) virtualizer.scrollToIndex(wanted.current ?? 0);
  });
  const setPage = useCallback(
    (element: HTMLDivElement) => {
      page.current = element;
      return ref(element);
    },
    [ref],
  );
  useLayoutEffect(() => void focusWanted());
  useLayoutEffect(() => {
    const { current } = page;
    return () => {
      left = { offset: current?.scrollTop ?? 0, sizes: virtualizer.measurementsCache };
    };
  }, [virtualizer]);
  const drawn = virtualizer.getVirtualItems().flatMap((item) => {
    const line = lines[item.index];
    return line ? [{ ...item, ...line }] : [];
  });
  const newest = useSelect(
    ({ unread }) => drawn.flatMap(({ row }) => (row && unread[row.key]?.ids.at(-1)) ?? []),
    sameList,
  );
  const { isScrolling } = virtualizer;
  useEffect(() => {
    if (!isScrolling) fetching.byIds(newest).catch(() => {});
  }, [newest, isScrolling, fetching]);
  return (
    <div className={classes(css.page, css.virtual)} {...roving} ref={setPage} data-virtual>
      <div className={css.inner} style={{ height: virtualizer.getTotalSize() }}>
        {[...Map.groupBy(drawn, ({ group }) => group)].map(([{ title, keys, isMixed }, rows]) => (
          <fieldset key={title} className={css.block} aria-label={title}>
            {rows.map(({ row, index, start }) =>
              row ? null : (
                <h2
                  key="title"
                  ref={virtualizer.measureElement}
                  className={classes(css.placed, css.groupTitle, index > 0 && css.next)}
                  style={{ transform: `translateY(${start}px)` }}
                  data-index={index}
                >
                  <bdi>{title}</bdi>
                </h2>
              ),
            )}
            <ul className={css.list}>
              {rows.map(({ row, index, start, id }) =>
                row ? (
                  <li
                    key={id}
                    ref={virtualizer.measureElement}
                    className={css.placed}
                    style={{ transform: `translateY(${start}px)` }}
                    aria-setsize={keys.length}
                    aria-posinset={row.position}
                    data-index={index}
                    data-line={id}
                  >
                    <InboxRow placeKey={row.key} withChannel={isMixed} />
                  </li>
                ) : null,
              )}
            </ul>
          </fieldset>
        ))}
      </div>
    </div>
  );
}

function Nothing() {
  const { store } = useClient();
  const isNew = useSelect((state) => Object.keys(state.subscriptions).length === 0);
  const invites = useSelect((state) => mayInvite(state) || mayMakeLinks(state));
  // The first steps say the same.
  const isFirstDay = useFirstDay();
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
        isFirstDay ? null : (
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
        )
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
