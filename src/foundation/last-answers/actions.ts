import type { Tx } from "@/kernel/core/context.ts";
import type { Service } from "./schema.ts";
import * as store from "./store.ts";

/**
 * Notes that a program outside answered, also if it refused what it was given, or that it did not answer as one that works; null if
 * nobody asked it.
 */
export function noteAnswer(tx: Tx, service: Service, hasAnswered: boolean | null): void {
  if (hasAnswered !== null) store.saveTime(tx, service, hasAnswered);
}
