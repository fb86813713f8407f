import { join } from "node:path";

const holder = join(import.meta.dir, "lock-holder.ts");

/** A process that holds the write lock of a folder's database; resolves once it has the lock. */
export async function hold(dataDir: string): Promise<{ release(): Promise<void> }> {
  const child = Bun.spawn([process.execPath, holder, join(dataDir, "confab.db")], {
    stdin: "pipe",
    stdout: "pipe",
  });
  await child.stdout.getReader().read();
  return {
    async release() {
      child.stdin.end();
      await child.exited;
    },
  };
}
