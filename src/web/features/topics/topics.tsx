// The topics of a channel, newest first, each with its last message and the number of unread ones.
import {
  BellOff,
  BellRing,
  CheckCheck,
  EllipsisVertical,
  Info,
  MessageSquarePlus,
  Rows3,
} from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { useRoving } from "../../lib/roving.ts";
import { t } from "../../lib/texts.ts";
import { term } from "../../state/narrows.ts";
import { channelOf, colorOf } from "../../state/selectors.ts";
import { visibility, visibilityOf } from "../../state/topics.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { channelIcon } from "../../ui/channel-icon.ts";
import { plainText } from "../../ui/emoji/plain.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Menu } from "../../ui/menu.tsx";
import { NotFound } from "../../ui/not-found.tsx";
import { goTo, linkTo } from "../../ui/routes/navigation.ts";
import { placeRoute, type Route } from "../../ui/routes/route.ts";
import { ViewHead } from "../../ui/view-head.tsx";
import { JoinButton } from "../channels/join-button.tsx";
import { useTopics } from "../channels/use-topics.ts";
import { FeedSkeleton } from "../feed/feed.tsx";
import css from "../lists/lists.module.css";
import { PlaceRow } from "../lists/place-row.tsx";
import { markRead } from "../message/marking-read.tsx";
import { channelItems } from "../message/place-items.ts";
import own from "./topics.module.css";

const maxShown = 200;

export function Topics({ channel }: { channel: number }) {
  const { fetching, store, isVisitor } = useClient();
  const topics = useTopics(channel);
  const about = useSelect((state) => channelOf(state, channel));
  const color = useSelect((state) => colorOf(state, channel));
  const user_topics = useSelect((state) => state.user_topics);
  const [wanted, setWanted] = useState("");
  const roving = useRoving<HTMLDivElement>();
  const found = (topics ?? []).filter(({ name }) => name.toLowerCase().includes(wanted.trim().toLowerCase()));
  const shown = found.slice(0, maxShown);
  const newest = shown.map(({ max_id }) => max_id).join();
  useEffect(() => {
    fetching.byIds(newest === "" ? [] : newest.split(",").map(Number)).catch(() => {});
  }, [newest, fetching]);

  const [only] = topics ?? [];
  const isPlain = about?.topics_policy === "empty_topic_only" || (topics?.length === 1 && only?.name === "");
  useEffect(() => {
    // If general chat is the only topic, opens it: a list of one row would help nobody.
    if (isPlain) goTo(linkTo(placeRoute({ stream_id: channel, topic: "" }), store.get()), { replace: true });
  }, [isPlain, channel, store]);

  if (!about) {
    return (
      <>
        <ViewHead title={t("Unknown channel")} />
        <NotFound
          icon={Info}
          title={t("This channel cannot be shown")}
          text={t("It does not exist, or you have no access to it.")}
        />
      </>
    );
  }
  const Mark = channelIcon(about);
  return (
    <>
      <ViewHead
        title={about.name}
        note={plainText(about.rendered_description)}
        lead={<Mark size={18} strokeWidth={2} color={color} aria-hidden="true" />}
      >
        <JoinButton channel={channel} />
        <ChannelTools channel={channel} />
      </ViewHead>
      <div className={css.page} {...roving}>
        <div className={css.inner}>
          <NewTopic channel={channel} wanted={wanted} setWanted={setWanted} />
          {topics === null ? <FeedSkeleton /> : null}
          {topics?.length === 0 ? (
            <EmptyState icon={MessageSquarePlus} title={t("No topics yet")}>
              {isVisitor
                ? t("A topic is one conversation in this channel.")
                : t("A topic is one conversation in this channel. Name the first one above.")}
            </EmptyState>
          ) : null}
          {topics && topics.length > 0 && shown.length === 0 ? (
            <p className={own.none}>
              {isVisitor
                ? t("No topic has that in its name.")
                : t("No topic has that in its name. Press Enter to start it.")}
            </p>
          ) : null}
          <ul className={css.list}>
            {shown.map(({ name, max_id }) => (
              <li key={name.toLowerCase()}>
                <PlaceRow
                  place={{ stream_id: channel, topic: name }}
                  newest={max_id}
                  withChannel={false}
                  isMuted={visibilityOf({ user_topics }, channel, name) === visibility.muted}
                />
              </li>
            ))}
          </ul>
          {found.length > shown.length ? (
            <p className={own.none}>
              {t(
                "{count, plural, one {# older topic: type a part of the name to find it.} other {# older topics: type a part of the name to find them.}}",
                { count: found.length - shown.length },
              )}
            </p>
          ) : null}
        </div>
      </div>
    </>
  );
}

/** Buttons of the channel; a menu, where the channel's name would have no room next to them. */
function ChannelTools({ channel }: { channel: number }) {
  const client = useClient();
  const { flagging, store, isVisitor } = client;
  const isMuted = useSelect((state) => state.subscriptions[channel]?.is_muted);
  const [isOpen, setOpen] = useState(false);
  const terms = [term("channel", channel)];
  const go = (route: Route) => () => goTo(linkTo(route, store.get()));
  const feed = {
    label: t("All messages of this channel"),
    icon: Rows3,
    onSelect: go({ view: "messages", terms }),
  };
  return (
    <>
      <span className={own.wide}>
        <IconButton label={feed.label} icon={feed.icon} onClick={feed.onSelect} />
        {isMuted === undefined || isVisitor ? null : (
          <IconButton
            label={isMuted ? t("Unmute this channel") : t("Mute this channel")}
            icon={isMuted ? BellOff : BellRing}
            pressed={isMuted}
            onClick={() => void flagging.setSubscription(channel, "is_muted", !isMuted)}
          />
        )}
        {isVisitor ? null : (
          <IconButton
            label={t("Mark all as read")}
            icon={CheckCheck}
            onClick={() => markRead(client, terms)}
          />
        )}
        <IconButton label={t("About this channel")} icon={Info} onClick={go({ view: "channels", channel })} />
      </span>
      <span className={own.narrow}>
        <Menu
          label={t("Channel")}
          trigger={<IconButton label={t("More about this channel")} icon={EllipsisVertical} />}
          items={isOpen ? [feed, ...(isVisitor ? [] : channelItems(client, channel))] : []}
          onOpenChange={setOpen}
        />
      </span>
    </>
  );
}

interface NewTopicProps {
  channel: number;
  wanted: string;
  setWanted: (text: string) => void;
}

/** Finds topics by the typed text, and starts a new one with that name. */
function NewTopic({ channel, wanted, setWanted }: NewTopicProps) {
  const { store, isVisitor } = useClient();
  const field = useRef<HTMLInputElement>(null);
  const max = useSelect((state) => state.organization.max_topic_length);
  const start = (event: FormEvent) => {
    event.preventDefault();
    const topic = wanted.trim();
    if (topic === "" || isVisitor) return field.current?.focus();
    goTo(linkTo(placeRoute({ stream_id: channel, topic }), store.get()));
    requestAnimationFrame(() => document.querySelector<HTMLElement>("[data-composer]")?.focus());
  };
  const label = isVisitor ? t("Find a topic") : t("Find or start a topic");
  return (
    <form className={own.start} onSubmit={start}>
      <input
        ref={field}
        className={own.field}
        value={wanted}
        maxLength={max}
        placeholder={label}
        aria-label={label}
        data-new-topic-field
        onChange={(event) => setWanted(event.target.value)}
      />
      {isVisitor ? null : (
        <Button type="submit" look="primary" icon={MessageSquarePlus}>
          {t("New topic")}
        </Button>
      )}
    </form>
  );
}
