// Asks where a new message goes, and opens that conversation to write in.
import { useEffect, useId, useState } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { collator, t } from "../../lib/texts.ts";
import { directPlace, type Place } from "../../state/places.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { PeopleList } from "../../ui/people-list.tsx";
import { PeoplePicker } from "../../ui/people-picker.tsx";
import { goTo, linkTo } from "../../ui/routes/navigation.ts";
import { placeRoute } from "../../ui/routes/route.ts";
import { Tabs } from "../../ui/tabs.tsx";

const tabs = [
  { id: "channel", title: t("In a channel|where it goes") },
  { id: "people", title: t("To people") },
] as const;

/** The first field of the tab that is open. */
const firstField = {
  get current(): HTMLElement | null {
    return document.querySelector<HTMLElement>("[role=tabpanel] select, [role=tabpanel] input");
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
          <ChannelPlace first={channel} onChoose={setPlace} />
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

function ChannelPlace({ first, onChoose }: PlaceProps & { first: number | undefined }) {
  const { fetching } = useClient();
  const subscriptions = useSelect((state) => state.subscriptions);
  const max = useSelect((state) => state.organization.max_topic_length);
  const open = Object.values(subscriptions)
    .filter(({ is_archived }) => !is_archived)
    .sort((a, b) => collator.compare(a.name, b.name));
  const [channel, setChannel] = useState(first ?? 0);
  const [topic, setTopic] = useState("");
  const topics = useSelect((state) => state.topic_lists[channel]);
  useEffect(() => {
    // Suggested names; typing works without them.
    if (!topics && channel > 0) fetching.topics(channel).catch(() => {});
  }, [topics, channel, fetching]);
  const list = useId();
  const isPlain = subscriptions[channel]?.topics_policy === "empty_topic_only";
  const named = isPlain ? "" : topic.trim();
  useEffect(() => {
    onChoose(channel > 0 && (isPlain || named !== "") ? { stream_id: channel, topic: named } : null);
  }, [channel, named, isPlain, onChoose]);
  if (open.length === 0) return <p>{t("You are in no channel yet.")}</p>;
  return (
    <>
      <Select
        label={t("Channel")}
        value={channel}
        choices={[
          ...(channel === 0 ? [{ value: 0, label: t("Choose a channel") }] : []),
          ...open.map(({ stream_id, name }) => ({ value: stream_id, label: name })),
        ]}
        onChange={setChannel}
      />
      {isPlain ? null : (
        <TextField
          label={t("Topic")}
          hint={t("What it is about. An existing topic goes on, another name starts a new one.")}
          value={topic}
          maxLength={max}
          list={list}
          autoComplete="off"
          onChange={setTopic}
        />
      )}
      <datalist id={list}>
        {(topics ?? [])
          .filter(({ name }) => name !== "")
          .slice(0, 50)
          .map(({ name }) => (
            <option key={name} value={name} />
          ))}
      </datalist>
    </>
  );
}

function PeoplePlace({ onChoose }: PlaceProps) {
  const self = useSelect((state) => state.self.user_id);
  const [ids, setIds] = useState<readonly number[]>([]);
  useEffect(() => onChoose(ids.length > 0 ? directPlace(ids, self) : null), [ids, self, onChoose]);
  return (
    <>
      <PeoplePicker label={t("To")} without={new Set(ids)} onPick={(id) => setIds([...ids, id])} />
      <PeopleList ids={ids} onRemove={(id) => setIds(ids.filter((one) => one !== id))} />
    </>
  );
}
