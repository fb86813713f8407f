// Conversations with recent messages, newest first.
import { Clock } from "lucide-react";
import { useEffect, useState } from "react";
import { sameList, useClient, useSelect } from "../../api/client.ts";
import { classes } from "../../lib/classes.ts";
import { useRoving } from "../../lib/roving.ts";
import { t } from "../../lib/texts.ts";
import { narrowKey } from "../../state/narrows.ts";
import { type Place, placeKey, placeOf } from "../../state/places.ts";
import type { State } from "../../state/state.ts";
import { isMuted } from "../../state/topics.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ViewHead } from "../../ui/view-head.tsx";
import { NewMessageButton } from "../compose/new-message-button.tsx";
import { FeedSkeleton } from "../feed/feed.tsx";
import { DenseButton } from "../lists/dense.tsx";
import css from "../lists/lists.module.css";
import { PlaceRow, placeFromKey, sendersOf } from "../lists/place-row.tsx";

interface Entry {
  place: Place;
  newest: number;
  isOwn: boolean;
  /** Who wrote lately, the last first. */
  senders: number[];
}

/** More are not shown. */
const maxSenders = 4;

/** The conversations of the newest messages that are known, newest first; those that are muted only with something unread. */
function recentPlaces(state: State): Entry[] {
  const entries = new Map<string, Entry>();
  const ids = state.windows[narrowKey([])]?.ids ?? [];
  for (const id of ids.toReversed()) {
    const message = state.messages[id];
    if (!message) continue;
    const place = placeOf(message, state.self.user_id);
    const key = placeKey(place);
    const known = entries.get(key);
    const isOwn = message.sender_id === state.self.user_id;
    const { sender_id } = message;
    if (!known) entries.set(key, { place, newest: id, isOwn, senders: [sender_id] });
    else {
      known.isOwn ||= isOwn;
      const { senders } = known;
      if (senders.length < maxSenders && !senders.includes(sender_id)) senders.push(sender_id);
    }
  }
  for (const [key, newest] of Object.entries(state.recent))
    if (!entries.has(key))
      entries.set(key, {
        place: placeFromKey(state, key),
        newest,
        isOwn: true,
        senders: sendersOf(state, [newest]),
      });
  return [...entries.values()]
    .filter(({ place }) => !isMuted(state, place) || state.unread[placeKey(place)] !== undefined)
    .sort((a, b) => b.newest - a.newest);
}

const sameEntry = (a: Entry, b: Entry | undefined) =>
  b !== undefined &&
  a.newest === b.newest &&
  a.isOwn === b.isOwn &&
  sameList(a.senders, b.senders) &&
  placeKey(a.place) === placeKey(b.place);

type Filter = "all" | "unread" | "own" | "direct";
const filters: Record<Filter, string> = {
  all: t("All|conversations"),
  unread: t("Unread"),
  own: t("With me"),
  direct: t("Direct"),
};
const maxShown = 150;

export function Recent() {
  const { fetching, isVisitor } = useClient();
  const [filter, setFilter] = useState<Filter>("all");
  const isKnown = useSelect((state) => {
    const window = state.windows[narrowKey([])];
    return window?.found_newest === true && !window.is_stale;
  });
  // A window that is fetched again after a loss shows what it had.
  const isFirst = useSelect((state) => state.windows[narrowKey([])]?.found_newest !== true);
  const entries = useSelect(
    recentPlaces,
    (a, b) => a.length === b.length && a.every((one, i) => sameEntry(one, b[i])),
  );
  const unread = useSelect((state) => state.unread);
  useEffect(() => {
    if (!isKnown) fetching.lately().catch(() => {});
  }, [isKnown, fetching]);
  const tests: Record<Filter, (one: Entry) => boolean> = {
    all: () => true,
    unread: ({ place }) => unread[placeKey(place)] !== undefined,
    own: ({ isOwn }) => isOwn,
    direct: ({ place }) => "user_ids" in place,
  };
  const shown = entries.filter(tests[filter]).slice(0, maxShown);
  const newest = shown.map((entry) => entry.newest).join();
  useEffect(() => {
    const ids = newest === "" ? [] : newest.split(",").map(Number);
    fetching.byIds(ids).catch(() => {});
  }, [newest, fetching]);
  const roving = useRoving<HTMLDivElement>();
  return (
    <>
      <ViewHead title={t("Recent conversations")}>
        <NewMessageButton />
        <DenseButton />
      </ViewHead>
      {!isKnown && entries.length === 0 ? (
        <FeedSkeleton />
      ) : (
        <div className={classes(css.page, css.withButton)} {...roving}>
          <div className={css.inner}>
            {isVisitor ? null : (
              <fieldset className={css.filters}>
                <legend className="visually-hidden">{t("Show")}</legend>
                {(Object.keys(filters) as Filter[]).map((name) => (
                  <Button
                    key={name}
                    size="small"
                    aria-pressed={filter === name}
                    onClick={() => setFilter(name)}
                  >
                    {filters[name]}
                  </Button>
                ))}
              </fieldset>
            )}
            {shown.length === 0 && !isFirst ? (
              <EmptyState icon={Clock} title={t("Nothing here")}>
                {t("Conversations appear here as soon as somebody writes.")}
              </EmptyState>
            ) : (
              <ul className={css.list}>
                {shown.map(({ place, newest: id, senders }) => (
                  <li key={placeKey(place)}>
                    <PlaceRow place={place} newest={id} senders={senders} />
                  </li>
                ))}
              </ul>
            )}
            {isFirst ? <MoreToCome /> : null}
          </div>
        </div>
      )}
    </>
  );
}

/** Below the conversations that are known from the start. */
function MoreToCome() {
  return (
    <div className={css.toCome}>
      <p className="visually-hidden" role="status">
        {t("Loading messages")}
      </p>
      {[1, 2, 3].map((row) => (
        <Skeleton key={row} avatar lines={2} />
      ))}
    </div>
  );
}
