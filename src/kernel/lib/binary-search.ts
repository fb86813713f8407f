/** How many items at the start of a sorted list come before a place, found by halves; those before `begin` are not looked at. */
export function lowerBound<T>(sorted: readonly T[], isBefore: (item: T) => boolean, begin = 0): number {
  let low = begin;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(sorted[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}
