import type { Reads, Tx } from "@/kernel/core/context.ts";

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
