// Reads the initial state of a queue. Each domain reads its part; all parts are as of the same moment.
import type { Ctx, Db, StateReader, StateRequest } from "@/kernel/core/context.ts";
import { runInSlices, runSync, type Task } from "@/kernel/lib/tasks.ts";
import { TimeUsed } from "@/kernel/lib/time-slices.ts";

/**
 * A part that may take long to read, and depends only on the database. It is read in a separate slice before the queue opens,
 * and again if one of `tables` has changed since; without `tables`, if any table has.
 */
export function early(
  read: (ctx: Ctx, request: StateRequest) => object,
  tables: readonly string[] | null = null,
): StateReader {
  return Object.assign((ctx: Ctx, request: StateRequest) => ({ ...read(ctx, request) }), {
    early: { tables },
  });
}

/**
 * As `early`, for a part that is read in steps, each in a slice of its own. `readAtOnce` is how to read it again without a pause, if
 * that should not take all the steps.
 */
export function earlyInSteps(
  read: (ctx: Ctx, request: StateRequest) => Task<object>,
  tables: readonly string[] | null = null,
  readAtOnce: (ctx: Ctx, request: StateRequest) => object = (ctx, request) => runSync(read(ctx, request)),
): StateReader {
  return Object.assign((ctx: Ctx, request: StateRequest) => ({ ...readAtOnce(ctx, request) }), {
    early: { tables, steps: read },
  });
}

/**
 * Gives this part to people without an account, too: `theirs` or, without it, what `read` returns for them, which must then leave out
 * what is not public.
 */
export function forSpectators(
  read: StateReader | ((ctx: Ctx, request: StateRequest) => object),
  theirs: object | ((ctx: Ctx, request: StateRequest) => object) = read,
): StateReader {
  const spectators = typeof theirs === "function" ? (theirs as StateReader) : () => theirs;
  const early = "early" in read ? { early: read.early } : {};
  return Object.assign((ctx: Ctx, request: StateRequest) => ({ ...read(ctx, request) }), {
    ...early,
    spectators,
  });
}

/** The initial state for people without an account. */
export function readStateOfSpectators(ctx: Ctx, request: StateRequest): Record<string, unknown> {
  return Object.assign({}, ...readersOf(ctx, request).map(([, read]) => read.spectators?.(ctx, request)));
}

interface EarlyPart {
  part: Record<string, unknown>;
  version: number;
}

export type EarlyParts = Map<string, EarlyPart>;

/** How often to read stale parts again while others keep writing. After that, all stale parts are read at once. */
const maxRounds = 3;

/** Reads the early parts; other requests get time in between. */
export async function readEarly(ctx: Ctx, request: StateRequest): Promise<EarlyParts> {
  const parts: EarlyParts = new Map();
  const used = new TimeUsed();
  for (let round = 0; round < maxRounds; round++) {
    if ((await runInSlices(readStale(ctx, request, parts), used)) === 0) break;
  }
  return parts;
}

/** Reads those early parts that are missing or stale; returns their number. */
export function* readStale(ctx: Ctx, request: StateRequest, parts: EarlyParts): Task<number> {
  let stale = 0;
  for (const [type, read] of readersOf(ctx, request)) {
    if (!read.early || currentPart(ctx, parts.get(type), read)) continue;
    const version = versionOf(ctx.db, read);
    const { steps } = read.early;
    const part = steps ? { ...(yield* steps(ctx, request)) } : read(ctx, request);
    parts.set(type, { part, version });
    stale++;
    yield 1;
  }
  return stale;
}

/** The whole state as of now. Reads again only those early parts that are stale. */
export function readState(ctx: Ctx, request: StateRequest, parts: EarlyParts): Record<string, unknown> {
  const state: Record<string, unknown> = {};
  for (const [type, read] of readersOf(ctx, request)) {
    Object.assign(state, currentPart(ctx, parts.get(type), read)?.part ?? read(ctx, request));
  }
  return state;
}

function readersOf(ctx: Ctx, { fetched }: StateRequest): [string, StateReader][] {
  return [...ctx.env.state].filter(([type]) => !fetched || fetched.has(type));
}

function currentPart(ctx: Ctx, known: EarlyPart | undefined, read: StateReader): EarlyPart | null {
  return known && known.version === versionOf(ctx.db, read) ? known : null;
}

/** Differs whenever what the part depends on may have changed. */
function versionOf(db: Db, { early: found }: StateReader): number {
  const tables = found?.tables;
  return tables ? tables.reduce((sum, table) => sum + db.watch(table).n, 0) : db.changes;
}
