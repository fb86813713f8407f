import type { Reads, ReadsNow, Tx } from "@/kernel/core/context.ts";
import { latestPast } from "@/kernel/lib/due.ts";
import type { Invitation, InvitationKind } from "./schema.ts";

export interface NewInvitation
  extends Omit<Invitation, "id" | "number" | "invited_at" | "state" | "mail_id" | "key"> {
  key: string;
  key_hash: Uint8Array;
}

const columns =
  "id, kind, number, key, inviter_id, role, email, channel_ids, group_ids, with_defaults, welcome_text, " +
  "notify_inviter, invited_at, valid_minutes, expires_at, state, mail_id, is_mailed";

type Row = Omit<Invitation, "channel_ids" | "group_ids"> & { channel_ids: string; group_ids: string };

function read({ channel_ids, group_ids, ...row }: Row): Invitation {
  return { ...row, channel_ids: JSON.parse(channel_ids), group_ids: JSON.parse(group_ids) };
}

const one = (row: Row | null) => row && read(row);

export function insertInvitation(tx: Tx, made: NewInvitation): Invitation {
  const { lastInsertRowid } = tx.run(
    "INSERT INTO invitations (kind, number, key_hash, key, inviter_id, role, email, email_key, channel_ids, group_ids, " +
      "with_defaults, welcome_text, notify_inviter, invited_at, valid_minutes, expires_at, is_mailed) " +
      "SELECT ?1, COALESCE(MAX(number), 0) + 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16 " +
      "FROM invitations WHERE kind = ?1",
    made.kind,
    made.key_hash,
    made.key,
    made.inviter_id,
    made.role,
    made.email,
    made.email?.toLowerCase() ?? null,
    JSON.stringify(made.channel_ids),
    JSON.stringify(made.group_ids),
    made.with_defaults,
    made.welcome_text,
    made.notify_inviter,
    tx.now,
    made.valid_minutes,
    made.expires_at,
    made.is_mailed,
  );
  const row = one(tx.db.get<Row>(`SELECT ${columns} FROM invitations WHERE id = ?`, lastInsertRowid));
  if (!row) throw new Error("The invitation just added is missing");
  return row;
}

/** Looks up the hash, so that timing reveals nothing about almost correct keys. */
export function findByKeyHash({ db }: Reads, hash: Uint8Array): Invitation | null {
  return one(db.get<Row>(`SELECT ${columns} FROM invitations WHERE key_hash = ?`, hash));
}

export function findByNumber({ db }: Reads, kind: InvitationKind, number: number): Invitation | null {
  return one(db.get<Row>(`SELECT ${columns} FROM invitations WHERE kind = ? AND number = ?`, kind, number));
}

/** Open, unexpired invitations, of one inviter or of all. */
export function listOpen({ db }: Reads, now: number, inviterId: number | null): Invitation[] {
  const among = inviterId === null ? "" : " AND inviter_id = ?2";
  return db
    .all<Row>(
      `SELECT ${columns} FROM invitations WHERE state = 'open' AND (expires_at IS NULL OR expires_at > ?1)${among} ` +
        "ORDER BY id DESC",
      ...(inviterId === null ? [now] : [now, inviterId]),
    )
    .map(read);
}

/** Open invitations of an address, including expired ones. */
export function listOfAddress({ db }: Reads, address: string): Invitation[] {
  return db
    .all<Row>(
      `SELECT ${columns} FROM invitations WHERE email_key = ? AND state = 'open' ORDER BY id`,
      address.toLowerCase(),
    )
    .map(read);
}

export function setEnded(tx: Tx, id: number, state: "revoked" | "used"): void {
  tx.run("UPDATE invitations SET state = ?, key = NULL, mail_id = NULL WHERE id = ?", state, id);
}

export function setExpiry(tx: Tx, id: number, expires_at: number | null): void {
  tx.run("UPDATE invitations SET expires_at = ? WHERE id = ?", expires_at, id);
}

export function setMail(tx: Tx, id: number, mail_id: number): void {
  tx.run("UPDATE invitations SET mail_id = ? WHERE id = ?", mail_id, id);
}

export function setHandedOver(tx: Tx, id: number): void {
  tx.run("UPDATE invitations SET is_mailed = 0 WHERE id = ?", id);
}

export function insertSending(tx: Tx, invitationId: number): void {
  tx.run("INSERT INTO invitation_sendings (invitation_id, at) VALUES (?, ?)", invitationId, tx.now);
}

/** How many invitations were sent in the last `seconds`. */
export function countSendings({ db, now }: ReadsNow, seconds: number): number {
  const sql = "SELECT COUNT(*) AS n FROM invitation_sendings WHERE at > ? AND at <= ?";
  return db.get<{ n: number }>(sql, now - seconds, latestPast(now))?.n ?? 0;
}

export function forgetAddress(tx: Tx, address: string): void {
  tx.run("UPDATE invitations SET email = NULL, email_key = NULL WHERE email_key = ?", address.toLowerCase());
}
