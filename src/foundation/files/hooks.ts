import type { Reads } from "@/kernel/core/context.ts";
import { hook } from "@/kernel/store/hooks.ts";

export const fileHooks = {
  /** Returns which of these file names are still in use; the other files are deleted. */
  inUse: hook<readonly string[], string[], Reads>(),
};
