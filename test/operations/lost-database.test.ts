// A folder that lost its organization's database: no command creates a new one there unless told to.

import { afterEach, describe, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { jsonHere, runHere } from "../support/command-line.ts";
import { openFile } from "../support/database.ts";
import {
  cleanUp,
  confab,
  founding,
  inTerminal,
  newFolder,
  newOrganization,
  serve,
} from "../support/executable.ts";
import { freePort } from "../support/ports.ts";

afterEach(() => cleanUp());

async function organization(): Promise<string> {
  const data = newFolder();
  await newOrganization(data);
  return data;
}

const database = (data: string) => join(data, "confab.db");

const losses: Record<string, (data: string) => void> = {
  "is empty": (data) => truncateSync(database(data)),
  "is missing": (data) => rmSync(database(data)),
  "contains none": (data) => {
    rmSync(database(data));
    const another = openFile(database(data));
    another.run("CREATE TABLE other (id INTEGER PRIMARY KEY)");
    another.close();
  },
};

describe("a folder whose database is lost", () => {
  test.each(Object.keys(losses))(
    "is refused by every command where it %s, and stays as it is",
    async (loss) => {
      const data = await organization();
      losses[loss]?.(data);
      const before = readdirSync(data);
      const port = String(await freePort());
      for (const command of [
        ["serve", "--port", port],
        ["serve", "--dev", "--port", port],
        ["init", ...founding],
        ["user", "list"],
        ["api", "GET", "/users/me"],
        ["queue", "list"],
        ["backup", join(newFolder(), "crew.tar.gz")],
        ["export", "organization", join(newFolder(), "crew.json")],
        ["export", "user", "olive@example.com", join(newFolder(), "olive.json")],
        ["doctor"],
      ]) {
        const run = command[0] === "serve" ? confab : runHere;
        const { status, stdout, stderr } = await run([...command, "--data", data]);
        expect([command, status]).toEqual([command, 1]);
        if (command[0] === "doctor")
          expect(stdout).toContain("held an organization, and its database is missing or empty");
        else expect(stderr).toContain(`held an organization, but its confab.db ${loss}. Restore a backup`);
      }
      const console = await inTerminal(["console", "--data", data], { columns: 100 });
      expect(console.status).toBe(1);
      expect(console.seen).toContain(`its confab.db ${loss}`);
      expect(readdirSync(data)).toEqual(before);
      if (loss === "is empty") expect(readFileSync(database(data)).length).toBe(0);
    },
  );

  test("is recognized by uploads, a write-ahead log, or the process ID of a killed server", async () => {
    const traces: Record<string, (data: string) => void> = {
      uploads: (data) => void mkdirSync(join(data, "files", "uploads"), { recursive: true }),
      log: (data) => writeFileSync(`${database(data)}-wal`, "what was written last"),
      process: (data) => writeFileSync(join(data, "confab.pid"), "4194303\n"),
      backups: (data) => writeFileSync(join(data, "confab.backed-up"), "[]"),
      measurements: (data) => writeFileSync(join(data, "confab.history"), "{}"),
    };
    for (const [name, leave] of Object.entries(traces)) {
      const data = newFolder();
      leave(data);
      const { status, stderr } = await runHere(["init", ...founding, "--data", data]);
      expect([name, status, stderr]).toEqual([name, 1, expect.stringContaining("its confab.db is missing")]);
    }
  });

  test("keeps the write-ahead log, from which data may be recovered", async () => {
    const data = await organization();
    const server = await serve(data);
    await server.end("SIGKILL");
    truncateSync(database(data));
    const log = readFileSync(`${database(data)}-wal`);
    expect((await runHere(["user", "list", "--data", data])).status).toBe(1);
    expect(readFileSync(`${database(data)}-wal`).equals(log)).toBe(true);
  });

  test("starts over with --anew, after moving the remaining files aside", async () => {
    const data = await organization();
    mkdirSync(join(data, "files", "uploads", "ab"), { recursive: true });
    writeFileSync(join(data, "files", "uploads", "ab", "picture"), "precious");
    rmSync(database(data));
    await jsonHere(["init", "--anew", ...founding, "--data", data]);
    const [aside = ""] = readdirSync(data).filter((name) => name.startsWith("former-"));
    expect(readFileSync(join(data, aside, "files", "uploads", "ab", "picture"), "utf8")).toBe("precious");
    expect(existsSync(join(data, "files"))).toBe(false);
    expect(await jsonHere(["user", "list", "--data", data])).toHaveLength(1);
  });

  test("is not an intact organization: --anew does not touch one", async () => {
    const data = await organization();
    const { status, stderr } = await runHere(["init", "--anew", ...founding, "--data", data]);
    expect(status).toBe(1);
    expect(stderr).toContain("already holds an organization");
    expect(await jsonHere(["user", "list", "--data", data])).toHaveLength(1);
  });

  test("is not a folder whose first start was interrupted", async () => {
    const data = newFolder();
    const begun = await organization();
    cpSync(database(begun), database(data));
    const sqlite = openFile(database(data));
    sqlite.run("PRAGMA foreign_keys = OFF");
    sqlite.run("DELETE FROM realm");
    sqlite.close();
    writeFileSync(join(data, "confab.pid"), "4194303\n");
    expect((await runHere(["user", "list", "--data", data])).stderr).toContain("There is no organization in");
  });

  test("is recognized by the marker, which older folders get with their first use", async () => {
    const data = await organization();
    const marker = join(data, "confab.organization");
    rmSync(marker);
    await jsonHere(["user", "list", "--data", data]);
    expect(readFileSync(marker, "utf8")).toContain("Keep this file");
  });
});
