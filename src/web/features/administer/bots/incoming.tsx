// An incoming webhook: the address that a tool is given, where to enter it there, and trying it.
import { useState } from "react";
import type { SenderFacts } from "@/outside/incoming-webhooks/schema.ts";
import { sameJson, useClient, useSelect } from "../../../api/client.ts";
import { useLoaded } from "../../../api/loaded.ts";
import { reasonOf } from "../../../api/request.ts";
import { fold } from "../../../lib/matching.ts";
import { collator, parts, t } from "../../../lib/texts.ts";
import type { OwnedBot } from "../../../state/selectors.ts";
import type { State } from "../../../state/state.ts";
import { Button } from "../../../ui/button.tsx";
import { Combobox } from "../../../ui/combobox.tsx";
import { copyWithNotice } from "../../../ui/content/behaviours.ts";
import { Select, TextField } from "../../../ui/field.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Rich } from "../../../ui/rich.tsx";
import css from "./bots.module.css";
import { messageLink } from "./calls.tsx";

/** Where the address is entered, for what is no tool. */
const places: Readonly<Record<string, string>> = {
  slack_incoming: t("At the tool, where it asks for the address of an incoming webhook of Slack."),
  json: t(
    "In any program that can post JSON. With “&title_field=a.b” at its end, the field b within a becomes the title.",
  ),
};

const channelsOf = ({ streams, subscriptions }: State) =>
  Object.values({ ...streams, ...subscriptions })
    .filter(({ is_archived }) => !is_archived)
    .map(({ stream_id, name }) => ({ value: stream_id, label: `#${name}` }))
    .sort((a, b) => collator.compare(a.label, b.label));

interface IncomingProps {
  bot: OwnedBot;
  /** Known only just after it was made. */
  apiKey: string | null;
}

export function Incoming(props: IncomingProps) {
  const loaded = useLoaded<{ senders: SenderFacts[] }>("/external");
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Events of a tool")}</h2>
      <Loading of={loaded} lines={4}>
        {({ senders }) => (
          <Setup {...props} senders={senders.toSorted((a, b) => collator.compare(a.title, b.title))} />
        )}
      </Loading>
    </section>
  );
}

function Setup({ senders, ...props }: IncomingProps & { senders: readonly SenderFacts[] }) {
  const [text, setText] = useState("GitHub");
  const typed = fold(text.trim());
  const chosen = senders.find(({ title }) => title === text);
  const fitting = chosen
    ? senders
    : senders.filter(({ title, name }) => fold(`${title} ${name}`).includes(typed));
  return (
    <>
      <Combobox
        label={t("Tool")}
        value={text}
        items={fitting}
        keyOf={({ name }) => name}
        takesFirst={!chosen}
        selectsAll={chosen !== undefined}
        onChange={setText}
        onChoose={({ title }) => setText(title)}
      >
        {({ title }) => title}
      </Combobox>
      {chosen ? <Address sender={chosen} {...props} /> : null}
      {fitting.length === 0 ? (
        <p className={css.quiet}>
          {t("No tool has this name. For a program of your own, choose “any JSON”.")}
        </p>
      ) : null}
    </>
  );
}

function Address({ bot, apiKey, sender }: IncomingProps & { sender: SenderFacts }) {
  const { api } = useClient();
  const site = useSelect(({ organization }) => organization.realm_url);
  const channels = useSelect(channelsOf, sameJson);
  const [channel, setChannel] = useState(0);
  const [topic, setTopic] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<{ id: number } | { problem: string } | null>(null);
  const inTopic = channel !== 0 && topic.trim() !== "";
  const where = {
    ...(channel === 0 ? {} : { stream: String(channel) }),
    ...(inTopic ? { topic: topic.trim() } : {}),
  };
  const query = new URLSearchParams({ api_key: apiKey ?? "KEY", ...where });
  const address = `${site}/api/v1/external/${sender.name}?${query}`;
  const test = async () => {
    setBusy(true);
    setResult(null);
    try {
      setResult(
        await api.post<{ id: number }>(`/bots/${bot.user_id}/test_event`, { sender: sender.name, ...where }),
      );
    } catch (error) {
      setResult({ problem: reasonOf(error) });
    }
    setBusy(false);
  };
  return (
    <>
      <Select
        label={t("Channel")}
        value={channel}
        choices={[{ value: 0, label: t("None: to the owner, as direct messages") }, ...channels]}
        onChange={setChannel}
      />
      {channel === 0 ? null : (
        <TextField
          label={t("Topic")}
          hint={t("Empty: each event has the topic of what it is about.")}
          value={topic}
          onChange={setTopic}
          maxLength={60}
        />
      )}
      <p className={css.quiet}>
        {places[sender.name] ??
          t("At {tool}: {where}. The address goes into “{field}”.", {
            tool: sender.title,
            where: sender.where,
            field: sender.field,
          })}
      </p>
      <p>{t("Address for the tool:")}</p>
      <code className={css.code} dir="ltr">
        {address}
      </code>
      {apiKey === null ? (
        <p className={css.quiet}>
          {t("In the place of KEY comes the bot’s API key. If you do not have it, make a new one.")}
        </p>
      ) : null}
      {sender.left_out.length > 0 ? (
        <p className={css.quiet}>
          {t(
            "{count, plural, one {# kind of event is} other {# kinds of events are}} left out as unimportant, unless the address asks for them.",
            { count: sender.left_out.length },
          )}
        </p>
      ) : null}
      {sender.paste === null ? null : <Paste text={sender.paste.replaceAll("ADDRESS", address)} />}
      <div className={css.buttons}>
        <Button onClick={() => void copyWithNotice(address, t("Address copied."))}>
          {t("Copy the address")}
        </Button>
        <Button busy={isBusy} onClick={() => void test()}>
          {t("Send a test event")}
        </Button>
      </div>
      <div role="status">
        {result === null ? null : "id" in result ? (
          <Rich
            parts={parts("Sent. <link>See the message</link>")}
            link={(text) => <a href={messageLink(result.id)}>{text}</a>}
          />
        ) : (
          <p>{result.problem}</p>
        )}
      </div>
    </>
  );
}

function Paste({ text }: { text: string }) {
  return (
    <>
      <p>{t("Enter this there, too, or run it:")}</p>
      <pre className={css.paste} dir="ltr">
        {text}
      </pre>
      <div className={css.buttons}>
        <Button onClick={() => void copyWithNotice(text, t("Copied."))}>{t("Copy")}</Button>
      </div>
    </>
  );
}
