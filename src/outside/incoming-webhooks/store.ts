import type { Reads, Tx } from "@/kernel/core/context.ts";
import { payloadKeeping, type WebhookPayload, type WebhookTemplate } from "./schema.ts";

export function findSecret({ db }: Reads, botId: number): string | null {
  return (
    db.get<{ secret: string }>("SELECT secret FROM webhook_secrets WHERE bot_id = ?", botId)?.secret ?? null
  );
}

export function setSecret(tx: Tx, botId: number, secret: string): void {
  tx.run(
    "INSERT INTO webhook_secrets (bot_id, secret) VALUES (?, ?) ON CONFLICT (bot_id) DO UPDATE SET secret = excluded.secret",
    botId,
    secret,
  );
}

export function deleteSecret(tx: Tx, botId: number): boolean {
  return tx.run("DELETE FROM webhook_secrets WHERE bot_id = ?", botId).changes > 0;
}

export function findTemplate({ db }: Reads, botId: number): WebhookTemplate | null {
  return db.get<WebhookTemplate>("SELECT topic, content FROM webhook_templates WHERE bot_id = ?", botId);
}

export function setTemplate(tx: Tx, botId: number, { topic, content }: WebhookTemplate): void {
  tx.run(
    "INSERT INTO webhook_templates (bot_id, topic, content) VALUES (?, ?, ?) " +
      "ON CONFLICT (bot_id) DO UPDATE SET topic = excluded.topic, content = excluded.content",
    botId,
    topic,
    content,
  );
}

export function deleteTemplate(tx: Tx, botId: number): boolean {
  return tx.run("DELETE FROM webhook_templates WHERE bot_id = ?", botId).changes > 0;
}

export interface NewPayload {
  sender: string;
  size: number;
  payload: string | null;
}

/** Adds a payload, and deletes the oldest of the bot beyond what is kept. */
export function insertPayload(tx: Tx, botId: number, { sender, size, payload }: NewPayload): void {
  tx.run(
    "INSERT INTO webhook_payloads (bot_id, at, sender, size, payload) VALUES (?, ?, ?, ?, ?)",
    botId,
    tx.now,
    sender,
    size,
    payload,
  );
  tx.run(
    "DELETE FROM webhook_payloads WHERE bot_id = ?1 AND id <= (SELECT id FROM webhook_payloads WHERE bot_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)",
    botId,
    payloadKeeping.perBot,
  );
}

/** A bot's payloads that are not too old, the newest first. */
export function listPayloads({ db }: Reads, botId: number, now: number): WebhookPayload[] {
  return db.all<WebhookPayload>(
    "SELECT id, at, sender, size, payload FROM webhook_payloads WHERE bot_id = ? AND at > ? ORDER BY id DESC",
    botId,
    now - payloadKeeping.seconds,
  );
}

export function deletePayloadsOf(tx: Tx, botId: number): void {
  tx.run("DELETE FROM webhook_payloads WHERE bot_id = ?", botId);
}

/** Whether the oldest payload is too old. */
export function hasOldPayload({ db }: Reads, now: number): boolean {
  const row = db.get<{ at: number }>("SELECT at FROM webhook_payloads ORDER BY id LIMIT 1");
  return row !== null && row.at <= now - payloadKeeping.seconds;
}

/** Deletes what is too old among the `max` oldest payloads. */
export function deleteOldPayloads(tx: Tx, max: number): void {
  tx.run(
    "DELETE FROM webhook_payloads WHERE at <= ? AND id IN (SELECT id FROM webhook_payloads ORDER BY id LIMIT ?)",
    tx.now - payloadKeeping.seconds,
    max,
  );
}
