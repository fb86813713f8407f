// Tests wait for what must come, never for a time that is hoped to be long enough.

/** In milliseconds. No machine is so slow that it takes this long: what reaches it is an error. */
export const patience = 60_000;

/**
 * Asks again and again; resolves with the first answer that is not false, null or undefined. `what` completes "Waited in
 * vain until …", and is asked when that is said.
 */
export async function until<T>(
  ask: () => T | Promise<T>,
  what: string | (() => string),
  pauseMs = 5,
  patienceMs = patience,
): Promise<NonNullable<T>> {
  // Named here, because the error is made later, where the stack no longer says who waited.
  const error = new Error();
  const end = performance.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer !== false && answer !== null && answer !== undefined) return answer;
    if (performance.now() > end) {
      error.message = `Waited in vain until ${typeof what === "string" ? what : what()}`;
      throw error;
    }
    await Bun.sleep(pauseMs);
  }
}
