// The channels: pinned ones first, then by folder, inactive ones last. The open channel lists its topics.
import { Compass, Plus, Settings2 } from "lucide-react";
import { memo, useState } from "react";
import type { Subscription } from "@/places/subscriptions/schema.ts";
import { useClient, useSelect } from "../../api/client.ts";
import { classes } from "../../lib/classes.ts";
import { useFolded } from "../../lib/collapse.ts";
import { useHeldOrder } from "../../lib/held.ts";
import { useGrowing } from "../../lib/incremental.ts";
import { collator, t } from "../../lib/texts.ts";
import { markColor } from "../../state/mark-color.ts";
import { operandOf } from "../../state/narrows.ts";
import { channelCounts, type UnreadCount } from "../../state/selectors.ts";
import type { State } from "../../state/state.ts";
import { Badge } from "../../ui/badge.tsx";
import { channelIcon } from "../../ui/channel-icon.ts";
import { linkTo } from "../../ui/routes/navigation.ts";
import { channelRoute } from "../../ui/routes/opening.ts";
import type { Route } from "../../ui/routes/route.ts";
import { Section } from "./section.tsx";
import css from "./sidebar.module.css";
import { TopicList } from "./topic-list.tsx";

interface ChannelGroup {
  /** Under which it is remembered as folded: the name, in English. */
  key: string;
  name: string;
  channels: Subscription[];
  quiet: Subscription[];
}

const manyChannels = 30;

/** For visitors, all that is public on the web. */
function listVisited(streams: State["streams"]): Record<number, Subscription> {
  const plain = { color: "", is_muted: false, in_home_view: true, pin_to_top: false };
  const inherited = {
    desktop_notifications: null,
    audible_notifications: null,
    push_notifications: null,
    email_notifications: null,
    wildcard_mentions_notify: null,
  };
  return Object.fromEntries(
    Object.values(streams).map((one) => [one.stream_id, { ...one, ...plain, ...inherited }]),
  );
}

let last: { parts: readonly unknown[]; sections: ChannelGroup[] } | null = null;

/** Cached until something that it depends on changes. */
function sectionsOf(state: State): ChannelGroup[] {
  const { self, streams, subscriptions, channel_folders } = state;
  const { demote_inactive_streams, web_left_sidebar_show_channel_folders: hasFolders } = state.user_settings;
  const parts = [self, streams, subscriptions, channel_folders, demote_inactive_streams, hasFolders];
  if (last?.parts.every((part, i) => part === parts[i])) return last.sections;
  const all = Object.values(self.user_id < 0 ? listVisited(streams) : subscriptions)
    .filter(({ is_archived }) => !is_archived)
    .sort((a, b) => collator.compare(a.name, b.name));
  const demotes =
    demote_inactive_streams === 2 || (demote_inactive_streams === 1 && all.length >= manyChannels);
  const isQuiet = (one: Subscription) =>
    one.is_muted || (demotes && !one.is_recently_active && !one.pin_to_top);
  const section = (key: string, channels: Subscription[], name = key): ChannelGroup => ({
    key,
    name,
    channels: channels.filter((one) => !isQuiet(one)),
    quiet: channels.filter(isQuiet),
  });
  const rest = all.filter(({ pin_to_top }) => !pin_to_top);
  const folders = hasFolders
    ? channel_folders.filter(({ is_archived }) => !is_archived).toSorted((a, b) => a.order - b.order)
    : [];
  const inFolder = new Set(folders.map(({ id }) => id));
  const loose = rest.filter(({ folder_id }) => folder_id === null || !inFolder.has(folder_id));
  const sections = [
    section(
      "Pinned channels",
      all.filter(({ pin_to_top }) => pin_to_top),
      t("Pinned channels"),
    ),
    ...folders.map(({ id, name }) =>
      section(
        name,
        rest.filter(({ folder_id }) => folder_id === id),
      ),
    ),
    folders.length > 0
      ? section("Other channels", loose, t("Other channels"))
      : section("Channels", loose, t("Channels")),
  ].filter(({ channels, quiet }) => channels.length + quiet.length > 0);
  last = { parts, sections };
  return sections;
}

/** The channel that the view is about. */
function openChannel(route: Route): number | null {
  if (route.view === "topics") return route.channel;
  if (route.view !== "messages") return null;
  const operand = operandOf(route.terms, "channel");
  return operand !== undefined && /^\d+$/.test(operand) ? Number(operand) : null;
}

export function Channels({ route }: { route: Route }) {
  const { store } = useClient();
  const sections = useSelect(sectionsOf);
  const counts = useSelect(channelCounts);
  const open = openChannel(route);
  const topic = route.view === "messages" ? operandOf(route.terms, "topic") : undefined;
  return (
    <>
      {sections.length === 0 ? <p className={css.hint}>{t("You are in no channel yet.")}</p> : null}
      {sections.map((section) => (
        <ChannelSection key={section.key} section={section} counts={counts} open={open} topic={topic} />
      ))}
      <a
        className={classes(css.row, css.browse, route.view === "channels" && css.current)}
        href={linkTo({ view: "channels" }, store.get())}
        data-row
      >
        <Compass size={16} strokeWidth={1.5} aria-hidden="true" className={css.mark} />
        <span className={css.name}>{t("Browse channels")}</span>
      </a>
    </>
  );
}

interface SectionProps {
  section: ChannelGroup;
  counts: ReadonlyMap<number, UnreadCount>;
  open: number | null;
  topic: string | undefined;
}

const none: UnreadCount = { unread: 0, mentions: 0 };

function ChannelSection({ section, counts, open, topic }: SectionProps) {
  const [isOpen, setOpen] = useState(false);
  const policy = useSelect((state) => state.user_settings.web_stream_unreads_count_display_policy);
  const sums = useSelect((state) => state.user_settings.web_left_sidebar_unreads_count_summary);
  const { key, name, channels, quiet } = section;
  const [isFolded] = useFolded(key);
  const inView = quiet.filter(({ stream_id }) => isOpen || stream_id === open);
  const all = isFolded
    ? [...channels, ...quiet].filter(({ stream_id }) => stream_id === open)
    : [...channels, ...inView];
  const drawn = useGrowing(all.length);
  const byId = new Map(all.map((one) => [one.stream_id, one]));
  const { order, holding } = useHeldOrder([...byId.keys()]);
  const rows = order.flatMap((id, i) => ((i < drawn || id === open) && byId.get(id)) || []);
  const countsUnread = ({ is_muted }: Subscription) => policy === 1 || (policy === 2 && !is_muted);
  const sum = { ...none };
  for (const channel of [...channels, ...quiet]) {
    const { unread, mentions } = counts.get(channel.stream_id) ?? none;
    sum.mentions += mentions;
    if (countsUnread(channel)) sum.unread += unread;
  }
  const row = (channel: Subscription) => {
    const { unread, mentions } = counts.get(channel.stream_id) ?? none;
    return (
      <ChannelLink
        key={channel.stream_id}
        channel={channel}
        unread={unread}
        mentions={mentions}
        countsUnread={countsUnread(channel)}
        isOpen={channel.stream_id === open}
        topic={channel.stream_id === open ? topic : undefined}
      />
    );
  };
  return (
    <Section
      id={key}
      title={name}
      counts={
        <>
          {sum.mentions > 0 ? <Badge count={sum.mentions} look="mention" what="mentions" /> : null}
          {sums ? <Badge count={sum.unread} /> : null}
        </>
      }
      {...holding}
    >
      {() => (
        <>
          <ul className={css.list}>{rows.map(row)}</ul>
          {quiet.length > 0 && !isFolded ? (
            <button
              type="button"
              className={css.more}
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
              data-row
            >
              {isOpen
                ? t("Hide quiet channels")
                : t("{count, plural, one {# muted or inactive} other {# muted or inactive}}", {
                    count: quiet.length,
                  })}
            </button>
          ) : null}
        </>
      )}
    </Section>
  );
}

interface LinkProps {
  channel: Subscription;
  unread: number;
  mentions: number;
  countsUnread: boolean;
  isOpen: boolean;
  topic: string | undefined;
}

const ChannelLink = memo(function ChannelLink({
  channel,
  unread,
  mentions,
  countsUnread,
  isOpen,
  topic,
}: LinkProps) {
  const { store, isVisitor } = useClient();
  // The setting and the unread messages decide where the link leads.
  useSelect((state) => state.user_settings.web_channel_default_view);
  const Mark = channelIcon(channel);
  const isCurrent = isOpen && topic === undefined;
  const id = channel.stream_id;
  return (
    <li>
      <div className={classes(css.rowFrame, isCurrent && css.current)} data-channel={id}>
        <a
          className={classes(
            css.row,
            unread > 0 && !channel.is_muted && css.bold,
            channel.is_muted && css.quiet,
          )}
          href={linkTo(channelRoute(store.get(), id), store.get())}
          aria-current={isCurrent ? "page" : undefined}
          data-conversation
          data-row
        >
          <Mark
            size={16}
            strokeWidth={2}
            color={markColor(channel.color)}
            aria-hidden="true"
            className={css.mark}
          />
          <span className={css.name}>{channel.name}</span>
          {mentions > 0 ? <Badge count={mentions} look="mention" what="mentions" /> : null}
          {countsUnread ? <Badge count={unread} /> : null}
        </a>
        <span className={css.rowTools}>
          {isVisitor ? null : (
            <a
              className={css.rowTool}
              href={`${linkTo({ view: "topics", channel: id }, store.get())}`}
              aria-label={t("New topic in {channel}", { channel: channel.name })}
              data-tip={t("New topic")}
              data-new-topic={id}
              data-row
            >
              <Plus size={14} strokeWidth={1.5} aria-hidden="true" />
            </a>
          )}
          <a
            className={css.rowTool}
            href={linkTo({ view: "channels", channel: id }, store.get())}
            aria-label={t("About {channel}", { channel: channel.name })}
            data-tip={t("About this channel")}
            data-row
          >
            <Settings2 size={14} strokeWidth={1.5} aria-hidden="true" />
          </a>
        </span>
      </div>
      {isOpen ? <TopicList channel={id} current={topic} /> : null}
    </li>
  );
});
