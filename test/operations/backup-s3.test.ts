import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { restoreBackup } from "@/operations/backup/host.ts";
import { listStoredBackups } from "@/operations/backup/queries.ts";
import { setPlacement } from "@/operations/file-moves/actions.ts";
import {
  type BackupScene,
  backupScene,
  cleanUpBackups,
  hour,
  newBackupFolder,
  openAgain,
  report,
} from "../support/backups.ts";
import { startS3 } from "../support/s3.ts";

const store = await startS3();
afterAll(() => store.stop());
afterEach(() => cleanUpBackups());
beforeEach(() => {
  store.fault = () => null;
  store.objects.clear();
});

const settings = { ...store.settings, prefix: "backups/", patienceMs: 30_000, pauseMs: 1 };
const place = { kind: "s3", settings } as const;

async function restored(): Promise<string> {
  const folder = join(newBackupFolder(), "restored");
  await restoreBackup({ from: { place }, dataDir: folder, report });
  return folder;
}

const isPiece = (key: string) => key.startsWith("backups/pieces/");

async function failing(s: BackupScene, reason: string): Promise<void> {
  await expect(s.job()).rejects.toThrow(reason);
  expect(s.state().failed?.reason).toContain(reason);
  expect(readdirSync(s.data).filter((name) => name.startsWith("backup-"))).toEqual([]);
  store.fault = () => null;
  s.pass(1800);
}

describe("a backup to an S3 store", () => {
  test("stores each content once and is restored", async () => {
    const s = await backupScene({ s3: settings });
    const path = s.addFile(crypto.getRandomValues(new Uint8Array(1_500_000)));
    expect(await s.job()).toMatchObject({ files: 2, place: `${store.endpoint}/chat/backups` });
    const before = store.objects.keys().filter(isPiece).length;
    s.pass(6 * hour);
    await s.job();
    expect(store.objects.keys().filter(isPiece).length - before).toBeLessThan(4);
    expect((await listStoredBackups(place)).backups).toHaveLength(2);
    const folder = await restored();
    expect(readFileSync(join(folder, path))).toEqual(readFileSync(join(s.data, path)));
    expect(openAgain(folder).system.db.get<{ n: number }>("SELECT COUNT(*) AS n FROM realm")?.n).toBe(1);
  });

  test("holds the organization's files that are in a store, which the restored folder has on its disk", async () => {
    const files = { ...store.settings, prefix: "files/", pauseMs: 1 };
    const s = await backupScene({ s3: settings, files });
    await setPlacement(s.core.system, { at: "s3", also: null });
    const name = "ab".repeat(16);
    store.objects.set(`files/uploads/ab/${name}`, "a picture, or nearly so");
    const asked = () => store.requests.filter((one) => one === `GET files/uploads/ab/${name}`).length;
    expect(await s.job()).toMatchObject({ files: 2 });
    expect(asked()).toBe(1);
    s.pass(6 * hour);
    expect(await s.job()).toMatchObject({ files: 2 });
    expect(asked()).toBe(1);
    const folder = await restored();
    expect(readFileSync(join(folder, "files", "uploads", "ab", name), "utf8")).toBe(
      "a picture, or nearly so",
    );
    const placed = "SELECT value FROM settings WHERE scope = 'files' AND name = 'placement'";
    expect(openAgain(folder).system.db.get(placed)).toBeNull();
  });

  test("tries again where the store refuses, is cut off or does not answer once", async () => {
    const s = await backupScene({ s3: { ...settings, patienceMs: 1_000 } });
    for (const fault of [503, "short", "never"] as const) {
      const met = new Set<string>();
      store.fault = (method, key) => {
        if (!isPiece(key) || met.has(method)) return null;
        met.add(method);
        return fault;
      };
      expect(await s.job()).toMatchObject({ files: 1 });
      expect(met.has("PUT")).toBe(true);
      s.pass(6 * hour);
    }
    await restored();
  });

  test("fails, with the reason, where that lasts, and leaves nothing half", async () => {
    const s = await backupScene({ s3: { ...settings, patienceMs: 1_000 } });
    store.fault = () => 403;
    await failing(s, "InternalError");
    expect(store.objects.keys()).toEqual([]);
    store.fault = (method, key) => (method === "PUT" && isPiece(key) ? "never" : null);
    await failing(s, "no answer in time");
    store.fault = (method, key) => (method === "GET" && isPiece(key) ? "short" : null);
    await failing(s, "bytes");
    store.fault = (method, key) => (method === "PUT" && key.startsWith("backups/backups/") ? 500 : null);
    await failing(s, "InternalError");
    expect((await listStoredBackups(place)).backups).toEqual([]);
    expect(await s.job()).toMatchObject({ files: 1 });
    await restored();
  });

  test("reads back what was stored, and stores it again if that has changed", async () => {
    const s = await backupScene({ s3: settings });
    store.fault = (method, key) => {
      if (method === "GET" && isPiece(key)) {
        const stored = store.objects.get(key);
        if (stored) store.objects.set(key, Buffer.alloc(stored.length));
      }
      return null;
    };
    await failing(s, "reads back changed");
    await s.job();
    await restored();
  });

  test("stores and removes nothing while an index of a backup that stays cannot be read", async () => {
    const s = await backupScene({ s3: settings });
    await s.job();
    const [index = ""] = store.objects.keys().filter((key) => key.startsWith("backups/backups/"));
    store.objects.set(`backups/pieces/cd/${"cd".repeat(16)}`, "left by a killed run");
    const bytes = store.objects.get(index) ?? Buffer.alloc(0);
    store.objects.set(index, bytes.subarray(0, -5));
    s.pass(6 * hour);
    await failing(s, "The backup is damaged: the index of 20261128120000");
    expect(store.objects.keys()).toContain(`backups/pieces/cd/${"cd".repeat(16)}`);
    store.objects.delete(index);
    await s.job();
    expect(store.objects.keys()).not.toContain(`backups/pieces/cd/${"cd".repeat(16)}`);
    expect(existsSync(await restored())).toBe(true);
  });
});
