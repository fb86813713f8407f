import { afterEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { backupPlanOf } from "@cli/backups.ts";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import { rehearseRestore, restoreBackup, tryPlan } from "@/operations/backup/host.ts";
import { listStoredBackups } from "@/operations/backup/queries.ts";
import { keptBackups } from "@/operations/backup/schedule/keeping.ts";
import { beginWriting, openPlace } from "@/operations/backup/schedule/places.ts";
import { fetchBackup } from "@/operations/backup/schedule/restoring.ts";
import { dueAt, setBackupPlan, stopBackup } from "@/operations/backup/schedule/running.ts";
import { interval, keepRule } from "@/operations/backup/schema.ts";
import { holdDatabase, inServer } from "@/operations/backup/store.ts";
import { examine } from "@/operations/diagnosis/queries.ts";
import { metrics, readServerState } from "@/operations/metrics/queries.ts";
import {
  cleanUpBackups,
  hour,
  newBackupFolder as newFolder,
  openAgain,
  piecesIn,
  quick,
  report,
  backupScene as scene,
  start,
} from "../support/backups.ts";

afterEach(() => cleanUpBackups());

describe("the schedule", () => {
  test("makes a backup when one is due, and not before", async () => {
    const s = await scene();
    expect(await s.job()).toMatchObject({ place: s.place, files: 1 });
    expect(await s.job()).toBeUndefined();
    s.pass(6 * hour - 1);
    expect(await s.job()).toBeUndefined();
    s.pass(1);
    expect(await s.job()).toMatchObject({ place: s.place });
    const { backups } = await listStoredBackups(s.plan.place);
    expect(backups.map(({ created_at }) => created_at)).toEqual([start + 6 * hour, start]);
    expect(backups[0]?.backup).toBe("20261128180000");
    expect(s.state()).toMatchObject({ last: { kept: 2, oldest_at: start }, failed: null });
  });

  test("goes on after the clock was set back, and deletes nothing for a clock that was set forward", async () => {
    const s = await scene();
    await s.job();
    s.pass(400 * 24 * hour);
    await s.job();
    expect((await listStoredBackups(s.plan.place)).backups).toHaveLength(2);
    s.pass(-399 * 24 * hour);
    expect(await s.job()).toMatchObject({ backup: "20261129120000" });
    const { backups } = await listStoredBackups(s.plan.place);
    expect(backups.map(({ backup }) => backup)).toEqual(["20280102120000", "20261129120000"]);
    expect(await s.job()).toBeUndefined();
  });

  test("notes a failure with its reason, tries again, and forgets it after a success", async () => {
    const s = await scene();
    rmSync(s.place, { recursive: true });
    expect(s.job()).rejects.toThrow(
      `The backup to ${s.place} failed: There is no folder ${s.place}; create it.`,
    );
    await Bun.sleep(0);
    await expect(s.job()).resolves.toBeUndefined();
    expect(s.state()).toMatchObject({
      last: null,
      failed: { count: 1, at: start, reason: `There is no folder ${s.place}; create it` },
    });
    expect(dueAt(s.core.env)).toBe(start + 1800);
    s.pass(1800);
    await expect(s.job()).rejects.toThrow("There is no folder");
    expect(s.state().failed?.count).toBe(2);
    mkdirSync(s.place);
    s.pass(1800);
    await s.job();
    expect(s.state()).toMatchObject({ last: { created_at: start + 3600 }, failed: null });
  });

  test("makes a backup in a new place at once", async () => {
    const s = await scene();
    await s.job();
    const place = newFolder();
    setBackupPlan(s.core.env, { ...s.plan, place: { kind: "folder", path: place } }, quick);
    expect(await s.job()).toMatchObject({ place });
  });
});

describe("a place", () => {
  test("stores each content once, and keeps what its backups need", async () => {
    const s = await scene();
    const large = new Uint8Array(2_500_000).map((_, i) => (i * 7919) >> 5);
    const path = s.addFile(large);
    s.addFile(large);
    await s.job();
    const before = piecesIn(s.place);
    s.pass(6 * hour);
    expect(await s.job()).toMatchObject({ files: 3 });
    const [second, first] = (await listStoredBackups(s.plan.place)).backups;
    expect(first?.added_bytes).toBeLessThan(large.length * 2);
    expect(second?.added_bytes).toBeLessThan(500_000);
    expect(piecesIn(s.place).length - before.length).toBeLessThan(4);

    rmSync(join(s.data, path));
    for (let n = 0; n < 20; n++) {
      s.pass(8 * 24 * hour);
      await s.job();
    }
    const { backups } = await listStoredBackups(s.plan.place);
    expect(backups).toHaveLength(2);
    expect(backups.every(({ files }) => files === 2)).toBe(true);
    expect(s.state().last).toMatchObject({ kept: 2 });
    const folder = join(newFolder(), "restored");
    await restoreBackup({ from: { place: s.plan.place }, dataDir: folder, report });
    expect(readdirSync(join(folder, "files", "uploads", "01"))).toHaveLength(1);
    expect(readdirSync(join(folder, "files", "uploads"))).toEqual(["01"]);
  });

  test("holds backups that are restored byte by byte, and rehearsed", async () => {
    const s = await scene();
    const path = s.addFile(crypto.getRandomValues(new Uint8Array(65_000)));
    await s.job();
    const folder = join(newFolder(), "restored");
    const done = await restoreBackup({ from: { place: s.plan.place }, dataDir: folder, report });
    expect(done).toMatchObject({ organization: "Crew", files: 2, created_at: start });
    expect(readFileSync(join(folder, path))).toEqual(readFileSync(join(s.data, path)));
    const restored = openAgain(folder);
    expect(restored.system.db.get<{ n: number }>("SELECT COUNT(*) AS n FROM users")?.n).toBeGreaterThan(0);

    const input = { source: { place: s.plan.place, backup: "20261128" }, dataDir: s.data, report };
    const found = await rehearseRestore(input, async (copy) => statSync(join(copy, "confab.db")).size > 0);
    expect(found).toMatchObject({ backup: "20261128120000", organization: "Crew", files: 2, opened: true });
    expect(readdirSync(join(s.data, "..")).filter((name) => name.startsWith("restore-"))).toEqual([]);
  });

  test("is not blamed where the folder that it is restored to cannot be written to", async () => {
    const s = await scene();
    await s.job();
    const folder = join(newFolder(), "file");
    writeFileSync(folder, "");
    const fetching = fetchBackup({ place: s.plan.place }, { folder, report });
    await expect(fetching).rejects.toMatchObject({ code: "ENOTDIR" });
  });

  test("gets no backup of a database that cannot be read, and the reason is the database's", async () => {
    const path = join(newFolder(), "confab.db");
    writeFileSync(path, "This is no database. ".repeat(1000));
    await expect(holdDatabase(path, inServer)).rejects.toMatchObject({ code: "SQLITE_NOTADB" });
  });

  test("of another organization is refused", async () => {
    const s = await scene();
    await s.job();
    const other = await scene({ place: s.place });
    await expect(other.job()).rejects.toThrow("holds the backups of another organization");
    expect((await listStoredBackups(s.plan.place)).backups).toHaveLength(1);
  });

  test("shows no backup that was interrupted, and keeps nothing of it after the next one", async () => {
    const s = await scene();
    await s.job();
    for (let n = 0; n < 5; n++) s.addFile(crypto.getRandomValues(new Uint8Array(300_000)));
    s.pass(6 * hour);
    const underWay = s.job();
    for (let found = 0; found < 1; ) {
      await Bun.sleep(1);
      found = piecesIn(s.place).length - 2;
    }
    stopBackup(s.core.env);
    expect(await underWay).toBeUndefined();
    expect((await listStoredBackups(s.plan.place)).backups).toHaveLength(1);
    expect(s.state().failed).toBeNull();
    // What a process leaves that is killed in the middle.
    const left = "ab".repeat(16);
    mkdirSync(join(s.place, "pieces", "ab"), { recursive: true });
    writeFileSync(join(s.place, "pieces", "ab", left), "half");
    writeFileSync(join(s.place, "incoming", left), "half");
    writeFileSync(join(s.place, "confab.writing"), '{"run":"killed","host":"elsewhere","pid":1,"beat":7}');
    expect(await s.job()).toMatchObject({ files: 6 });
    const incoming = readdirSync(join(s.place, "incoming"), { recursive: true, withFileTypes: true });
    expect(incoming.filter((one) => one.isFile())).toEqual([]);
    expect(piecesIn(s.place).map(({ name }) => name)).not.toContain(left);
    const folder = join(newFolder(), "restored");
    await restoreBackup({ from: { place: s.plan.place }, dataDir: folder, report });
  });

  test("is written to by one server at a time", async () => {
    const s = await scene();
    const writer = await beginWriting(openPlace(s.plan.place), "another", quick);
    await expect(s.job()).rejects.toThrow(`Another server or command is writing a backup to ${s.place}`);
    await writer.end();
    s.pass(1800);
    expect(await s.job()).toMatchObject({ files: 1 });
    // One that stood still for long is told that another has gone on.
    const late = await beginWriting(openPlace(s.plan.place), "late", { beatMs: 60_000, deadMs: 1 });
    await beginWriting(openPlace(s.plan.place), "next", { beatMs: 60_000, deadMs: 1 });
    await expect(late.check()).rejects.toThrow("Another server");
    expect(() => late.checkBeat()).toThrow("Another server");
  });

  test("that stores something else than it was given is found out", async () => {
    const s = await scene();
    await s.job();
    const [piece] = piecesIn(s.place);
    const path = join(piece?.parentPath ?? "", piece?.name ?? "");
    const bytes = readFileSync(path);
    for (const [content, problem] of [
      [bytes.subarray(0, -9), "The backup is damaged: the piece"],
      [Bun.gzipSync("something else"), "The backup is damaged: "],
      [null, "The backup is damaged: the piece"],
    ] as const) {
      if (content) writeFileSync(path, content);
      else rmSync(path);
      const folder = join(newFolder(), "restored");
      await expect(restoreBackup({ from: { place: s.plan.place }, dataDir: folder, report })).rejects.toThrow(
        problem,
      );
      expect(readdirSync(join(folder, ".."))).toEqual([]);
    }
    // The next backup stores it again.
    s.pass(6 * hour);
    await s.job();
    await restoreBackup({ from: { place: s.plan.place }, dataDir: join(newFolder(), "restored"), report });
  });
});

describe("what the server tells of its backups", () => {
  test("is the age of the last one, and since when it fails and why", async () => {
    const s = await scene();
    const owner = s.core.system.db.get<{ id: number }>("SELECT id FROM users WHERE role = 100") ?? { id: 0 };
    const state = () => readServerState(s.core.ctx({ kind: "user", id: owner.id, client: "test" }));
    const backupFindings = async () => {
      const circumstances = {
        now: s.core.env.db.clock.now(),
        isServed: true,
        address: null,
        deep: false,
        stores: () => null,
      };
      const all = await examine(s.data, circumstances);
      return all.filter(({ check }) => check === "Scheduled backups");
    };
    const metric = async () => /^confab_backup_failures (\d+)$/m.exec(metrics(s.core.system))?.[1];
    expect(state()).toMatchObject({ last_backup_age: null, failed_backups: 0, backup_problem: null });
    expect(await backupFindings()).toEqual([]);
    await s.job();
    s.pass(6 * hour);
    expect(state()).toMatchObject({ last_backup_age: 6 * hour, failed_backups: 0 });
    expect(await metric()).toBe("0");
    const known = `The newest one of 2026-11-28 12:00 UTC is in ${s.place}, which keeps 1.`;
    expect(await backupFindings()).toEqual([{ check: "Scheduled backups", verdict: "well", finding: known }]);

    expect(await tryPlan(s.plan)).toBe(s.place);
    rmSync(s.place, { recursive: true });
    await expect(tryPlan(s.plan)).rejects.toThrow(`There is no folder ${s.place}; create it.`);
    const reason = `There is no folder ${s.place}; create it`;
    await expect(s.job()).rejects.toThrow(reason);
    expect(state()).toMatchObject({ last_backup_age: 6 * hour, failed_backups: 1, backup_problem: reason });
    expect(await backupFindings()).toMatchObject([
      { verdict: "warning", finding: `The last one failed, at 2026-11-28 18:00 UTC: ${reason}. ${known}` },
    ]);
    s.pass(1800);
    await expect(s.job()).rejects.toThrow(reason);
    expect(await metric()).toBe("2");
    expect(await backupFindings()).toMatchObject([
      { verdict: "problem", finding: `The last 2 failed, at 2026-11-28 18:30 UTC: ${reason}. ${known}` },
    ]);
  });
});

describe("failing twice in a row", () => {
  test("mails the owners once, in their language, until a backup is made again", async () => {
    const s = await scene();
    await setServerOptions(s.core.system, { sends_mail: true });
    const mails = () =>
      s.core.system.db.all<{ recipient: string; subject: string; body: string }>(
        "SELECT recipient, subject, body FROM mails ORDER BY id",
      );
    const fail = async () => {
      s.pass(1800);
      await expect(s.job()).rejects.toThrow("There is no folder");
    };
    rmSync(s.place, { recursive: true });
    await fail();
    expect(mails()).toEqual([]);
    await fail();
    await fail();
    const [mail, ...more] = mails();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ recipient: "olive@example.com", subject: "Backups of Crew fail" });
    expect(mail?.body).toContain(`There is no folder ${s.place}; create it`);
    expect(mail?.body).toContain("None so far");
    mkdirSync(s.place);
    s.pass(1800);
    await s.job();
    rmSync(s.place, { recursive: true });
    s.pass(6 * hour);
    await fail();
    await fail();
    expect(mails().map(({ body }) => body.includes("2026-11-28 14:00 UTC"))).toEqual([false, true]);
  });
});

describe("the rule of what is kept", () => {
  const at = (text: string) => ({ created_at: Date.parse(`${text}:00Z`) / 1000 });
  const kept = (times: string[], rule: string) =>
    [...keptBackups(times.map(at), keepRule.parse(rule))].map(({ created_at }) =>
      new Date(created_at * 1000).toISOString().slice(0, 16),
    );

  test("keeps the newest of each hour, day and week", () => {
    const times = [
      "2026-11-28T12:40",
      "2026-11-28T12:10",
      "2026-11-28T11:10",
      "2026-11-28T08:00",
      "2026-11-27T23:00",
    ];
    expect(kept(times, "1h")).toEqual(["2026-11-28T12:40"]);
    expect(kept(times, "2h")).toEqual(["2026-11-28T12:40", "2026-11-28T11:10"]);
    expect(kept(times, "2d")).toEqual(["2026-11-28T12:40", "2026-11-27T23:00"]);
    const sundayAndMonday = ["2026-11-30T00:00", "2026-11-29T23:59", "2026-11-23T00:00", "2026-11-22T23:59"];
    expect(kept(sundayAndMonday, "3w")).toEqual(["2026-11-30T00:00", "2026-11-29T23:59", "2026-11-22T23:59"]);
  });

  test("takes numbers of hours, days and weeks, each once", () => {
    expect(keepRule.parse("24h 14d 8w")).toEqual({ hours: 24, days: 14, weeks: 8 });
    expect(keepRule.parse("7d")).toEqual({ hours: 0, days: 7, weeks: 0 });
    for (const wrong of ["", "0h", "7", "7d 8d", "7y", "h", "1h,2d"])
      expect(keepRule.safeParse(wrong).success).toBe(false);
    expect(interval.parse("6h")).toBe(6 * hour);
    for (const wrong of ["6", "5m", "32d", "0h", "1.5h", "-6h"])
      expect(interval.safeParse(wrong).success).toBe(false);
  });

  test.each([
    ['to = "place"\nkeep = "7d"', "[backup] every: a time from 15m to 31d, such as 6h."],
    ['every = "6h"\nkeep = "7d"', "[backup] to: a folder or s3://BUCKET/PREFIX."],
    ['every = "6h"\nto = "place"', "[backup] keep: numbers of hours, days and weeks, such as '24h 14d 8w'."],
    ['every = "6h"\nto = "place"\nkeep = "7d"\nkept = 1', "[backup] has an unknown key: kept."],
  ])("says what a table lacks: %s", (table, problem) => {
    const data = newFolder();
    writeFileSync(join(data, "confab.toml"), `[backup]\n${table}\n`);
    expect(() => backupPlanOf(data)).toThrow(problem);
  });
});
