// Scheduled backups of a real server that is killed in the middle, and of one whose disk for backups is full.
import { afterEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanUp, confab, json, newFolder, newOrganization, serve } from "../support/executable.ts";
import { canMount } from "../support/mount.ts";
import { until } from "../support/waiting.ts";

afterEach(() => cleanUp());

interface Listed {
  backups: { backup: string; files: number }[];
}

/** Adds uploads of random bytes to a data folder, as if people had sent them. */
function addFiles(data: string, count: number, bytes: number): void {
  for (let n = 0; n < count; n++) {
    const name = n.toString(16).padStart(2, "0").repeat(16);
    const folder = join(data, "files", "uploads", name.slice(0, 2));
    mkdirSync(folder, { recursive: true });
    const content = Buffer.alloc(bytes);
    for (let at = 0; at < bytes; at += 65_536) crypto.getRandomValues(content.subarray(at, at + 65_536));
    writeFileSync(join(folder, name), content);
  }
}

function schedule(data: string, place: string): void {
  const lines = ["[backup]", 'every = "6h"', `to = ${JSON.stringify(place)}`, 'keep = "24h"'];
  writeFileSync(join(data, "confab.toml"), `${lines.join("\n")}\n`);
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());

describe("a scheduled backup", () => {
  test.each([
    ["SIGKILL", 137],
    ["SIGTERM", 0],
  ] as const)(
    "that %s ends in the middle is no backup, and the next one uses what is there",
    async (signal, status) => {
      const { data } = await newOrganization();
      addFiles(data, 60, 1_000_000);
      const place = newFolder();
      schedule(data, place);
      const server = await serve(data);
      await until(() => filesIn(place).length > 10, "pieces are stored");
      expect(await server.end(signal)).toBe(status);
      expect(await json<Listed>(["backup", "list", place])).toMatchObject({ backups: [] });
      const stored = filesIn(join(place, "pieces")).length;
      expect(stored).toBeLessThan(60);
      const made = await json<{ files: number; added_bytes: number }>(["backup", "now", "--data", data]);
      expect(made.files).toBe(61);
      expect(made.added_bytes).toBeLessThan((61 - stored + 4) * 1_000_000);
      expect(filesIn(join(place, "incoming"))).toEqual([]);
      expect(await json(["backup", "rehearse", "--data", data])).toMatchObject({
        files: 61,
        organization: "Crew",
      });
    },
  );

  test.skipIf(!canMount)(
    "to a disk that is full fails with the reason, and leaves what was there",
    async () => {
      const { data } = await newOrganization();
      const place = newFolder();
      expect(Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", place]).success).toBe(true);
      try {
        schedule(data, place);
        await json(["backup", "now", "--data", data]);
        addFiles(data, 6, 900_000);
        const failed = await confab(["backup", "now", "--data", data]);
        expect(failed.status).toBe(1);
        expect(failed.stderr).toMatch(
          /The backup to \S+ failed: (The disk of \S+ is almost full|the disk is full)\./,
        );
        const found = await json<Listed>(["backup", "list", place]);
        expect(found.backups.map(({ files }) => files)).toEqual([1]);
        await json(["backup", "rehearse", "--data", data]);
        rmSync(join(data, "files"), { recursive: true });
        expect(await json(["backup", "now", "--data", data])).toMatchObject({ files: 1 });
        expect(filesIn(join(place, "pieces")).length).toBeLessThan(8);
      } finally {
        Bun.spawnSync(["umount", place]);
      }
    },
  );
});
