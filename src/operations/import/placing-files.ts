// Imported files go to the copy's folder, even if the organization's files are in an S3 store.
import { placementOf } from "@/foundation/file-stores/access.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { setPlacement } from "@/operations/file-moves/actions.ts";
import { moveFiles } from "@/operations/file-moves/host.ts";
import type { OnProgress } from "./schema.ts";

export const nodesRemark =
  "The log of the cluster starts over with this organization. Start the nodes: the others fetch it by themselves.";

export const filesRemark =
  "The imported files are on the disk, and can be read; 'confab files move --to s3' moves them to the others.";

/** Stores the copy's files in its folder; returns whether the organization's are in an S3 store. */
export async function keepOnDisk(ctx: Ctx): Promise<boolean> {
  const { at, also } = placementOf(ctx);
  if (at === "s3") await setPlacement(ctx, { at: "disk", also: "s3" });
  return at === "s3" || also === "s3";
}

/** Finds imported files on the disk, and stores new ones in the S3 store again. */
export async function leaveOnDisk(ctx: Ctx): Promise<void> {
  await setPlacement(ctx, { at: "s3", also: "disk" });
}

/** Moves the files of the copy's folder to the S3 store, where all nodes find them. */
export async function moveToS3(
  ctx: Ctx,
  { dataDir, onProgress }: { dataDir: string; onProgress: OnProgress },
): Promise<void> {
  const report = ({ done, of }: { done: number; of: number }) => onProgress("Bytes of files", done, of);
  await moveFiles(ctx, { dataDir, to: "s3", isServed: false, report });
}
