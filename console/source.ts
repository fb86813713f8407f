// Data that screens show and that must be fetched or takes a while to compute. Loaded when it is first shown, and again while it
// stays on screen.

export interface PolledSource<T> {
  /** Null until it is known. */
  readonly value: T | null;
  readonly problem: string | null;
  readonly isLoading: boolean;
  /** When the last load ended, in UNIX seconds; null before. */
  readonly loadedAt: number | null;
}

export interface PolledSources {
  /**
   * The source of this name; asking for it keeps it up to date until `leave`, and loads it again for another version. `load` gets the
   * value so far; if it returns the same one or an equal one, nothing is drawn again.
   */
  get<T>(
    name: string,
    everyMs: number,
    load: (before: T | null) => Promise<T>,
    version?: number,
  ): PolledSource<T>;
  /** From now on, keeps only those up to date that are asked for again: called before all that is shown is read again. */
  leave(): void;
  /**
   * Loads it again now, also if it is being loaded; with `once` in another way, this time. While such a load runs, the usual way
   * does not replace it.
   */
  refresh(name: string, once?: () => Promise<unknown>): void;
  /** The same; resolves once it is loaded. */
  refreshed(name: string): Promise<void>;
  /** Resolves once all values that depend on the version are loaded for the newest one. */
  settle(): Promise<void>;
  close(): void;
}

/** Sources for one request: each is loaded once. */
export interface OnceLoaded extends PolledSources {
  /** Resolves once all that were asked for are loaded; null if they are. */
  loading(): Promise<unknown> | null;
}

interface OnceOptions {
  /** Called for a source that is to be loaded again. */
  refreshed: (name: string) => void;
  /** When what a load returned was made, if that was before it; in UNIX seconds. */
  madeAt: (name: string) => number | null;
}

export function loadedOnce({ refreshed, madeAt }: OnceOptions): OnceLoaded {
  const all = new Map<string, PolledSource<unknown>>();
  const loads = new Set<Promise<void>>();
  return {
    get<T>(name: string, _everyMs: number, load: (before: T | null) => Promise<T>): PolledSource<T> {
      const known = all.get(name);
      if (known) return known as PolledSource<T>;
      const kept = {
        value: null as T | null,
        problem: null as string | null,
        isLoading: true,
        loadedAt: null as number | null,
      };
      all.set(name, kept);
      const loading = load(null)
        .then(
          (value) => void Object.assign(kept, { value }),
          (error: Error) => void Object.assign(kept, { problem: error.message }),
        )
        .finally(() => {
          Object.assign(kept, { isLoading: false, loadedAt: madeAt(name) ?? Math.floor(Date.now() / 1000) });
          loads.delete(loading);
        });
      loads.add(loading);
      return kept;
    },
    leave: () => {},
    refresh: refreshed,
    refreshed: async (name) => refreshed(name),
    settle: async () => {},
    loading: () => (loads.size === 0 ? null : Promise.all(loads)),
    close: () => {},
  };
}

interface LoadedSource {
  value: unknown;
  problem: string | null;
  isLoading: boolean;
  loadedAt: number | null;
  /** Whether to load once more after the running load, which may have begun too early. */
  isOutdated: boolean;
  isAsked: boolean;
  load: (before: unknown) => Promise<unknown>;
  /** How to load next time instead. */
  once: (() => Promise<unknown>) | undefined;
  /** Whether the running load is of that kind. */
  isSpecial: boolean;
  everyMs: number;
  /** The version that was asked for, and that of the last load. */
  wanted: number;
  version: number;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** The running load, or the last one. */
  loading: Promise<void>;
}

export function openSources(notify: () => void): PolledSources {
  const all = new Map<string, LoadedSource>();
  let isClosed = false;

  async function loadSource(kept: LoadedSource, isRoutine = false): Promise<void> {
    clearTimeout(kept.timer);
    if (isClosed) return;
    kept.isLoading = true;
    kept.isOutdated = false;
    kept.version = kept.wanted;
    const { once, value, problem } = kept;
    kept.once = undefined;
    kept.isSpecial = once !== undefined;
    try {
      const found = await (once ? once() : kept.load(value));
      if (!Bun.deepEquals(found, value)) kept.value = found;
      kept.problem = null;
    } catch (error) {
      kept.problem = (error as Error).message;
    }
    kept.isLoading = false;
    if (isClosed) return;
    if (kept.isOutdated) return loadSource(kept);
    kept.loadedAt = Math.floor(Date.now() / 1000);
    kept.timer = setTimeout(() => {
      kept.timer = undefined;
      if (kept.isAsked) begin(kept, true);
    }, kept.everyMs);
    if (!isRoutine || kept.value !== value || kept.problem !== problem) notify();
  }

  function begin(kept: LoadedSource, isRoutine = false): void {
    if (!kept.isLoading) kept.loading = loadSource(kept, isRoutine);
  }

  function refresh(name: string, once?: () => Promise<unknown>): void {
    const kept = all.get(name);
    if (!kept || (!once && kept.isLoading && kept.isSpecial)) return;
    kept.once = once ?? kept.once;
    kept.isOutdated = kept.isLoading;
    begin(kept);
  }

  return {
    get<T>(
      name: string,
      everyMs: number,
      load: (before: T | null) => Promise<T>,
      version = 0,
    ): PolledSource<T> {
      const known = all.get(name);
      const kept: LoadedSource = known ?? {
        value: null,
        problem: null,
        isLoading: false,
        loadedAt: null,
        isOutdated: false,
        isAsked: true,
        load: load as LoadedSource["load"],
        once: undefined,
        isSpecial: false,
        everyMs,
        wanted: version,
        version,
        timer: undefined,
        loading: Promise.resolve(),
      };
      all.set(name, kept);
      kept.isAsked = true;
      kept.load = load as LoadedSource["load"];
      kept.wanted = version;
      if (!known || kept.version !== version) begin(kept);
      else if (kept.timer === undefined) begin(kept, true);
      return kept as PolledSource<T>;
    },
    leave() {
      for (const kept of all.values()) kept.isAsked = false;
    },
    refresh,
    async refreshed(name) {
      refresh(name);
      await all.get(name)?.loading;
    },
    async settle() {
      const listOutdated = () => [...all.values()].filter(({ wanted, isLoading }) => wanted > 0 && isLoading);
      // Twice: the first load may have begun before the newest version.
      for (let i = 0; i < 2; i++) await Promise.all(listOutdated().map((kept) => kept.loading));
    },
    close() {
      isClosed = true;
      for (const { timer } of all.values()) clearTimeout(timer);
    },
  };
}
