// Measures how long one request delays others: starts a server with a large organization, and measures the turns of its event loop.
import { existsSync, readFileSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { cleanUp, json, newFolder, type Server, serve } from "../executable.ts";
import { basic, encode } from "../requests.ts";
import { type Ask, type Case, largePicture } from "./cases.ts";
import { emails, type Filled, keys, listener, sizes } from "./filled.ts";
import { startWork, type Turns, turnsOfServer } from "./turns.ts";
import { workMs } from "./work.ts";

export interface Measured {
  /** Milliseconds of the longest turn. */
  longest: number;
  status: number;
  /** Milliseconds from the request to its answer. */
  took: number;
  bytes: number;
}

/** A server with a large organization; if it has ended, the next use starts another on the same folder. */
export interface Trial {
  /** Starts the server if none runs; with `listening`, everybody has a queue for events of flags, without it, nobody. */
  ready(listening?: boolean): Promise<Filled>;
  /** Returns the longest turn during one request; throws if the server ends, or does not answer. */
  measure(asked: Ask): Promise<Measured>;
  /** Waits until the server has nothing to do, for some seconds at most. */
  calm(): Promise<void>;
  /** Milliseconds that a request may take now: for so long does a fixed amount of work take on this machine. */
  allowed(): Promise<number>;
  /** Kills the server, so that what it did last does not matter for the next use. */
  drop(): Promise<void>;
  end(): Promise<void>;
}

/** On the machine on which the fixed amount of work takes as long. */
export const mostMs = workMs;
const calmMs = 15;
/**
 * A server that has computed for so long does not answer any more: while it is measured, its event loop does not rest. The longest
 * request sends each of 10,000 people a notice.
 */
const patienceMs = 300_000;

interface Running {
  server: Server;
  turns: Turns;
  isListening: boolean;
}

export async function openTrial(): Promise<Trial> {
  const folder = newFolder(undefined, placeInMemory());
  await json([
    "init",
    "--data",
    folder,
    ...["--org", "Stalls", "--owner-email", "olive@example.com", "--owner-name", "Olive"],
  ]);
  const made = await fill(folder);
  const work = await startWork();
  let filled: Filled | null = null;
  let running: Running | null = null;

  async function drop(): Promise<void> {
    const dropped = running;
    running = null;
    dropped?.turns.close();
    await dropped?.server.end("SIGKILL");
  }

  async function run(): Promise<Running> {
    const { env, open } = turnsOfServer();
    const server = await serve(folder, ["--invitations-per-day", "100000"], { env });
    running = { server, turns: await open(), isListening: false };
    const started = running;
    void server.exited.then(() => {
      if (running === started) running = null;
    });
    return started;
  }

  async function ready(isListening = false): Promise<Filled> {
    if (running && running.isListening !== isListening) await drop();
    const now = running ?? (await run());
    filled ??= { ...made, picture: await upload(now.server) };
    if (isListening && !now.isListening) await listen(now.server);
    now.isListening = isListening;
    return filled;
  }

  /** Returns the longest turn while `body` runs. */
  async function during<T>(body: (server: Server) => Promise<T>): Promise<[done: T, longest: number]> {
    if (!running) throw new Error("No server runs.");
    const { server, turns } = running;
    const before = ranMs(server.pid);
    const { promise: tooLong, reject } = Promise.withResolvers<never>();
    const watch = setInterval(() => {
      if (ranMs(server.pid) - before > patienceMs) reject(new Error("The server does not answer."));
    }, 1_000);
    const measured = async (): Promise<[T, number]> => {
      await turns.begin();
      return [await body(server), await turns.end()];
    };
    try {
      return await Promise.race([measured(), tooLong]);
    } catch (error) {
      throw (await lastWords(server)) ?? error;
    } finally {
      clearInterval(watch);
    }
  }

  return {
    ready,
    async measure(asked) {
      const [{ status, bytes, took }, longest] = await during(async (server) => {
        const began = performance.now();
        const answer = await fetch(...requestOf(server, asked));
        const { byteLength } = await answer.arrayBuffer();
        return { status: answer.status, bytes: byteLength, took: performance.now() - began };
      });
      return { longest, status, took, bytes };
    },
    async calm() {
      const end = performance.now() + 5_000;
      let longest = Number.POSITIVE_INFINITY;
      while (longest > calmMs && performance.now() < end) [, longest] = await during(() => Bun.sleep(100));
    },
    allowed: async () => Math.max(mostMs, await work.ms()),
    drop,
    async end() {
      await work.end();
      await drop();
      await cleanUp();
    },
  };
}

/** Milliseconds for which a process has computed; except on Linux, those that have passed. */
function ranMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

/** Why a server has ended; null if it still runs. */
async function lastWords({ exited, printed }: Server): Promise<Error | null> {
  const status = await Promise.race([exited, Bun.sleep(2_000)]);
  if (status === undefined) return null;
  return new Error(
    `The server ended with status ${status}. Its last words:\n${printed().stderr.slice(-2_000)}`,
  );
}

/** How many requests of listeners are under way at once. */
const listenersAtOnce = 50;

async function listen(server: Server): Promise<void> {
  const everybody = Array.from({ length: sizes.people }, (_, i) => listener(i + 1));
  const wanted = encode({ event_types: ["update_message_flags"], fetch_event_types: [] });
  await each(everybody, async ({ email, key }) => {
    const headers = { authorization: basic(email, key), "content-type": "application/x-www-form-urlencoded" };
    const url = `${server.url}/api/v1/register`;
    const answer = await fetch(url, { method: "POST", headers, body: wanted });
    if (!answer.ok) throw new Error(`No queue was opened: ${await answer.text()}`);
    await answer.arrayBuffer();
  });
}

async function each<T>(things: readonly T[], run: (thing: T) => Promise<unknown>): Promise<void> {
  const left = things.values();
  const worker = async () => {
    for (const thing of left) await run(thing);
  };
  await Promise.all(Array.from({ length: listenersAtOnce }, worker));
}

/** A folder in memory with enough space, if there is one, so that the disk's speed does not matter. */
function placeInMemory(): string | undefined {
  const [place, needed] = ["/dev/shm", 1_000_000_000];
  if (!existsSync(place)) return undefined;
  const { bavail, bsize } = statfsSync(place);
  return bavail * bsize < needed ? undefined : place;
}

/** Uploads a large picture as the owner, and returns its address. */
async function upload(server: Server): Promise<string> {
  const form = new FormData();
  form.append("file", new File([largePicture], "large.png"));
  const answer = await fetch(
    ...requestOf(server, { method: "POST", path: "/api/v1/user_uploads", form, as: "owner" }),
  );
  const { url } = (await answer.json()) as { url: string };
  return url;
}

async function fill(folder: string): Promise<Omit<Filled, "picture">> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "fill.ts"), folder], { stdout: "pipe" });
  const [text, status] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  if (status !== 0) throw new Error("The folder could not be filled.");
  return JSON.parse(text);
}

function requestOf({ url }: Server, asked: Ask): [string, RequestInit] {
  const { method, path, params = {}, form, as } = asked;
  const headers: Record<string, string> =
    as === "nobody" ? {} : { authorization: basic(emails[as], keys[as]) };
  if (form) return [url + path, { method, headers, body: form }];
  const text = asked.text ?? encode(params);
  if (method === "GET") return [`${url}${path}${text === "" ? "" : `?${text}`}`, { headers }];
  headers["content-type"] = "application/x-www-form-urlencoded";
  return [url + path, { method, headers, body: text }];
}

export function isAsMeant(one: Case, { status }: Measured): boolean {
  if (one.isAnyAnswer) return status < 500;
  return one.isRefused ? status >= 400 && status < 500 : status < 400;
}

/**
 * The shortest stall of up to `tries` tries, because the server's own jobs can add to one. Stops once one is allowed; what is allowed is
 * measured again next to each. A try with an unexpected answer does not count, except for the first; its other values are returned.
 */
export async function shortest(
  trial: Trial,
  filled: Filled,
  one: Case,
  tries = 15,
): Promise<Measured & { allowed: number }> {
  const measured = async (nth: number) => {
    if (one.before) await trial.measure(one.before(filled, nth));
    const taken = await trial.measure(one.ask(filled, nth));
    return { ...taken, allowed: taken.longest <= mostMs ? mostMs : await trial.allowed() };
  };
  const first = await measured(0);
  let best = first;
  for (let nth = 1; nth < tries && best.longest > best.allowed; nth++) {
    if (one.undo) await trial.measure(one.undo(filled, nth - 1));
    await trial.calm();
    const again = await measured(nth);
    if (isAsMeant(one, again) && again.longest / again.allowed < best.longest / best.allowed) best = again;
  }
  return { ...first, longest: best.longest, allowed: best.allowed };
}
