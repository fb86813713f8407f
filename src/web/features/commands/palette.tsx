// Ctrl+K: to any channel, topic, person, message or command.

import { Command as CommandIcon, Hash, MessageSquare, Search, User } from "lucide-react";
import { type KeyboardEvent, useEffect, useMemo, useState } from "react";
import { useSelect } from "../../api/client.ts";
import { classes } from "../../lib/classes.ts";
import { formatKeys } from "../../lib/keys.ts";
import { best } from "../../lib/matching.ts";
import { t } from "../../lib/texts.ts";
import { term } from "../../state/narrows.ts";
import type { Person } from "../../state/people.ts";
import { colorOf, topicName } from "../../state/selectors.ts";
import type { State } from "../../state/state.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { plainText } from "../../ui/emoji/plain.ts";
import { goTo, linkTo } from "../../ui/routes/navigation.ts";
import { channelRoute } from "../../ui/routes/opening.ts";
import { placeRoute, type Route } from "../../ui/routes/route.ts";
import { TopicName } from "../../ui/topic-name.tsx";
import css from "./commands.module.css";
import type { Where } from "./doing.ts";
import { paletteQuery } from "./palette-open.ts";
import { commands, isPossibleAt } from "./table.ts";

interface Choice {
  key: string;
  kind: "channel" | "topic" | "person" | "command" | "search";
  name: string;
  note?: string;
  /** The keys of a command. */
  keys?: string | undefined;
  picture?: string | null;
  color?: string | undefined;
  run: () => void;
}

const counts = { channel: 6, topic: 6, person: 6, command: 6 };

function go(state: State, route: Route): () => void {
  return () => goTo(linkTo(route, state));
}

function channelChoices(state: State, typed: string): Choice[] {
  const open = Object.values({ ...state.streams, ...state.subscriptions }).filter(
    ({ is_archived }) => !is_archived,
  );
  return best(open, ({ name }) => name, typed, counts.channel).map((channel) => ({
    key: `channel ${channel.stream_id}`,
    kind: "channel",
    name: channel.name,
    note: state.subscriptions[channel.stream_id] ? plainText(channel.rendered_description) : t("Not joined"),
    color: colorOf(state, channel.stream_id),
    run: go(state, channelRoute(state, channel.stream_id)),
  }));
}

function topicChoices(state: State, typed: string): Choice[] {
  const known = new Map<string, { channel: number; topic: string; newest: number }>();
  const put = (channel: number, topic: string, newest: number) => {
    const key = `${channel}:${topic.toLowerCase()}`;
    if ((known.get(key)?.newest ?? -1) < newest) known.set(key, { channel, topic, newest });
  };
  for (const [channel, list] of Object.entries(state.topic_lists))
    for (const { name, max_id } of list) put(Number(channel), name, max_id);
  for (const { type, stream_id = 0, subject, id } of Object.values(state.messages))
    if (type === "stream") put(stream_id, subject, id);
  for (const { place, ids } of Object.values(state.unread))
    if ("stream_id" in place) put(place.stream_id, place.topic, ids.at(-1) ?? 0);
  const newestFirst = [...known.values()].sort((a, b) => b.newest - a.newest);
  const channelName = (id: number) => state.subscriptions[id]?.name ?? state.streams[id]?.name ?? "";
  return best(
    newestFirst,
    ({ channel, topic }) => `${topicName(topic)} ${channelName(channel)}`,
    typed,
    counts.topic,
  ).map(({ channel, topic }) => ({
    key: `topic ${channel} ${topic}`,
    kind: "topic",
    name: topicName(topic),
    note: `#${channelName(channel)}`,
    color: colorOf(state, channel),
    run: go(state, placeRoute({ stream_id: channel, topic })),
  }));
}

function personChoices(state: State, typed: string): Choice[] {
  const active = Object.values(state.users).filter((person: Person) => person.is_active);
  const latest = (person: Person) => state.recent[`d:${person.user_id}`] ?? 0;
  const byRecency = typed === "" ? active.sort((a, b) => latest(b) - latest(a)) : active;
  return best(byRecency, ({ full_name }) => full_name, typed, counts.person).map((person) => ({
    key: `person ${person.user_id}`,
    kind: "person",
    name: person.full_name,
    note: person.user_id === state.self.user_id ? t("You") : t("Direct message"),
    picture: person.avatar_url,
    run: go(state, placeRoute({ user_ids: [person.user_id] })),
  }));
}

function commandChoices(where: Where, typed: string): Choice[] {
  const possible = commands.filter((one) => !one.isKeyOnly && isPossibleAt(one, where));
  return best(possible, ({ name }) => name, typed, counts.command).map((command) => ({
    key: `command ${command.name}`,
    kind: "command",
    name: command.name,
    keys: command.keys?.[0] && formatKeys(command.keys[0]),
    run: () => command.run(where),
  }));
}

function searchChoice(state: State, typed: string): Choice[] {
  if (typed.trim() === "") return [];
  const search: Route = {
    view: "messages",
    terms: [term("search", typed.trim())],
  };
  const name = t("Search messages for “{words}”", { words: typed.trim() });
  return [{ key: "search", kind: "search", name, run: go(state, search) }];
}

function choicesFor(state: State, where: Where, query: string): Choice[] {
  const [mark, rest] = [query[0] ?? "", query.slice(1).trimStart()];
  if (mark === "@") return personChoices(state, rest);
  if (mark === "#") return channelChoices(state, rest);
  if (mark === ">") return commandChoices(where, rest);
  if (mark === "?") return searchChoice(state, rest);
  const typed = query.trim();
  if (typed === "")
    return [...topicChoices(state, ""), ...channelChoices(state, ""), ...personChoices(state, "")];
  return [
    ...channelChoices(state, typed),
    ...topicChoices(state, typed),
    ...personChoices(state, typed),
    ...commandChoices(where, typed),
    ...searchChoice(state, typed),
  ];
}

const icons = { channel: Hash, topic: MessageSquare, person: User, command: CommandIcon, search: Search };
const tips = { "@": t("people"), "#": t("channels"), ">": t("commands"), "?": t("messages") };
const words = {
  channel: t("Channel"),
  topic: t("Topic"),
  person: t("Person"),
  command: t("Command"),
  search: t("Search|verb"),
};

export function Palette({ start, where }: { start: string; where: Where }) {
  const [query, setQuery] = useState(start);
  const [at, setAt] = useState(0);
  const state = useSelect((now) => now);
  const choices = useMemo(() => choicesFor(state, where, query), [state, where, query]);
  const close = () => paletteQuery.set(null);
  const choose = (choice: Choice | undefined) => {
    if (!choice) return;
    close();
    choice.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const by = event.key === "ArrowDown" ? 1 : -1;
      setAt((at + by + choices.length) % Math.max(1, choices.length));
    }
    if (event.key === "Enter") {
      event.preventDefault();
      choose(choices[at]);
    }
  };
  useEffect(() => {
    document.getElementById(`choice-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [at]);
  return (
    <Dialog title={t("Go to")} onClose={close}>
      <input
        className={css.query}
        role="combobox"
        aria-label={t("Channel, topic, person, command or words")}
        aria-expanded="true"
        aria-controls="choices"
        aria-activedescendant={choices[at] ? `choice-${at}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={t("Channel, topic, person, command or words")}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div className={css.choices} id="choices" role="listbox" aria-label={t("Found")}>
        {choices.map((choice, i) => {
          const Icon = icons[choice.kind];
          return (
            <div
              key={choice.key}
              id={`choice-${i}`}
              role="option"
              tabIndex={-1}
              aria-selected={i === at}
              className={classes(css.choice, i === at && css.chosen)}
              onMouseMove={() => setAt(i)}
              onClick={() => choose(choice)}
              onKeyDown={onKeyDown}
            >
              {choice.picture ? (
                <Avatar src={choice.picture} size={20} />
              ) : (
                <Icon size={16} strokeWidth={1.5} color={choice.color} aria-hidden="true" />
              )}
              <span className={css.choiceName} dir="auto">
                {choice.kind === "topic" ? <TopicName name={choice.name} /> : choice.name}
              </span>
              {choice.note ? (
                <span className={css.note} dir="auto">
                  {choice.note}
                </span>
              ) : null}
              {choice.keys ? (
                <span className={css.note} dir="ltr">
                  {choice.keys}
                </span>
              ) : null}
              <span className={css.kind}>{words[choice.kind]}</span>
            </div>
          );
        })}
        {choices.length === 0 ? <p className={css.none}>{t("Nothing has that name.")}</p> : null}
      </div>
      <p className={css.tips}>
        {Object.entries(tips).map(([key, what]) => (
          <span key={key}>
            <kbd dir="ltr">{key}</kbd> {what}
          </span>
        ))}
      </p>
    </Dialog>
  );
}
