import { type Session, sessionLife } from "./schema.ts";
import type { SessionRow } from "./store.ts";

/** A session as its user sees it; `currentId` is that of the request. */
export function presentSession(row: SessionRow, currentId: number | null): Session {
  const { user_id: _, ...shown } = row;
  const expires_at = Math.min(row.last_seen_at + sessionLife.idle, row.created_at + sessionLife.longest);
  return { ...shown, expires_at, is_current: row.id === currentId };
}
