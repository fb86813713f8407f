// The open event queues, and which of them get an event.

import type { Audience, Emitted, EventType } from "@/kernel/core/events.ts";
import type { EventQueue } from "@/kernel/core/queue-types.ts";
import type { EmitLater } from "@/kernel/store/connection.ts";

/** An event whose queues are searched later, because that takes longer than a commit has time for. */
export interface Delivery {
  readonly event: EventType<unknown>;
  /** Queues from this one on get nothing: their initial state contains the changes already. */
  readonly before: number;
  read(): Emitted;
}

export class QueueLists {
  private opened = 0;
  readonly all = new Map<string, EventQueue>();
  readonly byUser = new Map<number, Set<EventQueue>>();
  private readonly byTap = new Map<string, Set<EventQueue>>();

  add(queue: EventQueue): void {
    queue.nth = this.opened++;
    this.all.set(queue.id, queue);
    enlist(this.byUser, queue.traits.userId, queue);
    for (const tap of queue.traits.taps) enlist(this.byTap, tap, queue);
  }

  /** Returns whether it was in the list. */
  remove(queue: EventQueue): boolean {
    strike(this.byUser, queue.traits.userId, queue);
    for (const tap of queue.traits.taps) strike(this.byTap, tap, queue);
    return this.all.delete(queue.id);
  }

  of(userId: number): ReadonlySet<EventQueue> | undefined {
    return this.byUser.get(userId);
  }

  /** Whether any queue belongs to this audience. */
  reaches(audience: Audience): boolean {
    if (this.all.size === 0) return false;
    const { to } = audience;
    if (to === "everyone") return true;
    const { users, fewer } = this.named(to);
    for (const user of fewer) if (users.has(user) && this.byUser.has(user)) return true;
    return this.others(audience).size > 0;
  }

  prepare(emitted: Emitted): Delivery {
    return { event: emitted.event, before: this.opened, read: () => emitted };
  }

  /** For events that are read in later slices, and go to the queues that are open now. */
  later(): EmitLater<Delivery> {
    const before = this.opened;
    return (event, read) => ({ event, before, read });
  }

  /** The queues that get an event, and how many had to be looked at. */
  listeners({ event, audience, payload }: Emitted, before: number): { found: EventQueue[]; seen: number } {
    const found: EventQueue[] = [];
    let seen = 0;
    const consider = (queue: EventQueue) => {
      seen++;
      if (queue.nth >= before) return;
      const { types } = queue.traits;
      if (types && !types.has(event.type)) return;
      if (event.accepts?.(payload, queue.traits) ?? true) found.push(queue);
    };
    const { to } = audience;
    if (to === "everyone") for (const queue of this.all.values()) consider(queue);
    else {
      const { users, fewer } = this.named(to);
      for (const user of fewer)
        if (users.has(user)) for (const queue of this.byUser.get(user) ?? []) consider(queue);
      for (const queue of this.others(audience)) if (!users.has(queue.traits.userId)) consider(queue);
    }
    return { found, seen };
  }

  /** Whether a queue that is not in the lists would get an event. */
  static isFor(queue: EventQueue, { event, audience, payload }: Emitted): boolean {
    const { userId, types, taps } = queue.traits;
    if (types && !types.has(event.type)) return false;
    const { to, also, tap, queue: single } = audience;
    const isMeant =
      to === "everyone" ||
      (to instanceof Set ? to.has(userId) : (to as readonly number[]).includes(userId)) ||
      also?.includes(userId) ||
      (tap !== undefined && taps.has(tap)) ||
      (single?.id === queue.id && single.userId === userId);
    return isMeant && (event.accepts?.(payload, queue.traits) ?? true);
  }

  /** The users of an audience, and the shorter list to search for users with queues: these, or all with queues. */
  private named(to: ReadonlySet<number> | readonly number[]): {
    users: ReadonlySet<number>;
    fewer: Iterable<number>;
  } {
    const users = to instanceof Set ? to : setOf(to as readonly number[]);
    return { users, fewer: users.size < this.byUser.size ? users : this.byUser.keys() };
  }

  /** Queues that an audience adds to those of its users, each once. */
  private others({ also = [], tap, queue }: Audience): ReadonlySet<EventQueue> {
    const added = new Set(tap === undefined ? null : this.byTap.get(tap));
    if (also.length > 0) {
      const { users, fewer } = this.named(also);
      for (const user of fewer)
        if (users.has(user)) for (const own of this.byUser.get(user) ?? []) added.add(own);
    }
    const single = queue && this.all.get(queue.id);
    if (single && single.traits.userId === queue.userId) added.add(single);
    return added;
  }
}

const sets = new WeakMap<readonly number[], ReadonlySet<number>>();

/** The set of a list of users. It is kept, because an action may emit hundreds of events to the same thousands of users. */
function setOf(list: readonly number[]): ReadonlySet<number> {
  const known = sets.get(list);
  if (known) return known;
  const made = new Set(list);
  sets.set(list, made);
  return made;
}

function enlist<K>(lists: Map<K, Set<EventQueue>>, key: K, queue: EventQueue): void {
  const list = lists.get(key);
  if (list) list.add(queue);
  else lists.set(key, new Set([queue]));
}

function strike<K>(lists: Map<K, Set<EventQueue>>, key: K, queue: EventQueue): void {
  const list = lists.get(key);
  list?.delete(queue);
  if (list?.size === 0) lists.delete(key);
}
