// The state as plain data, put together from its nouns. It begins with the answer of POST /register and changes only by events, from
// the server or the client itself.
import { createStore, type ValueStore } from "../lib/observable.ts";
import { alertWords } from "./alert-words.ts";
import { channels } from "./channels.ts";
import { drafts } from "./drafts.ts";
import { emoji } from "./emoji.ts";
import { folders } from "./folders.ts";
import { groups } from "./groups.ts";
import { messages } from "./messages.ts";
import { mutedUsers } from "./muted-users.ts";
import { navigationViews } from "./navigation-views.ts";
import type { ServerEvent, StateNoun } from "./noun.ts";
import { organization } from "./organization.ts";
import { outbox } from "./outbox.ts";
import { people } from "./people.ts";
import { presence } from "./presence.ts";
import { withoutEntries } from "./records.ts";
import { reminders } from "./reminders.ts";
import { savedSnippets } from "./saved-snippets.ts";
import { scheduledMessages } from "./scheduled-messages.ts";
import { settings } from "./settings.ts";
import { starred } from "./starred.ts";
import { topics } from "./topics.ts";
import { typing } from "./typing.ts";
import { unread } from "./unread.ts";
import { userStatus } from "./user-status.ts";
import { windows } from "./windows.ts";

/** The order matters: windows need the messages before the change. */
const nouns = [
  organization,
  emoji,
  people,
  presence,
  userStatus,
  mutedUsers,
  groups,
  channels,
  folders,
  topics,
  unread,
  starred,
  alertWords,
  drafts,
  scheduledMessages,
  reminders,
  savedSnippets,
  navigationViews,
  settings,
  typing,
  windows,
  messages,
  outbox,
] as const;

type Initial = (typeof nouns)[number]["initial"];
type Both<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

export type State = Both<ReturnType<Initial>>;
export type Registered = Both<
  Initial extends infer One ? (One extends Initial ? Parameters<One>[0] : never) : never
>;

/** The state of an answer, without fetched data. */
export function stateFrom(answer: Registered): State {
  const taken = nouns.flatMap(({ takes }) => takes);
  const rest = withoutEntries(answer as Readonly<Record<string, unknown>>, taken);
  return Object.assign(
    {},
    ...(nouns as readonly StateNoun<Registered, object>[]).map((noun) => noun.initial(answer, rest)),
  );
}

type Reducer = (state: State, event: ServerEvent) => State;

const reducers = new Map<string, Reducer[]>();
for (const { reducers: own } of nouns) {
  for (const [key, reducer] of Object.entries(own)) {
    reducers.set(key, [...(reducers.get(key) ?? []), reducer as unknown as Reducer]);
  }
}

export function eventKey({ type, op }: ServerEvent): string {
  return op === undefined ? type : `${type}/${op}`;
}

/** Whether any reducer handles the event. */
export function isKnown(event: ServerEvent): boolean {
  return reducers.has(eventKey(event));
}

/** The state after these events. Events that no reducer knows change nothing. */
export function afterEvents(state: State, events: readonly ServerEvent[]): State {
  return events.reduce(
    (before, event) =>
      (reducers.get(eventKey(event)) ?? []).reduce((now, reducer) => reducer(now, event), before),
    state,
  );
}

type Reducers = Required<Both<(typeof nouns)[number]["reducers"]>>;
type FieldsOf<Key extends keyof Reducers> = Omit<Parameters<Reducers[Key]>[1], keyof ServerEvent>;

/** Holds the state and notifies the views of changes. */
export interface Store extends ValueStore<State> {
  /** Applies events of the server. */
  apply(...events: readonly ServerEvent[]): void;
  /** Applies an event of the client's own, or one that the server will send. */
  change<Key extends keyof Reducers>(key: Key, fields: FieldsOf<Key>): void;
}

export function storeOf(initial: State): Store {
  const value = createStore(initial);
  const apply = (...events: readonly ServerEvent[]) => value.set(afterEvents(value.get(), events));
  return {
    ...value,
    apply,
    change: (key, fields) => {
      const [type = key, op] = key.split("/");
      apply({ type, ...(op !== undefined && { op }), ...fields });
    },
  };
}
