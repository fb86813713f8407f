import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { examineServer } from "@/operations/diagnosis/server.ts";
import { certificate } from "../support/certificate.ts";
import { jsonHere, runHere } from "../support/command-line.ts";
import { openDatabaseOf, openFile } from "../support/database.ts";
import { call, cleanUp, confab, founding, newFolder, newOrganization, serve } from "../support/executable.ts";
import { servePlain } from "../support/plain-server.ts";
import { freePort } from "../support/ports.ts";
import { startMailServer } from "../support/smtp.ts";

afterEach(() => cleanUp());

interface Finding {
  check: string;
  verdict: string;
  finding: string;
  remedy?: string;
}

async function organization(): Promise<string> {
  const data = newFolder();
  await newOrganization(data);
  return data;
}

async function examined(
  data: string,
  ...options: string[]
): Promise<{ status: number; of(check: string): Finding | undefined }> {
  const { status, stdout } = await runHere(["doctor", "--json", "--data", data, ...options]);
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  return { status, of: (check) => findings.find((one) => one.check === check) };
}

describe("doctor", () => {
  test("finds no problem with a server that runs and can be reached", async () => {
    const data = await organization();
    await serve(data);
    const { status, of } = await examined(data);
    expect(status).toBe(0);
    for (const check of ["Settings", "Data folder", "Left-over files", "Write-ahead log", "Database"]) {
      expect(of(check)).toMatchObject({ verdict: "well" });
    }
    for (const check of ["Version", "Owners", "Clock"]) {
      expect(of(check)).toMatchObject({ verdict: "well" });
    }
    // The server does not know its public address, so its links do not work for others.
    expect(of("Address")).toMatchObject({
      verdict: "note",
      finding: expect.stringContaining("links in invitations and emails do not work for others"),
      remedy: expect.stringContaining("--site"),
    });
    const { stdout } = await runHere(["doctor", "--data", data]);
    expect(stdout).toMatch(
      /^✔ Database: Its tables are intact; --deep also checks indexes and references\.$/m,
    );
    const deep = await runHere(["doctor", "--deep", "--data", data]);
    expect(deep.stdout).toMatch(/^✔ Database: It is intact\.$/m);
  });

  test("says what to do about a server that cannot be reached", async () => {
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
    const { stderr } = await runHere(["doctor", "--data", data]);
    expect(stderr).toBe("confab: there is a problem.\n");
  });

  test("distinguishes another folder's server, and another program on the port", async () => {
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
    writeFileSync(join(data, "backup-x1.lock"), "");
    // A backup that waits, for instance until the database can be held, is not interrupted.
    mkdirSync(join(data, "backup-x2"));
    const waiting = openFile(join(data, "backup-x2.lock"));
    waiting.run("BEGIN EXCLUSIVE");
    writeFileSync(join(data, "confab.toml"), 'port = "http"\n');
    const { status, of } = await examined(data);
    expect(status).toBe(1);
    expect(of("Data folder")).toMatchObject({ verdict: "warning", remedy: `chmod 700 '${data}'` });
    expect(of("Left-over files")).toMatchObject({
      verdict: "warning",
      finding: `Work that was interrupted left ${join(data, "backup-x1")}.`,
    });
    waiting.close();
    expect(of("Settings")).toMatchObject({
      verdict: "problem",
      finding: "port in confab.toml: a port must be a number from 1 to 65535.",
    });
  });

  test("notices a certificate that is invalid or missing", async () => {
    const data = await organization();
    const path = join(data, "cert.pem");
    writeFileSync(join(data, "confab.toml"), `tls_cert = "${path}"\ntls_key = "${path}"\n`);
    expect((await examined(data)).of("Certificate")?.finding).toBe(
      `${path} cannot be read: there is no such file.`,
    );
    writeFileSync(join(data, "confab.toml"), `tls_cert = "${data}"\ntls_key = "${path}"\n`);
    expect((await examined(data)).of("Certificate")?.finding).toBe(`${data} cannot be read: it is a folder.`);
    writeFileSync(join(data, "confab.toml"), `tls_cert = "${path}"\ntls_key = "${path}"\n`);
    writeFileSync(path, "none");
    expect((await examined(data)).of("Certificate")).toMatchObject({
      verdict: "problem",
      finding: `${path} does not hold a PEM certificate.`,
    });
  });

  test("notices a key of another certificate, another name, and an end that is near", async () => {
    const data = await organization();
    const soon = await certificate(data, "soon", { days: 10 });
    const late = await certificate(data, "late", { names: ["chat.example.com", "example.com"], days: 90 });
    const found = async ({ cert, key }: { cert: string; key: string }, site: string) => {
      const toml = `site = "${site}"\ntls_cert = "${cert}"\ntls_key = "${key}"\n`;
      writeFileSync(join(data, "confab.toml"), toml);
      return (await examined(data)).of("Certificate");
    };
    expect(await found({ cert: soon.cert, key: late.key }, "https://localhost")).toMatchObject({
      verdict: "problem",
      finding: `${late.key} is not the private key of the certificate in ${soon.cert}.`,
    });
    expect(await found(late, "https://talk.example.com")).toMatchObject({
      verdict: "problem",
      finding: "It is for chat.example.com, example.com, not for talk.example.com.",
    });
    const wild = await certificate(data, "wild", { names: ["*.example.com"], days: 90 });
    expect(await found(wild, "https://chat.example.com")).toMatchObject({ verdict: "well" });
    expect(await found(wild, "https://a.chat.example.com")).toMatchObject({ verdict: "problem" });
    // Browsers and phones look for alternative names only.
    const named = await certificate(data, "chat.example.com", { names: [], days: 90 });
    expect(await found(named, "https://chat.example.com")).toMatchObject({
      verdict: "problem",
      finding: "It names its host only in its subject, where clients do not look.",
    });
    expect(await found(soon, "https://localhost")).toMatchObject({
      verdict: "warning",
      finding: expect.stringMatching(/^It is valid for (9|10) more days, until \d{4}-\d\d-\d\d\.$/),
      remedy: "Renew it, then send the server SIGHUP.",
    });
    expect(await found(soon, "https://127.0.0.1:8443")).toMatchObject({ verdict: "warning" });
    expect(await found(late, "https://chat.example.com")).toMatchObject({ verdict: "well" });
    writeFileSync(join(data, "confab.toml"), `tls_cert = "${late.cert}"\n`);
    expect((await examined(data)).of("Certificate")).toMatchObject({
      verdict: "problem",
      finding: "tls_cert and tls_key go together.",
    });
  });

  test("tells a server that clients do not trust from one that does not answer", async () => {
    const data = await organization();
    const { cert, key } = await certificate(newFolder(), "own", { days: 30 });
    writeFileSync(join(data, "confab.toml"), `tls_cert = "${cert}"\ntls_key = "${key}"\n`);
    const server = await serve(data, ["--tls-cert", cert, "--tls-key", key]);
    expect((await examined(data)).of("Address")).toMatchObject({
      verdict: "warning",
      finding: `${server.url} answers, but its certificate is self-signed, so clients reject it unless they were told to trust it.`,
    });
    const { stdout } = await confab(["doctor", "--json", "--data", data], {
      env: { NODE_EXTRA_CA_CERTS: cert },
    });
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    expect(findings).toContainEqual({
      check: "Address",
      verdict: "note",
      finding: expect.stringContaining(`${server.url} answers`),
      remedy: expect.any(String),
    });
  });

  test("notices a mail server that does not answer, and one that refuses", async () => {
    const data = await organization();
    const found = async (url: string) => {
      writeFileSync(join(data, "confab.toml"), `smtp_url = "${url}"\n`);
      return (await examined(data)).of("Mail server");
    };
    const server = await startMailServer();
    const { host } = new URL(server.url);
    expect(await found(server.url)).toEqual({
      check: "Mail server",
      verdict: "well",
      finding: `${host} takes mails.`,
    });
    expect(await found(server.url.replace("smtp://", "smtp://ann:secret@"))).toMatchObject({
      verdict: "problem",
      finding: expect.stringMatching(/^127\.0\.0\.1:\d+ refuses the user name or password \(5\d\d .*\)\.$/),
    });
    expect(await found(server.url.replace("smtp:", "smtps:"))).toMatchObject({
      finding: `${host} does not answer (it does not use TLS on this port: try smtp:// instead of smtps://).`,
    });
    server.close();
    const nobody = `127.0.0.1:${await freePort()}`;
    expect(await found(`smtp://${nobody}`)).toMatchObject({
      verdict: "problem",
      finding: `${nobody} does not answer (the connection is refused).`,
      remedy: expect.stringContaining("smtp_url"),
    });
  });

  test("checks references only with --deep", async () => {
    const data = await organization();
    const database = openDatabaseOf(data);
    database.run("PRAGMA foreign_keys = OFF");
    database.run("INSERT INTO api_keys (user_id, hash, kind, date_created) VALUES (999, x'00', 'main', 0)");
    database.close();
    expect((await examined(data)).of("Database")).toMatchObject({ verdict: "well" });
    expect((await examined(data, "--deep")).of("Database")).toMatchObject({
      verdict: "problem",
      finding: "1 row refers to missing rows.",
    });
  });

  test("notices a damaged database, and a missing one", async () => {
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
    const { owner } = await jsonHere<{ owner: { email: string; api_key: string; user_id: number } }>([
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
    const found = await jsonHere(["stats", "--data", data]);
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
    const { stdout } = await runHere(["stats", "--data", data]);
    expect(stdout).toMatch(/^Messages +2 \(day 2, week 2, month 2\)$/m);
    expect(stdout).toMatch(/^People +1 \(owner 1\)$/m);
  });
});

test("says that a reverse proxy is not trusted, which the log says once", async () => {
  const data = await organization();
  const server = await serve(data);
  const ask = (headers: Record<string, string>) => fetch(`${server.url}/api/v1/server_settings`, { headers });
  const lines = () =>
    server
      .printed()
      .stderr.split("\n")
      .filter((line) => line.includes("unlisted_proxy"));
  await ask({});
  expect((await examined(data)).of("Reverse proxy")).toBeUndefined();
  for (let n = 0; n < 3; n++) await ask({ "x-forwarded-for": "203.0.113.7" });
  await ask({ forwarded: "for=203.0.113.7" });
  expect((await examined(data)).of("Reverse proxy")).toMatchObject({
    verdict: "warning",
    finding: expect.stringContaining("127.0.0.1"),
    remedy: expect.stringContaining('trusted_proxy = "127.0.0.1"'),
  });
  await server.end("SIGTERM");
  expect(lines().map((line) => JSON.parse(line))).toMatchObject([{ level: "warn", address: "127.0.0.1" }]);

  // One that is trusted says nothing, unless there is another behind it.
  const trusting = await serve(data, ["--trusted-proxy", "127.0.0.1"]);
  const askThere = (from: string) =>
    fetch(`${trusting.url}/api/v1/server_settings`, { headers: { "x-forwarded-for": from } });
  await askThere("10.1.2.3");
  await askThere("10.1.2.3, 203.0.113.7");
  expect((await examined(data)).of("Reverse proxy")).toBeUndefined();
  await askThere("203.0.113.7, 10.1.2.3");
  expect((await examined(data)).of("Reverse proxy")?.finding).toContain("10.1.2.3");
});

test("a file that cannot be written next to the database breaks no request of an unlisted proxy", async () => {
  const data = await organization();
  const server = await serve(data);
  const noted = join(data, "confab.pid");
  rmSync(noted);
  mkdirSync(join(noted, "in-the-way"), { recursive: true });
  const answer = await fetch(`${server.url}/api/v1/server_settings`, {
    headers: { "x-forwarded-for": "203.0.113.7" },
  });
  expect(answer.status).toBe(200);
  rmSync(noted, { recursive: true });
  expect(await server.end("SIGTERM")).toBe(0);
  expect(server.printed().stderr).toContain("not_noted");
});

test("tells a server of another version, and one that does not answer, from one that works", async () => {
  const body = JSON.stringify({ status: "ok", version: "0.0.1" });
  const former = await servePlain(() => ({ headers: { "content-type": "application/json" }, body }));
  const address = `http://127.0.0.1:${former.port}`;
  expect(await examineServer(address)).toMatchObject({
    verdict: "warning",
    finding: expect.stringContaining(`What answers at ${address} is not Confab`),
    remedy: expect.stringContaining("restart"),
  });
  await former.stop();
  expect(await examineServer(address)).toMatchObject({
    verdict: "problem",
    finding: expect.stringContaining("does not answer"),
    remedy: "Look at its log, and restart it.",
  });
});
