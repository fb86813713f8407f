import { recordAudit } from "@/foundation/audit/actions.ts";
import { type FilePlacement, fileSettings } from "@/foundation/file-stores/schema.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { action } from "@/kernel/core/operation.ts";

/** Decides where new files go, and where to look for others; a move is done once that is nowhere else. */
export const setPlacement = action(allow.system, (tx, placement: FilePlacement): void => {
  const { at: to, also } = placement;
  const { also: from } = fileSettings.read(tx).placement;
  fileSettings.write(tx, "placement", placement);
  if (from === null || also !== null) return;
  recordAudit(tx, { event: "files_moved", about: { kind: "server" }, data: { from, to } });
});

/** Records which S3 store the server can reach, so that files are not moved to one that it cannot read. */
export const noteServerS3 = action(allow.system, (tx, address: string): void => {
  if (fileSettings.read(tx).server_s3 !== address) fileSettings.write(tx, "server_s3", address);
});
