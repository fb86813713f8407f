import { loginSettings } from "@/foundation/realm/schema.ts";
import type { UserRow } from "@/foundation/users/schema.ts";
import type { Reads } from "@/kernel/core/context.ts";
import type { SecondStep } from "./schema.ts";
import * as store from "./store.ts";

/** Whether signing in to an account requires a code. */
export function hasTwoStep(reads: Reads, userId: number): boolean {
  return (store.findTwoStep(reads, userId)?.confirmed_at ?? null) !== null;
}

/** Whether the organization demands two-step sign-in. */
export function demandsTwoStep(reads: Reads): boolean {
  return loginSettings.read(reads).two_step_required;
}

/** What a person must do besides giving their password or following a link; null if that is enough. */
export function secondStepOf(
  reads: Reads,
  { id, is_bot }: Pick<UserRow, "id" | "is_bot">,
): SecondStep | null {
  if (hasTwoStep(reads, id)) return "code";
  return demandsTwoStep(reads) && !is_bot ? "set-up" : null;
}

export function countRecoveryCodes(reads: Reads, userId: number): number {
  return recoveryHashesOf(reads, userId).length;
}

/** The hashes of the recovery codes that are left. */
export function recoveryHashesOf(reads: Reads, userId: number): string[] {
  return JSON.parse(store.findTwoStep(reads, userId)?.recovery_hashes ?? "[]") as string[];
}
