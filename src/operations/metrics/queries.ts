import { placementOf } from "@/foundation/file-stores/access.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { type RoleName, roles } from "@/foundation/permissions/schema.ts";
import { realmSettings, serverOptions } from "@/foundation/realm/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { runInSlices, type Task } from "@/kernel/lib/tasks.ts";
import { firstMessageSince } from "@/messaging/channel-activity/access.ts";
import type { CertificateState } from "@/operations/certificates/queries.ts";
import { membershipOf } from "@/operations/nodes/host.ts";
import { version } from "../../../package.json";
import { exposition } from "./exposition.ts";
import { figuresOf, freeBytesOf } from "./figures.ts";
import { historyOf } from "./history.ts";
import type { Health, MetricsHistory, MetricsToken, OpenQueue, ServerState, Statistics } from "./schema.ts";
import * as store from "./store.ts";
import { metricsFrom } from "./table.ts";

/** Whether the server works; reveals nothing about its data. */
export const health = query(allow.anyone, (ctx): Health => {
  const problem = unreadable(ctx) ?? reasonUnwritten(ctx) ?? full(ctx) ?? cutOff(ctx) ?? reasonDrained(ctx);
  return problem === null ? { status: "ok", version } : { status: "failing", version, problem };
});

function unreadable(ctx: Ctx): string | null {
  try {
    store.readSomething(ctx);
    return null;
  } catch {
    return "The database cannot be read.";
  }
}

function reasonUnwritten(ctx: Ctx): string | null {
  const { db } = ctx;
  // A follower writes nothing, so its last failed write may be long ago.
  if (db.lastFailure === null || membershipOf(ctx)?.figures.leads === false) return null;
  const isFull = (db.lastFailure as { code?: string }).code === "SQLITE_FULL";
  return isFull ? "The last write failed: the disk is full." : "The last write failed.";
}

/** With less room than this, small writes still succeed, and messages do not. */
const leastRoom = 1e6;

function full(ctx: Ctx): string | null {
  const free = freeBytesOf(ctx);
  return free !== null && free < leastRoom ? "The disk is full." : null;
}

function cutOff(ctx: Ctx): string | null {
  const figures = membershipOf(ctx)?.figures;
  if (!figures?.isCutOff) return null;
  const seconds = Math.floor(figures.unknownSeconds);
  return `This node has not been able to follow the cluster's log for ${seconds} seconds.`;
}

function reasonDrained(ctx: Ctx): string | null {
  return membershipOf(ctx)?.isDraining ? "This node gives its work to the others, to be stopped." : null;
}

function presentCertificate({ validity, is_own, failed }: CertificateState): ServerState["certificate"] {
  if (!validity && !is_own) return null;
  return {
    expires_at: validity?.expires_at ?? null,
    failed_tries: failed?.count ?? 0,
    problem: failed?.reason ?? null,
    retry_at: failed?.retry_at ?? null,
  };
}

/** The running server, for its owners. */
export const readServerState = query(allow.owner, (ctx): ServerState => {
  const { sizes, queues, services, ...found } = figuresOf(ctx);
  return {
    version: found.version,
    started_at: Math.floor(found.startedAt),
    memory_bytes: found.memoryBytes,
    database_bytes: sizes.database,
    write_ahead_log_bytes: sizes.wal,
    free_bytes: found.freeBytes,
    open_queues: queues.open,
    online: found.online,
    last_backup_age: found.backupAge,
    failed_backups: found.failedBackups?.count ?? 0,
    backup_problem: found.failedBackups?.reason ?? null,
    certificate: presentCertificate(found.certificate),
    sends_mail: serverOptions.read(ctx).sends_mail,
    services: services.map(({ service, waiting, answerAge, failureAge }) => ({
      service,
      waiting,
      answer_age: answerAge,
      failure_age: failureAge,
    })),
  };
});

/** All metrics, in Prometheus' text format; for administrators and monitoring programs. */
export const metrics = query(allow.watcher, (ctx): string =>
  exposition(metricsFrom({ ...figuresOf(ctx), isHealthy: health(ctx).status === "ok" })),
);

/** The tokens of monitoring programs; for administrators. */
export const listTokens = query(allow.admin, (ctx): MetricsToken[] =>
  store.listTokens(ctx).map(({ name, made_at }) => ({ name, made_at })),
);

const day = 86_400;

/** The size of everything, and how much of it is new. */
export const statistics = query(allow.admin, async (ctx): Promise<Statistics> => {
  const { bots, channels, last_message_id } = store.countRows(ctx);
  const { database, wal } = store.fileSizes(ctx);
  const all = store.countMessages(ctx);
  const counts = new Map(store.countByRole(ctx).map(({ role, n }) => [role, n]));
  const people = Object.entries(roles).map(([name, role]) => [name, counts.get(role) ?? 0]);
  const [last_day, last_week, last_month] = await runInSlices(
    countRecent(ctx, { all, last: last_message_id }),
  );
  return {
    organization: realmSettings.read(ctx).name,
    people: Object.fromEntries(people) as Record<RoleName, number>,
    bots,
    channels,
    messages: {
      all,
      last_day,
      last_week,
      last_month,
    },
    bytes: {
      database,
      write_ahead_log: wal,
      files:
        (await runInSlices(store.folderSize(ctx))) +
        (placementOf(ctx).at !== "disk" ? store.sumUploadedBytes(ctx) : 0),
    },
  };
});

/** How many of all messages were sent in the last day, week and month; `last` is the newest ID. */
function* countRecent(
  ctx: Ctx,
  { all, last }: { all: number; last: number },
): Task<[number, number, number]> {
  const oldest = store.firstMessageId(ctx);
  const isGapless = all === last - oldest + 1;
  let counted = { from: last + 1, count: 0 };
  function* since(days: number): Task<number> {
    const first = firstMessageSince(ctx, ctx.now - days * day);
    if (isGapless) return last + 1 - Math.max(first, oldest);
    const { from, count } = counted;
    const isMost = first < from - first;
    const found = isMost
      ? all - (yield* store.countMessagesBetween(ctx, 0, first))
      : count + (yield* store.countMessagesBetween(ctx, first, from));
    counted = { from: first, count: found };
    return found;
  }
  return [yield* since(1), yield* since(7), yield* since(30)];
}

/** All open event queues; for administrators. */
export const listQueues = query(allow.admin, (ctx): OpenQueue[] =>
  [...ctx.env.queues.all.values()].map(({ id, traits, events, waiter, seen }) => ({
    queue_id: id,
    user_id: traits.userId,
    event_types: traits.types && [...traits.types],
    waiting: events.length,
    is_connected: waiter !== null,
    last_connected: waiter ? ctx.now : Math.floor(ctx.now - (ctx.db.clock.steady() - seen) / 1000),
  })),
);

/** What the running server measured over the last day; for administrators. */
export const listSamples = query(allow.admin, (ctx): MetricsHistory => historyOf(ctx));

export interface Vitals {
  users: number;
  bots: number;
  channels: number;
  last_message_id: number;
  bytes: { database: number; write_ahead_log: number };
  /** Messages sent in each of the last minutes; the current minute is last. */
  per_minute: number[];
}

/** The organization's activity as far as the database shows it; fast however large it is. */
export const vitals = query(allow.admin, (ctx, minutes: number): Vitals => {
  const counts = store.countRows(ctx);
  const { database, wal } = store.fileSizes(ctx);
  const thisMinute = Math.floor(ctx.now / 60);
  const starts = Array.from({ length: minutes }, (_, i) => (thisMinute - minutes + 1 + i) * 60);
  const firsts = [...starts.map((start) => firstMessageSince(ctx, start)), counts.last_message_id + 1];
  return {
    ...counts,
    bytes: { database, write_ahead_log: wal },
    per_minute: starts.map((_, i) => Math.max(0, (firsts[i + 1] ?? 0) - (firsts[i] ?? 0))),
  };
});
