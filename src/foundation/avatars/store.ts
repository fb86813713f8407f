import type { Tx } from "@/kernel/core/context.ts";

/** Sets or removes a user's own picture. */
export function setAvatar(tx: Tx, id: number, file: string | null): void {
  tx.run("UPDATE users SET avatar_file = ?, avatar_version = avatar_version + 1 WHERE id = ?", file, id);
}
