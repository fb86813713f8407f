import type { Tx } from "@/kernel/core/context.ts";
import { defaultsOf } from "./queries.ts";
import { findChanged, personalSettings } from "./schema.ts";

/** Gives a new person the organization's defaults; part of their creation. */
export function copyDefaults(tx: Tx, userId: number): void {
  const before = personalSettings.read(tx, userId);
  for (const [name, value] of findChanged(before, defaultsOf(tx)))
    personalSettings.write(tx, userId, name, value);
}
