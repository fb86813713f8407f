// A feed with its header and the composer.
import { Bell, BellOff, BellRing, CheckCheck, EllipsisVertical, Globe, Hash, List, Lock } from "lucide-react";
import { Suspense, useMemo, useState } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { useStore } from "../../lib/observable.ts";
import { parts, t } from "../../lib/texts.ts";
import { narrowKey, operandOf, type Term, term } from "../../state/narrows.ts";
import type { Place } from "../../state/places.ts";
import { channelOf, colorOf, namesOf, presenceOf, titleOf, topicName } from "../../state/selectors.ts";
import { type Visibility, visibility, visibilityOf } from "../../state/topics.ts";
import { PresenceDot } from "../../ui/avatar.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { plainText } from "../../ui/emoji/plain.ts";
import { Menu } from "../../ui/menu.tsx";
import { lazyView } from "../../ui/on-demand.tsx";
import { Rich } from "../../ui/rich.tsx";
import { goTo, linkTo, useHash } from "../../ui/routes/navigation.ts";
import { placeOfTerms, placeRoute, type Route } from "../../ui/routes/route.ts";
import { TopicName } from "../../ui/topic-name.tsx";
import { ViewHead } from "../../ui/view-head.tsx";
import { JoinButton } from "../channels/join-button.tsx";
import { Composer } from "../compose/composer.tsx";
import { DateButton, jumpsAgain } from "../dates/jump-to-date.tsx";
import { markRead } from "../message/marking-read.tsx";
import { topicItems } from "../message/place-items.ts";
import { AnswerBar } from "./answer-bar.tsx";
import css from "./conversation.module.css";
import { Feed } from "./feed.tsx";
import { NextUnread } from "./next-unread.tsx";
import type { Start } from "./opening.ts";

interface ConversationProps extends Start {
  terms: readonly Term[];
}

export function Conversation({ terms, near, date }: ConversationProps) {
  const { isVisitor } = useClient();
  const channel = channelAlone(terms);
  const isUnknown = useSelect((state) => channel !== undefined && !channelOf(state, channel));
  const place = useMemo(() => placeOfTerms(terms), [terms]);
  const isFound = isSearch(terms);
  // If there is nothing, the feed says so.
  const isNotFound = useSelect(
    (state) =>
      place !== null &&
      "stream_id" in place &&
      !channelOf(state, place.stream_id) &&
      !(narrowKey(terms) in state.windows),
  );
  const again = useStore(jumpsAgain);
  const [fromOldest, setFromOldest] = useState(false);
  const isEmpty = useSelect((state) => !state.windows[narrowKey(terms)]?.ids.length);
  return (
    <>
      <ConversationHead terms={terms} place={place} />
      {isFound ? (
        <Suspense fallback={<div className={css.searchPlace} />}>
          <SearchField terms={terms} />
          <SearchCount terms={terms} fromOldest={fromOldest} onChange={setFromOldest} />
        </Suspense>
      ) : null}
      <Feed
        key={`read ${again} ${narrowKey(terms)}`}
        terms={terms}
        near={near}
        date={date}
        fromOldest={isFound && fromOldest}
        isSearch={isFound}
        empty={emptyWords(terms)}
      />
      {place && isVisitor ? <VisitorBar /> : null}
      {place && !isVisitor && !isNotFound ? (
        <Composer key={`write ${narrowKey(terms)}`} place={place} beside={<NextUnread place={place} />} />
      ) : null}
      {place || isVisitor || isUnknown ? null : (
        <AnswerBar key={`answer ${narrowKey(terms)}`} channel={channel} isEmpty={isEmpty} />
      )}
    </>
  );
}

/** The channel whose messages are shown, all topics together. */
function channelAlone([one, ...others]: readonly Term[]): number | undefined {
  return one?.operator === "channel" && !one.negated && others.length === 0 && /^\d+$/.test(one.operand)
    ? Number(one.operand)
    : undefined;
}

function VisitorBar() {
  const hash = useHash();
  return (
    <p className={css.visitor}>
      <Rich
        parts={parts(
          "You are looking around without an account. <link>Sign in</link> to write and to react.",
        )}
        link={(content) => <a href={`/login${hash}`}>{content}</a>}
      />
    </p>
  );
}

const SearchField = lazyView(async () => (await import("../search/search-field.tsx")).SearchField);

const SearchCount = lazyView(async () => (await import("../search/search-count.tsx")).SearchCount);

/** Whether this is a search, rather than one of the usual views. */
function isSearch(terms: readonly Term[]): boolean {
  const searched = ["search", "sender", "has", "dm-including", "channels"];
  return terms.length > 2 || terms.some(({ operator, negated }) => negated || searched.includes(operator));
}

function emptyWords(terms: readonly Term[]) {
  const is = operandOf(terms, "is");
  if (is === "mentioned")
    return { title: t("Nobody mentioned you yet"), text: t("Messages that mention you gather here.") };
  if (is === "starred")
    return {
      title: t("No starred messages"),
      text: t("Star a message to find it here again: the star is in its menu."),
    };
  if (isSearch(terms)) {
    const text = t("Try other words, or fewer conditions.");
    return { title: t("Nothing found"), text, action: <WiderSearch terms={terms} /> };
  }
  return { title: t("No messages"), text: t("Whatever is said here shows up at once.") };
}

/** Terms that already say which conversations are searched. */
const places = ["channel", "channels", "topic", "dm", "dm-including", "is"];

/** Searches also the channels that the person has not joined. */
function WiderSearch({ terms }: { terms: readonly Term[] }) {
  const { store, isVisitor } = useClient();
  const isGuest = useSelect((state) => state.self.is_guest);
  if (isVisitor || isGuest || terms.some(({ operator }) => places.includes(operator))) return null;
  const wider = [term("channels", "public"), ...terms];
  return (
    <Button onClick={() => goTo(linkTo({ view: "messages", terms: wider }, store.get()))}>
      {t("Search all public channels")}
    </Button>
  );
}

function ConversationHead({ terms, place }: { terms: readonly Term[]; place: Place | null }) {
  if (place && "stream_id" in place) return <TopicHead place={place} />;
  if (place) return <DirectHead userIds={place.user_ids} />;
  return <MixedHead terms={terms} />;
}

function MixedHead({ terms }: { terms: readonly Term[] }) {
  const client = useClient();
  const { isVisitor } = client;
  const title = useSelect((state) => titleOf(state, terms));
  const channel = operandOf(terms, "channel");
  const description = useSelect((state) =>
    channel ? plainText(channelOf(state, Number(channel))?.rendered_description ?? "") : undefined,
  );
  return (
    <ViewHead title={title} note={description}>
      {channel ? <JoinButton channel={Number(channel)} /> : null}
      {channel ? <TopicsLink channel={Number(channel)} /> : null}
      <DateButton terms={terms} />
      {isVisitor ? null : (
        <IconButton label={t("Mark all as read")} icon={CheckCheck} onClick={() => markRead(client, terms)} />
      )}
    </ViewHead>
  );
}

function TopicsLink({ channel }: { channel: number }) {
  const { store } = useClient();
  const route: Route = { view: "topics", channel };
  return (
    <a
      className={css.iconLink}
      href={linkTo(route, store.get())}
      aria-label={t("Topics of this channel")}
      data-tip={t("Topics")}
    >
      <List size={18} strokeWidth={1.5} aria-hidden="true" />
    </a>
  );
}

const policyWords: Record<Visibility, { label: string; icon: typeof Bell }> = {
  [visibility.inherited]: { label: t("As the channel"), icon: Bell },
  [visibility.followed]: { label: t("Following"), icon: BellRing },
  [visibility.muted]: { label: t("Muted"), icon: BellOff },
  [visibility.unmuted]: { label: t("Unmuted"), icon: Bell },
};

function TopicHead({ place }: { place: Extract<Place, { topic: string }> }) {
  const client = useClient();
  const { store, flagging } = client;
  const [isOpen, setOpen] = useState(false);
  const channel = useSelect((state) => channelOf(state, place.stream_id));
  const color = useSelect((state) => colorOf(state, place.stream_id));
  const topic = topicName(place.topic);
  const isJoined = useSelect((state) => place.stream_id in state.subscriptions);
  const policy = useSelect((state) => visibilityOf(state, place.stream_id, place.topic));
  const { label, icon } = policyWords[policy];
  const choice = (to: Visibility, words: string) => ({
    label: words,
    checked: policy === to,
    onSelect: () => void flagging.setVisibility(place, to),
  });
  const Mark = channel?.invite_only ? Lock : channel?.is_web_public ? Globe : Hash;
  return (
    <ViewHead
      title={<TopicName name={topic} />}
      lead={
        <a
          className={css.channel}
          href={linkTo({ view: "topics", channel: place.stream_id }, store.get())}
          data-tip={t("All topics of this channel")}
        >
          <Mark size={16} strokeWidth={1.5} color={color} aria-hidden="true" />
          <span>{channel?.name ?? t("Unknown channel")}</span>
          <span className={css.arrow} aria-hidden="true">
            ›
          </span>
        </a>
      }
    >
      <JoinButton channel={place.stream_id} />
      {client.isVisitor || !isJoined ? null : (
        <Menu
          label={t("Notifications of this topic")}
          trigger={<IconButton label={t("Topic: {state}", { state: label })} icon={icon} />}
          items={[
            choice(visibility.followed, t("Follow")),
            choice(visibility.inherited, t("As the channel")),
            choice(visibility.unmuted, t("Unmute")),
            choice(visibility.muted, t("Mute")),
          ]}
        />
      )}
      {channel ? (
        <Menu
          label={t("Topic")}
          trigger={<IconButton label={t("More about this topic")} icon={EllipsisVertical} />}
          items={isOpen ? topicItems(client, place) : []}
          onOpenChange={setOpen}
        />
      ) : null}
    </ViewHead>
  );
}

function DirectHead({ userIds }: { userIds: readonly number[] }) {
  const title = useSelect((state) => namesOf(state, userIds));
  const [only] = userIds;
  const here = useSelect((state) =>
    only !== undefined && userIds.length === 1 ? presenceOf(state, only, Date.now() / 1000) : null,
  );
  return (
    <ViewHead title={title} lead={here ? <PresenceDot state={here} /> : undefined}>
      <DateButton terms={placeRoute({ user_ids: userIds }).terms} />
    </ViewHead>
  );
}
