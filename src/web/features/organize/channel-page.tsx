import { Info } from "lucide-react";
import { useState } from "react";
import { sameList, useClient, useSelect } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import type { Channel } from "../../state/channels.ts";
import {
  mayAddOthers,
  mayAdminister,
  mayRead,
  mayRemoveOthers,
  maySetDeletion,
  maySetTopicsPolicy,
  possiblePrivacies,
} from "../../state/permissions.ts";
import { privacies, privacyOf, privacyParams } from "../../state/privacy.ts";
import { channelOf } from "../../state/selectors.ts";
import { Button } from "../../ui/button.tsx";
import { MessageHtml } from "../../ui/content/message-html.tsx";
import { useReader } from "../../ui/content/reader.ts";
import { Confirm } from "../../ui/dialog.tsx";
import { plainText } from "../../ui/emoji/plain.ts";
import { Radios, Select, Switch, TextArea, TextField } from "../../ui/field.tsx";
import { Form, useForm } from "../../ui/form.tsx";
import { NotFound } from "../../ui/not-found.tsx";
import { PeopleList } from "../../ui/people-list.tsx";
import { PeoplePicker } from "../../ui/people-picker.tsx";
import { goTo, linkTo } from "../../ui/routes/navigation.ts";
import { channelRoute } from "../../ui/routes/opening.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { showFailure } from "../../ui/toasts.tsx";
import { ViewHead } from "../../ui/view-head.tsx";
import { JoinButton } from "../channels/join-button.tsx";
import { useSubscribers } from "../channels/use-subscribers.ts";
import css from "./organize.module.css";
import { PermissionField } from "./permission-field.tsx";

const tabs = [
  { id: "about", title: t("About") },
  { id: "people", title: t("People") },
  { id: "permissions", title: t("Permissions") },
] as const;
type Tab = (typeof tabs)[number]["id"];

const onlyAdministrators = t("Only those who administer the channel can change this.");

/** What a channel is, who is in it and who may do what. */
export function ChannelPage({ channelId, section }: { channelId: number; section?: string | undefined }) {
  const { store } = useClient();
  const channel = useSelect((state) => channelOf(state, channelId));
  const chosen = tabs.find(({ id }) => id === section)?.id ?? "about";
  if (!channel) {
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
  const choose = (id: Tab) =>
    goTo(linkTo({ view: "channels", channel: channelId, section: id }, store.get()), { replace: true });
  return (
    <>
      <ViewHead title={`#${channel.name}`} note={plainText(channel.rendered_description)}>
        <JoinButton channel={channelId} />
        <Button
          size="small"
          aria-label={t("Open {channel}", { channel: `#${channel.name}` })}
          onClick={() => goTo(linkTo(channelRoute(store.get(), channelId), store.get()))}
        >
          {t("Open")}
        </Button>
      </ViewHead>
      <div className={css.page}>
        <div className={css.inner}>
          <Tabs label={t("About the channel")} tabs={tabs} chosen={chosen} onChoose={choose}>
            {chosen === "about" ? <About key={channelId} channel={channel} /> : null}
            {chosen === "people" ? <People key={channelId} channel={channel} /> : null}
            {chosen === "permissions" ? <Permissions channel={channel} /> : null}
          </Tabs>
        </div>
      </div>
    </>
  );
}

function useChange({ stream_id }: Channel) {
  const { api } = useClient();
  return (params: Record<string, unknown>) => api.patch(`/streams/${stream_id}`, params);
}

function About({ channel }: { channel: Channel }) {
  const mayChange = useSelect((state) => mayAdminister(state, channel));
  return mayChange ? <AboutToChange channel={channel} /> : <AboutToRead channel={channel} />;
}

function AboutToRead({ channel }: { channel: Channel }) {
  const reader = useReader();
  const readers = privacies.find(({ value }) => value === privacyOf(channel));
  return (
    <>
      {channel.rendered_description === "" ? null : (
        <MessageHtml html={channel.rendered_description} reader={reader} />
      )}
      <p className={css.quiet}>
        {readers
          ? t("Who may read it: {readers}. Only those who administer the channel can change this.", {
              readers: readers.label,
            })
          : onlyAdministrators}
      </p>
      <ChannelOwn channelId={channel.stream_id} />
    </>
  );
}

function AboutToChange({ channel }: { channel: Channel }) {
  const change = useChange(channel);
  const folders = useSelect((state) => state.channel_folders);
  const possible = useSelect((state) => possiblePrivacies(state, channel), sameList);
  const reads = useSelect((state) => mayRead(state, channel));
  const maySetTopics = useSelect(maySetTopicsPolicy);
  const form = useForm({
    saved: { new_name: channel.name, description: channel.description },
    labels: { new_name: t("Name"), description: t("Description") },
    save: change,
  });
  return (
    <>
      <Form form={form}>
        <TextField {...form.field("new_name")} />
        <TextArea {...form.field("description")} />
      </Form>
      <ChannelOwn channelId={channel.stream_id} />
      <Radios
        legend={t("Who may read it")}
        value={privacyOf(channel)}
        choices={privacies.filter(({ value }) =>
          reads ? possible.includes(value) : value === privacyOf(channel),
        )}
        onChange={(privacy) => void change(privacyParams(privacy, "is_private")).catch(showFailure)}
      />
      <Select
        label={t("Folder")}
        value={channel.folder_id ?? 0}
        choices={[
          { value: 0, label: t("None") },
          ...folders.filter((one) => !one.is_archived).map((one) => ({ value: one.id, label: one.name })),
        ]}
        onChange={(folder) => void change({ folder_id: folder === 0 ? null : folder }).catch(showFailure)}
      />
      <Select
        label={t("Topics")}
        value={channel.topics_policy}
        disabled={!maySetTopics}
        choices={[
          { value: "inherit", label: t("As everywhere in the organization") },
          { value: "allow_empty_topic", label: t("Topics, and general chat without one") },
          { value: "disable_empty_topic", label: t("Always with a topic") },
          { value: "empty_topic_only", label: t("No topics: one conversation") },
        ]}
        onChange={(topics_policy) => void change({ topics_policy }).catch(showFailure)}
      />
      <Archive channel={channel} />
    </>
  );
}

function Archive({ channel }: { channel: Channel }) {
  const { api } = useClient();
  const change = useChange(channel);
  const [isAsking, setAsking] = useState(false);
  if (channel.is_archived) {
    return (
      <div className={css.buttons}>
        <Button onClick={() => void change({ is_archived: false }).catch(showFailure)}>
          {t("Open the channel again")}
        </Button>
      </div>
    );
  }
  return (
    <div className={css.buttons}>
      <Button look="danger" onClick={() => setAsking(true)}>
        {t("Archive the channel …")}
      </Button>
      {isAsking ? (
        <Confirm
          title={t("Archive {channel}?", { channel: `#${channel.name}` })}
          action={t("Archive")}
          danger
          onConfirm={async () => void (await api.delete(`/streams/${channel.stream_id}`))}
          onClose={() => setAsking(false)}
        >
          <p>{t("Nobody can write in it any more, and it leaves the lists. What was said is kept.")}</p>
        </Confirm>
      ) : null}
    </div>
  );
}

function People({ channel }: { channel: Channel }) {
  const { api } = useClient();
  const { stream_id, name } = channel;
  const { ids, load } = useSubscribers(stream_id);
  const mayAdd = useSelect((state) => mayAddOthers(state, channel));
  const mayRemove = useSelect((state) => mayRemoveOthers(state, channel));
  const add = (id: number) => {
    const subscriptions = [{ name }];
    api.post("/users/me/subscriptions", { subscriptions, principals: [id] }).then(load, showFailure);
  };
  const remove = (id: number) => {
    api
      .delete("/users/me/subscriptions", { subscriptions: [name], principals: [id] })
      .then(load, showFailure);
  };
  if (ids === null) return <Skeleton lines={4} />;
  return (
    <>
      {mayAdd ? <PeoplePicker label={t("Add people")} without={new Set(ids)} onPick={add} /> : null}
      <h2 className={css.groupTitle}>
        {t("{count, plural, one {# person} other {# people}}", { count: ids.length })}
      </h2>
      <PeopleList ids={ids} onRemove={mayRemove ? remove : undefined} />
    </>
  );
}

const permissions = [
  ["can_send_message_group", t("May write")],
  ["can_create_topic_group", t("May begin topics")],
  ["can_subscribe_group", t("May join by themselves")],
  ["can_add_subscribers_group", t("May add others")],
  ["can_remove_subscribers_group", t("May remove others")],
  ["can_resolve_topics_group", t("May mark topics as resolved")],
  ["can_move_messages_within_channel_group", t("May move messages to other topics")],
  ["can_move_messages_out_of_channel_group", t("May move messages to other channels")],
  ["can_delete_own_message_group", t("May delete their own messages")],
  ["can_delete_any_message_group", t("May delete any message")],
  ["can_administer_channel_group", t("May change the channel")],
] as const;

/** Only who reads the channel gives these. */
const giveAccess: readonly string[] = ["can_subscribe_group", "can_add_subscribers_group"];
const deletion: readonly string[] = ["can_delete_own_message_group", "can_delete_any_message_group"];

function Permissions({ channel }: { channel: Channel }) {
  const change = useChange(channel);
  const mayChange = useSelect((state) => mayAdminister(state, channel));
  const reads = useSelect((state) => mayRead(state, channel));
  const mayGiveDeletion = useSelect(maySetDeletion);
  const isFixed = (name: (typeof permissions)[number][0]) =>
    !mayChange || (!reads && giveAccess.includes(name)) || (!mayGiveDeletion && deletion.includes(name));
  return (
    <>
      {mayChange ? null : <p className={css.quiet}>{onlyAdministrators}</p>}
      {permissions.map(([name, label]) => (
        <PermissionField
          key={name}
          kind="stream"
          name={name}
          label={label}
          value={channel[name]}
          disabled={isFixed(name)}
          onSave={(to) => change({ [name]: { new: to } })}
        />
      ))}
    </>
  );
}

/** The person's own settings of a channel; nothing if they are not subscribed. */
function ChannelOwn({ channelId }: { channelId: number }) {
  const { flagging } = useClient();
  const own = useSelect((state) => state.subscriptions[channelId]);
  if (!own) return null;
  const set = (property: string) => (value: unknown) =>
    void flagging.setSubscription(channelId, property, value);
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("For you alone")}</h2>
      <TextField label={t("Colour")} type="color" value={own.color} onChange={set("color")} />
      <Switch label={t("Pin it to the top")} checked={own.pin_to_top} onChange={set("pin_to_top")} />
      <Switch
        label={t("Mute it")}
        hint={t("Its messages count nowhere, except those that mention you.")}
        checked={own.is_muted}
        onChange={set("is_muted")}
      />
      <div className={css.buttons}>
        <Button onClick={() => location.assign("#settings/notifications")}>
          {t("Notifications by channel")}
        </Button>
      </div>
    </section>
  );
}
