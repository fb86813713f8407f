// Changing plain data by copying it.

export function byKey<T, K extends keyof T>(list: readonly T[], key: K): Record<T[K] & PropertyKey, T> {
  return Object.fromEntries(list.map((one) => [one[key], one])) as Record<T[K] & PropertyKey, T>;
}

export function withEntry<T>(record: Record<PropertyKey, T>, key: PropertyKey, value: T): typeof record {
  return { ...record, [key]: value };
}

export function withoutEntries<T>(
  record: Record<PropertyKey, T>,
  keys: Iterable<PropertyKey>,
): typeof record {
  const rest = { ...record };
  for (const key of keys) delete rest[key];
  return rest;
}

/** The record with one entry changed; the same record if it has no such entry. */
export function changeEntry<T>(
  record: Record<PropertyKey, T>,
  key: PropertyKey,
  change: (value: T) => T,
): typeof record {
  const value = record[key];
  return value === undefined ? record : { ...record, [key]: change(value) };
}

/** Both lists merged, ascending, each number once. */
export function union(list: readonly number[], more: readonly number[]): readonly number[] {
  const last = list.at(-1);
  if (more.length === 1 && (last === undefined || (more[0] as number) > last)) return [...list, ...more];
  return [...new Set([...list, ...more])].sort((a, b) => a - b);
}

export function without(list: readonly number[], ids: readonly number[]): readonly number[] {
  const gone = new Set(ids);
  return list.some((id) => gone.has(id)) ? list.filter((id) => !gone.has(id)) : list;
}

/** The state with entries put into one of its records, or replaced there. */
export function withPut<State, Name extends keyof State, T>(
  state: State,
  name: Name,
  key: keyof T,
  list: readonly T[],
): State {
  const entries = Object.fromEntries(list.map((one) => [one[key], one]));
  return { ...state, [name]: { ...state[name], ...entries } };
}

/** The state without an entry of one of its records. */
export function withDropped<State, Name extends keyof State>(
  state: State,
  name: Name,
  key: PropertyKey,
): State {
  return { ...state, [name]: withoutEntries(state[name] as Record<PropertyKey, unknown>, [key]) };
}
