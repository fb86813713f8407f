import type { z } from "zod";

/** Who gets an event: everyone, or these users. The other fields add to these; no queue gets it twice. */
export interface Audience {
  readonly to: "everyone" | ReadonlySet<number> | readonly number[];
  /** A few more users, so that a shared set need not be copied. */
  readonly also?: readonly number[];
  /** Also queues that asked for this wider feed. */
  readonly tap?: string;
  /** A single queue; ignored unless it belongs to this user. */
  readonly queue?: { readonly id: string; readonly userId: number };
}

export const everyone: Audience = { to: "everyone" };

export function to(...userIds: number[]): Audience {
  return { to: userIds };
}

/** What a client asked for when it opened a queue; decides which form of an event the queue gets. */
export interface Traits {
  readonly userId: number;
  readonly capabilities: ReadonlySet<string>;
  /** The requested event types; null for all. */
  readonly types: ReadonlySet<string> | null;
  readonly taps: ReadonlySet<string>;
  /** For how long the queue waits for its client; by default as `queueLimits` says. */
  readonly idleMs?: number;
  /** Options of the client that domains read by name, such as `apply_markdown`. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** What an event may do with the event queues. */
export interface QueueEnder {
  closeAllOf(userId: number, which?: (queue: { readonly traits: Traits }) => boolean): void;
  /** Closes one queue; ignored if it is not in this process. */
  end(queueId: string): void;
  endWaits(userId: number): void;
  /** Passes a broadcast of another node on to the app that holds the queues. */
  passBroadcast(type: string, content: unknown): void;
}

/** `Payload` is what is emitted, `Fields` what clients get besides `type`, `op` and `id`. */
export interface EventType<Payload, Fields = unknown, Key extends string = string> {
  /** `type`, or `type/op`. */
  readonly key: Key;
  readonly type: string;
  /** When it is emitted and what it carries, in a sentence or two: the text of docs/reference/http-api.md. */
  readonly about: string;
  readonly schema: z.ZodType<Fields>;
  /** Queues of one variant share one serialization. */
  variant(queue: Traits): string;
  /** The event in the form of that variant, without `id`; null if its queues get nothing. */
  shape(payload: Payload, queue: Traits): object | null;
  /** Fields for this queue only, added to the shared form; queues given the same object share the text too. */
  own?(payload: Payload, queue: Traits, queueId: string): object | null;
  accepts?(payload: Payload, queue: Traits): boolean;
  /** Runs in the process that holds the queues, once the event is delivered. */
  after?(payload: Payload, queues: QueueEnder): void;
  /** Goes to no client: it only tells the process that holds the queues. */
  readonly isInternal: boolean;
  /** Soon outdated, so a client may miss it if a node dies. Such events alone are not written to the log of a cluster. */
  readonly isFleeting: boolean;
  /** In a cluster, a write that emits it is answered once every running node has applied it. */
  readonly isAwaited: boolean;
}

/** An event with its payload and audience. */
export interface Emitted<P = unknown> {
  event: EventType<P>;
  audience: Audience;
  payload: P;
}

interface EventOptions<P, Fields, Op> {
  about: string;
  op?: Op;
  /** Fields besides `type`, `op` and `id`. */
  schema: z.ZodType<Fields>;
  variant?: (queue: Traits) => string;
  accepts?: (payload: P, queue: Traits) => boolean;
  after?: (payload: P, queues: QueueEnder) => void;
  isInternal?: boolean;
  isFleeting?: boolean;
  isAwaited?: boolean;
}

/** Needed where what clients get differs from what is emitted. */
interface WholeForm<P, Fields> {
  shape?: (payload: P, queue: Traits) => Immutable<Fields> | null;
  own?: undefined;
}

interface PartedForm<P, Fields> {
  shape: (payload: P, queue: Traits) => Immutable<Partial<Fields>> | null;
  /** The fields that `shape` leaves out. */
  own: (payload: P, queue: Traits, queueId: string) => Immutable<Partial<Fields>> | null;
}

/** An event may carry what nobody may change. */
type Immutable<T> = T extends object ? { readonly [K in keyof T]: Immutable<T[K]> } : T;

type KeyOf<Type extends string, Op> = Op extends string ? `${Type}/${Op}` : Type;

/** A queue's variant of an event never changes, so it is computed once. */
function cacheVariants(variant: (queue: Traits) => string): (queue: Traits) => string {
  const known = new WeakMap<Traits, string>();
  return (queue) => {
    const name = known.get(queue) ?? variant(queue);
    known.set(queue, name);
    return name;
  };
}

const declared = new Map<string, EventType<unknown>>();

/**
 * Declares an event once: its type, its schema, and its forms for clients of different versions. The payload's type is that of
 * the schema, unless `shape` names another.
 */
export function event<
  const Type extends string,
  Fields extends object,
  P extends object,
  const Op extends string | undefined = undefined,
>(
  type: Type,
  options: EventOptions<P, Fields, Op> & PartedForm<P, Fields>,
): EventType<P, Fields, KeyOf<Type, Op>>;
export function event<
  const Type extends string,
  Fields extends object,
  P extends object = Immutable<Fields>,
  const Op extends string | undefined = undefined,
>(
  type: Type,
  options: EventOptions<P, Fields, Op> & WholeForm<P, Fields>,
): EventType<P, Fields, KeyOf<Type, Op>>;
export function event<P extends object>(
  type: string,
  options: EventOptions<P, object, string> & (WholeForm<P, object> | PartedForm<P, object>),
): EventType<P> {
  const { about, op, schema, variant, shape, own, accepts, after } = options;
  const { isInternal = false, isFleeting = false, isAwaited = false } = options;
  const head = op === undefined ? { type } : { type, op };
  const key = op === undefined ? type : `${type}/${op}`;
  const made: EventType<P> = {
    key,
    type,
    about,
    schema,
    variant: variant ? cacheVariants(variant) : () => "",
    shape: (payload, queue) => {
      const fields = shape ? shape(payload, queue) : payload;
      return fields && { ...head, ...fields };
    },
    own,
    accepts,
    after,
    isInternal,
    isFleeting,
    isAwaited,
  };
  if (declared.has(key)) throw new Error(`Event ${key} is declared twice`);
  declared.set(key, made as EventType<unknown>);
  return made;
}

/** The event with a key; undefined if none is declared. */
export function findEventType(key: string): EventType<unknown> | undefined {
  return declared.get(key);
}

/** The events that clients get. */
export function listEventTypes(): readonly EventType<unknown>[] {
  return [...declared.values()].filter(({ isInternal }) => !isInternal);
}
