import type { Ctx } from "@/kernel/context.ts";
import { hook } from "@/kernel/hooks.ts";

export interface Kept {
  ownerId: number;
  /** The beginning of the file's address, without its name, which may be written in many ways. */
  folder: string;
}

export const uploadHooks = {
  /** Whether a file's owner means to send it: a link in a draft opens it to nobody, but clients must not delete it. */
  isToBeSent: hook<Kept, boolean, Ctx>(),
};
