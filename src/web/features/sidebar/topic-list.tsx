// The topics under the open channel.
import { BellOff, BellRing } from "lucide-react";
import { memo } from "react";
import { sameList, useClient, useSelect } from "../../api/client.ts";
import { classes } from "../../lib/classes.ts";
import { useHeldOrder } from "../../lib/held.ts";
import { t } from "../../lib/texts.ts";
import { topicKey } from "../../state/places.ts";
import { topicName } from "../../state/selectors.ts";
import { visibility, visibilityOf } from "../../state/topics.ts";
import { Badge } from "../../ui/badge.tsx";
import { linkTo } from "../../ui/routes/navigation.ts";
import { placeRoute } from "../../ui/routes/route.ts";
import { TopicName } from "../../ui/topic-name.tsx";
import { useTopics } from "../channels/use-topics.ts";
import css from "./sidebar.module.css";

const maxShown = 8;

export function TopicList({ channel, current }: { channel: number; current: string | undefined }) {
  const { store } = useClient();
  const topics = useTopics(channel);
  const names = useSelect((state) => {
    const all = (topics ?? []).map(({ name }) => name);
    const isUnread = (name: string) => (state.unread[topicKey(channel, name)]?.ids.length ?? 0) > 0;
    const isMuted = (name: string) => visibilityOf(state, channel, name) === visibility.muted;
    const isCurrent = (name: string) => name.toLowerCase() === current?.toLowerCase();
    const shown = all.filter(
      (name, i) => isCurrent(name) || (!isMuted(name) && (i < maxShown || isUnread(name))),
    );
    return current === undefined || all.some(isCurrent) ? shown : [current, ...shown];
  }, sameList);
  const { order, holding } = useHeldOrder(names);
  if (!topics) return null;
  return (
    <ul className={css.topics} {...holding}>
      {order.map((name) => (
        <TopicLink
          key={name.toLowerCase()}
          channel={channel}
          name={name}
          isCurrent={name.toLowerCase() === current?.toLowerCase()}
        />
      ))}
      {topics.length > names.length ? (
        <li>
          <a className={css.moreTopics} href={linkTo({ view: "topics", channel }, store.get())} data-row>
            {t("{count, plural, one {# topic} other {All # topics}}", { count: topics.length })}
          </a>
        </li>
      ) : null}
    </ul>
  );
}

interface LinkProps {
  channel: number;
  name: string;
  isCurrent: boolean;
}

const TopicLink = memo(function TopicLink({ channel, name, isCurrent }: LinkProps) {
  const { store } = useClient();
  const shown = topicName(name);
  const unread = useSelect((state) => state.unread[topicKey(channel, name)]?.ids.length ?? 0);
  const mentions = useSelect((state) => state.unread[topicKey(channel, name)]?.mentions.length ?? 0);
  const policy = useSelect((state) => visibilityOf(state, channel, name));
  return (
    <li>
      <a
        className={classes(
          css.topic,
          isCurrent && css.current,
          unread > 0 && css.bold,
          policy === visibility.muted && css.quiet,
          name === "" && css.general,
        )}
        href={linkTo(placeRoute({ stream_id: channel, topic: name }), store.get())}
        aria-current={isCurrent ? "page" : undefined}
        data-channel={channel}
        data-topic={name}
        data-conversation
        data-row
      >
        <span className={css.name} dir="auto">
          <TopicName name={shown} />
        </span>
        {policy === visibility.followed ? (
          <BellRing size={12} strokeWidth={1.5} aria-label={t("followed")} />
        ) : null}
        {policy === visibility.muted ? <BellOff size={12} strokeWidth={1.5} aria-label={t("muted")} /> : null}
        {mentions > 0 ? <Badge count={mentions} look="mention" what="mentions" /> : null}
        <Badge count={unread} />
      </a>
    </li>
  );
});
