// Asks where a new message goes, and opens that conversation to write in.
import { Hash } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { best, fold } from "../../lib/matching.ts";
import { collator, t } from "../../lib/texts.ts";
import type { Channel } from "../../state/channels.ts";
import { mayRead } from "../../state/permissions.ts";
import { directPlace, type Place } from "../../state/places.ts";
import { colorOf } from "../../state/selectors.ts";
import type { State } from "../../state/state.ts";
import { Button } from "../../ui/button.tsx";
import { channelIcon } from "../../ui/channel-icon.ts";
import { Combobox } from "../../ui/combobox.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PeopleList } from "../../ui/people-list.tsx";
import { PeoplePicker } from "../../ui/people-picker.tsx";
import { goTo, linkTo } from "../../ui/routes/navigation.ts";
import { placeRoute } from "../../ui/routes/route.ts";
import { Tabs } from "../../ui/tabs.tsx";
import { TopicName } from "../../ui/topic-name.tsx";
import css from "./new-message.module.css";
import { reasonForClosed } from "./warnings.ts";

const tabs = [
  { id: "channel", title: t("In a channel|where it goes") },
  { id: "people", title: t("To people") },
] as const;

/** The first field of the open tab that is empty. */
const firstField = {
  get current(): HTMLElement | null {
    const fields = [...document.querySelectorAll<HTMLInputElement>("[role=tabpanel] input")];
    return fields.find(({ value }) => value === "") ?? fields[0] ?? null;
  },
};

/** Opens a conversation with the cursor in the composer. */
function writeIn(open: () => void): void {
  open();
  const focus = (attempts: number) => {
    const field = document.querySelector<HTMLElement>("[data-composer]");
    if (field) field.focus();
    else if (attempts > 0) requestAnimationFrame(() => focus(attempts - 1));
  };
  requestAnimationFrame(() => focus(30));
}

interface NewMessageProps {
  channel?: number;
  toPeople?: boolean;
  onClose: () => void;
}

export function NewMessage({ channel, toPeople, onClose }: NewMessageProps) {
  const { store } = useClient();
  const [tab, setTab] = useState<"channel" | "people">(toPeople ? "people" : "channel");
  const [place, setPlace] = useState<Place | null>(null);
  const write = () => {
    if (!place) return;
    onClose();
    writeIn(() => goTo(linkTo(placeRoute(place), store.get())));
  };
  return (
    <Dialog
      title={t("New message")}
      initialFocus={firstField}
      onClose={onClose}
      onSubmit={write}
      actions={
        <>
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button type="submit" look="primary" disabled={!place}>
            {t("Write")}
          </Button>
        </>
      }
    >
      <Tabs label={t("Where it goes")} tabs={tabs} chosen={tab} onChoose={setTab}>
        {tab === "channel" ? (
          <ChannelPlace first={channel} onChoose={setPlace} onLeave={onClose} />
        ) : (
          <PeoplePlace onChoose={setPlace} />
        )}
      </Tabs>
    </Dialog>
  );
}

interface PlaceProps {
  onChoose: (place: Place | null) => void;
}

let last: { parts: readonly unknown[]; channels: Channel[] } | null = null;

/** Those that the person may write in, their own first, then by name; cached until something that they depend on changes. */
function writableChannels(state: State): Channel[] {
  const parts = [state.self, state.streams, state.subscriptions, state.groups];
  if (last?.parts.every((part, i) => part === parts[i])) return last.channels;
  const channels = Object.values(state.streams)
    .filter((one) => mayRead(state, one) && !reasonForClosed(state, { stream_id: one.stream_id, topic: "" }))
    .sort(
      (a, b) =>
        Number(b.stream_id in state.subscriptions) - Number(a.stream_id in state.subscriptions) ||
        collator.compare(a.name, b.name),
    );
  last = { parts, channels };
  return channels;
}

const maxChannels = 50;
const maxTopics = 20;

interface ChannelPlaceProps extends PlaceProps {
  first: number | undefined;
  /** Called before another view is opened. */
  onLeave: () => void;
}

function ChannelPlace({ first, onChoose, onLeave }: ChannelPlaceProps) {
  const { fetching, store } = useClient();
  const open = useSelect(writableChannels);
  const max = useSelect((state) => state.organization.max_topic_length);
  const [typed, setTyped] = useState(() => open.find(({ stream_id }) => stream_id === first)?.name ?? "");
  const [topic, setTopic] = useState("");
  const topicField = useRef<HTMLInputElement>(null);
  const wanted = typed.trim();
  const channel = open.find(({ name }) => fold(name) === fold(wanted));
  const id = channel?.stream_id ?? 0;
  const topics = useSelect((state) => state.topic_lists[id]);
  useEffect(() => {
    // Suggested names; typing works without them.
    if (!topics && id > 0) fetching.topics(id).catch(() => {});
  }, [topics, id, fetching]);
  const isPlain = channel?.topics_policy === "empty_topic_only";
  const named = isPlain ? "" : topic.trim();
  // Before the next key, which may be Enter.
  useLayoutEffect(() => {
    onChoose(id > 0 && (isPlain || named !== "") ? { stream_id: id, topic: named } : null);
  }, [id, named, isPlain, onChoose]);
  if (open.length === 0) {
    const browse = () => {
      onLeave();
      goTo(linkTo({ view: "channels" }, store.get()));
    };
    return (
      <EmptyState
        icon={Hash}
        title={t("There is no channel that you can write in")}
        action={
          <Button look="primary" onClick={browse}>
            {t("Find or start a channel")}
          </Button>
        }
      />
    );
  }
  const channels = best(open, ({ name }) => name, channel ? "" : wanted, maxChannels);
  const names = (topics ?? []).map(({ name }) => name).filter((name) => name !== "");
  return (
    <>
      <Combobox
        label={t("Channel")}
        placeholder={t("A part of the name")}
        error={
          channels.length === 0 ? t("There is no channel of this name in which you may write.") : undefined
        }
        value={typed}
        items={channels}
        keyOf={({ stream_id }) => String(stream_id)}
        takesFirst
        onChange={setTyped}
        onChoose={({ name }) => {
          setTyped(name);
          requestAnimationFrame(() => topicField.current?.focus());
        }}
      >
        {(one) => <ChannelOffer channel={one} />}
      </Combobox>
      {isPlain ? null : (
        <Combobox
          ref={topicField}
          label={t("Topic")}
          hint={t("What it is about. An existing topic goes on, another name starts a new one.")}
          value={topic}
          maxLength={max}
          items={names.includes(topic) ? [] : best(names, (name) => name, topic.trim(), maxTopics)}
          keyOf={(name) => name}
          onChange={setTopic}
          onChoose={setTopic}
        >
          {(name) => (
            <bdi className={css.name}>
              <TopicName name={name} />
            </bdi>
          )}
        </Combobox>
      )}
    </>
  );
}

function ChannelOffer({ channel }: { channel: Channel }) {
  const isJoined = useSelect((state) => channel.stream_id in state.subscriptions);
  const color = useSelect((state) => colorOf(state, channel.stream_id));
  const folder = useSelect((state) => state.channel_folders.find(({ id }) => id === channel.folder_id)?.name);
  const Icon = channelIcon(channel);
  return (
    <>
      <Icon className={css.icon} size={16} strokeWidth={2} color={color} aria-hidden="true" />
      <bdi className={css.name}>{channel.name}</bdi>
      {channel.invite_only ? <span className="visually-hidden">{t("Private channel")}</span> : null}
      {folder === undefined ? null : <bdi className={css.note}>{folder}</bdi>}
      {isJoined ? null : <span className={css.note}>{t("Not joined")}</span>}
    </>
  );
}

function PeoplePlace({ onChoose }: PlaceProps) {
  const self = useSelect((state) => state.self.user_id);
  const [ids, setIds] = useState<readonly number[]>([]);
  useLayoutEffect(() => onChoose(ids.length > 0 ? directPlace(ids, self) : null), [ids, self, onChoose]);
  return (
    <>
      <PeoplePicker label={t("To")} without={new Set(ids)} onPick={(id) => setIds([...ids, id])} />
      <PeopleList ids={ids} onRemove={(id) => setIds(ids.filter((one) => one !== id))} />
    </>
  );
}
