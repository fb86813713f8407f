import { activeUsersNamed } from "@/foundation/users/access.ts";
import type { Ctx } from "@/kernel/context.ts";
import { fail } from "@/kernel/errors.ts";

/** Throws where an active user has the name already: a bot must not pass for somebody. */
export function checkBotName(reads: Pick<Ctx, "db">, name: string, botId: number | null = null): void {
  if (activeUsersNamed(reads, name).some((id) => id !== botId)) {
    fail("BAD_REQUEST", "Name is already in use!");
  }
}
