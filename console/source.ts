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
   * The source of this name; asking for it keeps it up to date for a while, and loads it again for another version. `load` gets the
   * value so far; if it returns the same one, nothing is drawn again.
   */
  get<T>(
    name: string,
    everyMs: number,
    load: (before: T | null) => Promise<T>,
    version?: number,
  ): PolledSource<T>;
  /**
   * Loads it again now, also if it is being loaded; with `once` in another way, this time. While such a load runs, the usual way
   * does not replace it.
   */
  refresh(name: string, once?: () => Promise<unknown>): void;
  /** Resolves once all values that depend on the version are loaded for the newest one. */
  settle(): Promise<void>;
  close(): void;
}

interface LoadedSource {
  value: unknown;
  problem: string | null;
  isLoading: boolean;
  loadedAt: number | null;
  /** Whether to load once more after the running load, which may have begun too early. */
  isOutdated: boolean;
  askedAt: number;
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
      kept.value = await (once ? once() : kept.load(kept.value));
      kept.problem = null;
    } catch (error) {
      kept.problem = (error as Error).message;
    }
    kept.isLoading = false;
    if (isClosed) return;
    if (kept.isOutdated) return loadSource(kept);
    kept.loadedAt = Math.floor(Date.now() / 1000);
    if (!isRoutine || kept.value !== value || kept.problem !== problem) notify();
    kept.timer = setTimeout(() => {
      const isWanted = performance.now() - kept.askedAt < kept.everyMs * 2;
      if (isWanted) begin(kept, true);
    }, kept.everyMs);
  }

  function begin(kept: LoadedSource, isRoutine = false): void {
    if (!kept.isLoading) kept.loading = loadSource(kept, isRoutine);
  }

  return {
    get<T>(
      name: string,
      everyMs: number,
      load: (before: T | null) => Promise<T>,
      version = 0,
    ): PolledSource<T> {
      const now = performance.now();
      const known = all.get(name);
      const kept: LoadedSource = known ?? {
        value: null,
        problem: null,
        isLoading: false,
        loadedAt: null,
        isOutdated: false,
        askedAt: now,
        load: load as LoadedSource["load"],
        once: undefined,
        isSpecial: false,
        everyMs,
        wanted: version,
        version,
        timer: undefined,
        loading: Promise.resolve(),
      };
      const wasForgotten = known !== undefined && now - known.askedAt >= everyMs * 2;
      all.set(name, kept);
      kept.askedAt = now;
      kept.load = load as LoadedSource["load"];
      kept.wanted = version;
      if (!known || kept.version !== version) begin(kept);
      else if (wasForgotten) begin(kept, true);
      return kept as PolledSource<T>;
    },
    refresh(name, once) {
      const kept = all.get(name);
      if (!kept || (!once && kept.isLoading && kept.isSpecial)) return;
      kept.once = once ?? kept.once;
      kept.isOutdated = kept.isLoading;
      begin(kept);
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
