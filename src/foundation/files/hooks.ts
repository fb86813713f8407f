import type { Reads } from "@/kernel/context.ts";
import { hook } from "@/kernel/hooks.ts";

export const fileHooks = {
  /** Of names of files, those that somebody still needs: all others are swept from the disk. */
  inUse: hook<readonly string[], string[], Reads>(),
};
