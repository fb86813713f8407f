import { BellOff, Pin, Settings2 } from "lucide-react";
import { sameList, useClient, useSelect } from "../../api/client.ts";
import { locale, t } from "../../lib/texts.ts";
import { narrowKey, term } from "../../state/narrows.ts";
import { privacies, privacyOf } from "../../state/privacy.ts";
import { channelOf, colorOf, nameOf } from "../../state/selectors.ts";
import { IconButton } from "../../ui/button.tsx";
import { channelIcon } from "../../ui/channel-icon.ts";
import { MessageHtml } from "../../ui/content/message-html.tsx";
import { useReader } from "../../ui/content/reader.ts";
import { linkTo } from "../../ui/routes/navigation.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useSubscribers } from "../channels/use-subscribers.ts";
import css from "./panel.module.css";
import { PeopleRows } from "./people-rows.tsx";

const maxWriters = 8;

export function AboutChannel({ channel: id, topic }: { channel: number; topic?: string }) {
  const { store, flagging } = useClient();
  const channel = useSelect((state) => channelOf(state, id));
  const own = useSelect((state) => state.subscriptions[id]);
  const color = useSelect((state) => colorOf(state, id));
  const creator = useSelect((state) => (channel?.creator_id ? nameOf(state, channel.creator_id) : null));
  const folder = useSelect(
    (state) => state.channel_folders.find((one) => one.id === channel?.folder_id)?.name,
  );
  const reader = useReader();
  const { ids } = useSubscribers(id);
  if (!channel) return null;
  const Mark = channelIcon(channel);
  const made = new Date(channel.date_created * 1000).toLocaleDateString(locale, {
    dateStyle: "medium",
  });
  const traffic = channel.stream_weekly_traffic;
  return (
    <>
      <header className={css.head}>
        <Mark size={18} strokeWidth={2} color={color} aria-hidden="true" />
        <h2 className={css.title}>{channel.name}</h2>
      </header>
      <div className={css.scroller}>
        <section className={css.section} aria-label={t("About the channel")}>
          {channel.rendered_description === "" ? (
            <p className={css.quiet}>{t("No description")}</p>
          ) : (
            <MessageHtml html={channel.rendered_description} reader={reader} />
          )}
          <dl className={css.facts}>
            <dt>{t("Readers")}</dt>
            <dd>{privacies.find(({ value }) => value === privacyOf(channel))?.label}</dd>
            {folder === undefined ? null : (
              <>
                <dt>{t("Folder")}</dt>
                <dd>{folder}</dd>
              </>
            )}
            <dt>{t("Created")}</dt>
            <dd>{creator === null ? made : t("{date} by {person}", { date: made, person: creator })}</dd>
            {traffic === null ? null : (
              <>
                <dt>{t("Messages")}</dt>
                <dd>{t("{count} a week", { count: String(traffic) })}</dd>
              </>
            )}
          </dl>
          <div className={css.tools}>
            {own ? (
              <>
                <IconButton
                  label={own.pin_to_top ? t("Unpin") : t("Pin to the top of the list")}
                  icon={Pin}
                  pressed={own.pin_to_top}
                  onClick={() => void flagging.setSubscription(id, "pin_to_top", !own.pin_to_top)}
                />
                <IconButton
                  label={own.is_muted ? t("Unmute the channel") : t("Mute the channel")}
                  icon={BellOff}
                  pressed={own.is_muted}
                  onClick={() => void flagging.setSubscription(id, "is_muted", !own.is_muted)}
                />
              </>
            ) : null}
            <a className={css.link} href={linkTo({ view: "channels", channel: id }, store.get())}>
              <Settings2 size={16} strokeWidth={1.5} aria-hidden="true" />
              {t("Settings of the channel")}
            </a>
          </div>
        </section>
        {topic === undefined ? null : <Writers channel={id} topic={topic} />}
        <section className={css.section} aria-label={t("People in the channel")}>
          {ids === null ? <Skeleton lines={4} /> : <PeopleRows title={t("In the channel")} ids={ids} />}
        </section>
      </div>
    </>
  );
}

/** Who wrote in the topic, as far as its messages are loaded; the latest first. */
function Writers({ channel, topic }: { channel: number; topic: string }) {
  const key = narrowKey([term("channel", channel), term("topic", topic)]);
  const ids = useSelect((state) => {
    const senders = (state.windows[key]?.ids ?? [])
      .toReversed()
      .flatMap((id) => state.messages[id]?.sender_id ?? []);
    return [...new Set(senders)].slice(0, maxWriters);
  }, sameList);
  if (ids.length === 0) return null;
  return (
    <section className={css.section} aria-label={t("People in the topic")}>
      <PeopleRows title={t("Wrote in this topic")} ids={ids} isInOrder />
    </section>
  );
}
