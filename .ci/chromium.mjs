// Unpacks the Chromium of the npm package.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");

/**
 * The path of its program. The package itself unpacks to /tmp/chromium, which may be another user's, of another version, or of
 * another checkout that has not unpacked it completely.
 */
export async function unpackedChromium() {
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const folder = join(dist, `chromium-${devDependencies["@sparticuz/chromium"]}`);
  const program = join(folder, "chromium");
  if (existsSync(program)) return program;
  mkdirSync(dist, { recursive: true });
  const unpacking = mkdtempSync(join(dist, "chromium-"));
  const usual = process.env.TMPDIR;
  process.env.TMPDIR = unpacking;
  try {
    const { default: chromium } = await import("@sparticuz/chromium");
    await chromium.executablePath();
    renameSync(unpacking, folder);
  } catch (error) {
    // Another process was quicker.
    if (!existsSync(program)) throw error;
  } finally {
    if (usual === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = usual;
    rmSync(unpacking, { recursive: true, force: true });
  }
  return program;
}
