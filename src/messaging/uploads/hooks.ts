import type { Ctx } from "@/kernel/core/context.ts";
import { hook } from "@/kernel/store/hooks.ts";

export interface UploadedFile {
  ownerId: number;
  /** The file's address without its name, which can be encoded in many ways. */
  folder: string;
}

export const uploadHooks = {
  /** Whether the owner's unsent texts, such as drafts, link to the file. Clients must not offer to delete it then. */
  isToBeSent: hook<UploadedFile, boolean, Ctx>(),
};
