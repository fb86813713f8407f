// Serializes events: once for each variant, shared by all queues that get the same text.

import type { Emitted, Traits } from "@/kernel/core/events.ts";
import type { Queued } from "@/kernel/core/queue-types.ts";
import { EndedJson, type Json, SharedStart } from "@/kernel/lib/ended-json.ts";

interface Variant {
  /** The event without its end; null if its queues get nothing. */
  text: string | null;
  /** Finished texts, keyed by the fields of the queue's own. */
  finished: Map<object | null, Queued>;
}

/** Gives each queue its form of an event, shared by those with the same form; null if a queue gets nothing. */
function serializer(
  { event, payload }: Emitted,
  id: number,
): (traits: Traits, queueId: string) => Queued | null {
  const variants = new Map<string, Variant>();
  const end = `,"id":${id}}`;

  const variantFor = (traits: Traits): Variant => {
    const name = event.variant(traits);
    const known = variants.get(name);
    if (known) return known;
    const shaped = event.shape(payload, traits);
    const made = { text: shaped && JSON.stringify(shaped).slice(0, -1), finished: new Map() };
    variants.set(name, made);
    return made;
  };
  return (traits, queueId) => {
    const { text, finished } = variantFor(traits);
    if (text === null) return null;
    const own = event.own?.(payload, traits, queueId) ?? null;
    const known = finished.get(own);
    if (known !== undefined) return known;
    const whole = own ? `${text},${JSON.stringify(own).slice(1, -1)}${end}` : text + end;
    const made = { id, text: whole, holders: 0 };
    finished.set(own, made);
    return made;
  };
}

interface Reader {
  readonly id: string;
  readonly traits: Traits;
  /** Subtracted from the IDs of events. */
  readonly base: number;
}

/** As `serializer`, for queues that may count from different bases. */
export function formsOf(emitted: Emitted, id: number): (queue: Reader) => Queued | null {
  const known = new Map<number, ReturnType<typeof serializer>>();
  let base = Number.NaN;
  let formFor: ReturnType<typeof serializer>;
  return (queue) => {
    if (queue.base !== base) {
      base = queue.base;
      formFor = known.get(base) ?? serializer(emitted, id - base);
      known.set(base, formFor);
    }
    return formFor(queue.traits, queue.id);
  };
}

/** Longer answers are not kept, because no other queue may ever need them. */
const maxKeptBytes = 1_000_000;
/** Up to this length, ASCII costs less as a text than as bytes. */
const maxTextLength = 16_384;

/** How the answer of a queue ends. */
export function endingOf(queueId: string): string {
  return `,"queue_id":${JSON.stringify(queueId)}}`;
}

function joinEvents(events: readonly Queued[]): Json {
  const text = `{"result":"success","msg":"","events":[${events.map((event) => event.text).join(",")}]`;
  const bytes = Buffer.from(text);
  return bytes.length === text.length && text.length <= maxTextLength ? text : bytes;
}

/** Builds poll answers; queues that wake with the same events share all but its end. */
export function joiner(): (events: readonly Queued[], ending: string) => EndedJson {
  let lastTexts: readonly Queued[] = [];
  let lastStart = new SharedStart(joinEvents([]));
  const same = (events: readonly Queued[]) => {
    if (events.length !== lastTexts.length) return false;
    for (let i = 0; i < events.length; i++) if (events[i]?.text !== lastTexts[i]?.text) return false;
    return true;
  };

  return (events, ending) => {
    const start = same(events) ? lastStart : new SharedStart(joinEvents(events));
    if (start !== lastStart && start.json.length <= maxKeptBytes) {
      lastTexts = events.slice();
      lastStart = start;
    }
    return new EndedJson(start, ending);
  };
}
