// How imported people get access.
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ImportReport } from "@/operations/import/schema.ts";
import { openDatabaseOf } from "../support/database.ts";
import {
  cleanUp,
  confab,
  executable,
  json,
  newFolder,
  type Server,
  serve,
  surroundings,
} from "../support/executable.ts";
import { tarred, zipped } from "../support/imports/archives.ts";
import { refusal } from "../support/imports/outcome.ts";
import { slackExport } from "../support/imports/slack.ts";
import { manyZulipPeople } from "../support/imports/zulip.ts";
import { startMailServer } from "../support/smtp.ts";
import { until } from "../support/waiting.ts";

const mails = await startMailServer();
afterAll(async () => {
  mails.close();
  await cleanUp();
});

const slack = await zipped(join(newFolder(), "export.zip"), slackExport());
const site = "https://chat.example.com";
const mailing = ["--smtp-url", mails.url, "--site", site];
const active = ["ada@example.com", "gus@example.com", "olive@example.com"];

const run = (data: string, ...args: string[]) =>
  json<ImportReport>(["import", "slack", slack, "--data", data, "--org", "Crew", "--invite", ...args]);

/** Starts a server that sends mail, and waits until it has sent this many. */
async function sent(data: string, count: number): Promise<void> {
  const server = await serve(data, ["--smtp-url", mails.url, "--site", site]);
  await until(
    () => mails.taken.length >= count,
    () => `${count} mails are sent, not ${mails.taken.length}`,
  );
  await server.end("SIGTERM");
}

/** How many mails are queued; also works while the import runs. */
function waitingMails(data: string): number {
  if (!existsSync(join(data, "confab.db"))) return 0;
  const database = openDatabaseOf(data, { readonly: true });
  const { n } = database.query<{ n: number }, []>("SELECT COUNT(*) AS n FROM mails").get() ?? { n: 0 };
  database.close();
  return n;
}

const linkIn = (text: string) =>
  new URL(/https:\S+\/password\/reset\/\w{32}/.exec(text)?.[0] ?? "none:").pathname;

async function choosePassword(server: Server, path: string, email: string): Promise<number> {
  const password = "seven green bicycles";
  const form = (fields: Record<string, string>) => ({ method: "POST", body: new URLSearchParams(fields) });
  expect((await fetch(server.url + path, form({ password }))).status).toBe(200);
  const login = form({ username: email, password });
  return (await fetch(`${server.url}/api/v1/fetch_api_key`, login)).status;
}

describe("import --invite with a mail server", () => {
  test("mails each person a link to choose a password, once", async () => {
    mails.taken.length = 0;
    const data = join(newFolder(), "data");
    const { invitations } = await run(data, ...mailing);
    expect(invitations).toEqual({
      ...{ by: "mail", people: 3, mailed_before: 0, without_address: 0, links: [] },
      expires_at: expect.any(Number),
    });
    expect(mails.taken).toEqual([]);
    await sent(data, 3);
    expect(mails.taken.map(({ to }) => to).sort()).toEqual(active);
    const mail = mails.taken.find(({ to }) => to === "ada@example.com")?.mail;
    expect([mail?.subject, mail?.from?.text]).toEqual([
      "Your account at Crew",
      expect.stringContaining("@chat.example.com"),
    ]);
    expect(mail?.text).toContain("Crew has moved from Slack to https://chat.example.com");
    const server = await serve(data);
    const path = linkIn(mail?.text ?? "");
    expect(await choosePassword(server, path, "ada@example.com")).toBe(200);
    expect((await fetch(server.url + path)).status).toBe(404);
    await server.end("SIGTERM");

    mails.taken.length = 0;
    const again = await run(data, ...mailing);
    expect(again.invitations).toMatchObject({ people: 0, mailed_before: 2 });
    expect(again.remarks).toEqual([expect.stringMatching(/already\. Nothing was added/)]);
    expect(again.messages).toBe(18);
    const entries = await json<{ event: string }[]>(["audit", "--data", data]);
    expect(entries.filter(({ event }) => event === "user_invited_after_import")).toHaveLength(3);
  }, 300_000);

  test("continues after a kill, and mails nobody twice", async () => {
    mails.taken.length = 0;
    const people = 3000;
    const file = await tarred(join(newFolder(), "export.tar.gz"), manyZulipPeople(people));
    let data = "";
    let args: string[] = [];
    // If all mails were queued before the kill, it tries once more.
    for (let tries = 0; tries < 10 && (data === "" || waitingMails(data) === people); tries++) {
      data = join(newFolder(), "data");
      args = ["import", "zulip", file, "--data", data, "--invite", ...mailing];
      const child = Bun.spawn([...executable, ...args], {
        env: surroundings(),
        stdout: "ignore",
        stderr: "pipe",
      });
      while (child.exitCode === null && waitingMails(data) === 0) await Bun.sleep(2);
      child.kill("SIGKILL");
      const status = await child.exited;
      // If it was killed or is done.
      expect([137, 0], await new Response(child.stderr).text()).toContain(status);
    }
    expect(waitingMails(data)).toBeLessThan(people);
    const { invitations } = await json<ImportReport>(args);
    expect(invitations?.people).toBeGreaterThan(0);
    expect(invitations?.mailed_before).toBeGreaterThan(0);
    expect((invitations?.people ?? 0) + (invitations?.mailed_before ?? 0)).toBe(people);
    expect((await json<ImportReport>(args)).invitations).toMatchObject({ people: 0, mailed_before: people });
    expect(waitingMails(data)).toBe(people);
    await sent(data, 40);
    const recipients = mails.taken.map(({ to }) => to);
    expect(new Set(recipients).size).toBe(recipients.length);
  }, 300_000);

  test("links to the sign-in page if the organization uses no passwords", async () => {
    mails.taken.length = 0;
    const data = join(newFolder(), "data");
    await json(["import", "slack", slack, "--data", data, "--org", "Crew"]);
    writeFileSync(
      join(data, "confab.toml"),
      `[oidc.company]\nissuer = "https://id.example.com"\nclient_id = "x"\nclient_secret = "y"\n`,
    );
    await (await serve(data)).end("SIGTERM");
    await json(["realm", "login", "passwords-off", "--data", data]);
    const { invitations } = await run(data, "--site", site);
    expect(invitations?.links.map(({ url }) => url)).toEqual(Array(3).fill(`${site}/login`));
  }, 300_000);
});

describe("import --invite without a mail server", () => {
  test("prints links, and makes new ones for people who have no password yet", async () => {
    const data = join(newFolder(), "data");
    const { invitations } = await run(data, "--site", site);
    expect(invitations).toMatchObject({ by: "links", people: 3 });
    const links = invitations?.links ?? [];
    expect(links.map(({ email }) => email).sort()).toEqual(active);
    const server = await serve(data);
    const [first] = links;
    expect(await choosePassword(server, new URL(first?.url ?? "").pathname, first?.email ?? "")).toBe(200);
    await server.end("SIGTERM");
    const { stdout } = await confab(["import", "slack", slack, "--data", data, "--invite"]);
    expect(stdout).toContain("pass it on like a password");
    // The last server had no address of its own.
    expect(stdout).toContain("only works on the server's own machine");
    expect(stdout.match(/\/password\/reset\/\w{32}/g)).toHaveLength(2);
    expect(stdout).not.toContain(first?.email ?? "none");
  }, 300_000);

  test("writes them to a file that nobody else can read", async () => {
    const data = join(newFolder(), "data");
    const file = join(newFolder(), "links.tsv");
    writeFileSync(file, "old", { mode: 0o644 });
    const { invitations } = await run(data, ...mailing, "--links-file", file);
    expect(invitations).toMatchObject({ by: "links", people: 3, links: [] });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const lines = readFileSync(file, "utf8").trim().split("\n");
    expect(lines.map((line) => line.split("\t")[0]).sort()).toEqual(active);
    expect(lines.every((line) => /\thttps:\/\/chat\.example\.com\/password\/reset\/\w{32}$/.test(line))).toBe(
      true,
    );
    expect(await json<unknown[]>(["mail", "list", "--data", data])).toEqual([]);
    // The organization knows its address from the import.
    const again = await run(data, "--invitation-link-validity-minutes", "60");
    const left = (again.invitations?.expires_at ?? 0) - Date.now() / 1000;
    expect([left > 3000, left <= 3600]).toEqual([true, true]);
    expect(again.invitations?.links[0]?.url).toStartWith(`${site}/password/reset/`);
    const { remarks } = await run(data, "--dry-run");
    expect(remarks).toEqual([expect.stringMatching(/^This export was imported on [\d-]+ already\.$/)]);
  }, 300_000);

  test("refuses before the import if the links could not be delivered after it", async () => {
    const data = join(newFolder(), "data");
    const at = ["slack", slack, "--data", data, "--org", "Crew"];
    expect(await refusal([...at, "--invite"])).toContain(
      "needs the address at which people will find the server",
    );
    const nowhere = join(data, "no", "such", "links.tsv");
    const into = ["--invite", "--site", site, "--links-file", nowhere];
    expect(await refusal([...at, ...into])).toContain("The links cannot be written to");
    const alone = await confab(["import", ...at, "--links-file", join(newFolder(), "links.tsv")]);
    expect([alone.status, alone.stderr]).toEqual([2, expect.stringContaining("--links-file needs --invite")]);
    expect(existsSync(join(data, "confab.db"))).toBe(false);
  });
});

describe("import where people are already", () => {
  test("reports in a dry run who has an account already, and how many would be invited", async () => {
    const data = newFolder();
    const owner = ["--owner-email", "ADA@example.com", "--owner-name", "Ada Byron"];
    await json(["init", "--org", "Crew", ...owner, "--data", data]);
    const args = ["import", "slack", slack, "--data", data, "--invite", ...mailing, "--dry-run"];
    const report = await json<ImportReport>(args);
    expect(report).toMatchObject({
      known_people: 1,
      matches: [{ email: "ada@example.com", name: "Ada Admin", name_here: "Ada Byron" }],
      invitations: { by: "mail", people: 2, without_address: 0, expires_at: null, links: [] },
    });
    const { stdout } = await confab(args);
    expect(stdout).toContain("ada@example.com: Ada Admin, here Ada Byron");
    expect(stdout).toContain("2 people would be mailed a link.");
    const done = await run(data, ...mailing);
    expect([done.known_people, done.invitations?.people]).toEqual([1, 2]);
    const waiting = await json<{ recipient: string }[]>(["mail", "list", "--data", data]);
    expect(waiting.map(({ recipient }) => recipient).sort()).toEqual([
      "gus@example.com",
      "olive@example.com",
    ]);
  }, 300_000);
});

describe("import confab --invite", () => {
  test("invites the people of the document", async () => {
    const source = join(newFolder(), "data");
    await json(["import", "slack", slack, "--data", source, "--org", "Crew"]);
    const file = join(newFolder(), "crew.json");
    await json(["export", "organization", file, "--data", source]);
    const dry = await json<ImportReport>(["import", "confab", file, "--dry-run", "--invite", ...mailing]);
    expect(dry.invitations).toMatchObject({ by: "mail", people: 3 });
    const data = join(newFolder(), "data");
    const args = ["import", "confab", file, "--data", data, "--invite", ...mailing];
    expect((await json<ImportReport>(args)).invitations).toMatchObject({ people: 3, mailed_before: 0 });
    expect((await json<ImportReport>(args)).invitations).toMatchObject({ people: 0, mailed_before: 3 });
    expect(await json<unknown[]>(["mail", "list", "--data", data])).toHaveLength(3);
  }, 300_000);
});
