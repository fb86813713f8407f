// The state changes only by events, from the server or the client itself, which the reducers of each noun apply.
import { createStore, type ValueStore } from "../lib/observable.ts";
import { channels } from "./channels.ts";
import { groups } from "./groups.ts";
import { messages } from "./messages.ts";
import { organization } from "./organization.ts";
import { outbox } from "./outbox.ts";
import { people } from "./people.ts";
import { personal } from "./personal.ts";
import type { Reducer, Reducers, ServerEvent, State } from "./shape.ts";
import { topics } from "./topics.ts";
import { typing } from "./typing.ts";
import { unread } from "./unread.ts";
import { windows } from "./windows.ts";

/** The order matters: windows need the messages before the change. */
const nouns: readonly Reducers[] = [
  organization,
  people,
  groups,
  channels,
  topics,
  unread,
  personal,
  typing,
  windows,
  messages,
  outbox,
];

const reducers = new Map<string, Reducer[]>();
for (const noun of nouns) {
  for (const [key, reducer] of Object.entries(noun)) {
    reducers.set(key, [...(reducers.get(key) ?? []), reducer]);
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
      (reducers.get(eventKey(event)) ?? []).reduce((now, reducer) => reducer(now, event as never), before),
    state,
  );
}

/** Holds the state and notifies the views of changes. */
export interface Store extends ValueStore<State> {
  /** Applies events of the server, or the client's own, which have the same form. */
  apply(...events: readonly ServerEvent[]): void;
}

export function storeOf(initial: State): Store {
  const value = createStore(initial);
  return { ...value, apply: (...events) => value.set(afterEvents(value.get(), events)) };
}
