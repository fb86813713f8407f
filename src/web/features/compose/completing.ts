// What the composer suggests while the person types: people, groups, channels, topics, emoji, commands. Pure functions on the
// state; the list itself is completion-list.tsx.
import { fold } from "../../lib/matching.ts";
import { collator, t } from "../../lib/texts.ts";
import type { Person } from "../../state/people.ts";
import type { Place } from "../../state/places.ts";
import { activePeople, channelOf, colorOf, topicName } from "../../state/selectors.ts";
import type { State } from "../../state/state.ts";
import type { EmojiEntry } from "../../ui/emoji/names.ts";
import { plainText } from "../../ui/emoji/plain.ts";

export type CompletionRequest =
  | { kind: "person"; silent: boolean; query: string; start: number }
  | { kind: "channel"; query: string; start: number }
  | { kind: "topic"; channelId: number; channel: string; query: string; start: number }
  | { kind: "emoji"; query: string; start: number }
  | { kind: "command"; query: string; start: number }
  | { kind: "language"; query: string; start: number };

export interface Offer {
  key: string;
  /** The row's text, and a note next to it. */
  label: string;
  note?: string;
  picture?:
    | "people"
    | { avatar: string }
    | { emoji: string }
    | { image: string }
    | { color: string | undefined };
  /** Replaces the text from `start` to the cursor. */
  text: string;
}

const maxOffers = 8;
const maxQuery = 60;

/** The text before the cursor that can be completed, or null. */
export function findCompletion(text: string, cursor: number, state: State): CompletionRequest | null {
  const line = text.slice(text.lastIndexOf("\n", cursor - 1) + 1, cursor);
  const lineStart = cursor - line.length;
  const language = /^(?:```|~~~)([\w+#-]*)$/.exec(line);
  if (language)
    return { kind: "language", query: language[1] ?? "", start: cursor - (language[1] ?? "").length };
  if (isInCode(text.slice(0, cursor))) return null;
  if (lineStart === 0) {
    const command = /^\/(\w*)$/.exec(line);
    if (command) return { kind: "command", query: command[1] ?? "", start: 0 };
  }
  return (
    topicAt(line, cursor, state) ?? channelAt(line, cursor) ?? personAt(line, cursor) ?? emojiAt(line, cursor)
  );
}

/** Whether the cursor is in code: an odd number of fences, or of backticks on the line, comes before it. */
export function isInCode(before: string): boolean {
  const fences = before.match(/^(?:```|~~~)/gm)?.length ?? 0;
  if (fences % 2 === 1)
    return !/^(?:```|~~~)(quote|spoiler)/m.test(before.slice(before.lastIndexOf("\n```") + 1));
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return (line.match(/`/g)?.length ?? 0) % 2 === 1;
}

function topicAt(line: string, cursor: number, state: State): CompletionRequest | null {
  const found = /(?:^|[\s'"({[/<])#\*\*([^*>\n]{1,100})>([^*\n]*)$/.exec(line);
  const [, channel = "", query = ""] = found ?? [];
  const known = found ? Object.values(state.streams).find(({ name }) => name === channel) : undefined;
  if (!known || query.length > maxQuery) return null;
  const start = cursor - query.length - channel.length - 4;
  return { kind: "topic", channelId: known.stream_id, channel, query, start };
}

function channelAt(line: string, cursor: number): CompletionRequest | null {
  const [, marks = "", query = ""] =
    /(?:^|[\s'"({[/<])(#(?:\*\*)?)([^\s#*>][^#*>\n]{0,59})?$/.exec(line) ?? [];
  if (marks === "" || (query === "" && marks === "#" && /#$/.test(line) && line.length === 1)) return null;
  return { kind: "channel", query, start: cursor - query.length - marks.length };
}

function personAt(line: string, cursor: number): CompletionRequest | null {
  const [, marks = "", query = ""] =
    /(?:^|[\s'"({[/<])(@_?(?:\*\*|\*)?)((?:[^\s@*][^@*\n]{0,59})?)$/.exec(line) ?? [];
  if (marks === "") return null;
  return { kind: "person", silent: marks.includes("_"), query, start: cursor - query.length - marks.length };
}

function emojiAt(line: string, cursor: number): CompletionRequest | null {
  const [, query = ""] = /(?:^|[\s'"({[*_])(:[\p{L}\p{M}\p{N}_+-]{2,30})$/u.exec(line) ?? [];
  return query === "" ? null : { kind: "emoji", query: query.slice(1), start: cursor - query.length };
}

export interface CompletionSources {
  state: State;
  /** The recipient; null if it is not chosen yet. */
  place: Place | null;
  emoji: readonly EmojiEntry[];
  /** The topics of a channel, newest first, as far as they are known. */
  topicsOf: (channelId: number) => readonly string[];
}

/** The completions of a text, best first. */
export function offersFor(wanted: CompletionRequest, sources: CompletionSources): Offer[] {
  switch (wanted.kind) {
    case "person":
      return peopleOffers(wanted, sources);
    case "channel":
      return channelOffers(wanted.query, sources);
    case "topic":
      return topicOffers(wanted, sources);
    case "emoji":
      return emojiOffers(wanted.query, sources.emoji);
    case "command":
      return commandOffers(wanted.query);
    case "language":
      return languageOffers(wanted.query);
  }
}

/** Where a name contains the typed text: 0 at its start, 1 at the start of a word, 2 elsewhere; null if nowhere. */
export function fit(name: string, query: string): number | null {
  const [plain, wanted] = [fold(name), fold(query)];
  if (plain.startsWith(wanted)) return 0;
  const words = wanted.split(/\s+/).filter(Boolean);
  const parts = plain.split(/[\s_\-./(]+/);
  if (words.length > 0 && words.every((word) => parts.some((part) => part.startsWith(word)))) return 1;
  return wanted.length > 1 && plain.includes(wanted) ? 2 : null;
}

/** The best of a list: by fit, then by `rank`, smaller first, then by name. */
function best<T>(
  all: Iterable<T>,
  query: string,
  nameOf: (one: T) => string,
  rank: (one: T) => number,
  alsoNamed: (one: T) => string[] = () => [],
): T[] {
  const fitting: { one: T; fits: number; ranks: number; name: string }[] = [];
  for (const one of all) {
    const name = nameOf(one);
    const fitsAny = [name, ...alsoNamed(one)].flatMap((text) => fit(text, query) ?? []);
    const fits = fitsAny.length > 0 ? Math.min(...fitsAny) : null;
    if (fits !== null) fitting.push({ one, fits, ranks: rank(one), name });
  }
  fitting.sort((a, b) => a.fits - b.fits || a.ranks - b.ranks || collator.compare(a.name, b.name));
  return fitting.slice(0, maxOffers).map(({ one }) => one);
}

const wildcards = [
  { name: "everyone", note: t("Notify everyone in this channel"), direct: false },
  { name: "all", note: t("Notify everyone"), direct: true },
  { name: "topic", note: t("Notify who took part in this topic"), direct: false },
];

function peopleOffers(
  { query, silent }: CompletionRequest & { kind: "person" },
  { state, place }: CompletionSources,
): Offer[] {
  const mark = silent ? "@_" : "@";
  const isDirect = place !== null && "user_ids" in place;
  const subscribers =
    place && "stream_id" in place ? new Set(channelOf(state, place.stream_id)?.subscribers) : null;
  const finding = state.organization.custom_profile_fields.filter((field) => field.use_for_user_matching);
  const people = best(
    activePeople(state),
    query,
    ({ full_name }) => full_name,
    (person) => (isThere(person, place, subscribers) ? 0 : 1) + (person.is_bot ? 2 : 0),
    ({ profile_data }) => finding.flatMap(({ id }) => profile_data?.[id]?.value ?? []),
  );
  const groups = best(
    Object.values(state.groups).filter((group) => !group.is_system_group && !group.deactivated),
    query,
    ({ name }) => name,
    () => 0,
  );
  const all = silent
    ? []
    : wildcards.filter((one) => (!isDirect || one.direct) && fit(one.name, query) === 0);
  const named = people.map(
    (person): Offer => ({
      key: `person ${person.user_id}`,
      label: person.full_name,
      note: person.is_bot ? t("Bot") : (person.delivery_email ?? ""),
      picture: { avatar: person.avatar_url ?? `/avatar/${person.user_id}` },
      text: `${mark}**${mentionName(state, person)}** `,
    }),
  );
  const others: Offer[] = [
    ...groups.map(({ id, name, description }) => ({
      key: `group ${id}`,
      label: name,
      note: description || t("Group"),
      picture: "people" as const,
      text: `${mark}*${name}* `,
    })),
    ...all.map(({ name, note }) => ({
      ...{ key: name, label: name, note, text: `@**${name}** ` },
      picture: "people" as const,
    })),
  ];
  // A wildcard comes last unless its whole name was typed, because it notifies many people.
  const exact = others.filter(({ label }) => fold(label) === fold(query));
  const rest = others.filter((one) => !exact.includes(one));
  return [...exact, ...named, ...rest].slice(0, maxOffers);
}

function isThere(person: Person, place: Place | null, subscribers: ReadonlySet<number> | null): boolean {
  if (place && "user_ids" in place) return place.user_ids.includes(person.user_id);
  return subscribers?.has(person.user_id) ?? false;
}

/** The name, with the ID where several people share it. */
export function mentionName(state: State, { full_name, user_id }: Person): string {
  const twins = Object.values(state.users).filter((one) => one.full_name === full_name);
  return twins.length > 1 ? `${full_name}|${user_id}` : full_name;
}

function channelOffers(query: string, { state }: CompletionSources): Offer[] {
  const channels = best(
    Object.values(state.streams).filter(({ is_archived }) => !is_archived),
    query,
    ({ name }) => name,
    ({ stream_id }) => (state.subscriptions[stream_id] ? 0 : 1),
  );
  return channels.map(({ stream_id, name, rendered_description, topics_policy }) => ({
    key: `channel ${stream_id}`,
    label: name,
    note: plainText(rendered_description),
    picture: { color: colorOf(state, stream_id) },
    // Its topics are offered next.
    text: topics_policy === "empty_topic_only" ? `#**${name}** ` : `#**${name}>`,
  }));
}

function topicOffers(
  { channelId, channel, query }: CompletionRequest & { kind: "topic" },
  { state, topicsOf }: CompletionSources,
): Offer[] {
  const topics = topicsOf(channelId);
  const order = new Map(topics.map((topic, at) => [topic, at]));
  const found = best(
    topics,
    query,
    (topic) => topicName(topic),
    (topic) => order.get(topic) ?? 0,
  ).map((topic) => ({
    key: `topic ${topic}`,
    label: topicName(topic),
    note: `#${channel}`,
    text: `#**${channel}>${topic}** `,
  }));
  if (query !== "") return found;
  const whole = {
    key: `channel ${channelId}`,
    label: `#${channel}`,
    note: t("The channel itself"),
    picture: { color: colorOf(state, channelId) },
    text: `#**${channel}** `,
  };
  return [whole, ...found.slice(0, maxOffers - 1)];
}

/** A link whose topic the person leaves out by typing on: "#**launch> ", which becomes a link to the channel. */
export function findTopicless(
  text: string,
  cursor: number,
  state: State,
): { start: number; link: string } | null {
  const found = /#\*\*([^*>\n]{1,100})> $/.exec(text.slice(0, cursor));
  const [whole = "", channel = ""] = found ?? [];
  const isKnown = found !== null && Object.values(state.streams).some(({ name }) => name === channel);
  return isKnown ? { start: cursor - whole.length, link: `#**${channel}** ` } : null;
}

/** English names and words of the page's language find an emoji. What is written is an English name, which every client knows. */
function emojiOffers(query: string, emoji: readonly EmojiEntry[]): Offer[] {
  const wanted = spaced(query);
  const words = fold(wanted).split(/\s+/);
  const named = emoji.flatMap((entry) => {
    if (!words.every((word) => textOf(entry).includes(word))) return [];
    const { names, local } = entry;
    const [own] = local;
    const found = bestName([...names, ...local], wanted);
    if (found === null) return [];
    const isEnglish = names.includes(found);
    const written = isEnglish ? found : (names[0] ?? "");
    // Its names count for more than other words that find it.
    return [{ entry, own, written, found, rank: entry.rank + (isEnglish || found === own ? 0 : 100) }];
  });
  const offered = best(
    named,
    wanted,
    ({ found }) => spaced(found),
    ({ rank }) => rank,
  );
  return offered.map(({ entry, own, written }) => ({
    key: entry.key,
    ...(own === undefined ? { label: `:${written}:` } : { label: own, note: `:${written}:` }),
    picture: entry.image ? { image: entry.image } : { emoji: entry.character },
    text: `:${written}: `,
  }));
}

const spaced = (name: string) => name.replace(/[-_]/g, " ");

const texts = new WeakMap<EmojiEntry, string>();

/** All that can find an emoji, as `fit` compares it: most emoji are passed over by that alone. */
function textOf(entry: EmojiEntry): string {
  let text = texts.get(entry);
  if (text === undefined) {
    text = fold(spaced([...entry.names, ...entry.local].join("\n")));
    texts.set(entry, text);
  }
  return text;
}

/** The name that fits best, the first of equals; null if none does. */
function bestName(names: readonly string[], wanted: string): string | null {
  let found: { name: string; fits: number } | null = null;
  for (const name of names) {
    const fits = fit(spaced(name), wanted);
    if (fits !== null && fits < (found?.fits ?? 3)) found = { name, fits };
  }
  return found?.name ?? null;
}

const commands = [
  { name: "me", note: t("Say what you do: “/me waves”"), text: "/me " },
  { name: "poll", note: t("Ask, one answer on each line"), text: "/poll " },
  { name: "todo", note: t("A list of tasks, one on each line"), text: "/todo " },
];

function commandOffers(query: string): Offer[] {
  return commands
    .filter(({ name }) => name.startsWith(query.toLowerCase()))
    .map(({ name, note, text }) => ({ key: name, label: `/${name}`, note, text }));
}

const languages =
  "quote spoiler math text bash c cpp csharp css diff go html java javascript json kotlin markdown php python ruby rust sql swift toml typescript xml yaml";

function languageOffers(query: string): Offer[] {
  return languages
    .split(" ")
    .filter((name) => query !== "" && name !== query && name.startsWith(query.toLowerCase()))
    .slice(0, maxOffers)
    .map((name) => ({ key: name, label: name, text: name }));
}
