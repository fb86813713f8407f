import type { Reads } from "@/kernel/core/context.ts";
import { soleHook } from "@/kernel/store/hooks.ts";

export const proofHooks = {
  /** The names of the providers that have signed a user in, by the user's ID. */
  providersOf: soleHook<number, readonly string[], Reads>("proofHooks.providersOf"),
};
