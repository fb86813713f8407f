import { hook } from "@/kernel/store/hooks.ts";

export const messageHooks = {
  /** Messages, given by ID, are about to be deleted. Handlers delete what they store about them. */
  removed: hook<readonly number[]>(),
};
