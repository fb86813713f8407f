// The console in a terminal of 120×35: its start, a key, and what it writes at the most.
import { alternate, type Bench, compared, type Part } from "../bench.ts";
import { cpuMs, median } from "../figures.ts";
import { output, removeFolder } from "../processes.ts";
import { confabCommand, prepare } from "../servers.ts";
import { large, team } from "../worlds.ts";

const size = { cols: 120, rows: 35 };
const frameEnd = "\x1b[?2026l";

/** The console of a data folder on which no server runs. */
function openConsole(folder: string) {
  let written = "";
  let bytes = 0;
  const decoder = new TextDecoder();
  const child = Bun.spawn([...confabCommand, "console", "--data", folder], {
    env: { ...process.env, TERM: "xterm-256color", COLORTERM: "truecolor" },
    terminal: {
      ...size,
      data(_, chunk) {
        bytes += chunk.length;
        written += decoder.decode(chunk, { stream: true });
      },
    },
  });
  const patience = performance.now() + 120_000;
  return {
    pid: child.pid,
    bytes: () => bytes,
    press(keys: string) {
      written = "";
      child.terminal?.write(keys);
    },
    /** Waits for a frame that is complete and has this text. */
    async frame(text: string) {
      while (!(written.includes(text) && written.includes(frameEnd))) {
        if (child.exitCode !== null || performance.now() > patience)
          throw new Error(`The console does not show '${text}':\n${written.slice(-2000)}`);
        await Bun.sleep(1);
      }
    },
    /** Waits until a frame has come since the last key; two keys can share one, which may change nothing. */
    async drawn() {
      const end = performance.now() + 1_000;
      while (!written.includes(frameEnd) && performance.now() < end) await Bun.sleep(1);
    },
    async close() {
      child.kill();
      await child.exited;
    },
  };
}

type Console = ReturnType<typeof openConsole>;

async function using<T>(folder: string, run: (opened: Console) => Promise<T>): Promise<T> {
  const opened = openConsole(folder);
  try {
    return await run(opened);
  } finally {
    await opened.close();
  }
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await run();
  return performance.now() - begin;
}

/** Milliseconds of the console's CPU for each key that moves down the list of people. */
async function keyCost({ frame, drawn, press, pid }: Console, keys: number): Promise<number> {
  await frame("Overview");
  press("2");
  await frame("people with an account");
  const move = async (count: number) => {
    for (let i = 0; i < count; i++) {
      press(i % 60 < 30 ? "j" : "k");
      await drawn();
    }
  };
  await move(keys);
  const before = cpuMs(pid) ?? 0;
  await move(keys);
  return ((cpuMs(pid) ?? 0) - before) / keys;
}

/** Bytes a second while it is asked for another screen all the time, each in other words. */
async function bytesPerSecond({ frame, press, bytes }: Console, ms: number): Promise<number> {
  await frame("Overview");
  const begin = performance.now();
  const before = bytes();
  for (let i = 0; performance.now() - begin < ms; i++) {
    press("290AF"[i % 5] ?? "2");
    await Bun.sleep(40);
  }
  return (bytes() - before) / ((performance.now() - begin) / 1000);
}

async function measure({ sizes, add, progress }: Bench, small: string, many: string): Promise<void> {
  const starts = await alternate(
    sizes.starts,
    () => timed(() => output([...confabCommand, "--version"])),
    () => using(small, ({ frame }) => timed(() => frame("Overview"))),
  );
  const most = `at ${size.cols}×${size.rows}`;
  add(compared(`console to its first frame ${most} vs --version`, "ms", starts, { most: 300 }));
  progress(`the first frame: ${median(starts.confab).toFixed(0)} ms`);
  const keys = await alternate(
    2,
    () => using(small, (opened) => keyCost(opened, sizes.consoleKeys)),
    () => using(many, (opened) => keyCost(opened, sizes.consoleKeys)),
  );
  const what = `a key in the console ${most}, ${sizes.users} people vs ${team.users}`;
  add(compared(what, "ms CPU / key", keys, { most: 16 }));
  const written = await using(small, (opened) => bytesPerSecond(opened, sizes.latencyMs * 2));
  const row = { what: "the console writes at the most", unit: "KB / s", base: null };
  add({ ...row, confab: written / 1000, limit: { most: 60 } });
}

export const terminal: Part = {
  name: "console",
  async run(bench) {
    const { users, channels } = bench.sizes;
    const [small, many] = [await prepare(team), await prepare(large(users, channels))];
    await measure(bench, small.folder, many.folder);
    for (const { folder } of [small, many]) removeFolder(folder);
  },
};
