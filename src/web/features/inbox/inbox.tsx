// What is unread, by conversation: mentions and direct messages on top.
import { defaultRangeExtractor, useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { CheckCheck, ChevronRight, Inbox as InboxIcon } from "lucide-react";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { sameList, useClient, useSelect } from "../../api/client.ts";
import { classes } from "../../lib/classes.ts";
import { setFolded, useAllFolded } from "../../lib/collapse.ts";
import { useStore } from "../../lib/observable.ts";
import { narrow } from "../../lib/panes.ts";
import { useRoving } from "../../lib/roving.ts";
import { t } from "../../lib/texts.ts";
import { mayInvite, mayMakeLinks } from "../../state/permissions.ts";
import type { PlaceKey } from "../../state/places.ts";
import { channelOf, colorOf } from "../../state/selectors.ts";
import type { State } from "../../state/state.ts";
import { isMuted } from "../../state/topics.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { goTo, linkTo } from "../../ui/routes/navigation.ts";
import type { Route } from "../../ui/routes/route.ts";
import { ViewHead } from "../../ui/view-head.tsx";
import { NewMessageButton, roomForButton } from "../compose/new-message-button.tsx";
import { FirstDay, useFirstDay } from "../first-day/first-day.tsx";
import { DenseButton, denseLists } from "../lists/dense.tsx";
import css from "../lists/lists.module.css";
import { ChannelMark, PlaceRow, placeFromKey, unreadLooked } from "../lists/place-row.tsx";
import { markRead } from "../message/marking-read.tsx";

interface Group {
  /** Under which it is remembered as folded. */
  id: string;
  title: string;
  /** If it is a channel's. */
  channel?: number;
  /** The name of that channel's folder, where folders are shown. */
  folder?: string;
  keys: PlaceKey[];
  /** Whether its conversations are in several channels. */
  isMixed: boolean;
}

/** Channels with their folders, in the order of these; those in none come last. */
function inFolders(state: State, channels: number[]): { channel: number; folder?: string }[] {
  if (!state.user_settings.web_inbox_show_channel_folders) return channels.map((channel) => ({ channel }));
  const folders = new Map(
    state.channel_folders.filter(({ is_archived }) => !is_archived).map((one) => [one.id, one]),
  );
  const last = Number.POSITIVE_INFINITY;
  return channels
    .map((channel) => ({ channel, folder: folders.get(channelOf(state, channel)?.folder_id ?? -1) }))
    .sort((a, b) => (a.folder?.order ?? last) - (b.folder?.order ?? last) || 0)
    .map(({ channel, folder }) => ({ channel, ...(folder && { folder: folder.name }) }));
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
  const keysOf = (entries: typeof newestFirst) => entries.map(([key]) => key);
  return [
    { id: "inbox mentions", title: t("Mentions"), keys: keysOf(mentions), isMixed: true },
    { id: "inbox directs", title: t("Direct messages"), keys: keysOf(directs), isMixed: false },
    ...inFolders(state, [...channels.keys()]).map((one) => ({
      ...one,
      id: `inbox ${one.channel}`,
      title: `#${channelOf(state, one.channel)?.name ?? t("unknown channel")}`,
      keys: keysOf(channels.get(one.channel) ?? []),
      isMixed: false,
    })),
  ].filter(({ keys }) => keys.length > 0);
}

const sameGroups = (a: Group[], b: Group[]) =>
  a.length === b.length &&
  a.every(
    (one, i) =>
      one.title === b[i]?.title && one.folder === b[i]?.folder && sameList(one.keys, b[i]?.keys ?? []),
  );

export function Inbox() {
  const client = useClient();
  const groups = useSelect(inboxGroups, sameGroups);
  const isNarrow = useStore(narrow);
  const isDense = useStore(denseLists);
  return (
    <>
      <ViewHead title={t("Inbox")}>
        <NewMessageButton />
        <DenseButton />
        {groups.length > 0 ? (
          <IconButton
            label={t("Mark everything as read")}
            icon={CheckCheck}
            onClick={() => markRead(client, [])}
          />
        ) : null}
      </ViewHead>
      {isNarrow ? null : <FirstDay />}
      {groups.length === 0 ? <Nothing /> : <Groups key={String(isDense)} groups={groups} isDense={isDense} />}
    </>
  );
}

/** A group's title, or one of its conversations and the place that it has there. */
interface Line {
  id: string;
  group: Group;
  row?: { key: PlaceKey; position: number };
}

const linesOf = (groups: readonly Group[], folded: ReadonlySet<string>): Line[] =>
  groups.flatMap((group) => [
    { id: group.id, group },
    ...(folded.has(group.id) ? [] : group.keys).map((key, i) => ({
      id: `${group.id} ${key}`,
      group,
      row: { key, position: i + 1 },
    })),
  ]);

const [rowHeight, denseHeight, titleHeight, gap, edge] = [61, 37, 36, 16, 8];

interface Left {
  isDense: boolean;
  offset: number;
  sizes: VirtualItem[];
}

/** Where the inbox was left, so that one comes back to it from a conversation. */
let left: Left = { isDense: false, offset: 0, sizes: [] };

const guessSize = (lines: readonly Line[], index: number, isDense: boolean) => {
  if (lines[index]?.row) return isDense ? denseHeight : rowHeight;
  return titleHeight + (index > 0 ? gap : 0);
};

/** Where the line that was in sight first is now; if it has been read meanwhile, the next one that is still there. */
function offsetNow(lines: readonly Line[], { isDense, offset, sizes }: Left): number {
  if (offset === 0) return 0;
  const known = new Map(sizes.map(({ key, size }) => [key, size]));
  const starts = new Map<unknown, number>();
  let start = edge;
  for (const [index, { id }] of lines.entries()) {
    starts.set(id, start);
    start += known.get(id) ?? guessSize(lines, index, isDense);
  }
  const first = sizes.find(({ key, end }) => end > offset && starts.has(key));
  return first ? (starts.get(first.key) ?? 0) + offset - first.start : offset;
}

/** Draws only what is near the window: an inbox may have thousands of conversations. */
function Groups({ groups, isDense }: { groups: readonly Group[]; isDense: boolean }) {
  const { fetching } = useClient();
  const isNarrow = useStore(narrow);
  const folded = useAllFolded();
  const lines = useMemo(() => linesOf(groups, folded), [groups, folded]);
  const before = left.isDense === isDense ? left : { isDense, offset: 0, sizes: [] };
  const page = useRef<HTMLDivElement>(null);
  /** The line that gets the focus once it is drawn. */
  const wanted = useRef<number>(undefined);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => page.current,
    estimateSize: (index) => guessSize(lines, index, isDense),
    getItemKey: (index) => lines[index]?.id ?? index,
    // What comes above moves nothing, except at the top, where one waits for it.
    anchorTo: (page.current?.scrollTop ?? 0) > 0 ? "end" : "start",
    initialOffset: () => offsetNow(lines, before),
    initialMeasurementsCache: before.sizes,
    rangeExtractor: (range) => {
      const near = defaultRangeExtractor(range);
      // The line with the focus stays, and so does the title of the group in sight.
      const focused = page.current?.querySelector<HTMLElement>("[data-line]:focus-within")?.dataset.line;
      const group = lines[range.startIndex]?.group.id;
      const more = lines.flatMap(({ id }, index) => (id === focused || id === group ? [index] : []));
      return [...new Set([...near, ...more])].sort((a, b) => a - b);
    },
    scrollPaddingStart: titleHeight,
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
    const rows = lines.flatMap(({ row, group }, index) => (row || folded.has(group.id) ? [index] : []));
    const focused = document.activeElement?.closest<HTMLElement>("[data-line]")?.dataset.index;
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
      left = { isDense, offset: current?.scrollTop ?? 0, sizes: virtualizer.measurementsCache };
    };
  }, [virtualizer, isDense]);
  const drawn = virtualizer.getVirtualItems().flatMap((item) => {
    const line = lines[item.index];
    return line ? [{ ...item, ...line }] : [];
  });
  const newest = useSelect(
    ({ unread }) => drawn.flatMap(({ row }) => (row && unread[row.key]?.ids.slice(-unreadLooked)) ?? []),
    sameList,
  );
  const { isScrolling } = virtualizer;
  useEffect(() => {
    if (!isScrolling) fetching.byIds(newest).catch(() => {});
  }, [newest, isScrolling, fetching]);
  return (
    <div className={classes(css.page, css.virtual)} {...roving} ref={setPage} data-virtual>
      <div className={css.inner} style={{ height: virtualizer.getTotalSize() }}>
        {[...Map.groupBy(drawn, ({ group }) => group)].map(([group, [first, ...rest]]) => {
          // Its title is drawn, and has its whole height to stick in.
          const isFolded = folded.has(group.id);
          const last =
            first && virtualizer.measurementsCache[first.index + (isFolded ? 0 : group.keys.length)];
          if (!first || !last) return null;
          return (
            <fieldset
              key={group.id}
              className={classes(css.block, css.placed)}
              // A title would not stick to the window through a transform.
              style={{ top: first.start, height: last.end - first.start }}
              aria-label={group.title}
            >
              <div
                ref={virtualizer.measureElement}
                className={classes(css.groupHead, first.index > 0 && css.next)}
                data-index={first.index}
                data-line={first.id}
              >
                <GroupTitle group={group} isFolded={isFolded} />
              </div>
              <ul className={css.list}>
                {rest.map(({ row, index, start, id }) =>
                  row ? (
                    <li
                      key={id}
                      ref={virtualizer.measureElement}
                      className={css.placed}
                      style={{ transform: `translateY(${start - first.start}px)` }}
                      aria-setsize={group.keys.length}
                      aria-posinset={row.position}
                      data-index={index}
                      data-line={id}
                    >
                      <InboxRow placeKey={row.key} withChannel={group.isMixed} />
                    </li>
                  ) : null,
                )}
              </ul>
            </fieldset>
          );
        })}
      </div>
    </div>
  );
}

/** Folds the group. While it is folded, it is a row of the list, with the number of messages. */
function GroupTitle({ group, isFolded }: { group: Group; isFolded: boolean }) {
  const { id, title, channel, folder, keys } = group;
  const color = useSelect((state) => (channel === undefined ? undefined : colorOf(state, channel)));
  const count = useSelect((state) =>
    keys.reduce((sum, key) => sum + (state.unread[key]?.ids.length ?? 0), 0),
  );
  return (
    <h2 className={css.groupTitle}>
      <button
        type="button"
        className={css.fold}
        aria-expanded={!isFolded}
        onClick={() => setFolded(id, !isFolded)}
        data-row={isFolded ? "" : undefined}
      >
        <ChevronRight size={14} strokeWidth={1.5} aria-hidden="true" className={css.foldMark} />
        {channel === undefined ? null : <ChannelMark color={color} />}
        <bdi>{title}</bdi>
        {folder === undefined ? null : <bdi className={css.folder}>{folder}</bdi>}
        {isFolded ? <Badge count={count} look={channel === undefined ? "strong" : "quiet"} /> : null}
      </button>
    </h2>
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
