import type { Reads, Tx } from "@/kernel/context.ts";
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

export function setAnswered(tx: Tx, service: Service): void {
  const sql =
    "INSERT INTO last_answers (service, answered_at) VALUES (?1, ?2) " +
    `ON CONFLICT (service) DO UPDATE SET answered_at = ?2 WHERE ${isFailing} OR ${isPast("answered_at")}`;
  tx.run(sql, service, tx.now);
}

export function setFailed(tx: Tx, service: Service): void {
  const sql =
    "INSERT INTO last_answers (service, failed_at) VALUES (?1, ?2) " +
    `ON CONFLICT (service) DO UPDATE SET failed_at = ?2 WHERE NOT ${isFailing} OR ${isPast("failed_at")}`;
  tx.run(sql, service, tx.now);
}

export function listAnswers({ db }: Reads): LastAnswer[] {
  return db.all<LastAnswer>("SELECT service, answered_at, failed_at FROM last_answers ORDER BY service");
}
