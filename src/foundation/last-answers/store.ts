import type { Reads, Tx } from "@/kernel/core/context.ts";
import type { Service } from "./schema.ts";

/** UNIX seconds; null if it never happened. */
export interface LastAnswer {
  service: Service;
  answered_at: number | null;
  failed_at: number | null;
}

/** Of many answers in a row, not each one is written: the times are known to within this. */
const secondsApart = 10;

const isFailing = "(failed_at IS NOT NULL AND (answered_at IS NULL OR failed_at > answered_at))";
/** The time in a column is too old, or that of a clock which was set back since. */
const isPast = (column: string) =>
  `(${column} IS NULL OR ${column} <= ?2 - ${secondsApart} OR ${column} > ?2)`;

/** Sets the time of the last answer, or of the last failure, to now. */
export function saveTime(tx: Tx, service: Service, hasAnswered: boolean): void {
  const [column, isNews] = hasAnswered ? ["answered_at", isFailing] : ["failed_at", `NOT ${isFailing}`];
  const sql =
    `INSERT INTO last_answers (service, ${column}) VALUES (?1, ?2) ` +
    `ON CONFLICT (service) DO UPDATE SET ${column} = ?2 WHERE ${isNews} OR ${isPast(column)}`;
  tx.run(sql, service, tx.now);
}

export function listAnswers({ db }: Reads): LastAnswer[] {
  return db.all<LastAnswer>("SELECT service, answered_at, failed_at FROM last_answers ORDER BY service");
}
