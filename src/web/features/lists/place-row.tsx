// A conversation in a list: its name, the last message with sender and time, and the number of unread messages.

import { BellOff, CheckCheck } from "lucide-react";
import { memo, type ReactNode } from "react";
import { sameList, useClient, useSelect } from "../../api/client.ts";
import { classes } from "../../lib/classes.ts";
import { useStore } from "../../lib/observable.ts";
import { listNames, parts, t } from "../../lib/texts.ts";
import { fullTime, shortTime } from "../../lib/times.ts";
import type { Message } from "../../state/messages.ts";
import { type Place, type PlaceKey, placeKey } from "../../state/places.ts";
import { channelOf, colorOf, nameOf, namesOf, topicName } from "../../state/selectors.ts";
import type { State } from "../../state/state.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Badge } from "../../ui/badge.tsx";
import { IconButton } from "../../ui/button.tsx";
import { plainText } from "../../ui/emoji/plain.ts";
import { Rich } from "../../ui/rich.tsx";
import { linkTo } from "../../ui/routes/navigation.ts";
import { placeRoute } from "../../ui/routes/route.ts";
import { TopicName } from "../../ui/topic-name.tsx";
import { markRead } from "../message/marking-read.tsx";
import { denseLists } from "./dense.tsx";
import css from "./lists.module.css";

export function placeFromKey(state: State, key: PlaceKey): Place {
  if (key.startsWith("d:")) return { user_ids: key.slice(2).split(",").map(Number) };
  const [, channel = "0", ...topic] = key.split(":");
  return state.unread[key]?.place ?? { stream_id: Number(channel), topic: topic.join(":") };
}

interface PlaceRowProps {
  place: Place;
  /** Its newest message, if loaded. */
  newest: number | undefined;
  /** Who wrote lately, the last first; by default those of the unread messages that are loaded. */
  senders?: readonly number[];
  /** Omits the channel's name, in lists of one channel. */
  withChannel?: boolean;
  /** Draws it quietly, and says that it is muted. */
  isMuted?: boolean;
}

/** Of how many unread messages the list shows who wrote them. */
export const unreadLooked = 4;
/** How many pictures stand beside that of who wrote last. */
const maxPictures = 3;

/** Who wrote these messages, the last first; without those that are not loaded. */
export function sendersOf(state: State, newestFirst: readonly number[]): number[] {
  return [...new Set(newestFirst.flatMap((id) => state.messages[id]?.sender_id ?? []))];
}

const noSenders: readonly number[] = [];

export const PlaceRow = memo(
  function PlaceRow({ place, newest, senders, withChannel = true, isMuted = false }: PlaceRowProps) {
    const client = useClient();
    const { store } = client;
    const key = placeKey(place);
    const unread = useSelect((state) => state.unread[key]?.ids.length ?? 0);
    const mentions = useSelect((state) => state.unread[key]?.mentions.length ?? 0);
    const message = useSelect((state) => (newest === undefined ? undefined : state.messages[newest]));
    const sender = useSelect((state) => (message ? senderIn(state, place, message) : ""));
    const isTwentyFour = useSelect((state) => state.user_settings.twenty_four_hour_time);
    const writers = useSelect((state) => {
      const unreadIds = state.unread[key]?.ids.slice(-unreadLooked).toReversed() ?? [];
      const own = newest === undefined ? unreadIds : [newest, ...unreadIds];
      return senders ?? sendersOf(state, own);
    }, sameList);
    const isDense = useStore(denseLists);
    const isDirect = "user_ids" in place;
    const route = placeRoute(place);
    const time = message ? (
      <time
        className={css.time}
        dateTime={new Date(message.timestamp * 1000).toISOString()}
        data-tip={fullTime(message.timestamp, isTwentyFour)}
      >
        {shortTime(message.timestamp, isTwentyFour)}
      </time>
    ) : null;
    return (
      <div className={classes(css.row, unread > 0 && css.unread, isMuted && css.muted, isDense && css.dense)}>
        <a className={css.link} href={linkTo(route, store.get())} data-row>
          <PlaceMark ids={isDirect ? place.user_ids : writers.slice(0, 1)} />
          <span className={css.words}>
            <span className={css.line}>
              <PlaceTitle place={place} withChannel={withChannel} />
              {isMuted ? <MutedMark /> : null}
              {time}
            </span>
            <span className={css.line}>
              <span className={css.last}>
                {message ? (
                  <LastWords message={message} sender={sender} />
                ) : (
                  <span className={css.wait} aria-hidden="true" />
                )}
              </span>
              <Pictures ids={isDirect ? noSenders : writers.slice(1, 1 + maxPictures)} />
              <span className={css.counts}>
                {mentions > 0 ? <Badge count={mentions} look="mention" what="mentions" /> : null}
                <Badge count={unread} look={isDirect && !isMuted ? "strong" : "quiet"} />
              </span>
            </span>
          </span>
        </a>
        {unread > 0 ? (
          <IconButton
            className={css.done}
            size="small"
            label={t("Mark as read")}
            icon={CheckCheck}
            onClick={() => markRead(client, route.terms)}
          />
        ) : null}
      </div>
    );
  },
  (a, b) =>
    placeKey(a.place) === placeKey(b.place) &&
    a.newest === b.newest &&
    sameList(a.senders ?? noSenders, b.senders ?? noSenders) &&
    a.withChannel === b.withChannel &&
    a.isMuted === b.isMuted,
);

/** The sender, unless the conversation's name already says who it is. */
function senderIn(state: State, place: Place, { sender_id, is_me_message }: Message): string {
  if (sender_id === state.self.user_id && !is_me_message) return t("You");
  const isOnlyOther = "user_ids" in place && place.user_ids.length === 1 && place.user_ids[0] === sender_id;
  return isOnlyOther && !is_me_message ? "" : nameOf(state, sender_id);
}

function LastWords({ message, sender }: { message: Message; sender: string }) {
  if (message.is_me_message)
    return (
      <>
        <bdi>{sender}</bdi> <bdi>{typedIn(message).replace(/^\/me\s+/, "")}</bdi>
      </>
    );
  if (sender === "") return <Words message={message} />;
  return (
    <>
      <span className={css.sender}>
        <Rich
          parts={parts("<sender>{name}</sender>:", { name: sender })}
          sender={(name) => <bdi>{name}</bdi>}
        />
      </span>{" "}
      <Words message={message} />
    </>
  );
}

const typedIn = ({ content }: Message) => plainText(content) || t("(no text)");

function Words({ message }: { message: Message }) {
  const typed = typedIn(message);
  const isWidget = message.submessages.length > 0;
  const [, kind, title = ""] = (isWidget && /^\/(poll|todo)\s*(.*)$/.exec(typed)) || [];
  const own = (text: ReactNode) => <bdi>{text}</bdi>;
  if (kind === "poll")
    return (
      <Rich parts={parts("Poll: <question>{question}</question>", { question: title })} question={own} />
    );
  if (kind === "todo") return <Rich parts={parts("Tasks: <title>{title}</title>", { title })} title={own} />;
  return own(typed);
}

/** The picture of the first of these people. */
function PlaceMark({ ids }: { ids: readonly number[] }) {
  const [first] = ids;
  const picture = useSelect((state) => (first === undefined ? "" : pictureOf(state, first)));
  if (first === undefined) return <span className={classes(css.picture, css.noPicture)} aria-hidden="true" />;
  return <Avatar className={css.picture} src={picture} size={32} />;
}

function pictureOf(state: State, userId: number): string {
  return state.users[userId]?.avatar_url ?? `/avatar/${userId}`;
}

/** Small ones, whose names show as one points at them. */
function Pictures({ ids }: { ids: readonly number[] }) {
  const pictures = useSelect((state) => ids.map((id) => pictureOf(state, id)), sameList);
  const names = useSelect((state) => ids.map((id) => nameOf(state, id)), sameList);
  if (ids.length === 0) return null;
  return (
    <span className={css.pictures} data-tip={listNames(names)}>
      <span className="visually-hidden">{t("Also: {people}", { people: listNames(names) })}</span>
      {pictures.map((src, i) => (
        <Avatar key={ids[i]} src={src} size={20} />
      ))}
    </span>
  );
}

function MutedMark() {
  return (
    <>
      <BellOff size={14} strokeWidth={1.5} aria-hidden="true" className={css.mutedMark} />
      <span className="visually-hidden">{t("Muted")}</span>
    </>
  );
}

function PlaceTitle({ place, withChannel }: { place: Place; withChannel: boolean }) {
  const name = useSelect((state) =>
    "user_ids" in place ? namesOf(state, place.user_ids) : topicName(place.topic),
  );
  const channel = useSelect((state) =>
    "stream_id" in place ? (channelOf(state, place.stream_id)?.name ?? t("unknown channel")) : null,
  );
  const color = useSelect((state) => ("stream_id" in place ? colorOf(state, place.stream_id) : undefined));
  return (
    <span className={css.title}>
      {channel !== null && withChannel ? (
        <>
          <span className={css.channel}>
            <ChannelMark color={color} />
            <bdi>#{channel}</bdi>
          </span>
          <span className={css.arrow} aria-hidden="true">
            ›
          </span>
        </>
      ) : null}
      <bdi className={css.name}>{channel === null ? name : <TopicName name={name} />}</bdi>
    </span>
  );
}

/** The channel's colour, before its name. */
export function ChannelMark({ color }: { color: string | undefined }) {
  return <span className={css.color} style={{ background: color }} aria-hidden="true" />;
}
