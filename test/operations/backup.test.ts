import type { Database } from "bun:sqlite";
import { afterEach, describe, expect, test } from "bun:test";
import { createECDH, createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statfsSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { lineOf } from "@cli/progress.ts";
import { create, extract } from "tar";
import { createBackup } from "@/operations/backup/host.ts";
import { openDatabaseOf, openFile } from "../support/database.ts";
import {
  call,
  cleanUp,
  confab,
  executable,
  json,
  newFolder,
  newOrganization,
  type Server,
  serve,
  surroundings,
} from "../support/executable.ts";
import { canMount } from "../support/mount.ts";
import { until } from "../support/waiting.ts";

afterEach(() => cleanUp());

interface Saved {
  file: string;
  bytes: number;
  sha256: string;
  files: number;
  last_message_id: number;
}

function idsOf(body: Record<string, unknown>): number[] {
  return (body.messages as { id: number }[]).map(({ id }) => id);
}

/** Reads a database as it was before a write, until the returned function is called: a backup must then make a copy. */
function readEarlierState(dataDir: string): () => void {
  const path = join(dataDir, "confab.db");
  const [reader, writer] = [openFile(path), openFile(path)];
  writer.run("UPDATE users SET full_name = full_name || '.'");
  reader.run("BEGIN");
  reader.query("SELECT COUNT(*) FROM users").get();
  writer.run("UPDATE users SET full_name = full_name || '.'");
  return () => {
    reader.close();
    writer.close();
  };
}

describe("backup and restore", () => {
  test("keep nothing of pages that hold no data any more, with and without a copy of the database", async () => {
    const { data } = await newOrganization();
    const database = openDatabaseOf(data);
    database.run("CREATE TABLE passing (text TEXT)");
    for (let n = 0; n < 300; n++)
      database.run("INSERT INTO passing VALUES (?)", [`passing ${n} `.repeat(1000)]);
    database.run("DROP TABLE passing");
    database.run("PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
    const received = "passing 9 passing 9";
    expect(readFileSync(join(data, "confab.db")).includes(received)).toBe(true);
    for (const isCopied of [false, true]) {
      const endReading = isCopied ? readEarlierState(data) : () => {};
      const file = join(newFolder(), "crew.tar.gz");
      await json(["backup", file, "--data", data]);
      endReading();
      const copy = join(newFolder(), "restored");
      await confab(["restore", file, "--data", copy]);
      const restored = readFileSync(join(copy, "confab.db"));
      expect(restored.includes(received)).toBe(false);
      expect(restored.length < statSync(join(data, "confab.db")).size).toBe(isCopied);
    }
  });

  test("under load keep every acknowledged message and every upload", async () => {
    const { data, owner } = await newOrganization();
    const server = await serve(data);
    const direct = { type: "direct", to: JSON.stringify([owner.user_id]) };
    const send = async (content: string) =>
      (await call(server, owner, ["POST", "/messages"], { ...direct, content })).body.id as number;
    const picture = "a picture, or nearly so";
    const headers = { authorization: `Basic ${btoa(`${owner.email}:${owner.api_key}`)}` };
    const form = new FormData();
    form.append("file", new File([picture], "note.txt"));
    const url = `${server.url}/api/v1/user_uploads`;
    const answer = await fetch(url, { method: "POST", headers, body: form });
    const uploaded = ((await answer.json()) as { url: string }).url;
    const download = async (from: Server) => {
      const file = await fetch(`${from.url}${uploaded}`, { headers });
      return [file.status, await file.text()] as [number, string];
    };
    expect(await download(server)).toEqual([200, picture]);
    mkdirSync(join(data, "files", "incoming"), { recursive: true });
    writeFileSync(join(data, "files", "incoming", "half"), "not whole yet");

    const acknowledged: number[] = [];
    for (let n = 0; n < 50; n++) acknowledged.push(await send(`Before ${n}`));
    let isLoaded = true;
    const load = Array.from({ length: 8 }, async () => {
      for (let n = 0; isLoaded; n++) await send(`Meanwhile ${n}`);
    });
    const file = join(newFolder(), "crew.tar.gz");
    const saved = await json<Saved>(["backup", file, "--data", data]);
    isLoaded = false;
    await Promise.all(load);
    expect(saved).toMatchObject({ file, bytes: statSync(file).size, files: 2 });
    expect(saved.sha256).toBe(createHash("sha256").update(readFileSync(file)).digest("hex"));
    expect(saved.last_message_id).toBeGreaterThanOrEqual(acknowledged.at(-1) as number);
    expect(readdirSync(dirname(file))).toEqual([basename(file)]);
    expect(readdirSync(data).filter((name) => name.startsWith("backup-"))).toEqual([]);
    expect(statSync(file).mode & 0o077).toBe(0);
    await server.end("SIGTERM");

    const copy = join(newFolder(), "restored");
    const { stdout } = await confab(["restore", file, "--data", copy]);
    expect(stdout).toStartWith("Restored Crew as of ");
    expect(existsSync(join(copy, "files", "incoming"))).toBe(false);
    expect(existsSync(join(copy, "manifest.json"))).toBe(false);
    const again = await serve(copy);
    const ids = JSON.stringify(acknowledged);
    const found = await call(again, owner, ["GET", "/messages"], { message_ids: ids });
    expect(idsOf(found.body)).toEqual(acknowledged);
    const narrow = '[{"operator":"search","operand":"before"}]';
    const searched = await call(again, owner, ["GET", "/messages"], {
      anchor: "newest",
      num_before: "100",
      narrow,
    });
    expect(idsOf(searched.body)).toEqual(acknowledged);
    expect(await download(again)).toEqual([200, picture]);
  });

  test("keep the key of Web Push and the subscribed browsers", async () => {
    const { data, owner } = await newOrganization();
    const server = await serve(data);
    const state = async (from: Server) => (await call(from, owner, ["GET", "/users/me/web_push"])).body;
    // A job creates it soon after the first start.
    await until(async () => (await state(server)).public_key !== null, "the key is made");
    const endpoint = "https://push.example/1";
    const p256dh = createECDH("prime256v1").generateKeys("base64url");
    const auth = randomBytes(16).toString("base64url");
    await call(server, owner, ["POST", "/users/me/web_push"], { endpoint, p256dh, auth });
    const before = await state(server);
    expect(before.subscriptions).toHaveLength(1);
    const file = join(newFolder(), "crew.tar.gz");
    await json(["backup", file, "--data", data]);
    await server.end("SIGTERM");
    const copy = join(newFolder(), "restored");
    await confab(["restore", file, "--data", copy]);
    expect(await state(await serve(copy))).toEqual(before);
  });

  test("restore large files, also from an archive in one piece, as earlier versions wrote it", async () => {
    const { data } = await newOrganization();
    const large = Buffer.concat([
      randomBytes(5_000_000),
      Buffer.alloc(6_000_000, "x"),
      randomBytes(3_000_001),
    ]);
    mkdirSync(join(data, "files", "ab"), { recursive: true });
    writeFileSync(join(data, "files", "ab", "large"), large);
    const folder = newFolder();
    const file = join(folder, "crew.tar.gz");
    await json(["backup", file, "--data", data]);
    const written = readFileSync(file);
    const beginning = written.subarray(0, 10);
    const second = written.indexOf(beginning, 10);
    expect(second).toBeGreaterThan(0);

    const plain = join(folder, "plain");
    mkdirSync(plain);
    await extract({ file, cwd: plain, strict: true });
    const older = join(folder, "older.tar.gz");
    await create({ cwd: plain, file: older, gzip: { level: 3 }, portable: true }, readdirSync(plain));
    for (const [nth, archive] of [file, older].entries()) {
      const target = join(folder, `restored-${nth}`);
      await json(["restore", archive, "--data", target]);
      expect(readFileSync(join(target, "files", "ab", "large")).equals(large)).toBe(true);
    }

    const cut = join(folder, "cut.tar.gz");
    writeFileSync(cut, written.subarray(0, second));
    const refused = await confab(["restore", cut, "--data", join(folder, "cut")]);
    expect([refused.status, existsSync(join(folder, "cut"))]).toEqual([1, false]);
  });

  test("a damaged, incomplete or foreign archive restores nothing", async () => {
    const { data } = await newOrganization();
    const folder = newFolder();
    const file = join(folder, "crew.tar.gz");
    await json(["backup", file, "--data", data]);
    const whole = readFileSync(file);
    const changed = Buffer.from(whole);
    changed[Math.floor(whole.length / 2)] = (changed[Math.floor(whole.length / 2)] ?? 0) ^ 0xff;
    const cases: [string, Uint8Array][] = [
      ["changed", changed],
      ["cut", whole.subarray(0, whole.length - 2000)],
      ["text", Buffer.from("not an archive")],
      ["empty", Buffer.alloc(0)],
    ];
    for (const [name, content] of cases) {
      const path = join(folder, name);
      writeFileSync(path, content);
      const target = join(folder, `${name}-restored`);
      const refused = await confab(["restore", path, "--data", target]);
      expect([name, refused.status]).toEqual([name, 1]);
      expect(refused.stderr).toMatch(/is not a backup, or is incomplete|is damaged|not a Confab backup/);
      expect(existsSync(target)).toBe(false);
    }
    expect(readdirSync(folder).filter((name) => name.startsWith("restore-"))).toEqual([]);
  });

  test("refuse to overwrite, and unknown paths", async () => {
    const { data } = await newOrganization();
    const file = join(newFolder(), "crew.tar.gz");
    writeFileSync(file, "precious");
    const refused = await confab(["backup", file, "--data", data]);
    expect(refused).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("This overwrites 1 file of 8 B"),
    });
    expect(readFileSync(file, "utf8")).toBe("precious");
    expect((await confab(["backup", file, "--yes", "--data", data])).status).toBe(0);

    const fresh = join(newFolder(), "new one");
    const restored = await confab(["restore", file, "--data", fresh]);
    expect(restored.stdout).toMatch(/ as of \d{4}-\d\d-\d\d \d\d:\d\d UTC, /);
    expect(restored.stdout).toEndWith(`Start it with 'confab serve --data "${fresh}"'.\n`);

    const onto = await confab(["restore", file, "--data", data]);
    expect(onto).toMatchObject({ status: 1, stderr: expect.stringContaining("is not empty") });
    const nothing = await confab(["backup", `${file}2`, "--data", newFolder()]);
    expect(nothing).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("There is no organization in"),
    });
    const absent = await confab(["restore", `${file}3`, "--data", join(newFolder(), "new")]);
    expect(absent).toMatchObject({ status: 1, stderr: expect.stringContaining("There is no file") });
    const folder = await confab(["backup", data, "--yes", "--data", data]);
    expect(folder).toMatchObject({ status: 1, stderr: expect.stringContaining("is a folder; name a file") });
    const piped = await confab(["backup", "-", "--data", data]);
    expect(piped).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining("Name a file") });
    const nowhere = await confab(["backup", join(file, "x", "y"), "--data", data]);
    expect(nowhere).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("a part of its path is a file"),
    });
    const missing = await confab(["backup", join(dirname(file), "x", "y"), "--data", data]);
    expect(missing).toMatchObject({ status: 1, stderr: expect.stringContaining("There is no folder") });
  });
});

test.skipIf(process.platform === "win32").each([["backup"], ["export organization"]])(
  "%s writes a file that only its owner can read, even over an existing temporary file",
  async (command) => {
    const { data } = await newOrganization();
    const folder = newFolder();
    const [file, other] = [join(folder, "crew"), join(folder, "other")];
    writeFileSync(other, "precious");
    symlinkSync(other, `${file}.partial`);
    expect((await confab([...command.split(" "), file, "--data", data])).status).toBe(0);
    expect(readFileSync(other, "utf8")).toBe("precious");
    const { mode } = lstatSync(file);
    expect(mode & 0o170777).toBe(0o100600);
  },
);

/** An archive of these files, with a matching manifest. */
async function archive(files: Record<string, string | Uint8Array>, organization = "Crew"): Promise<string> {
  const folder = newFolder();
  const listed = Object.entries(files).map(([path, content]) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
    const sha256 = createHash("sha256").update(content).digest("hex");
    return { path, bytes: Buffer.byteLength(content), sha256 };
  });
  const about = { format: 1, version: "0.1.0", created_at: 1_700_000_000, organization, last_message_id: 0 };
  writeFileSync(join(folder, "manifest.json"), JSON.stringify({ ...about, files: listed }));
  const file = join(newFolder(), "crew.tar.gz");
  await create({ file, cwd: folder, gzip: true }, readdirSync(folder));
  return file;
}

/** A database of this version, with changes. */
async function databaseAfter(change: (database: Database) => void): Promise<Uint8Array> {
  const { data } = await newOrganization();
  const database = openDatabaseOf(data);
  change(database);
  const bytes = database.serialize();
  database.close();
  return bytes;
}

describe("an archive of somebody else's making", () => {
  const cases: [string, () => Promise<Record<string, string | Uint8Array>>, string][] = [
    ["no database", async () => ({ "files/a": "x" }), "it contains no database"],
    [
      "a text as its database",
      async () => ({ "confab.db": "not at all".repeat(900) }),
      "its confab.db is not a database",
    ],
    ["an empty database", async () => ({ "confab.db": "" }), "its database contains no organization"],
    [
      "a database without an organization",
      async () => ({
        "confab.db": await databaseAfter(
          (one) => void one.run("PRAGMA foreign_keys = OFF; DELETE FROM realm"),
        ),
      }),
      "its database contains no organization",
    ],
    [
      "the database of a newer version",
      async () => ({ "confab.db": await databaseAfter((one) => void one.run("PRAGMA user_version = 9999")) }),
      "a newer version of Confab wrote it; restore it with that version",
    ],
  ];
  test.each(cases)("with %s restores nothing, and says what is wrong", async (_, files, reason) => {
    const file = await archive(await files());
    const target = join(newFolder(), "restored");
    const { status, stderr } = await confab(["restore", file, "--data", target]);
    expect([status, stderr]).toEqual([1, `confab: The backup cannot be restored: ${reason}.\n`]);
    expect(existsSync(target)).toBe(false);
    expect(readdirSync(dirname(target))).toEqual([]);
  });

  test("prints no control characters", async () => {
    const good = await databaseAfter(() => {});
    const named = await archive({ "confab.db": good }, "Crew\u001b[2J\u202eevil");
    const restored = await confab(["restore", named, "--data", join(newFolder(), "restored")]);
    expect(restored.stdout).toStartWith("Restored Crew [2J evil as of ");
    const strange = await archive({ "confab.db": good, "files/\u001b[31mred\u202e": "x" });
    const whole = join(newFolder(), "restored");
    expect((await confab(["restore", strange, "--data", whole])).status).toBe(0);

    const folder = newFolder();
    const manifest = { format: 1, version: "0", created_at: 1, organization: "Crew", last_message_id: 0 };
    const sha256 = "0".repeat(64);
    const files = [{ path: "\u001b[2J\u202egone", bytes: 1, sha256 }];
    writeFileSync(join(folder, "manifest.json"), JSON.stringify({ ...manifest, files }));
    const file = join(newFolder(), "crew.tar.gz");
    await create({ file, cwd: folder, gzip: true }, ["manifest.json"]);
    const refused = await confab(["restore", file, "--data", join(newFolder(), "restored")]);
    expect(refused.stderr).toBe("confab: The backup is damaged:  [2J gone is missing.\n");
  });

  test.skipIf(process.platform === "win32")("gives no file a right that we would not", async () => {
    const folder = newFolder();
    const file = await archive({
      "confab.db": await databaseAfter(() => {}),
      "files/uploads/tool": "#!/bin/sh",
    });
    await extract({ file, cwd: folder });
    for (const [path, mode] of [
      ["files", 0o1777],
      ["files/uploads", 0o2777],
      ["files/uploads/tool", 0o6777],
    ] as const)
      chmodSync(join(folder, path), mode);
    const hostile = join(newFolder(), "hostile.tar.gz");
    await create({ file: hostile, cwd: folder, gzip: true }, readdirSync(folder));
    const target = join(newFolder(), "restored");
    expect((await confab(["restore", hostile, "--data", target])).status).toBe(0);
    const modes = ["files", "files/uploads", "files/uploads/tool", "confab.db"].map(
      (path) => statSync(join(target, path)).mode & 0o7777,
    );
    expect(modes).toEqual([0o700, 0o700, 0o600, 0o600]);
  });
});

describe("the settings of the machine", () => {
  /** An organization whose folder holds what an operator may put there. */
  async function furnished(): Promise<string> {
    const { data } = await newOrganization();
    mkdirSync(join(data, "tls"));
    mkdirSync(join(data, "notes"));
    const elsewhere = join(newFolder(), "ca.pem");
    writeFileSync(elsewhere, "an authority");
    const lines = [
      'site = "https://old.example"',
      `tls_cert = "${join(data, "tls", "cert.pem")}"`,
      `tls_key = "${join(data, "tls", "key.pem")}"`,
      `node_ca = "${elsewhere}"`,
    ];
    writeFileSync(join(data, "confab.toml"), lines.join("\n"));
    for (const name of ["tls/cert.pem", "tls/key.pem", "notes/private.key", "old.tar.gz", "confab.db.bak"])
      writeFileSync(join(data, name), `content of ${name}`);
    mkdirSync(join(data, "files", "uploads", "ab"), { recursive: true });
    writeFileSync(join(data, "files", "uploads", "ab", "upload"), "an upload");
    return data;
  }

  const contents = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .sort();
  const organization = ["confab.db", "confab.organization", "files/uploads/ab/upload"];
  const configuration = ["confab.toml", "tls/cert.pem", "tls/key.pem"];

  test("are not in a backup, nor is anything else that does not belong to the organization", async () => {
    const data = await furnished();
    const file = join(newFolder(), "crew.tar.gz");
    const { stdout } = await confab(["backup", file, "--data", data]);
    expect(stdout).toContain("confab.toml is not in it");
    const target = join(newFolder(), "restored");
    const restored = await json(["restore", file, "--data", target, "--with-config"]);
    expect(restored).toMatchObject({ files: 2, config: [], left_out: [] });
    expect(contents(target)).toEqual(organization);
    const without = newFolder();
    await json(["backup", join(without, "none.tar.gz"), "--data", target]);
    const { stdout: plain } = await confab(["backup", join(without, "x.tar.gz"), "--data", target]);
    expect(plain).not.toContain("confab.toml");
  });

  test("are in it with --with-config, and restored only with --with-config", async () => {
    const data = await furnished();
    const file = join(newFolder(), "crew.tar.gz");
    const saved = await confab(["backup", file, "--data", data, "--with-config"]);
    expect(saved.stdout).toContain("confab.toml, tls/cert.pem, tls/key.pem");
    expect(saved.stdout).toMatch(/Not in it, because it is outside the data folder: .*ca\.pem/);
    const again = await json(["backup", file, "--data", data, "--with-config", "--yes"]);
    expect(again).toMatchObject({ config: configuration, outside: [expect.stringMatching(/ca\.pem$/)] });

    const unasked = join(newFolder(), "unasked");
    const { stdout } = await confab(["restore", file, "--data", unasked]);
    expect(stdout).toContain(
      "Left out, because it belongs to the other machine: confab.toml, tls/cert.pem, tls/key.pem. " +
        "--with-config restores it.",
    );
    expect(contents(unasked)).toEqual(organization);

    const asked = join(newFolder(), "asked");
    const restored = await json(["restore", file, "--data", asked, "--with-config"]);
    expect(restored).toMatchObject({ files: 5, config: configuration, left_out: [] });
    expect(contents(asked)).toEqual([...organization, ...configuration].sort());
    expect(readFileSync(join(asked, "tls", "key.pem"), "utf8")).toBe("content of tls/key.pem");
  });

  test("may have names that begin as those of Confab's own files", async () => {
    const { data } = await newOrganization();
    writeFileSync(join(data, "confab.toml"), `tls_key = "${join(data, "confab.key")}"`);
    writeFileSync(join(data, "confab.key"), "a key");
    const file = join(newFolder(), "crew.tar.gz");
    await json(["backup", file, "--data", data, "--with-config"]);
    const unasked = await json(["restore", file, "--data", join(newFolder(), "unasked")]);
    expect(unasked).toMatchObject({ config: [], left_out: ["confab.key", "confab.toml"] });
    const asked = join(newFolder(), "asked");
    const restored = await json(["restore", file, "--data", asked, "--with-config"]);
    expect(restored).toMatchObject({ config: ["confab.key", "confab.toml"], left_out: [] });
    expect(readFileSync(join(asked, "confab.key"), "utf8")).toBe("a key");
  });

  test("in a backup of an earlier version, or a foreign one, are restored only when asked for", async () => {
    const database = await databaseAfter(() => {});
    const given = { "confab.db": database, "files/uploads/ab/upload": "an upload" };
    const others = { "confab.toml": 'host = "0.0.0.0"', "notes/private.key": "a key", "confab.key": "x" };
    const processes = { "confab.operator": "a token", "confab.db-wal": "not a log", "confab.pid": "1" };
    const file = await archive({ ...given, ...others, ...processes });
    const target = join(newFolder(), "restored");
    const restored = await json(["restore", file, "--data", target]);
    expect(restored).toMatchObject({
      config: [],
      left_out: ["confab.toml", "notes/private.key", "confab.key"],
    });
    expect(contents(target)).toEqual(organization);
    const asked = join(newFolder(), "asked");
    await json(["restore", file, "--data", asked, "--with-config"]);
    expect(contents(asked)).toEqual([...organization, ...Object.keys(others)].sort());
  });
});

if (!canMount) console.warn("LEFT OUT: tests of a full and of a read-only disk, which need root and mount.");

describe.skipIf(!canMount)("on a disk", () => {
  const mounts: string[] = [];
  afterEach(() => {
    for (const folder of mounts.splice(0)) Bun.spawnSync(["umount", folder]);
  });

  function disk(options: string): string {
    const folder = newFolder();
    expect(Bun.spawnSync(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder]).success).toBe(true);
    mounts.push(folder);
    return folder;
  }

  const readOnly = (folder: string) => Bun.spawnSync(["mount", "-o", "remount,ro", folder]);

  test("that is full or read-only, a backup and an export say so and leave nothing", async () => {
    const { data } = await newOrganization();
    const full = disk("size=64k");
    const fixed = disk("size=64k");
    readOnly(fixed);
    // Two full disks: one accepts part of a write, the other nothing.
    for (const [command, ballast] of [
      ["backup", 60_000],
      ["export organization", 65_536],
    ] as const) {
      writeFileSync(join(full, "ballast"), new Uint8Array(ballast));
      const [there, reader] = [join(full, "crew"), join(fixed, "crew")];
      const onFull = await confab([...command.split(" "), there, "--data", data]);
      const reason = "the disk is full";
      expect(onFull).toMatchObject({ status: 1, stderr: `confab: ${there} cannot be written: ${reason}.\n` });
      expect(readdirSync(full)).toEqual(["ballast"]);
      const refused = await confab([...command.split(" "), reader, "--data", data]);
      const fault = "it is on a read-only file system";
      expect(refused).toMatchObject({
        status: 1,
        stderr: `confab: ${reader} cannot be written: ${fault}.\n`,
      });
    }
    expect(readdirSync(data).filter((name) => name.startsWith("backup-"))).toEqual([]);
  });

  test("without room for a copy of the database, or that is read-only, a backup says so", async () => {
    const { data } = await newOrganization();
    const small = join(disk("size=1m"), "data");
    cpSync(data, small, { recursive: true });
    const free = statfsSync(small);
    writeFileSync(join(small, "..", "ballast"), new Uint8Array(free.bavail * free.bsize - 100_000));
    const file = join(newFolder(), "crew.tar.gz");
    const place = `The copy of the database that a backup needs in ${small}`;
    expect(await confab(["backup", file, "--data", small])).toMatchObject({ status: 0 });
    const endReading = readEarlierState(small);
    expect(await confab(["backup", file, "--data", small, "--yes"])).toMatchObject({
      status: 1,
      stderr: `confab: ${place} cannot be written: the disk is full.\n`,
    });
    expect(readdirSync(small).filter((name) => name.startsWith("backup-"))).toEqual([]);
    endReading();
    readOnly(dirname(small));
    expect(await confab(["backup", file, "--data", small, "--yes"])).toMatchObject({
      status: 1,
      stderr: `confab: ${place} cannot be written: it is on a read-only file system.\n`,
    });
  });

  test("that is full or read-only, a restore says so and leaves nothing", async () => {
    const { data } = await newOrganization();
    const file = join(newFolder(), "crew.tar.gz");
    await json(["backup", file, "--data", data]);
    const full = disk("size=64k");
    const target = join(full, "restored");
    const onFull = await confab(["restore", file, "--data", target]);
    expect(onFull).toMatchObject({
      status: 1,
      stderr: `confab: ${target} cannot be written: the disk is full.\n`,
    });
    expect(readdirSync(full)).toEqual([]);
    readOnly(full);
    const refused = await confab(["restore", file, "--data", target]);
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining("read-only file system") });
  });
});

describe("a backup that was cut off", () => {
  test("is removed by the next start; a running one continues", async () => {
    const { data } = await newOrganization();
    for (const name of ["backup-dead", "backup-alive", "snapshot-dead"]) {
      mkdirSync(join(data, name));
      writeFileSync(join(data, name, "confab.db"), "half");
    }
    for (const name of ["backup-dead", "snapshot-dead"]) writeFileSync(join(data, `${name}.lock`), "");
    writeFileSync(join(data, "backup-gone.lock-journal"), "");
    const alive = openFile(join(data, "backup-alive.lock"));
    alive.run("BEGIN EXCLUSIVE");
    const server = await serve(data);
    const left = () => readdirSync(data).filter((name) => /^(backup|snapshot)-\w+$/.test(name));
    expect(left()).toEqual(["backup-alive"]);
    alive.close();
    await server.end("SIGTERM");
    await serve(data);
    expect(left()).toEqual([]);
    expect(readdirSync(data).filter((name) => name.endsWith(".lock"))).toEqual(["confab.lock"]);
    expect(readdirSync(data).filter((name) => name.startsWith("backup-"))).toEqual([]);
  });
});

describe("a backup whose compressing threads fail", () => {
  const Usual = globalThis.Worker;
  afterEach(() => {
    globalThis.Worker = Usual;
  });

  test.each([
    ["with an error", "throw new Error('out of memory')", "out of memory"],
    ["with an error for one part", "postMessage('no memory for this part')", "no memory for this part"],
    ["by ending", "process.exit()", "it ended"],
  ])("%s says so, and leaves nothing", async (_, failing, reason) => {
    const { data } = await newOrganization();
    const code = new Blob([`self.onmessage = () => { ${failing} }`], { type: "text/javascript" });
    globalThis.Worker = class extends Usual {
      constructor() {
        super(URL.createObjectURL(code));
      }
    };
    const folder = newFolder();
    const input = { dataDir: data, file: join(folder, "crew.tar.gz"), overwrite: false, now: 1_800_000_000 };
    const made = createBackup({ ...input, stores: () => null, report: () => {} });
    const error = await made.catch(({ message }: Error) => message);
    expect(error).toContain("A thread that compresses stopped: ");
    expect(error).toContain(reason);
    expect(readdirSync(folder)).toEqual([]);
    expect(readdirSync(data).filter((name) => name.startsWith("backup-"))).toEqual([]);
  });
});

describe("a backup or restore that Ctrl+C ends", () => {
  /** Ends a command once a file with such a name exists; returns its exit status. */
  const endedOnce = async (folder: string, name: RegExp, args: readonly string[]) => {
    const child = Bun.spawn([...executable, ...args], {
      env: surroundings(),
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
    });
    while (child.exitCode === null && !readdirSync(folder).some((one) => name.test(one))) await Bun.sleep(1);
    child.kill("SIGINT");
    return child.exited;
  };

  test("leaves nothing", async () => {
    const { data } = await newOrganization();
    mkdirSync(join(data, "files"), { recursive: true });
    const large = join(data, "files", "large");
    writeFileSync(large, "");
    truncateSync(large, 2_000_000_000); // no blocks on the disk
    const folder = newFolder();
    const file = join(folder, "crew.tar.gz");
    expect(await endedOnce(folder, /\.partial$/, ["backup", file, "--data", data])).toBe(130);
    expect(readdirSync(folder)).toEqual([]);
    expect(readdirSync(data).filter((name) => name.startsWith("backup-"))).toEqual([]);
    truncateSync(large, 200_000_000);
    await json(["backup", file, "--data", data]);
    const restore = ["restore", file, "--data", join(folder, "crew")];
    expect(await endedOnce(folder, /^restore-crew-\w+$/, restore)).toBe(130);
    expect(readdirSync(folder)).toEqual(["crew.tar.gz"]);
  });
});

describe("a restore that was interrupted", () => {
  test("is removed by the next one to the same folder, and by the server that starts there", async () => {
    const { data } = await newOrganization();
    const folder = newFolder();
    const [file, target] = [join(folder, "crew.tar.gz"), join(folder, "crew")];
    await json(["backup", file, "--data", data]);
    const leave = (name: string) => {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, "confab.db"), "half");
      writeFileSync(join(folder, `${name}.lock`), "");
    };
    for (const name of ["restore-crew-dead", "restore-crew-alive", "restore-fleet-dead"]) leave(name);
    mkdirSync(join(folder, "restore-crew-mine"));
    const alive = openFile(join(folder, "restore-crew-alive.lock"));
    alive.run("BEGIN EXCLUSIVE");
    await json(["restore", file, "--data", target]);
    const left = () => readdirSync(folder).filter((name) => /^restore-[\w-]+$/.test(name));
    expect(left().sort()).toEqual(["restore-crew-alive", "restore-crew-mine", "restore-fleet-dead"]);
    alive.close();
    await serve(target);
    expect(left().sort()).toEqual(["restore-crew-mine", "restore-fleet-dead"]);
    expect(readdirSync(folder).filter((name) => name.endsWith(".lock"))).toEqual(["restore-fleet-dead.lock"]);
  });
});

describe("archives that an operator keeps in the data folder", () => {
  test("are left alone by the next start and by doctor, whatever their names", async () => {
    const { data } = await newOrganization();
    mkdirSync(join(data, "backup-monday"));
    mkdirSync(join(data, "snapshot-before"));
    const kept = [
      "backup-2026-11-22.tar.gz",
      "backup-abc123",
      "backup-x.lock.gz",
      "backup-monday/crew.tgz",
      "backup-monday/confab.db",
      "snapshot-before/confab.db",
    ];
    await json(["backup", join(data, kept[0] ?? ""), "--data", data]);
    for (const name of kept.slice(1)) writeFileSync(join(data, name), "precious");
    expect((await confab(["doctor", "--data", data])).stdout).toContain("✔ Left-over files: None.");
    const server = await serve(data);
    await server.end("SIGTERM");
    for (const name of kept) expect([name, existsSync(join(data, name))]).toEqual([name, true]);
    expect(await confab(["restore", join(data, kept[0] ?? ""), "--data", newFolder()])).toMatchObject({
      status: 0,
    });
  });
});

describe.skipIf(process.platform === "win32")("a path that cannot be used", () => {
  const long = "a".repeat(250);
  const tooLong = "a name in its path is too long";

  test("is refused by backup and export with the reason, and left as it is", async () => {
    const { data } = await newOrganization();
    const folder = newFolder();
    const at = (...names: string[]) => join(folder, ...names);
    writeFileSync(at("file"), "mine");
    symlinkSync("circle", at("circle"));
    for (const [target, reason] of [
      [at(long), `cannot be written: ${tooLong}`],
      [at(`${long}${long}`), `cannot be written: ${tooLong}`],
      [at("file", "crew"), "cannot be written: a part of its path is a file, not a folder"],
      [at("circle", "crew"), "cannot be written: its path leads in a circle of links"],
      ["/dev/null", "is not a regular file; name another one"],
    ] as const) {
      for (const command of [["backup"], ["export", "organization"]]) {
        const { status, stderr } = await confab([...command, target, "--yes", "--data", data]);
        expect([status, stderr]).toEqual([1, `confab: ${target} ${reason}.\n`]);
      }
    }
    expect(readdirSync(folder).sort()).toEqual(["circle", "file"]);
    expect(statSync("/dev/null").isFile()).toBe(false);
    expect(readdirSync(data).filter((name) => name.startsWith("backup-"))).toEqual([]);
  });

  test("is refused by restore with the reason", async () => {
    const { data } = await newOrganization();
    const folder = newFolder();
    const at = (...names: string[]) => join(folder, ...names);
    const file = at("crew.tar.gz");
    await json(["backup", file, "--data", data]);
    const target = at("restored");
    for (const [archived, into, fault] of [
      [folder, target, `There is no scheduled backup in ${folder}`],
      ["/dev/null", target, "/dev/null is not a regular file"],
      [at("none"), target, `There is no file ${at("none")}`],
      [file, file, `${file} is a file; name a new folder`],
      [file, at(long), `${at(long)} cannot be written: ${tooLong}`],
    ] as const) {
      const { status, stderr } = await confab(["restore", archived, "--data", into]);
      expect([status, stderr]).toEqual([1, `confab: ${fault}.\n`]);
    }
    expect(readdirSync(folder)).toEqual(["crew.tar.gz"]);
  });

  test("because the system limits the size of files there, is refused with that reason", async () => {
    const { data } = await newOrganization();
    const folder = newFolder();
    const file = join(folder, "crew.tar.gz");
    await json(["backup", file, "--data", data]);
    const limited = (args: string[]) => {
      const words = ["sh", "-c", 'ulimit -f 8; exec "$@"', "sh", ...executable, ...args];
      return Bun.spawnSync(words, { env: surroundings() }).stderr.toString();
    };
    const target = join(folder, "restored");
    const reason = "cannot be written: the file would be larger than is allowed there";
    expect(limited(["restore", file, "--data", target])).toBe(`confab: ${target} ${reason}.\n`);
    expect(readdirSync(folder)).toEqual(["crew.tar.gz"]);
  });

  // The system lets root read everything.
  test.skipIf(process.getuid?.() === 0)("because it may not be read, is named with that reason", async () => {
    const { data } = await newOrganization();
    const file = join(newFolder(), "crew.tar.gz");
    await json(["backup", file, "--data", data]);
    const upload = join(data, "files", "uploads", "tool");
    mkdirSync(dirname(upload), { recursive: true });
    writeFileSync(upload, "#!/bin/sh");
    for (const path of [upload, dirname(upload), join(data, "confab.db")]) {
      chmodSync(path, 0);
      const refused = await confab(["backup", file, "--yes", "--data", data]);
      expect(refused.stderr).toBe(`confab: ${path} cannot be read: no permission to read it.\n`);
      chmodSync(path, 0o700);
    }
    chmodSync(file, 0);
    const refused = await confab(["restore", file, "--data", join(newFolder(), "restored")]);
    expect(refused.stderr).toBe(`confab: ${file} cannot be read: no permission to read it.\n`);
  });
});

test("progress is a bar with figures", () => {
  expect(lineOf({ doing: "Packing", done: 1_500_000, of: 3_000_000 })).toBe(
    "Packing ████████████░░░░░░░░░░░░ 50 %  1.5 MB of 3.0 MB",
  );
  expect(lineOf({ doing: "Copying the database", done: 0, of: 0 })).toBe("Copying the database …");
});
