import { z } from "zod";

export const exportFormat = 1;

/** An export that was written: its file, and rows by section. */
export const exported = z.object({ file: z.string(), rows: z.record(z.string(), z.int()) });
export type Exported = z.infer<typeof exported>;
