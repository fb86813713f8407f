// The sample organization of `confab serve --dev`, on a server of its own: what the pictures in docs/ show.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const root = join(import.meta.dir, "..");

const quiet = { stdout: "ignore", stderr: "ignore" } as const;

export interface Sample {
  /** The command line that runs Confab on it. */
  run: readonly string[];
  /** Its data folder. */
  data: string;
  url: string;
  serve(): Promise<void>;
  /** Stops the server, and serves the organization as that of a cluster's node. */
  serveAsNode(): Promise<void>;
  /** Stops the server and deletes the folder. */
  close(): Promise<void>;
}

/** Makes the organization. No server runs on it until `serve` is called. */
export async function makeSample(): Promise<Sample> {
  const folder = mkdtempSync(join(tmpdir(), "confab-sample-"));
  const data = join(folder, "data");
  const run = [process.execPath, join(root, "cli/main.ts")];
  const port = String(18_000 + (process.pid % 2000));
  let server: Bun.Subprocess | undefined;
  const stop = async () => {
    server?.kill();
    await server?.exited;
  };
  const serve = (...more: string[]) => begin([...run, "serve", "--port", port, "--data", data, ...more]);
  const begin = async (command: readonly string[]) => {
    const started = Bun.spawn([...command], quiet);
    server = started;
    while (started.exitCode === null && !(await isReady(data, started.pid))) await Bun.sleep(50);
    if (started.exitCode !== null)
      throw new Error(`The sample organization does not start: ${command.join(" ")}`);
  };
  await serve("--dev");
  await stop();
  return {
    run,
    data,
    url: `http://127.0.0.1:${port}`,
    serve: () => serve(),
    async serveAsNode() {
      await stop();
      await begin([process.execPath, join(root, ".ci/sample-node.ts"), data, port]);
    },
    close: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether this server has written the address where it listens. */
async function isReady(data: string, pid: number): Promise<boolean> {
  const file = Bun.file(join(data, "confab.pid"));
  if (!(await file.exists())) return false;
  const text = await file.text();
  return text.includes("http") && text.includes(String(pid));
}
