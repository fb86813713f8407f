import { recordAudit } from "@/foundation/audit/tx.ts";
import { fileSettings, type Placement } from "@/foundation/file-stores/schema.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { action } from "@/kernel/operation.ts";

/** Decides where new files go, and where to look for others. */
export const setPlacement = action(allow.system, (tx, placement: Placement): void => {
  const { at } = fileSettings.read(tx).placement;
  fileSettings.write(tx, "placement", placement);
  if (at === placement.at) return;
  recordAudit(tx, { event: "files_moved", about: { kind: "server" }, data: { from: at, to: placement.at } });
});

/** Records which S3 store the server can reach, so that files are not moved to one that it cannot read. */
export const noteServerS3 = action(allow.system, (tx, address: string): void => {
  if (fileSettings.read(tx).server_s3 !== address) fileSettings.write(tx, "server_s3", address);
});
