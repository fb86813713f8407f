// Imported files go to the copy's folder, even if the organization's files are elsewhere.
import { findStore, placementOf } from "@/foundation/file-stores/access.ts";
import type { SharedKind } from "@/foundation/file-stores/schema.ts";
import type { Ctx } from "@/kernel/core/context.ts";
import { setPlacement } from "@/operations/file-moves/actions.ts";
import { moveFiles } from "@/operations/file-moves/host.ts";
import type { OnProgress } from "./schema.ts";

export const nodesRemark =
  "The log of the cluster starts over with this organization. Start the nodes: the others fetch it by themselves.";

export const filesRemark =
  "The imported files are on the disk, and can be read; 'confab files move --to s3' moves them to the others.";

/** Stores the copy's files in its folder; returns where else the organization has files, or null. */
export async function keepOnDisk(ctx: Ctx): Promise<SharedKind | null> {
  const { at, also } = placementOf(ctx);
  if (at === "disk") return also === "disk" ? null : also;
  await setPlacement(ctx, { at: "disk", also: at });
  return at;
}

/** Finds imported files on the disk, and stores new ones elsewhere again. */
export async function leaveOnDisk(ctx: Ctx, kind: SharedKind): Promise<void> {
  await setPlacement(ctx, { at: kind, also: "disk" });
}

/** Moves the files of the copy's folder to where all nodes find them. */
export async function moveToNodes(
  ctx: Ctx,
  { dataDir, kind, onProgress }: { dataDir: string; kind: SharedKind | null; onProgress: OnProgress },
): Promise<void> {
  const report = ({ done, of }: { done: number; of: number }) => onProgress("Bytes of files", done, of);
  const to = kind ?? (findStore(ctx, "s3") ? "s3" : "nats");
  await moveFiles(ctx, { dataDir, to, isServed: false, report });
}
