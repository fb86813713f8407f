// What the metrics are made of, read once for each answer.

import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { lastAnswers } from "@/foundation/last-answers/access.ts";
import type { Service } from "@/foundation/last-answers/schema.ts";
import { countUnsent } from "@/foundation/mail/queries.ts";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { isInMemory } from "@/kernel/store/database-file.ts";
import { backupState } from "@/operations/backup/queries.ts";
import type { FailedBackups } from "@/operations/backup/schema.ts";
import { type CertificateState, certificateState } from "@/operations/certificates/queries.ts";
import { membershipOf } from "@/operations/nodes/host.ts";
import { countWaitingPushes } from "@/outside/web-push/queries.ts";
import { countWaitingCalls } from "@/outside/webhooks/queries.ts";
import { countOnline } from "@/personal/presence/access.ts";
import { version } from "../../../package.json";
import { type Counters, countersOf } from "./counters.ts";
import * as store from "./store.ts";

export interface ServerFigures {
  /** UNIX seconds. */
  now: number;
  counters: Counters;
  sizes: { database: number; wal: number };
  counts: ReturnType<typeof store.countRows>;
  /** Null for a database in memory. */
  freeBytes: number | null;
  /** In seconds; null if no backup was made. */
  backupAge: number | null;
  /** What went wrong since the last scheduled one. */
  failedBackups: FailedBackups | null;
  certificate: CertificateState;
  services: readonly ServiceFigures[];
  queues: { open: number; bytes: number };
  online: number;
  memoryBytes: number;
  startedAt: number;
  version: string;
  /** Null for a standalone server. */
  node: NonNullable<ReturnType<typeof membershipOf>>["figures"] | null;
}

interface ServiceFigures {
  service: Service;
  waiting: number;
  /** In seconds; null if it never happened. */
  answerAge: number | null;
  failureAge: number | null;
}

export function figuresOf(ctx: Ctx): ServerFigures {
  const { queues, generation } = ctx.env;
  const { newest_at, failed } = backupState(ctx);
  return {
    now: ctx.now,
    counters: countersOf(ctx.db),
    sizes: store.fileSizes(ctx),
    counts: store.countRows(ctx),
    freeBytes: freeBytesOf(ctx),
    backupAge: ageOf(newest_at, ctx.now),
    failedBackups: failed,
    certificate: certificateState(ctx),
    services: servicesOf(ctx),
    queues: { open: queues.all.size, bytes: queues.bytes },
    online: countOnline(ctx),
    memoryBytes: process.memoryUsage.rss(),
    startedAt: generation / 1000,
    version,
    node: membershipOf(ctx)?.figures ?? null,
  };
}

/** What is left of the disk that holds the database; null if nobody can tell. */
export function freeBytesOf({ db }: Reads): number | null {
  if (isInMemory(db.sqlite)) return null;
  try {
    const { bavail, bfree, bsize } = statfsSync(dirname(db.sqlite.filename));
    // The system keeps a part of some disks for root.
    return (process.getuid?.() === 0 ? bfree : bavail) * bsize;
  } catch {
    return null;
  }
}

const waiting: Record<Service, (reads: Reads) => number> = {
  mail: countUnsent,
  push: countWaitingPushes,
  webhooks: countWaitingCalls,
};

function servicesOf(ctx: Ctx): ServiceFigures[] {
  const found = new Map(lastAnswers(ctx).map((one) => [one.service, one]));
  return (Object.keys(waiting) as Service[]).map((service) => {
    const { answered_at = null, failed_at = null } = found.get(service) ?? {};
    return {
      service,
      waiting: waiting[service](ctx),
      answerAge: ageOf(answered_at, ctx.now),
      failureAge: ageOf(failed_at, ctx.now),
    };
  });
}

function ageOf(at: number | null, now: number): number | null {
  return at === null ? null : Math.max(0, now - at);
}
