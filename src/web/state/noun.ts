// What the state knows of one noun: its part of the state, how the initial state gives it, and how events change it.
import type { EventType } from "@/kernel/core/events.ts";

/** The fields that all events have. */
export interface ServerEvent {
  type: string;
  op?: string;
  id?: number;
}

/** The events that a module of the core declares, by key, as clients get them. */
export type EventsOf<Module> = {
  [Name in keyof Module as Module[Name] extends EventType<never, unknown, infer Key>
    ? Key
    : never]: Module[Name] extends EventType<never, infer Fields> ? Fields & ServerEvent : never;
};

/** `Others` are the parts of other nouns that the reducers read. */
export interface StateNoun<Answer, Part, Events = object, Others = unknown> {
  /** The fields of the initial state that belong to this noun. */
  readonly takes: readonly (keyof Answer)[];
  /** `rest` are the fields that no noun takes. */
  initial(answer: Answer, rest: Readonly<Record<string, unknown>>): Part;
  /** By the key of the event. The state test misses those that are not here. */
  readonly reducers: {
    readonly [Key in keyof Events]?: (state: Part & Others, event: Events[Key]) => Part & Others;
  };
}
