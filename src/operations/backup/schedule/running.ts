// The schedule of this process: makes backups when they are due, and notes what came of them.
import type { Ctx, Reads, ReadsNow } from "@/kernel/core/context.ts";
import { asSystem } from "@/kernel/core/operation.ts";
import { AppError, failInEnglish as fail } from "@/kernel/lib/errors.ts";
import type { LogFields } from "@/kernel/lib/log.ts";
import { perApp } from "@/kernel/store/per-app.ts";
import { recordFailedBackup, recordStoredBackup } from "../actions-state.ts";
import { type BackupPlan, backupSettings, type LastBackup } from "../schema.ts";
import { addressOf, placeReason, usualPatience, type WriterPatience } from "./places.ts";
import { storeBackup } from "./storing.ts";

interface Schedule {
  plan: BackupPlan | null;
  patience: WriterPatience;
  running: AbortController | null;
}

const scheduleOf = perApp((): Schedule => ({ plan: null, patience: usualPatience, running: null }));

/** Lets this process make backups by a plan. */
export function setBackupPlan(reads: Reads, plan: BackupPlan, patience = usualPatience): void {
  Object.assign(scheduleOf(reads), { plan, patience });
}

/** Ends a backup that is being made: what it has stored, the next one uses. */
export function stopBackup(reads: Reads): void {
  scheduleOf(reads).running?.abort();
}

/** How long after a failure the next try is, if the interval is not shorter. */
const retrySeconds = 1800;

/** When the next backup is due, in UNIX seconds: Infinity without a plan. */
export function dueAt(reads: Reads): number {
  const { plan } = scheduleOf(reads);
  if (!plan) return Number.POSITIVE_INFINITY;
  const { last, failed } = backupSettings.read(reads);
  if (failed) return failed.at + Math.min(plan.everySeconds, retrySeconds);
  return last?.place === addressOf(plan.place) ? last.created_at + plan.everySeconds : 0;
}

/** Whether the clock was set back to before the last try, so that nobody knows how long ago that was. */
function isBeforeLast(reads: ReadsNow): boolean {
  const { last, failed } = backupSettings.read(reads);
  return reads.now < (failed?.at ?? last?.created_at ?? 0);
}

/** The job: makes a backup if one is due. A failure is logged, and noted for the next try. */
export async function backUpIfDue(ctx: Ctx): Promise<LogFields | undefined> {
  const { plan, running } = scheduleOf(ctx);
  if (!plan || running || (ctx.now < dueAt(ctx) && !isBeforeLast(ctx))) return undefined;
  const made = await makeBackup(ctx, plan);
  if (!made) return undefined;
  const { backup, place, files, bytes, added_bytes, seconds } = made;
  return { backup, place, files, bytes, added_bytes, seconds };
}

/** Makes a backup by a plan; null if the process ended it. Throws, with the reason, if it fails. */
export async function makeBackup(ctx: Ctx, plan: BackupPlan): Promise<LastBackup | null> {
  const schedule = scheduleOf(ctx);
  if (schedule.running) return fail("BAD_REQUEST", "A backup is being made just now.");
  const running = new AbortController();
  schedule.running = running;
  const { signal } = running;
  const system = asSystem(ctx);
  try {
    const made = await storeBackup(ctx, { plan, signal, patience: schedule.patience });
    await recordStoredBackup(system, made);
    return made;
  } catch (error) {
    if (signal.aborted) return null;
    const reason = placeReason(error);
    await recordFailedBackup(system, { place: addressOf(plan.place), reason });
    if (!isExpected(error)) throw error;
    return fail("SERVER_NOT_READY", `The backup to ${addressOf(plan.place)} failed: ${reason}.`);
  } finally {
    schedule.running = null;
  }
}

/** Whether something outside is wrong, and not this program. */
function isExpected(error: unknown): boolean {
  return error instanceof AppError || typeof (error as { code?: unknown }).code === "string";
}
