// Gives memory back to the machine after a busy time.

export interface Calm {
  /** Without a request for so long, nobody is likely to wait for a collection. */
  calmMs: number;
  /** Fewer requests leave too little garbage. */
  minRequests: number;
  collect(): void;
}

/** A full collection frees at once what JavaScriptCore would keep for many seconds; it takes some 20 ms. */
const usual: Calm = { calmMs: 1_000, minRequests: 2_000, collect: () => Bun.gc(true) };

/** Wraps a handler of requests: collects garbage once when no more requests come after many. */
export function collectingWhenCalm<A extends unknown[], R>(
  handle: (...args: A) => R,
  { calmMs, minRequests, collect }: Calm = usual,
): (...args: A) => R {
  let [requests, seen, collected] = [0, 0, 0];
  let isWatching = false;
  const watch = () => {
    seen = requests;
    setTimeout(look, calmMs).unref();
  };
  const look = () => {
    if (requests !== seen) return watch();
    isWatching = false;
    if (requests - collected < minRequests) return;
    collected = requests;
    collect();
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
