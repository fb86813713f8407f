import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Whether this process may mount a file system. Tests that need it are skipped otherwise, with a message. */
export const canMount = mayMount();

function mayMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), "confab-mount-"));
  const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder]).success;
  if (mounted) Bun.spawnSync(["umount", folder]);
  rmdirSync(folder);
  return mounted;
}
