// A feed of messages: opens at the first unread one, keeps its place while history is added, marks read what is read.
import { elementScroll, useVirtualizer } from "@tanstack/react-virtual";
import { MapPinOff, MessagesSquare } from "lucide-react";
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { sameList, useClient, useSelect } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import { useLatest } from "../../lib/use-latest.ts";
import type { Message } from "../../state/messages.ts";
import { narrowKey, type Term } from "../../state/narrows.ts";
import { type Place, placeKey } from "../../state/places.ts";
import { channelOf } from "../../state/selectors.ts";
import type { State } from "../../state/state.ts";
import { Button } from "../../ui/button.tsx";
import { type ContentActions, pressContent } from "../../ui/content/behaviours.ts";
import { openLightbox } from "../../ui/content/lightbox-opener.tsx";
import { useReader } from "../../ui/content/reader.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { NotFound } from "../../ui/not-found.tsx";
import { placeOfTerms } from "../../ui/routes/route.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { showFailure } from "../../ui/toasts.tsx";
import { useTouchMenu } from "../message/touch-menu.tsx";
import { showGroup, showPerson } from "../people/showing.ts";
import { ConversationBeginning } from "./beginning.tsx";
import css from "./feed.module.css";
import { hoverHandlers } from "./hover.ts";
import { JumpToNewest } from "./jump-to-newest.tsx";
import { FeedLine } from "./line.tsx";
import { type Start, useOpening } from "./opening.ts";
import { useOwnMessages } from "./own-messages.ts";
import { useReading } from "./reading.ts";
import { type ListedLine, linesOf } from "./rows.ts";
import { followsWithin, measureRow, useScrollAnchor } from "./scroll-anchor.ts";
import { useSelection } from "./selection.ts";

export interface FeedProps extends Start {
  terms: readonly Term[];
  /** For results of a search: opens at the top, and marks nothing as read. */
  isSearch?: boolean;
  /** What to show if there are no messages. */
  empty?: { title: string; text: string; action?: ReactNode };
}

/** The next page is requested this many pixels before the reader reaches it. */
const nearEdge = 1500;

export function Feed({ terms, near, date, fromOldest = false, isSearch = false, empty }: FeedProps) {
  const client = useClient();
  const key = narrowKey(terms);
  const place = useMemo(() => placeOfTerms(terms), [terms]);
  const window = useSelect((state) => state.windows[key]);
  const messages = useSelect(
    useMemo(() => messagesIn(key), [key]),
    sameList,
  );
  const outbox = useSelect(
    (state) => (place ? state.outbox.filter((one) => placeKey(one.place) === placeKey(place)) : []),
    sameList,
  );
  const muted = useSelect((state) => state.muted_users);
  const self = useSelect((state) => state.self.user_id);
  const isUnknown = useSelect(
    (state) => place !== null && "stream_id" in place && !channelOf(state, place.stream_id),
  );
  const opening = useOpening(terms, { near, date, fromOldest }, isSearch);
  const lines = useMemo(
    () =>
      linesOf(messages, outbox, {
        self,
        place,
        hasOldest: window?.found_oldest ?? false,
        hasNewest: window?.found_newest ?? false,
        firstUnread: opening.firstUnread,
        mutedUsers: new Set(muted.map(({ id }) => id)),
      }),
    [messages, outbox, self, place, window?.found_oldest, window?.found_newest, opening.firstUnread, muted],
  );
  if (opening.problem?.isLasting && lines.length === 0) {
    return <NotFound icon={MapPinOff} title={t("There is nothing here")} text={opening.problem.text} />;
  }
  if (opening.problem && lines.length === 0) {
    return (
      <EmptyState
        icon={MessagesSquare}
        title={t("This could not be loaded")}
        action={<Button onClick={opening.again}>{t("Try again")}</Button>}
      >
        {opening.problem.text}
      </EmptyState>
    );
  }
  if (!opening.isReady) return <FeedSkeleton />;
  if (lines.length === 0 && isUnknown) {
    return (
      <NotFound
        icon={MapPinOff}
        title={t("There is nothing here")}
        text={t("The address leads to something that does not exist, or that you may not see.")}
      />
    );
  }
  if (lines.length === 0 && place) {
    return (
      <div className={css.scroller}>
        <ConversationBeginning beginning={{ place, first: undefined, people: undefined }} />
      </div>
    );
  }
  if (lines.length === 0) {
    return (
      <EmptyState
        icon={MessagesSquare}
        title={empty?.title ?? t("No messages yet")}
        {...(empty?.action !== undefined && { action: empty.action })}
      >
        {empty?.text ?? t("Write the first one below.")}
      </EmptyState>
    );
  }
  return (
    <FeedList
      key={key}
      terms={terms}
      lines={lines}
      near={opening.near}
      startsAtTop={date !== undefined || fromOldest}
      firstUnread={opening.firstUnread}
      matches={window?.matches}
      isNewestKnown={window?.found_newest ?? false}
      isOldestKnown={window?.found_oldest ?? false}
      older={() => void client.fetching.older(terms).catch(() => {})}
      newer={() => void client.fetching.newer(terms).catch(() => {})}
      place={place}
      isSearch={isSearch}
      jump={opening.jump}
    />
  );
}

/** Selects the messages of a window. */
function messagesIn(key: string): (state: State) => readonly Message[] {
  let last: { of: Pick<State, "windows" | "messages">; list: readonly Message[] } | null = null;
  return (state) => {
    const { messages, windows } = state;
    if (last && last.of.messages === messages && last.of.windows[key] === windows[key]) return last.list;
    const list: Message[] = [];
    for (const id of windows[key]?.ids ?? []) if (messages[id]) list.push(messages[id]);
    last = { of: { messages, windows }, list };
    return list;
  };
}

export function FeedSkeleton() {
  return (
    <div className={css.loading}>
      <p className="visually-hidden" role="status">
        {t("Loading messages")}
      </p>
      {[3, 1, 2, 4, 5].map((lines) => (
        <Skeleton key={lines} avatar lines={lines} />
      ))}
    </div>
  );
}

const contentActions: ContentActions = { showPerson, showGroup, showMedia: openLightbox };

interface ListProps {
  terms: readonly Term[];
  lines: readonly ListedLine[];
  near: number | undefined;
  /** Whether `near` belongs at the top rather than in the middle. */
  startsAtTop: boolean;
  firstUnread: number | null;
  /** What a search has found, by message. */
  matches: Readonly<Record<number, string>> | undefined;
  isNewestKnown: boolean;
  isOldestKnown: boolean;
  place: Place | null;
  isSearch: boolean;
  older: () => void;
  newer: () => void;
  /** Loads the newest or oldest messages. */
  jump: (to: "newest" | "oldest") => Promise<void>;
}

function FeedList(props: ListProps) {
  const { terms, lines, near, firstUnread, isNewestKnown, isOldestKnown, older, newer } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const position = useRef(0);
  const [isAtEnd, setAtEnd] = useState(true);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimate(lines[index]),
    getItemKey: (index) => lines[index]?.key ?? index,
    anchorTo: "end",
    followOnAppend: isNewestKnown,
    scrollEndThreshold: followsWithin,
    measureElement: measureRow,
    scrollToFn: (offset, options, instance) => {
      elementScroll(offset, options, instance);
      position.current = instance.scrollElement?.scrollTop ?? 0;
    },
    overscan: 8,
    paddingStart: 16,
    paddingEnd: 12,
    useFlushSync: false,
    onChange: (instance) => setAtEnd(instance.isAtEnd(120)),
  });
  useEffect(() => forgetSizes(virtualizer.itemSizeCache, lines), [virtualizer, lines]);
  const isScrolled = useRef(false);
  const { hold, holdsEnd } = useScrollAnchor({
    virtualizer,
    scroller,
    lines,
    isNewestKnown,
    position,
    isScrolled,
  });
  const ends = { first: isOldestKnown, last: isNewestKnown };
  const selection = useSelection({ lines, virtualizer, scroller, hold, isScrolled, ends, jump: props.jump });
  const { place, isSearch } = props;
  useReading({ virtualizer, lines, scroller, holdsEnd, isConversation: place !== null, isSearch });

  const open = useLatest((message: number | undefined) => {
    const start = message ?? firstUnread;
    const line =
      start === null ? undefined : lines.find((one) => "message" in one && one.message.id >= start);
    hold(
      line ? { key: line.key, at: message === undefined || props.startsAtTop ? "start" : "center" } : "end",
    );
  });
  useLayoutEffect(() => open.current(near), [open, near]);

  const reader = useReader();
  const touchMenu = useTouchMenu(terms);
  const press = (event: MouseEvent | KeyboardEvent) => pressContent(event, contentActions);

  const items = virtualizer.getVirtualItems();
  const [first, last] = [items[0], items.at(-1)];
  // One stop of the Tab key: the selected message, or the last one in sight.
  const isRendered = items.some(({ key }) => key === selection.selected);
  const stop = isRendered ? selection.selected : lines[last?.index ?? 0]?.key;
  const offset = virtualizer.scrollOffset ?? 0;
  const isNearTop = offset < nearEdge;
  const isNearBottom = virtualizer.getDistanceFromEnd() < nearEdge;
  // After each render: a page that arrived may not fill the window. One request of a kind runs at a time.
  useEffect(() => {
    if (isNearTop && !isOldestKnown) older();
    if (isNearBottom && !isNewestKnown) newer();
  });

  const toEnd = useCallback(async () => {
    try {
      if (!isNewestKnown) await props.jump("newest");
    } finally {
      hold("end");
    }
  }, [isNewestKnown, props.jump, hold]);
  useOwnMessages({ terms, scroller, lines, hold, toEnd });

  return (
    <div className={css.frame}>
      <div
        ref={scroller}
        className={css.scroller}
        role="log"
        aria-label={t("Messages")}
        aria-live="polite"
        aria-relevant="additions"
        aria-busy={first === undefined}
        data-feed
        onClick={press}
        onKeyDown={press}
        {...touchMenu.handlers}
        onPointerOver={hoverHandlers.onPointerOver}
        onFocus={(event) => {
          hoverHandlers.onFocus(event);
          selection.onFocus(event);
        }}
      >
        <div className={css.space} style={{ height: virtualizer.getTotalSize() }}>
          <div className={css.lines} style={{ top: first?.start ?? 0 }}>
            {items.map((item) => {
              const line = lines[item.index];
              if (!line) return null;
              return (
                <div key={item.key} data-index={item.index} ref={virtualizer.measureElement}>
                  <FeedLine
                    line={line}
                    isSelected={selection.selected === line.key}
                    isStop={stop === line.key}
                    isNear={"message" in line && line.message.id === near}
                    terms={terms}
                    reader={reader}
                    match={"message" in line ? props.matches?.[line.message.id] : undefined}
                  />
                </div>
              );
            })}
          </div>
        </div>
      </div>
      {touchMenu.menu}
      {isAtEnd && isNewestKnown ? null : (
        <JumpToNewest
          place={place}
          lines={lines}
          seen={virtualizer.range?.endIndex}
          onJump={() => void toEnd().catch(showFailure)}
        />
      )}
    </div>
  );
}

/** Forgets the sizes of lines that are no longer in the list, once those are the majority. */
function forgetSizes(sizes: Map<string | number | bigint, number>, lines: readonly ListedLine[]): void {
  if (sizes.size < 2 * lines.length) return;
  const kept = new Set(lines.map(({ key }) => key));
  for (const key of sizes.keys()) if (!kept.has(String(key))) sizes.delete(key);
}

function estimate(line: ListedLine | undefined): number {
  if (!line) return 60;
  if ("outgoing" in line) return 32 + line.outgoing.content.split("\n").length * 22;
  const { message, showsSender, startsDay, startsPlace, beginning } = line;
  const text = Math.ceil(message.content.length / 110) * 22;
  return (
    Math.min(text, 480) +
    (showsSender ? 34 : 4) +
    (startsDay ? 36 : 0) +
    (startsPlace ? 40 : 0) +
    (beginning ? 130 : 0)
  );
}
