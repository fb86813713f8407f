import type { Reads } from "@/kernel/core/context.ts";
import { soleHook } from "@/kernel/store/hooks.ts";

export const proofHooks = {
  /** The names of the providers that have signed a user in, by the user's ID. */
  providersOf: soleHook<number, readonly string[], Reads>("proofHooks.providersOf"),
  /** Whether a provider has signed a user in, by the user's ID; true for any provider in a process that does not know them. */
  hasProvider: soleHook<number, boolean, Reads>("proofHooks.hasProvider"),
};
