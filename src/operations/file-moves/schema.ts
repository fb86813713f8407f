import { z } from "zod";
import { storeKinds } from "@/foundation/file-stores/schema.ts";

export const storeKind = z.enum(storeKinds);

/** Where an organization's files are. */
export const filesShown = z.object({
  at: storeKind,
  /** Where others still are, because a move was interrupted. */
  also_at: storeKind.nullable(),
  stores: z.array(z.object({ store: storeKind, address: z.string(), files: z.int(), bytes: z.int() })),
});
export type FilesShown = z.infer<typeof filesShown>;

/** The result of a move. */
export const movedFiles = z.object({ at: storeKind, address: z.string(), files: z.int(), bytes: z.int() });
export type MovedFiles = z.infer<typeof movedFiles>;
