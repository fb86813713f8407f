// What all imports share: continuing after a kill, and malicious archives.
import { afterAll, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { create } from "tar";
import { placeFiles, placeOrganization } from "@/operations/data-folder/host.ts";
import { openFile } from "../support/database.ts";
import { cleanUp, confab, executable, json, newFolder, surroundings } from "../support/executable.ts";
import { tarred, zipped } from "../support/imports/archives.ts";
import { imported, refusal, said } from "../support/imports/outcome.ts";
import { manyZulipMessages, zulipExport } from "../support/imports/zulip.ts";

afterAll(() => cleanUp());

const messages = 6000;

/** Starts an import and kills it once `isDue`; returns false if it had finished before. */
async function killed(args: readonly string[], isDue: () => boolean): Promise<boolean> {
  const child = Bun.spawn([...executable, "import", ...args], {
    env: surroundings(),
    stdout: "ignore",
    stderr: "ignore",
  });
  while (child.exitCode === null && !isDue()) await Bun.sleep(2);
  const wasRunning = child.exitCode === null;
  child.kill("SIGKILL");
  await child.exited;
  return wasRunning;
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

describe("the copy's files", () => {
  test("are moved with their folders, without the empty ones of files that went to an S3 store", async () => {
    const [folder, copy] = [newFolder(), newFolder()];
    const files = join(copy, "files");
    mkdirSync(join(files, "uploads", "ab"), { recursive: true });
    await placeFiles(copy, folder);
    expect(existsSync(join(folder, "files"))).toBe(false);

    writeFileSync(join(files, "uploads", "ab", "one.txt"), "one");
    mkdirSync(join(files, "avatars", "cd"), { recursive: true });
    await placeFiles(copy, folder);
    expect(readdirSync(join(folder, "files"))).toEqual(["uploads"]);
    expect(readFileSync(join(folder, "files", "uploads", "ab", "one.txt"), "utf8")).toBe("one");
  });
});

test("a database is placed with what is only in its write-ahead log, as closing leaves it on a full disk", async () => {
  const [from, folder] = [newFolder(), newFolder()];
  const writer = openFile(join(from, "confab.db"));
  writer.run("PRAGMA journal_mode = WAL");
  writer.run("CREATE TABLE written (last INTEGER)");
  const left = newFolder(from);
  writer.close();
  expect(sizeOf(join(left, "confab.db-wal"))).toBeGreaterThan(0);
  await placeOrganization(left, folder);
  const placed = openFile(join(folder, "confab.db"));
  expect(placed.query("SELECT name FROM sqlite_schema").get()).toEqual({ name: "written" });
  placed.close();
});

describe("an import that is killed", () => {
  test("continues where it stopped, and imports nothing twice", async () => {
    const file = await tarred(join(newFolder(), "export.tar.gz"), {
      ...zulipExport(),
      ...manyZulipMessages(messages),
    });
    const whole = await imported("zulip", file);
    const data = join(newFolder(), "data");
    const at = ["zulip", file, "--data", data];
    const staging = join(data, "import");
    const copy = join(staging, "data", "confab.db");
    const written = (bytes: number) => () => sizeOf(`${copy}-wal`) + sizeOf(copy) > bytes;
    const moments: (() => boolean)[] = [
      () => existsSync(join(staging, "export")),
      () => existsSync(join(staging, "state.json")),
      () => existsSync(copy),
      written(1_500_000),
      written(3_000_000),
    ];
    let kills = 0;
    for (const isDue of moments) {
      if (await killed(at, isDue)) kills++;
      expect((await confab(["user", "list", "--data", data])).stderr).toContain("There is no organization");
    }
    expect(kills).toBe(moments.length);
    const { document, report } = await imported("zulip", file, { data });
    expect(said(document)).toEqual(said(whole.document));
    expect(document.subscriptions).toEqual(whole.document.subscriptions);
    expect(report.messages).toBe(messages);
    expect(readdirSync(data)).not.toContain("import");
  }, 300_000);

  test("starts over if the organization has changed meanwhile", async () => {
    const data = newFolder();
    const at = ["--data", data];
    await json([
      "init",
      "--org",
      "Crew",
      "--owner-email",
      "o@example.com",
      "--owner-name",
      "Olive Else",
      ...at,
    ]);
    const file = await tarred(join(newFolder(), "export.tar.gz"), zulipExport());
    const copy = join(data, "import", "data", "confab.db");
    expect(await killed(["zulip", file, ...at], () => existsSync(copy))).toBe(true);
    await json(["user", "create", "--email", "new@example.com", "--name", "Newcomer", ...at]);
    const { document } = await imported("zulip", file, { data });
    expect(document.users.filter(({ full_name }) => full_name === "Newcomer")).toHaveLength(1);
    expect(document.messages).toHaveLength(11);
  });
});

test("an import starts over if the machine has restarted, because what was not on disk is lost", async () => {
  const file = await tarred(join(newFolder(), "export.tar.gz"), {
    ...zulipExport(),
    ...manyZulipMessages(messages),
  });
  const data = join(newFolder(), "data");
  const staging = join(data, "import");
  const copy = join(staging, "data", "confab.db");
  expect(await killed(["zulip", file, "--data", data], () => existsSync(copy))).toBe(true);
  const state = JSON.parse(readFileSync(join(staging, "state.json"), "utf8"));
  writeFileSync(join(staging, "state.json"), JSON.stringify({ ...state, machineStart: "an earlier one" }));
  // As a power cut may leave them.
  truncateSync(join(staging, "spool.db"), 20_000);
  for (const end of ["", "-wal"]) rmSync(`${copy}${end}`, { force: true });
  const { report } = await imported("zulip", file, { data });
  expect(report.messages).toBe(messages);
}, 300_000);

test("an import starts over that an earlier version began", async () => {
  const file = await tarred(join(newFolder(), "export.tar.gz"), {
    ...zulipExport(),
    ...manyZulipMessages(messages),
  });
  const data = join(newFolder(), "data");
  const staging = join(data, "import");
  const copy = join(staging, "data", "confab.db");
  expect(await killed(["zulip", file, "--data", data], () => existsSync(copy))).toBe(true);
  const state = JSON.parse(readFileSync(join(staging, "state.json"), "utf8"));
  writeFileSync(join(staging, "state.json"), JSON.stringify({ ...state, format: 1 }));
  const spool = openFile(join(staging, "spool.db"));
  spool.run("UPDATE facts SET value = json_remove(value, '$.notRead') WHERE name = 'found'");
  spool.close();
  const { status, stdout } = await confab(["import", "zulip", file, "--data", data]);
  expect([status, stdout]).toEqual([0, expect.stringContaining("Imported from Zulip")]);
  const { all } = (await json<{ messages: { all: number } }>(["stats", "--data", data])).messages;
  expect(all).toBe(messages);
}, 300_000);

describe("a hostile archive", () => {
  const nothing = async (data: string) => {
    expect((await confab(["user", "list", "--data", data])).stderr).toContain("There is no organization");
    expect(existsSync(join(data, "import"))).toBe(false);
  };

  test("as tar with a path that leads outside is refused", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "evil.json"), "{}");
    const file = join(folder, "evil.tar");
    await create({ file, cwd: folder, preservePaths: true, prefix: "../../x" }, ["evil.json"]);
    const data = join(newFolder(), "data");
    expect(await refusal(["zulip", file, "--data", data])).toContain("leads outside the folder");
    await nothing(data);
  });

  test("as tar with a link is refused", async () => {
    const folder = newFolder();
    symlinkSync("/etc/passwd", join(folder, "realm.json"));
    const file = join(newFolder(), "link.tar");
    await create({ file, cwd: folder }, ["realm.json"]);
    const data = join(newFolder(), "data");
    expect(await refusal(["zulip", file, "--data", data])).toContain("neither a file nor a folder");
    await nothing(data);
  });

  test("as zip with a path that leads outside is refused", async () => {
    const file = await zipped(join(newFolder(), "evil.zip"), { "aaa/users.json": "[]" });
    const bytes = Buffer.from(await Bun.file(file).arrayBuffer());
    writeFileSync(file, Buffer.from(bytes.toString("latin1").replaceAll("aaa/users", "../users."), "latin1"));
    const data = join(newFolder(), "data");
    expect(await refusal(["slack", file, "--data", data])).toContain(
      "cannot be imported: invalid relative path",
    );
    await nothing(data);
  });

  test("that unpacks to a thousand times its size is refused", async () => {
    const file = await zipped(join(newFolder(), "bomb.zip"), { "users.json": Buffer.alloc(280_000_000) });
    const data = join(newFolder(), "data");
    expect(await refusal(["slack", file, "--data", data])).toContain(
      "unpacks to more than 100 times its size",
    );
    await nothing(data);
  });

  test("with a member longer than declared is refused", async () => {
    const file = await zipped(join(newFolder(), "liar.zip"), { "users.json": Buffer.alloc(50_000, "[]") });
    const bytes = Buffer.from(await Bun.file(file).arrayBuffer());
    const [real, claimed] = [Buffer.alloc(4), Buffer.alloc(4)];
    real.writeUInt32LE(50_000);
    claimed.writeUInt32LE(10);
    for (let at = bytes.indexOf(real); at >= 0; at = bytes.indexOf(real, at)) claimed.copy(bytes, at);
    writeFileSync(file, bytes);
    const data = join(newFolder(), "data");
    expect(await refusal(["slack", file, "--data", data])).toContain("too many bytes");
    await nothing(data);
  });

  test("that is no archive, or is incomplete, is refused", async () => {
    const file = join(newFolder(), "export.zip");
    writeFileSync(file, "This is not an archive.");
    const data = join(newFolder(), "data");
    for (const source of ["slack", "zulip", "mattermost"])
      expect(await refusal([source, file, "--data", data])).toContain("cannot be imported");
    const good = await zipped(join(newFolder(), "whole.zip"), { "users.json": "[]" });
    writeFileSync(file, Buffer.from(await Bun.file(good).arrayBuffer()).subarray(0, 60));
    expect(await refusal(["slack", file, "--data", data])).toContain("cannot be imported");
    await nothing(data);
  });

  test("that does not exist is named in the error", async () => {
    expect(await refusal(["slack", "/nowhere/export.zip", "--dry-run"])).toContain(
      "There is no file /nowhere/export.zip.",
    );
  });
});
