// What leaves this machine for other hosts: nobody's waits behind what another person or host holds up.
import { type Ctx, type Db, writesHere } from "@/kernel/core/context.ts";
import { perApp } from "@/kernel/store/per-app.ts";

export interface Limits {
  /** So many at once to hosts that answer quickly, and as many to slow ones: they have places of their own. */
  atOnce: number;
  perOwner: number;
  perHost: number;
  /** To a host that was slow the last time. */
  perSlowHost: number;
}

export interface Departing<Row> {
  limits: Limits;
  /** Identifies a row while it is under way. */
  keyOf(row: Row): string | number;
  /** Hosts with rows, in a stable order; some may have none that is due. */
  listHosts(ctx: Ctx): readonly string[];
  /** Those who have due rows for a host, above this one and in their order; at most `max`. */
  listOwners(ctx: Ctx, host: string, above: number, max: number): readonly number[];
  /** The due rows of one of them, in the order in which they are sent; at most `max`. */
  listDue(ctx: Ctx, host: string, owner: number, max: number): readonly Row[];
  /** Sends one, and deletes it or puts it off. The row may have been deleted meanwhile. */
  send(ctx: Ctx, row: Row): Promise<void>;
  /** Deletes a row that cannot be sent because of a fault, or puts it off. */
  giveUp(ctx: Ctx, row: Row): Promise<void>;
}

/** A host is slow from the moment on at which one answer takes this long, until it answers in less. */
export const slowMs = 2000;
/** How long a row rests that could neither be sent nor given up. */
export const restMs = 60_000;
const maxSlowHosts = 1000;

interface UnderWay {
  owner: number;
  host: string;
  since: number;
}

interface Line {
  underWay: Map<string | number, UnderWay>;
  /** Hosts that were slow the last time. */
  slow: Set<string>;
  /** Until when rows rest, by `clock.steady`. */
  resting: Map<string | number, number>;
  /** Who was served last: the host, and the owner for each host. */
  lastHost: string;
  lastOwners: Map<string, number>;
}

/**
 * Sends what is due, round-robin over hosts and their owners, until nothing is left that may start. It may be called while an earlier call
 * still waits for slow hosts: what is due by then starts at the same time. A row that fails by a fault is given up alone; the first fault
 * is thrown once everything else has been sent.
 */
export function departures<Row>(departing: Departing<Row>): (ctx: Ctx) => Promise<void> {
  const lineOf = perApp(
    (_: Db): Line => ({
      underWay: new Map(),
      slow: new Set(),
      resting: new Map(),
      lastHost: "",
      lastOwners: new Map(),
    }),
  );
  return async (ctx) => {
    const line = lineOf(ctx);
    const faults: unknown[] = [];
    const running = new Set<Promise<void>>();
    const start = (row: Row): void => {
      const one = sendAlone(ctx, row, departing, line)
        .catch((fault) => void faults.push(fault))
        .finally(() => {
          end(ctx, departing.keyOf(row), line);
          running.delete(one);
        });
      running.add(one);
    };
    for (;;) {
      // A node that leads no more could not delete what it has sent, and the next leader sends the rest.
      if (writesHere(ctx)) startNext(ctx, line, departing, start);
      if (running.size === 0) break;
      await Promise.race(running);
    }
    if (faults.length > 0) throw faults[0];
  };
}

async function sendAlone<Row>(
  ctx: Ctx,
  row: Row,
  { send, giveUp, keyOf }: Departing<Row>,
  { resting }: Line,
): Promise<void> {
  try {
    await send(ctx, row);
  } catch (fault) {
    try {
      await giveUp(ctx, row);
    } catch {
      // It is still due, and would start again at once.
      resting.set(keyOf(row), ctx.db.clock.steady() + restMs);
    }
    throw fault;
  }
}

function end({ db }: Ctx, key: string | number, { underWay, slow }: Line): void {
  const one = underWay.get(key);
  underWay.delete(key);
  if (!one) return;
  slow.delete(one.host);
  if (db.clock.steady() - one.since < slowMs) return;
  slow.add(one.host);
  const [oldest] = slow;
  if (slow.size > maxSlowHosts && oldest !== undefined) slow.delete(oldest);
}

/** Starts what may start now: one row of each host in turn, as long as there is room. */
function startNext<Row>(ctx: Ctx, line: Line, departing: Departing<Row>, start: (row: Row) => void): void {
  const now = ctx.db.clock.steady();
  for (const [key, until] of line.resting) if (until <= now) line.resting.delete(key);
  const hosts = departing.listHosts(ctx);
  const known = new Set(hosts);
  for (const host of line.lastOwners.keys()) if (!known.has(host)) line.lastOwners.delete(host);
  const ordered = [
    ...hosts.filter((host) => host > line.lastHost),
    ...hosts.filter((host) => host <= line.lastHost),
  ];
  let hostRows = ordered.map((host) => ({ host, rows: interleaveRows(ctx, host, line, departing) }));
  while (hostRows.length > 0) {
    hostRows = hostRows.filter(({ host, rows }) => {
      if (!hasRoom(line, departing.limits, host, now)) return false;
      const { value } = rows.next();
      if (!value) return false;
      const { row, owner } = value;
      line.underWay.set(departing.keyOf(row), { owner, host, since: now });
      line.lastHost = host;
      line.lastOwners.set(host, owner);
      start(row);
      return true;
    });
  }
}

function hasRoom({ underWay, slow }: Line, limits: Limits, host: string, now: number): boolean {
  const all = [...underWay.values()];
  const late = all.filter(({ since }) => now - since >= slowMs).map((one) => one.host);
  const slowHosts = new Set([...slow, ...late]);
  const isSlow = slowHosts.has(host);
  const there = all.filter((one) => one.host === host).length;
  if (there >= (isSlow ? limits.perSlowHost : limits.perHost)) return false;
  return all.filter((one) => slowHosts.has(one.host) === isSlow).length < limits.atOnce;
}

/** The due rows for a host that may start: one of each owner after the last one, then a second one of each, and so on. */
function* interleaveRows<Row>(
  ctx: Ctx,
  host: string,
  { underWay, resting, lastOwners }: Line,
  { limits, keyOf, listOwners, listDue }: Departing<Row>,
): Generator<{ row: Row; owner: number }, undefined> {
  const last = lastOwners.get(host) ?? -1;
  // Owners that have all their places may be among them.
  const max = limits.atOnce + underWay.size;
  const after = listOwners(ctx, host, last, max);
  const before = listOwners(ctx, host, -1, max - after.length).filter((owner) => owner <= last);
  const isReady = (row: Row) => !underWay.has(keyOf(row)) && !resting.has(keyOf(row));
  const owners = [...after, ...before].map((owner) => {
    let rows: Row[] | undefined;
    const next = () => {
      rows ??= listDue(ctx, host, owner, 2 * limits.perOwner).filter(isReady);
      return rows.shift();
    };
    return { owner, next };
  });
  for (let round = 0; round < limits.perOwner; round++) {
    for (const { owner, next } of owners) {
      const own = [...underWay.values()].filter((one) => one.owner === owner).length;
      if (own >= limits.perOwner) continue;
      const row = next();
      if (row !== undefined) yield { row, owner };
    }
  }
}
