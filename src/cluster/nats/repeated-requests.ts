// Requests to streams that may have no leader just now.
import { errors } from "@nats-io/transport-node";

/**
 * How long after a request it is sent again, in milliseconds: NATS drops what is sent to a stream that has no leader, and a
 * request that waits for an answer then would outlast the election.
 */
export const againMs = 150;

/**
 * Sends a request, and again while there is no answer. Resolves with the first answer; rejects as soon as an error is final, and
 * after `ms` with the last error.
 */
export async function repeatRequest<T>(
  request: () => Promise<T>,
  {
    ms,
    everyMs = againMs,
    isFinal = () => false,
  }: {
    ms: number;
    everyMs?: number;
    isFinal?: (error: unknown) => boolean;
  },
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let last: unknown = new errors.TimeoutError();
  const attempt = () =>
    request().then(resolve, (error: unknown) => {
      last = error;
      if (isFinal(error)) reject(error);
    });
  void attempt();
  const repeating = setInterval(() => void attempt(), everyMs);
  const ending = setTimeout(() => reject(last), ms);
  return promise.finally(() => {
    clearInterval(repeating);
    clearTimeout(ending);
  });
}
