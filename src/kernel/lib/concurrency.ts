/** Does work for each of these, at most `atOnce` at a time; stops at the first failure. */
export async function forEachLimited<T>(
  all: readonly T[],
  atOnce: number,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const left = [...all];
  const worker = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, left.length) }, worker));
}
