import type { Reads, ReadsNow, Tx } from "@/kernel/core/context.ts";

/** For how many days a place's messages are still kept although it keeps them for fewer from now on. */
export function findHold({ db, now }: ReadsNow, channelId: number): number | null {
  const sql = "SELECT days FROM retention_holds WHERE channel_id = ? AND until > ?";
  return db.get<{ days: number }>(sql, channelId, now)?.days ?? null;
}

export function listHolds({ db, now }: ReadsNow): Hold[] {
  const sql =
    "SELECT channel_id AS channelId, days, until FROM retention_holds WHERE until > ? ORDER BY channel_id";
  return db.all<Hold>(sql, now);
}

export function putHold(tx: Tx, { channelId, days, until }: Hold): void {
  tx.run(
    "INSERT INTO retention_holds (channel_id, days, until) VALUES (?1, ?2, ?3) " +
      "ON CONFLICT (channel_id) DO UPDATE SET days = ?2, until = ?3",
    channelId,
    days,
    until,
  );
}

export interface Hold {
  /** 0 for the organization. */
  channelId: number;
  days: number;
  until: number;
}

export function deleteHold(tx: Tx, channelId: number): boolean {
  return tx.run("DELETE FROM retention_holds WHERE channel_id = ?", channelId).changes > 0;
}

/** When the organization last got history from elsewhere: by an import, or from a backup. */
export function findArrival({ db }: Reads): number {
  const sql =
    "SELECT MAX(at) AS at FROM audit_log WHERE about = 'realm' AND about_id IS NULL AND event IN ('imported', 'restored')";
  return db.get<{ at: number | null }>(sql)?.at ?? 0;
}
