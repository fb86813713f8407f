// What stands above the first message of a conversation: what it is, who started it and when, and how many take part.
import { type ReactNode, useEffect, useState } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { parts, t } from "../../lib/texts.ts";
import { fullTime } from "../../lib/times.ts";
import { channelOf, colorOf, namesOf, topicName } from "../../state/selectors.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { channelIcon } from "../../ui/channel-icon.ts";
import { Rich } from "../../ui/rich.tsx";
import { linkTo } from "../../ui/routes/navigation.ts";
import { TopicName } from "../../ui/topic-name.tsx";
import { localTimeOf } from "../people/facts.tsx";
import css from "./beginning.module.css";
import type { Beginning } from "./rows.ts";

export function ConversationBeginning({ beginning }: { beginning: Beginning }) {
  const { place } = beginning;
  return (
    <section className={css.beginning} data-beginning>
      {"stream_id" in place ? (
        <TopicBeginning beginning={beginning} channel={place.stream_id} topic={place.topic} />
      ) : (
        <DirectBeginning beginning={beginning} userIds={place.user_ids} />
      )}
    </section>
  );
}

interface TopicProps {
  beginning: Beginning;
  channel: number;
  topic: string;
}

function TopicBeginning({ beginning, channel, topic }: TopicProps) {
  const { store, isVisitor } = useClient();
  const about = useSelect((state) => channelOf(state, channel));
  const color = useSelect((state) => colorOf(state, channel));
  const title = topicName(topic);
  if (!about) return null;
  const Mark = channelIcon(about);
  const name = `#${about.name}`;
  const link = (content: ReactNode) => (
    <a href={linkTo({ view: "topics", channel }, store.get())}>
      <bdi>{content}</bdi>
    </a>
  );
  const { first } = beginning;
  // Nobody who sees only a part of the history knows who started it.
  const starter = about.history_public_to_subscribers ? first : undefined;
  return (
    <>
      <span className={css.mark}>
        <Mark size={20} strokeWidth={2} color={color} aria-hidden="true" />
      </span>
      <h2 className={css.title} dir="auto">
        <TopicName name={title} />
      </h2>
      {first === undefined && !isVisitor ? (
        <p className={css.text}>
          <Rich
            parts={parts("A new topic in <channel>{channel}</channel>. Write the first message below.", {
              channel: name,
            })}
            channel={link}
          />
        </p>
      ) : null}
      {starter ? (
        <p className={css.text}>
          <Started name={starter.sender_full_name} id={starter.sender_id} channel={name} link={link} />
        </p>
      ) : null}
      {first && !starter ? (
        <p className={css.text}>{t("You see what was written since you joined.")}</p>
      ) : null}
      <Facts beginning={beginning} time={starter?.timestamp} />
    </>
  );
}

function Started({
  name,
  id,
  channel,
  link,
}: {
  name: string;
  id: number;
  channel: string;
  link: (content: ReactNode) => ReactNode;
}) {
  const known = useSelect((state) => state.users[id]?.full_name ?? name);
  return (
    <Rich
      parts={parts("Started by <person>{name}</person> in <channel>{channel}</channel>", {
        name: known,
        channel,
      })}
      person={(content) => <bdi className={css.name}>{content}</bdi>}
      channel={link}
    />
  );
}

function Facts({ beginning, time }: { beginning: Beginning; time?: number | undefined }) {
  const isTwentyFour = useSelect((state) => state.user_settings.twenty_four_hour_time);
  const { people } = beginning;
  const facts = [
    ...(time === undefined ? [] : [fullTime(time, isTwentyFour)]),
    ...(people === undefined
      ? []
      : [t("{count, plural, one {# person has written} other {# people have written}}", { count: people })]),
  ];
  if (facts.length === 0) return null;
  return (
    <p className={css.facts}>
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </p>
  );
}

const maxPictures = 5;

function DirectBeginning({ beginning, userIds }: { beginning: Beginning; userIds: readonly number[] }) {
  const title = useSelect((state) => namesOf(state, userIds));
  const self = useSelect((state) => state.self.user_id);
  const [only = 0] = userIds;
  const isSelf = userIds.length === 1 && only === self;
  const text = () => {
    if (isSelf) return t("Notes to yourself: only you read what you write here.");
    if (userIds.length > 1) return t("Only you and these people read what is written here.");
    return t("Only you and {name} read what is written here.", { name: title });
  };
  return (
    <>
      <span className={css.pictures}>
        {userIds.slice(0, maxPictures).map((id) => (
          <Picture key={id} userId={id} />
        ))}
      </span>
      <h2 className={css.title} dir="auto">
        {title}
      </h2>
      <p className={css.text}>{text()}</p>
      {userIds.length === 1 && !isSelf ? <LocalTime userId={only} /> : null}
      {beginning.first ? (
        <Facts beginning={{ ...beginning, people: undefined }} time={beginning.first.timestamp} />
      ) : null}
    </>
  );
}

function Picture({ userId }: { userId: number }) {
  const src = useSelect((state) => state.users[userId]?.avatar_url ?? "");
  return <Avatar src={src} size={40} />;
}

/** What time it is where they are, if it is another one than here. */
function LocalTime({ userId }: { userId: number }) {
  const timezone = useSelect((state) => state.users[userId]?.timezone ?? "");
  const isTwentyFour = useSelect((state) => state.user_settings.twenty_four_hour_time);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  const time = localTimeOf(timezone, now, isTwentyFour);
  return time === "" ? null : <p className={css.facts}>{time}</p>;
}
