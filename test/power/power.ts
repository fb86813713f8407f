// Simulates power cuts at a hundred moments of a run; nothing acknowledged may be lost. `npm run test:power`; CONFAB_POWER_POINTS
// sets the number of moments.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Glob } from "bun";
import { type App, open } from "@/app.ts";
import { domains } from "@/domains.ts";
import { openDatabaseOf } from "../support/database.ts";
import { call, cleanUp, serve } from "../support/executable.ts";
import { basic, type Json } from "../support/requests.ts";
import {
  allLuck,
  diskAfter,
  generator,
  isKept,
  type Luck,
  noLuck,
  type Step,
  someLuck,
  writeDisk,
} from "./disk.ts";
import { marks, type Run, recordRun } from "./run.ts";
import { obstacleToTracing } from "./trace.ts";

const points = Number(process.env.CONFAB_POWER_POINTS ?? 100);
const seed = Number(process.env.CONFAB_POWER_SEED ?? Date.now() % 1_000_000);
/** How many subsets of the unsynced changes are tried at each moment, besides the empty one. */
const subsets = 2;
const commands = ["init", "channel", "profile", "backup", "export", "restore", "import"];
const day = 86_400;
const obstacle = obstacleToTracing();
const folder = mkdtempSync(join(tmpdir(), "confab-power-"));

afterAll(async () => {
  await cleanUp();
  rmSync(folder, { recursive: true, force: true });
});

if (obstacle) console.error(`LEFT OUT: nobody tried what a power cut leaves. ${obstacle}`);

/** A promise to a client, and how many steps were recorded before it. */
interface Promised {
  after: number;
  folder: string;
  message?: number;
  file?: string;
  mark?: string;
}

function promisesIn(steps: readonly Step[]): Promised[] {
  const promised: Promised[] = [];
  let serving = "";
  for (const [index, step] of steps.entries()) {
    if (step.kind !== "said") continue;
    const after = index + 1;
    for (const [, name = ""] of step.text.matchAll(marks)) {
      serving = /^serve-(.*)/.exec(name)?.[1] ?? serving;
      promised.push({ after, folder: serving, mark: name });
    }
    const [, id] = /\{"result":"success","msg":"","id":(\d+)/.exec(step.text) ?? [];
    if (id) promised.push({ after, folder: serving, message: Number(id) });
    const [, url] = /"url":"(\/user_uploads\/[^"]+)"/.exec(step.text) ?? [];
    if (url) promised.push({ after, folder: serving, file: url });
  }
  return promised;
}

describe.skipIf(obstacle !== null)("a machine whose power is cut", () => {
  let run: Run;
  let promised: Promised[];
  let moments: number[];
  const random = generator(seed);

  beforeAll(async () => {
    run = await recordRun(folder, Math.max(2, points / 25));
    const { steps } = run.recording;
    promised = promisesIn(steps);
    moments = Array.from({ length: points }, (_, n) => {
      if (n % 2 === 0) return Math.ceil(((n + 1) / points) * steps.length);
      return promised[Math.floor(random() * promised.length)]?.after ?? steps.length;
    });
    // What a command has made is complete as soon as it has ended, so each end is tried, too.
    const ends = promised.filter(({ mark }) => mark !== undefined && commands.includes(mark));
    moments.push(...ends.map(({ after }) => after));
    const count = (what: keyof Promised) => promised.filter((one) => one[what] !== undefined).length;
    console.log(
      `${steps.length} steps, ${count("message")} messages and ${count("file")} files; seed ${seed}`,
    );
  }, 300_000);

  test("was recorded completely: all steps together give the actual folder", () => {
    const { recording, root } = run;
    const rebuilt = diskAfter(recording, recording.steps.length, allLuck);
    const isDecided = (name: string) => isKept(name) && !recording.undecided.has(name);
    const names = [...new Glob("**").scanSync({ cwd: root, dot: true })].filter(isDecided).sort();
    expect([...rebuilt.keys()].filter(isDecided).sort()).toEqual(names);
    const differing = names.filter(
      (name) => !readFileSync(join(root, name)).equals(rebuilt.get(name) ?? new Uint8Array()),
    );
    expect(differing).toEqual([]);
    for (const mark of [...commands, "serve-copy"]) {
      expect(promised.some((one) => one.mark === mark)).toBe(true);
    }
    expect(promised.filter((one) => one.message !== undefined).length).toBeGreaterThan(100);
    expect(promised.filter((one) => one.file !== undefined).length).toBeGreaterThan(20);
  });

  test(`has everything that was acknowledged, at ${points} moments and after each command`, async () => {
    const faults = new Set<string>();
    for (const [index, moment] of moments.entries()) {
      const lucks: [string, Luck][] = [["nothing unsynced", noLuck]];
      for (let n = 0; n < subsets; n++) lucks.push(["some of what was not synced", someLuck(random)]);
      for (const [kept, luck] of lucks) {
        for (const fault of await faultsAt(moment, luck, index % 10 === 0)) {
          faults.add(`after step ${moment} of ${run.recording.steps.length}, with ${kept}: ${fault}`);
        }
      }
    }
    expect([...faults]).toEqual([]);
  }, 1_800_000);

  async function faultsAt(moment: number, luck: Luck, isServed: boolean): Promise<string[]> {
    const disk = diskAfter(run.recording, moment, luck);
    const there = promised.filter((one) => one.after <= moment);
    const until = (mark: string) => there.find((one) => one.mark === mark)?.after ?? Number.POSITIVE_INFINITY;
    const has = (mark: string) => until(mark) <= moment;
    const place = mkdtempSync(join(folder, "after-"));
    try {
      writeDisk(disk, place);
      const faults: string[] = [];
      for (const [mark, name] of [
        ["backup", "archive.tgz"],
        ["export", "export.json"],
        ["profile", "config/**/*"],
        ["import", "imported/files/**/*"],
      ] as const) {
        const written = has(mark) ? [...new Glob(name).scanSync(run.root)] : [];
        if (has(mark) && written.length === 0) faults.push(`${mark} wrote no ${name}`);
        for (const one of written) {
          if (!readFileSync(join(run.root, one)).equals(disk.get(one) ?? new Uint8Array()))
            faults.push(`${one} is not what ${mark} wrote`);
        }
      }
      if (has("import") && importedIn(place) !== importedIn(run.root))
        faults.push("the import has lost rows");
      const inChat = there.filter((one) => one.folder === "chat");
      if (has("init")) faults.push(...(await faultsOf(join(place, "chat"), inChat, isServed)));
      if (has("restore")) {
        const backedUp = inChat.filter((one) => one.after < until("backup-begins"));
        const since = there.filter((one) => one.folder === "copy");
        faults.push(...(await faultsOf(join(place, "copy"), [...backedUp, ...since], isServed)));
      }
      return faults;
    } finally {
      rmSync(place, { recursive: true });
    }
  }

  /** Lists what is missing or damaged in a data folder that should hold all promises. */
  async function faultsOf(dataDir: string, there: readonly Promised[], isServed: boolean): Promise<string[]> {
    let app: App;
    try {
      app = open(dataDir, { hosting: true, clock: tomorrow });
    } catch (error) {
      return [`${dataDir} does not open: ${error}`];
    }
    const faults = contentFaults(dataDir, there);
    try {
      for (const { name, run: work } of domains.flatMap(({ jobs = [] }) => jobs)) {
        if (/sweep|file/.test(name)) await work(app.system);
      }
      faults.push(...(await fileFaults(app, there)));
      faults.push(...(await sendingFaults(app)));
    } finally {
      await app.close();
    }
    if (!isServed) return faults;
    const server = await serve(dataDir);
    const { status } = await call(server, run.owner, ["GET", "/users/me"]);
    if (status !== 200) faults.push(`the executable answers ${status}`);
    await server.end("SIGTERM");
    return faults;
  }

  function contentFaults(dataDir: string, there: readonly Promised[]): string[] {
    const database = openDatabaseOf(dataDir);
    const [[check] = []] = database.query<string[], []>("PRAGMA integrity_check").values();
    const rows = database
      .query<{ id: number; content: string }, []>("SELECT id, content FROM messages")
      .all();
    database.close();
    const stored = new Map(rows.map(({ id, content }) => [id, content]));
    const faults = check === "ok" ? [] : [`integrity_check: ${check}`];
    for (const { message, folder: name } of there) {
      if (message === undefined) continue;
      const content = run.sent.messages[name]?.get(message) ?? stored.get(message);
      if (content === undefined || stored.get(message) !== content)
        faults.push(`message ${message} is missing`);
    }
    return faults;
  }

  const headers = () => ({ authorization: basic(run.owner.email, run.owner.api_key) });

  async function fileFaults(app: App, there: readonly Promised[]): Promise<string[]> {
    const faults: string[] = [];
    for (const { file, folder: name } of there) {
      if (file === undefined) continue;
      const answer = await app.fetch(new Request(new URL(file, app.env.site).href, { headers: headers() }));
      const bytes = Buffer.from(await answer.arrayBuffer());
      const isWhole = bytes.equals(run.sent.files[name]?.get(file) ?? bytes);
      if (answer.status !== 200 || !isWhole)
        faults.push(`file ${file} is ${isWhole ? "missing" : "damaged"}`);
    }
    const [{ avatar_url }, { realm_icon }] = [
      await answerOf(app, "GET", "/users/me"),
      await answerOf(app, "GET", "/server_settings"),
    ];
    for (const url of [avatar_url, realm_icon]) {
      const answer = await app.fetch(new Request(new URL(url, app.env.site).href, { headers: headers() }));
      if (answer.status !== 200) faults.push(`the picture ${url} is missing`);
    }
    const { emoji, msg } = await answerOf(app, "GET", "/realm/emoji");
    if (!emoji) return [...faults, `the owner's key is refused: ${msg}`];
    for (const { name, source_url } of Object.values<Json>(emoji)) {
      const answer = await app.fetch(new Request(new URL(source_url, app.env.site).href));
      if (answer.status !== 200) faults.push(`the picture of emoji ${name} is missing`);
    }
    return faults;
  }

  async function sendingFaults(app: App): Promise<string[]> {
    const { result, msg } = await answerOf(
      app,
      "POST",
      "/messages",
      "type=channel&to=load&topic=after&content=on",
    );
    return result === "success" || /does not exist/.test(msg) ? [] : [`sending afterwards: ${msg}`];
  }

  async function answerOf(app: App, method: string, path: string, body?: string): Promise<Json> {
    const type = { "content-type": "application/x-www-form-urlencoded", "content-length": `${body?.length}` };
    const init = { method, body, headers: body === undefined ? headers() : { ...headers(), ...type } };
    return (await app.fetch(new Request(`${app.env.site}/api/v1${path}`, init))).json();
  }
});

/** How much an import wrote to the folder `imported`. */
function importedIn(root: string): string {
  const database = openDatabaseOf(join(root, "imported"));
  const count = (table: string) => database.query(`SELECT count(*) FROM ${table}`).values();
  const counts = ["users", "channels", "messages", "attachments", "realm_emoji"].map(count);
  const checked = database.query("PRAGMA integrity_check").values();
  database.close();
  return JSON.stringify([counts, checked]);
}

/** Two days later, when files without a row are old enough to be swept. */
const tomorrow = {
  now: () => Math.floor(Date.now() / 1000) + 2 * day,
  ms: () => Date.now() + 2000 * day,
  steady: () => performance.now(),
};
