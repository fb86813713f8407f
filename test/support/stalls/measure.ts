// Measures how long one request delays another: starts a server with a large organization, and a probe.
import { existsSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { cleanUp, json, newFolder, type Server, serve } from "../executable.ts";
import { basic, encode, type Params } from "../requests.ts";
import { type Ask, type Case, largePicture } from "./cases.ts";
import { emails, type Filled, keys, listener, sizes } from "./filled.ts";

export interface Measured {
  /** Milliseconds. */
  longest: number;
  status: number;
  /** Milliseconds from the request to its answer. */
  took: number;
  bytes: number;
}

export interface Trial {
  filled: Filled;
  server: Server;
  /** Returns the longest stall during one request. */
  measure(asked: Ask): Promise<Measured>;
  /** Opens a queue of everybody for events of flags; returns a function that closes them. */
  listen(): Promise<() => Promise<void>>;
  /** Waits until the idle server answers at once, for some seconds at most. */
  calm(): Promise<void>;
  end(): Promise<void>;
}

const calmMs = 15;

export async function openTrial(): Promise<Trial> {
  const folder = newFolder(undefined, placeInMemory());
  await json([
    "init",
    "--data",
    folder,
    ...["--org", "Stalls", "--owner-email", "olive@example.com", "--owner-name", "Olive"],
  ]);
  const made = await fill(folder);
  const server = await serve(folder, ["--invitations-per-day", "100000"]);
  const filled = { ...made, picture: await upload(server) };
  const probe = startProbe(server);
  await probe.span();
  return {
    filled,
    server,
    async measure(asked) {
      await probe.span();
      const began = performance.now();
      const answer = await fetch(...requestOf(server, asked));
      const { byteLength } = await answer.arrayBuffer();
      const took = performance.now() - began;
      const { longest } = await probe.span();
      return { longest, status: answer.status, took, bytes: byteLength };
    },
    listen: () => listen(server),
    async calm() {
      const end = performance.now() + 5_000;
      do {
        await probe.span();
        await Bun.sleep(100);
      } while ((await probe.span()).longest > calmMs && performance.now() < end);
    },
    async end() {
      await probe.end();
      await server.end("SIGKILL");
      await cleanUp();
    },
  };
}

/** How many requests of listeners are under way at once. */
const listenersAtOnce = 50;

async function listen(server: Server): Promise<() => Promise<void>> {
  const everybody = Array.from({ length: sizes.people }, (_, i) => listener(i + 1));
  const ask = async <T>(
    method: "POST" | "DELETE",
    { email, key }: ReturnType<typeof listener>,
    [path, params]: readonly [path: string, params: Params],
  ) => {
    const headers = {
      authorization: basic(email, key),
      "content-type": "application/x-www-form-urlencoded",
    };
    const answer = await fetch(`${server.url}/api/v1${path}`, { method, headers, body: encode(params) });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const opened: (() => Promise<unknown>)[] = [];
  await each(everybody, async (one) => {
    const wanted = { event_types: ["update_message_flags"], fetch_event_types: [] };
    const { queue_id } = await ask<{ queue_id: string }>("POST", one, ["/register", wanted]);
    opened.push(() => ask("DELETE", one, ["/events", { queue_id }]));
  });
  return () => each(opened, (close) => close().catch(() => {}));
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

/** A server that stalls on request, with a probe beside it. */
export async function startStalling() {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "stalling.ts")], { stdout: "pipe" });
  const { value } = await child.stdout.getReader().read();
  const port = Number(new TextDecoder().decode(value));
  const probe = startProbe({ port, pid: child.pid });
  return {
    /**
     * The longest stall, in milliseconds, during a request that computes or sleeps for a given time, or does a fixed amount of
     * work.
     */
    async longestDuring(how: "compute" | "sleep" | "work", ms = 0): Promise<number> {
      await probe.span();
      await fetch(`http://127.0.0.1:${port}/${how}?ms=${ms}`);
      return (await probe.span()).longest;
    },
    async end(): Promise<void> {
      await probe.end();
      child.kill();
      await child.exited;
    },
  };
}

interface Span {
  longest: number;
  ticks: number;
}

/** Starts the probe beside a server. */
export function startProbe({ port, pid }: Pick<Server, "port" | "pid">) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "probe.ts"), String(port), String(pid)], {
    stdin: "pipe",
    stdout: "pipe",
  });
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  return {
    /** The measurements since the end of the last span. */
    async span(): Promise<Span> {
      child.stdin.write("\n");
      child.stdin.flush();
      const { value } = await lines.read();
      return JSON.parse(value ?? "");
    },
    async end() {
      child.kill();
      await child.exited;
    },
  };
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
 * The shortest stall of up to `tries` tries, because other processes and the server's own jobs can delay a try. Stops once one is
 * short enough. A try with an unexpected answer does not count, except for the first; its other values are returned.
 */
export async function shortest(trial: Trial, one: Case, limit: number, tries = 6): Promise<Measured> {
  const measured = async (nth: number) => {
    if (one.before) await trial.measure(one.before(trial.filled, nth));
    return trial.measure(one.ask(trial.filled, nth));
  };
  const first = await measured(0);
  let { longest } = first;
  for (let nth = 1; nth < tries && longest > limit; nth++) {
    if (one.undo) await trial.measure(one.undo(trial.filled, nth - 1));
    await trial.calm();
    const again = await measured(nth);
    if (isAsMeant(one, again)) longest = Math.min(longest, again.longest);
  }
  return { ...first, longest };
}
