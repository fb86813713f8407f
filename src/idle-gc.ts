// Gives memory back to the machine after a busy time.
import { fullGC, heapSize } from "bun:jsc";

export interface IdleGcOptions {
  /** Memory is given back after this long without a request, when probably nobody waits for it. */
  quietMs: number;
  /** Bytes of JavaScript objects, garbage included. */
  heapSize(): number;
  collect(): void;
}

/** Less garbage is not worth a collection, unless so many requests came that much else was allocated and freed. */
const minGarbage = 8_000_000;
const minRequests = 2_000;
/** A collection stops the server for up to 0.7 ms per megabyte in use, so a larger heap is left to JavaScriptCore itself. */
const maxInUse = 48_000_000;
/** Garbage costs next to nothing, but how much of the heap it is can only be guessed. */
const maxHeap = 96_000_000;

const usual: IdleGcOptions = { quietMs: 1_000, heapSize, collect: fullGC };

/**
 * Wraps a handler of requests: collects garbage when requests stop coming, because JavaScriptCore would keep the garbage, and the
 * memory that depends on it, for many seconds. After many requests, it also calls `release`, which frees caches.
 */
export function collectWhenIdle<A extends unknown[], R>(
  handle: (...args: A) => R,
  release: () => void,
  { quietMs, heapSize, collect }: IdleGcOptions = usual,
): (...args: A) => R {
  let requests = 0;
  let afterLast = { heap: 0, requests: 0 };
  /** The smallest heap that was seen since the last collection: about what is in use. */
  let smallest = Number.POSITIVE_INFINITY;
  let isWatching = false;
  const watch = () => {
    const before = requests;
    smallest = Math.min(smallest, heapSize());
    setTimeout(() => (requests === before ? rest() : watch()), quietMs).unref();
  };
  const rest = () => {
    isWatching = false;
    const heap = heapSize();
    const wereMany = requests >= afterLast.requests + minRequests;
    if (!wereMany && heap < afterLast.heap + minGarbage) return;
    if (wereMany) release();
    smallest = Math.min(smallest, heap);
    if (smallest <= maxInUse && heap <= maxHeap) {
      collect();
      smallest = heapSize();
    }
    afterLast = { heap: smallest, requests };
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
