import { afterEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { restoreBackup } from "@/operations/backup/host.ts";
import { listStoredBackups } from "@/operations/backup/queries.ts";
import { setBackupPlan } from "@/operations/backup/schedule/running.ts";
import { ageRecipient } from "@/operations/backup/schema.ts";
import {
  type BackupScene,
  cleanUpBackups,
  hour,
  newBackupFolder as newFolder,
  piecesIn,
  quick,
  report,
  backupScene as scene,
} from "../support/backups.ts";

afterEach(() => cleanUpBackups());

describe("an encrypted backup", () => {
  interface Keys {
    recipient: string;
    file: string;
  }

  async function newKeys(): Promise<Keys> {
    const secret = await generateX25519Identity();
    const file = join(newFolder(), "key.txt");
    writeFileSync(file, `# created: 2026-11-28\n# public key: …\n${secret}\n`);
    return { recipient: await identityToRecipient(secret), file };
  }

  const encryptTo = (s: BackupScene, ...recipients: string[]) =>
    setBackupPlan(s.core.env, { ...s.plan, recipients }, quick);
  const restore = async (s: BackupScene, identity?: string) => {
    const folder = join(newFolder(), "restored");
    await restoreBackup({ from: { place: s.plan.place, identity }, dataDir: folder, report });
    return folder;
  };

  test("is restored with one of its secret keys, and with nothing else", async () => {
    const s = await scene();
    const [mine, hers, others] = [await newKeys(), await newKeys(), await newKeys()];
    encryptTo(s, mine.recipient, hers.recipient);
    const text = "a line that nobody may read ".repeat(4000);
    const path = s.addFile(text);
    await s.job();
    const pieces = piecesIn(s.place).map(({ parentPath, name }) => join(parentPath, name));
    expect(pieces.every((piece) => readFileSync(piece, "latin1").startsWith("age-encryption.org/v1\n"))).toBe(
      true,
    );
    expect(await listStoredBackups(s.plan.place)).toMatchObject({ backups: [{ encrypted: true, files: 2 }] });
    for (const { file } of [mine, hers]) {
      expect(readFileSync(join(await restore(s, file), path), "utf8")).toBe(text);
    }
    await expect(restore(s)).rejects.toThrow(
      `This backup is encrypted to ${[mine.recipient, hers.recipient].sort()[0]}`,
    );
    await expect(restore(s, others.file)).rejects.toThrow(`cannot be decrypted with ${others.file}`);
    await expect(restore(s, join(s.data, "confab.db"))).rejects.toThrow("not a secret key of age");

    // What is there is not stored again.
    s.pass(6 * hour);
    await s.job();
    expect((await listStoredBackups(s.plan.place)).backups[0]?.added_bytes).toBeLessThan(100_000);
    // With another key, everything is.
    encryptTo(s, others.recipient);
    s.pass(6 * hour);
    await s.job();
    expect(readFileSync(join(await restore(s, others.file), path), "utf8")).toBe(text);
    await expect(restore(s, mine.file)).rejects.toThrow("cannot be decrypted");
  });

  test.skipIf(!Bun.which("age"))("can be read with age itself", async () => {
    const s = await scene();
    const { recipient, file } = await newKeys();
    encryptTo(s, recipient);
    const path = s.addFile("a text".repeat(1000));
    await s.job();
    const all = piecesIn(s.place).map(({ parentPath, name }) => {
      const { exitCode, stdout } = Bun.spawnSync(["age", "-d", "-i", file, join(parentPath, name)]);
      expect(exitCode).toBe(0);
      return Bun.gunzipSync(new Uint8Array(stdout));
    });
    expect(all.some((content) => Buffer.from(content).equals(readFileSync(join(s.data, path))))).toBe(true);
  });

  test("refuses a key that is mistyped", async () => {
    const s = await scene();
    const { recipient } = await newKeys();
    const mistyped = recipient.replace(/.$/, (last) => (last === "q" ? "p" : "q"));
    encryptTo(s, mistyped);
    await expect(s.job()).rejects.toThrow(`${mistyped} is not a public key of age: it may be mistyped`);
    expect(readdirSync(join(s.place)).includes("pieces")).toBe(false);
    for (const wrong of ["age1", "AGE-SECRET-KEY-1", recipient.toUpperCase()]) {
      expect(ageRecipient.safeParse(wrong).success).toBe(false);
    }
  });
});
