/** Gives the same list for lists that hold the same, so that what is made of one need not be made again. */
export function alike<T extends string | number>(): (list: readonly T[]) => readonly T[] {
  const known = new Map<string, readonly T[]>();
  return (list) => {
    const key = list.join();
    const found = known.get(key) ?? list;
    known.set(key, found);
    return found;
  };
}
