// Events as text: made once for each variant, shared by all queues that read the same.
import type { Emitted } from "./batch.ts";
import type { Traits } from "./events.ts";

/** An event as it waits in queues. */
export interface Queued {
  id: number;
  text: string;
}

/** The text of an event for each queue; null where the queue is to get nothing. */
export function serializer(
  { event, payload }: Emitted,
  id: number,
): (traits: Traits, queueId: string) => string | null {
  const shared = new Map<string, string | null>();
  const finished = new Map<string, string>();
  const end = `,"id":${id}}`;

  const sharedText = (variant: string, traits: Traits) => {
    const known = shared.get(variant);
    if (known !== undefined) return known;
    const shaped = event.shape(payload, traits);
    const text = shaped && JSON.stringify(shaped).slice(0, -1);
    shared.set(variant, text);
    return text;
  };
  return (traits, queueId) => {
    const variant = event.variant(traits);
    const text = sharedText(variant, traits);
    if (text === null) return null;
    const own = event.own?.(payload, traits, queueId);
    const tail = own ? `,${JSON.stringify(own).slice(1, -1)}${end}` : end;
    const key = variant + tail;
    const known = finished.get(key);
    if (known !== undefined) return known;
    finished.set(key, text + tail);
    return text + tail;
  };
}

/** Builds poll answers; queues that wake with the same events share the joined text. */
export function joiner(): (queue: { events: Queued[]; id: string }) => string {
  const joined = (events: Queued[]) =>
    `{"result":"success","msg":"","events":[${events.map((event) => event.text).join(",")}]`;
  let lastTexts: Queued[] = [];
  let lastJoined = joined([]);
  const same = (events: Queued[]) =>
    events.length === lastTexts.length && events.every((event, i) => event.text === lastTexts[i]?.text);

  return ({ events, id }) => {
    if (!same(events)) {
      lastTexts = events.slice();
      lastJoined = joined(events);
    }
    return `${lastJoined},"queue_id":${JSON.stringify(id)}}`;
  };
}
