// Gives memory back to the machine after a busy time.
import { fullGC, heapSize } from "bun:jsc";

export interface Calm {
  /** A collection starts after this long without a request, when probably nobody waits for it. */
  calmMs: number;
  /** Bytes of JavaScript objects, garbage included. */
  heapSize(): number;
  collect(): void;
}

/** Less garbage is not worth a collection, unless so many requests came that much else was allocated and freed. */
const minGarbage = 8_000_000;
const minRequests = 2_000;
/** A collection stops the server for about a millisecond per megabyte, so larger heaps are left to JavaScriptCore itself. */
const maxHeap = 48_000_000;

const usual: Calm = { calmMs: 1_000, heapSize, collect: fullGC };

/**
 * Wraps a handler of requests: collects garbage when requests stop coming. Otherwise JavaScriptCore would keep the garbage, and
 * the memory that depends on it, for many seconds.
 */
export function collectingWhenCalm<A extends unknown[], R>(
  handle: (...args: A) => R,
  { calmMs, heapSize, collect }: Calm = usual,
): (...args: A) => R {
  let requests = 0;
  let afterLast = { heap: 0, requests: 0 };
  let isWatching = false;
  const watch = () => {
    const before = requests;
    setTimeout(() => (requests === before ? rest() : watch()), calmMs).unref();
  };
  const rest = () => {
    isWatching = false;
    const heap = heapSize();
    const isWorth = heap >= afterLast.heap + minGarbage || requests >= afterLast.requests + minRequests;
    if (!isWorth || heap > maxHeap) return;
    collect();
    afterLast = { heap: heapSize(), requests };
  };
  return (...args) => {
    requests++;
    if (!isWatching) {
      isWatching = true;
      watch();
    }
    return handle(...args);
  };
}
