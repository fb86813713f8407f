// All channels that the person may see: finding, joining and leaving them.
import { Compass, Plus } from "lucide-react";
import { useState } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { classes } from "../../lib/classes.ts";
import { best } from "../../lib/matching.ts";
import { collator, t } from "../../lib/texts.ts";
import type { Channel } from "../../state/channels.ts";
import { mayRead, possiblePrivacies } from "../../state/permissions.ts";
import { Button } from "../../ui/button.tsx";
import { channelIcon } from "../../ui/channel-icon.ts";
import { plainText } from "../../ui/emoji/plain.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { linkTo } from "../../ui/routes/navigation.ts";
import { ViewHead } from "../../ui/view-head.tsx";
import { setJoined } from "../channels/join-button.tsx";
import { NewChannel } from "../organize/new-channel.tsx";
import css from "./browse.module.css";

const maxShown = 300;
type Filter = "all" | "joined" | "others";
const filters: Record<Filter, string> = { all: t("All"), others: t("Not joined"), joined: t("Joined") };

export function Browse() {
  const streams = useSelect((state) => state.streams);
  const subscriptions = useSelect((state) => state.subscriptions);
  const [wanted, setWanted] = useState("");
  const [isMaking, setMaking] = useState(false);
  const { isVisitor } = useClient();
  const mayMake = useSelect((state) => possiblePrivacies(state).length > 0) && !isVisitor;
  const [filter, setFilter] = useState<Filter>("all");
  const open = Object.values({ ...streams, ...subscriptions })
    .filter(
      ({ is_archived, stream_id }) =>
        !is_archived && (filter === "all" || (filter === "joined") === stream_id in subscriptions),
    )
    .sort((a, b) => collator.compare(a.name, b.name));
  const found =
    wanted === "" ? open : best(open, ({ name, description }) => `${name} ${description}`, wanted, maxShown);
  const shown = found.slice(0, maxShown);
  return (
    <>
      <ViewHead title={t("Channels")}>
        {mayMake ? (
          <Button icon={Plus} onClick={() => setMaking(true)}>
            {t("New channel")}
          </Button>
        ) : null}
      </ViewHead>
      {isMaking ? <NewChannel onClose={() => setMaking(false)} /> : null}
      <div className={css.page}>
        <div className={css.inner}>
          <div className={css.tools}>
            <input
              className={css.field}
              type="search"
              placeholder={t("Find a channel")}
              aria-label={t("Find a channel")}
              value={wanted}
              onChange={(event) => setWanted(event.target.value)}
            />
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
          </div>
          {shown.length === 0 ? (
            <Nothing
              filter={filter}
              isSearch={wanted !== ""}
              onMake={mayMake ? () => setMaking(true) : undefined}
            />
          ) : (
            <ul className={css.list}>
              {shown.map((channel) => (
                <ChannelRow
                  key={channel.stream_id}
                  channel={channel}
                  isJoined={channel.stream_id in subscriptions}
                />
              ))}
            </ul>
          )}
          {found.length > shown.length ? (
            <p className={css.more}>
              {t(
                "{count, plural, one {# more: type a part of the name.} other {# more: type a part of the name.}}",
                { count: found.length - shown.length },
              )}
            </p>
          ) : null}
        </div>
      </div>
    </>
  );
}

interface NothingProps {
  filter: Filter;
  isSearch: boolean;
  /** Absent for those who may not create channels. */
  onMake: (() => void) | undefined;
}

function Nothing({ filter, isSearch, onMake }: NothingProps) {
  const isEmpty = useSelect(({ streams, subscriptions }) =>
    [streams, subscriptions].every((all) => Object.values(all).every(({ is_archived }) => is_archived)),
  );
  if (isEmpty) {
    return (
      <EmptyState
        icon={Compass}
        title={t("No channels yet")}
        action={
          onMake ? (
            <Button look="primary" icon={Plus} onClick={onMake}>
              {t("Start the first channel")}
            </Button>
          ) : null
        }
      >
        {t("A channel is the place for one subject, such as “launch” or “kitchen”.")}
      </EmptyState>
    );
  }
  if (isSearch) {
    return (
      <EmptyState icon={Compass} title={t("No channel found")}>
        {t("Try another word.")}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={Compass}
      title={filter === "joined" ? t("You are in no channel yet") : t("You have joined all channels")}
    />
  );
}

function ChannelRow({ channel, isJoined }: { channel: Channel; isJoined: boolean }) {
  const client = useClient();
  const { store, isVisitor } = client;
  const mayJoin = useSelect((state) => mayRead(state, channel));
  const [isBusy, setBusy] = useState(false);
  const Mark = channelIcon(channel);
  const { stream_id, name, rendered_description, subscriber_count, stream_weekly_traffic } = channel;
  const change = async () => {
    setBusy(true);
    await setJoined(client, name, !isJoined);
    setBusy(false);
  };
  const people = t("{count, plural, one {# person} other {# people}}", { count: subscriber_count });
  const traffic =
    stream_weekly_traffic === null
      ? t("new this week")
      : t("{count, plural, one {# message a week} other {# messages a week}}", {
          count: stream_weekly_traffic,
        });
  return (
    <li className={css.row}>
      <a className={css.link} href={linkTo({ view: "topics", channel: stream_id }, store.get())}>
        <Mark size={18} strokeWidth={1.5} aria-hidden="true" />
        <span className={css.words}>
          <span className={css.name}>{name}</span>
          <span className={css.about} dir="auto">
            {plainText(rendered_description) || t("No description")}
          </span>
        </span>
        <span className={css.facts}>
          {people} · {traffic}
        </span>
      </a>
      {isVisitor || !(isJoined || mayJoin) ? null : (
        <Button
          size="small"
          look={isJoined ? "plain" : "primary"}
          busy={isBusy}
          className={classes(css.join)}
          aria-label={
            isJoined ? t("Leave {channel}", { channel: name }) : t("Join {channel}", { channel: name })
          }
          onClick={() => void change()}
        >
          {isJoined ? t("Leave") : t("Join")}
        </Button>
      )}
    </li>
  );
}
