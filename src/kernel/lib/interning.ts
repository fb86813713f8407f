/** Returns a function that gives the same object for equal lists, so that results can be cached by object. */
export function interner<T extends string | number>(): (list: readonly T[]) => readonly T[] {
  const known = new Map<string, readonly T[]>();
  return (list) => {
    const key = list.join();
    const found = known.get(key) ?? list;
    known.set(key, found);
    return found;
  };
}
