import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, cleanUp, confab, freePort, json, newFolder, serve } from "./support/executable.ts";

afterEach(() => cleanUp());
const founding = ["--org", "Crew", "--owner-email", "olive@example.com", "--owner-name", "Olive"];

interface Finding {
  check: string;
  verdict: string;
  finding: string;
  remedy?: string;
}

async function organization(): Promise<string> {
  const data = newFolder();
  await json(["init", "--data", data, ...founding]);
  return data;
}

async function examined(data: string): Promise<{ status: number; of(check: string): Finding | undefined }> {
  const { status, stdout } = await confab(["doctor", "--json", "--data", data]);
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  return { status, of: (check) => findings.find((one) => one.check === check) };
}

describe("doctor", () => {
  test("finds all well with a server that runs and can be reached", async () => {
    const data = await organization();
    await serve(data);
    const { status, of } = await examined(data);
    expect(status).toBe(0);
    for (const check of ["Settings", "Data folder", "Left-over files", "Write-ahead log", "Database"]) {
      expect(of(check)).toMatchObject({ verdict: "well" });
    }
    for (const check of ["Version", "Owners", "Clock", "Address"]) {
      expect(of(check)).toMatchObject({ verdict: "well" });
    }
    const { stdout } = await confab(["doctor", "--data", data]);
    expect(stdout).toMatch(/^✔ Database: It is whole\.$/m);
  });

  test("says what to do about a server that nobody reaches", async () => {
    const data = await organization();
    expect((await examined(data)).of("Address")).toMatchObject({ verdict: "note" });
    const server = await serve(data);
    await server.end("SIGTERM");
    const { status, of } = await examined(data);
    expect(status).toBe(1);
    expect(of("Address")).toMatchObject({
      verdict: "problem",
      finding: `No server runs on this data folder; its last one was ${server.url}.`,
      remedy: "Start it with 'confab serve'.",
    });
    const { stderr } = await confab(["doctor", "--data", data]);
    expect(stderr).toBe("confab: there is a problem.\n");
  });

  test("does not take another folder's server for this one's, and notices what only listens", async () => {
    const data = await organization();
    const server = await serve(data);
    const copy = newFolder(data);
    rmSync(join(copy, "confab.pid"), { force: true });
    expect((await examined(copy)).of("Address")).toMatchObject({
      verdict: "problem",
      finding: `No server runs on this data folder; its last one was ${server.url}.`,
    });
    const elsewhere = `http://127.0.0.1:${await freePort()}`;
    await server.end("SIGTERM");
    await serve(data, ["--site", elsewhere]);
    expect((await examined(data)).of("Address")).toMatchObject({
      verdict: "problem",
      finding: `Nothing answers at ${elsewhere} (the connection is refused).`,
      remedy: expect.stringContaining("DNS, firewall and reverse proxy"),
    });
  });

  test("notices open folders, left-over files and settings that cannot be used", async () => {
    const data = await organization();
    chmodSync(data, 0o755);
    mkdirSync(join(data, "backup-x1"));
    writeFileSync(join(data, "confab.toml"), 'port = "http"\n');
    const { status, of } = await examined(data);
    expect(status).toBe(1);
    expect(of("Data folder")).toMatchObject({ verdict: "warning", remedy: `chmod 700 '${data}'` });
    expect(of("Left-over files")).toMatchObject({
      verdict: "warning",
      finding: expect.stringContaining("backup-x1"),
    });
    expect(of("Settings")).toMatchObject({
      verdict: "problem",
      finding: "port in confab.toml: a port is a number from 1 to 65535.",
    });
  });

  test("notices a certificate that is none, and one that is not there", async () => {
    const data = await organization();
    const path = join(data, "cert.pem");
    writeFileSync(join(data, "confab.toml"), `tls_cert = "${path}"\ntls_key = "${path}"\n`);
    expect((await examined(data)).of("Certificate")?.finding).toBe(`There is no file ${path}.`);
    writeFileSync(path, "none");
    expect((await examined(data)).of("Certificate")).toMatchObject({
      verdict: "problem",
      finding: `${path} does not hold a PEM certificate.`,
    });
  });

  test("notices a damaged database, and where there is none", async () => {
    const data = await organization();
    const path = join(data, "confab.db");
    const bytes = readFileSync(path);
    bytes.fill(0x5a, 8192, 8192 + 6000);
    writeFileSync(path, bytes);
    const { status, of } = await examined(data);
    expect([status, of("Database")?.verdict]).toEqual([1, "problem"]);
    expect(of("Database")?.remedy).toContain("restore");

    const empty = await examined(newFolder());
    expect([empty.status, empty.of("Data folder")?.verdict]).toEqual([1, "problem"]);
  });
});

describe("stats", () => {
  test("counts people, channels, messages and bytes", async () => {
    const data = newFolder();
    const { owner } = await json<{ owner: { email: string; api_key: string; user_id: number } }>([
      "init",
      "--data",
      data,
      ...founding,
    ]);
    const server = await serve(data);
    const to = JSON.stringify([owner.user_id]);
    for (const content of ["one", "two"]) {
      await call(server, owner, ["POST", "/messages"], { type: "direct", to, content });
    }
    const found = await json(["stats", "--data", data]);
    expect(found).toEqual({
      organization: "Crew",
      people: { owner: 1, admin: 0, moderator: 0, member: 0, guest: 0 },
      bots: 0,
      channels: 0,
      messages: { all: 2, last_day: 2, last_week: 2, last_month: 2 },
      bytes: {
        database: expect.any(Number),
        write_ahead_log: expect.any(Number),
        files: expect.any(Number),
      },
    });
    const { stdout } = await confab(["stats", "--data", data]);
    expect(stdout).toMatch(/^Messages +2 \(day 2, week 2, month 2\)$/m);
    expect(stdout).toMatch(/^People +1 \(owner 1\)$/m);
  });
});
