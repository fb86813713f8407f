// Measures the turns of a server's event loop, in another process.
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

export interface Turns {
  /** From now on; the server's event loop does not rest until the end. */
  begin(): Promise<void>;
  /** Returns the milliseconds of the longest turn since the beginning. */
  end(): Promise<number>;
  close(): void;
}

/**
 * The environment of a server whose turns are to be measured, and what connects to it once it runs. It works for the executable as
 * for programs that Bun runs.
 */
export function turnsOfServer(): { env: Record<string, string>; open(): Promise<Turns> } {
  const folder = mkdtempSync(join(tmpdir(), "turns-"));
  const path = join(folder, "socket");
  // Bun divides its options at blanks: the path from the folder in which tests run has none.
  const clock = `./${relative(process.cwd(), join(import.meta.dir, "turn-clock.ts"))}`;
  return {
    env: { BUN_OPTIONS: `--preload ${clock}`, TURNS: path },
    async open() {
      const socket = connect(path);
      await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
      rmSync(folder, { recursive: true });
      const ask = (what: string) =>
        new Promise<string>((resolve, reject) => {
          const gone = () => reject(new Error("The server is gone."));
          socket.once("close", gone);
          socket.once("data", (answer) => {
            socket.off("close", gone);
            resolve(String(answer));
          });
          socket.write(what);
        });
      socket.on("error", () => {});
      return {
        begin: async () => void (await ask("begin")),
        end: async () => Number(await ask("end")),
        close: () => socket.destroy(),
      };
    },
  };
}

/** A server that stalls on request. */
export async function startStalling() {
  const { env, open } = turnsOfServer();
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "stalling.ts")], {
    stdout: "pipe",
    env: { ...process.env, ...env },
  });
  const { value } = await child.stdout.getReader().read();
  const port = Number(new TextDecoder().decode(value));
  const turns = await open();
  return {
    /** The longest turn, in milliseconds, during a request of one of its paths. */
    async longestDuring(path: "compute" | "sleep" | "turns" | "late" | "work", ms = 0): Promise<number> {
      await turns.begin();
      await fetch(`http://127.0.0.1:${port}/${path}?ms=${ms}`);
      return turns.end();
    },
    async end(): Promise<void> {
      turns.close();
      child.kill();
      await child.exited;
    },
  };
}

/** Milliseconds that a fixed amount of work takes now: a slow or busy machine needs longer. */
export async function startWork(): Promise<{ ms(): Promise<number>; end(): Promise<void> }> {
  const stalling = await startStalling();
  return {
    async ms() {
      const times: number[] = [];
      for (let i = 0; i < 3; i++) times.push(await stalling.longestDuring("work"));
      return times.sort((a, b) => a - b)[1] ?? 0;
    },
    end: stalling.end,
  };
}
