/** When a read is sent again, in milliseconds after the first time. */
const againMs = [150, 300, 450, 600, 750];

/**
 * Reads, and sends the read again while there is no answer: NATS drops what is sent to a stream that has no leader, and the next
 * attempt then need not wait for a timeout. Resolves with the first answer; rejects once all attempts have failed.
 */
export async function readSoon<T>(read: () => Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let left = againMs.length + 1;
  const attempt = () =>
    read().then(resolve, (error: Error) => {
      left--;
      if (left === 0) reject(error);
    });
  void attempt();
  const timers = againMs.map((ms) => setTimeout(() => void attempt(), ms));
  return promise.finally(() => {
    for (const timer of timers) clearTimeout(timer);
  });
}
