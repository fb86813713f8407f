// 'confab setup' on the real executable: with flags, in a terminal, and again.
import { afterAll, describe, expect, test } from "bun:test";
import { chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanUp, confab, inTerminal, json, newFolder } from "../support/executable.ts";
import { freePort } from "../support/ports.ts";
import { startMailServer } from "../support/smtp.ts";

const login = { user: "chat", password: "pa:ss@word/1" };
const mails = await startMailServer({ login });
const mailPort = /:(\d+)\?/.exec(mails.url)?.[1] ?? "";
const nobody = 65534;
/** Who runs the tests: as that user, the service needs no other one. */
const username = Bun.spawnSync(["id", "-un"]).stdout.toString().trim();
afterAll(async () => {
  mails.close();
  await cleanUp();
});

interface Setup {
  dry_run: boolean;
  changes: { file: string; lines: string[] }[];
  steps: string[];
  next: string[];
  login_link: string | null;
}

const names = ["--org", "Ada & Co", "--owner-name", "Ada Byron", "--owner-email", "ada@example.com"];
const plain = ["--unit", "none", "--domain", "none", "--backup-to", "none"];

/** A place for a server on this machine. */
function scene() {
  const place = newFolder();
  const data = join(place, "data");
  const toml = join(data, "confab.toml");
  const setup = (...args: string[]) => confab(["setup", "--data", data, ...args]);
  return {
    place,
    data,
    toml,
    setup,
    settings: () => readFileSync(toml, "utf8"),
    done: (...args: string[]) =>
      json<Setup & Record<string, unknown>>(["setup", "--data", data, "--yes", ...args]),
    refused: async (status: number, ...args: string[]) => {
      const had = existsSync(data);
      const { status: found, stderr } = await setup(...args);
      expect([found, existsSync(data)]).toEqual([status, had]);
      return stderr;
    },
  };
}

describe("setup with --yes", () => {
  test("creates the organization, writes settings, unit and schedule; a second run changes nothing", async () => {
    const { place, data, toml, done, settings } = scene();
    const [unit, store] = [join(place, "confab.service"), join(place, "my backups")];
    const service = ["--unit", unit, "--user", username, "--no-start"];
    const answers = [
      ...names,
      "--domain",
      "chat.example.com",
      "--backup-to",
      store,
      "--backup-every",
      "12h",
      ...service,
    ];
    const made = await done(...answers);
    expect(made.login_link).toMatch(/^https:\/\/chat\.example\.com\/login\/link\/\w{32}$/);
    expect(made.steps.join("\n")).toContain("creates the organization Ada & Co");
    expect(Bun.TOML.parse(settings())).toEqual({
      domain: "chat.example.com",
      backup: { every: "12h", to: store, keep: "24h 14d 8w" },
    });
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
    expect([toml, data, store, unit].map(mode)).toEqual(["600", "700", "700", "644"]);
    const text = readFileSync(unit, "utf8");
    expect(text).toContain("AmbientCapabilities=CAP_NET_BIND_SERVICE\n");
    expect(text).toContain("ProtectSystem=strict\n");
    expect(text).toContain(`ReadWritePaths=${data} "${store}"\n`);
    expect(text).toMatch(new RegExp(`^ExecStart=.* serve --data ${data}$`, "m"));
    if (Bun.which("systemd-analyze")) {
      const { exitCode, stderr } = Bun.spawnSync(["systemd-analyze", "verify", "--man=no", unit]);
      expect([exitCode, stderr.toString()]).toEqual([0, ""]);
    }
    expect((await json<{ problem: unknown }>(["config", "--data", data])).problem).toBeNull();
    expect(await done(...answers)).toMatchObject({ changes: [], steps: [], login_link: null });
    expect(await done(...service)).toMatchObject({ changes: [], steps: [] });
  });

  test("leads to the proxy at the port of the site that is written by hand", async () => {
    const { data, toml, done } = scene();
    mkdirSync(data);
    writeFileSync(toml, 'site = "https://chat.example.com:8443"\n');
    const proxy = [
      "--domain",
      "chat.example.com",
      "--https",
      "proxy",
      "--backup-to",
      "none",
      "--unit",
      "none",
    ];
    const { login_link, next } = await done(...names, ...proxy);
    expect(login_link).toStartWith("https://chat.example.com:8443/login/link/");
    expect(next.join("\n")).toContain("pass https://chat.example.com:8443 on to http://127.0.0.1:9900.");
  });

  test("keeps what is written by hand, and changes what is answered otherwise", async () => {
    const { place, data, toml, done, settings, refused } = scene();
    await done(...names, ...plain);
    const byHand = [
      "# ours",
      'log_level = "warn" # quiet',
      'site = "https://old.example.com"',
      "",
      "[backup]",
      'every = "1h"',
      `to = "${join(data, "..", "store")}"`,
      'keep = "3d"',
      "",
      "[oidc.company]",
      'name = "Company"',
    ].join("\n");
    writeFileSync(toml, byHand);
    expect(await done("--unit", "none")).toMatchObject({ changes: [] });
    expect(settings()).toBe(byHand);
    const { changes } = await done("--unit", "none", "--domain", "new.example.com", "--backup-every", "2h");
    expect(changes).toEqual([
      {
        file: toml,
        lines: [
          '- site = "https://old.example.com"',
          '- every = "1h"',
          '+ site = "https://new.example.com"',
          '+ trusted_proxy = "127.0.0.1"',
          '+ every = "2h"',
        ],
      },
    ]);
    expect(settings()).toStartWith('# ours\nlog_level = "warn" # quiet\nsite = "https://new.example.com"\n');
    expect(settings()).toEndWith('keep = "3d"\n\n[oidc.company]\nname = "Company"\n');
    writeFileSync(toml, settings().replace("new.example.com", "new.example.com:8443"));
    // As somebody else's, if the tests run as root.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(toml, nobody, nobody);
    await done("--unit", "none", "--trusted-proxy", "192.0.2.1");
    expect(settings()).toContain('site = "https://new.example.com:8443"');
    expect(statSync(toml).uid).toBe(isRoot ? nobody : statSync(data).uid);
    if (isRoot) {
      const unit = join(place, "confab.service");
      writeFileSync(unit, `[Service]\nExecStart=confab serve --data ${data} --log-level info\n`);
      const { steps } = await done("--unit", unit, "--user", username, "--no-start", "--dry-run");
      expect(steps).toEqual([`gives ${data} to ${username}`, `writes ${unit}`]);
    }
    await done("--unit", "none", "--https", "auto");
    expect(Bun.TOML.parse(settings())).toMatchObject({ domain: "new.example.com", log_level: "warn" });
    expect(settings()).not.toContain("site");
    await done("--unit", "none", "--backup-to", "none");
    expect(settings()).not.toContain("[backup]");
    // Nothing is written where the result would be another than what was answered.
    const odd = 'site = """\nhttps://odd.example.com"""\n';
    writeFileSync(toml, odd);
    expect(await refused(1, "--yes", "--unit", "none", "--domain", "other.example.com")).toContain(
      "change it by hand",
    );
    expect(settings()).toBe(odd);
  });

  test("tries the mail server, and keeps its password private", async () => {
    const { place, toml, done, refused, settings } = scene();
    const closed = String(await freePort());
    const mail = (port: string) => ["--mail-host", "127.0.0.1", "--mail-port", port];
    expect(await refused(1, "--yes", ...names, ...plain, ...mail(closed))).toContain(
      `127.0.0.1:${closed} does not answer (the connection is refused)`,
    );
    await done(...names, ...plain, ...mail(closed), "--skip-mail-test");
    expect(Bun.TOML.parse(settings())).toEqual({ smtp_url: `smtp://127.0.0.1:${closed}` });

    const options = "?requireTLS=true&tls.rejectUnauthorized=false";
    const written = `smtp_url = "smtp://127.0.0.1:${closed}${options}"\n`;
    writeFileSync(toml, written);
    const password = join(place, "password");
    writeFileSync(password, "wrong\n");
    const logIn = [...mail(mailPort), "--mail-user", login.user, "--mail-password-file", password];
    expect(await refused(1, "--yes", "--unit", "none", ...logIn)).toContain(
      "refuses the user name or password",
    );
    writeFileSync(password, "two\nlines\n");
    expect(await refused(1, "--yes", "--unit", "none", ...logIn)).toContain(
      "must hold the password on one line",
    );
    expect(settings()).toBe(written);
    writeFileSync(password, `${login.password}\n`);
    const { changes } = await done("--unit", "none", ...logIn, "--mail-from", "chat@example.com");
    expect(changes[0]?.lines).toContain(`+ smtp_url = "smtp://chat:***@127.0.0.1:${mailPort}${options}"`);
    expect(Bun.TOML.parse(settings())).toEqual({
      smtp_url: `smtp://chat:${encodeURIComponent(login.password)}@127.0.0.1:${mailPort}${options}`,
      mail_from: "chat@example.com",
    });
    expect(statSync(toml).mode & 0o777).toBe(0o600);
    expect(await done("--unit", "none", ...mail(mailPort))).toMatchObject({ changes: [] });
    // It is not tried again as long as it stays: the port may be closed now.
    expect(await done("--unit", "none", "--backup-to", join(place, "store"))).toMatchObject({
      steps: [expect.stringContaining("confab.toml"), expect.stringContaining("store")],
    });
  });

  test("shows with --dry-run what it would do, and does nothing of it", async () => {
    const { data, done, setup } = scene();
    const planned = await done("--dry-run", ...names, ...plain, "--domain", "chat.example.com");
    expect(planned).toMatchObject({ dry_run: true, login_link: null, next: [] });
    expect(planned.steps).toHaveLength(2);
    expect(existsSync(data)).toBe(false);
    const { status, stdout } = await setup("--dry-run", ...names, ...plain);
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining("Without --dry-run, this command\n\n  creates"),
    ]);
  });

  test("refuses bad answers in words, and changes nothing", async () => {
    const { place, refused, done } = scene();
    const all = ["--yes", ...names, "--unit", "none"];
    const cases: [status: number, says: string, ...args: string[]][] = [
      [2, "--org, --owner-name and --owner-email are missing", "--yes", "--unit", "none"],
      [
        2,
        "a domain must be a host name without scheme or port",
        ...all,
        "--domain",
        "https://chat.example.com",
      ],
      [2, "--https goes with --domain", ...all, "--https", "files"],
      [2, "--tls-cert and --tls-key are missing", ...all, "--domain", "a.example.com", "--https", "files"],
      [2, "--tls-key goes with --https files", ...all, "--domain", "a.example.com", "--tls-key", "k.pem"],
      [2, "a port must be a number from 1 to 65535", ...all, "--port", "99999"],
      [2, "--mail-port goes with --mail-host", ...all, "--mail-port", "25"],
      [2, "a time from 15m to 31d", ...all, "--backup-to", join(place, "b"), "--backup-every", "1m"],
      [1, "in the data folder", ...all, "--backup-to", join(place, "data", "b")],
      [1, "is no place of backups", ...all, "--backup-to", "s3://"],
      [1, "An S3 store needs s3_endpoint or", ...all, "--backup-to", "s3://bucket/chat"],
      [2, "Add --yes to confirm", ...names, "--unit", "none"],
    ];
    for (const [status, says, ...args] of cases) {
      expect([says, await refused(status, ...args)]).toEqual([says, expect.stringContaining(says)]);
    }
    await done(...names, ...plain);
    expect(await refused(1, "--yes", "--unit", "none", "--org", "Others")).toContain(
      "holds the organization Ada & Co already",
    );
    const file = join(place, "file");
    writeFileSync(file, "");
    expect(await refused(1, "--yes", "--unit", "none", "--backup-to", file)).toContain(
      `${file} is a file, not a folder.`,
    );
    const unit = join(place, "confab.service");
    const full = join(place, "full");
    mkdirSync(full);
    writeFileSync(join(full, "letters"), "");
    const toFull = ["setup", "--data", full, "--yes", ...names, "--unit", unit, "--user", username];
    expect((await confab([...toFull, "--no-start"])).stderr).toContain(
      `${full} holds other files, which would be given to ${username}`,
    );
    writeFileSync(unit, "[Service]\nExecStart=/usr/local/bin/confab serve --data /srv/other\n");
    const service = ["--unit", unit, "--user", username, "--no-start"];
    expect(await refused(1, "--yes", ...service)).toContain("starts another server");
  });
});

describe("setup in a terminal", () => {
  test("asks, asks again after a bad answer, and shows the lines before it writes them", async () => {
    const { place, data, toml, settings } = scene();
    const closed = String(await freePort());
    const store = join(place, "store");
    const questions: [string, string][] = [
      ["Name of the organization: ", ""],
      ["Name of the organization: ", "Ada & Co"],
      ["Your name: ", "Ada Byron"],
      ["Your address: ", "ada"],
      ["Your address: ", "ada@example.com"],
      ["this machine [none]: ", "chat.example.com"],
      ["a reverse proxy in front [auto]: ", "proxy"],
      ["of the proxy [127.0.0.1]: ", ""],
      ["Mail server, or none [none]: ", "127.0.0.1"],
      ["Its port [465]: ", closed],
      ["User name there, or none [none]: ", "chat"],
      ["Password there: ", "secret words"],
      ["Sender of the mails [noreply@chat.example.com]: ", ""],
      // The server does not answer, so these are asked again.
      ["Mail server, or none [127.0.0.1]: ", "none"],
      ["for backups, or none [none]: ", store],
      ["How often to back up [6h]: ", "soon"],
      ["How often to back up [6h]: ", "1d"],
      ["in hours, days and weeks [24h 14d 8w]: ", ""],
      ["Go on? [y/N] ", "y"],
    ];
    const { status, seen } = await inTerminal(["setup", "--data", data, "--unit", "none"], {
      columns: 100,
      answers: questions,
    });
    expect([status, seen]).toEqual([0, expect.stringContaining("What this command did")]);
    expect(seen).toContain("An answer is needed.");
    expect(seen).toContain(`127.0.0.1:${closed} does not answer (the connection is refused)`);
    expect(seen).not.toContain("secret words");
    expect(seen.indexOf('+ site = "https://chat.example.com"')).toBeLessThan(seen.indexOf("Go on?"));
    expect(seen).toContain(toml);
    expect(Bun.TOML.parse(settings())).toEqual({
      site: "https://chat.example.com",
      trusted_proxy: "127.0.0.1",
      backup: { every: "1d", to: store, keep: "24h 14d 8w" },
    });
    const again = await inTerminal(["setup", "--data", data, "--unit", "none"], {
      columns: 100,
      answers: [
        ["[chat.example.com]: ", "chat.example.org"],
        ["[proxy]: ", ""],
        ["[127.0.0.1]: ", ""],
        ["or none [none]: ", ""],
        [`[${store}]: `, ""],
        ["[1d]: ", ""],
        ["[24h 14d 8w]: ", ""],
        ["Go on? [y/N] ", "n"],
      ],
    });
    expect([again.status, again.seen]).toEqual([1, expect.stringContaining("Nothing was changed.")]);
    expect(again.seen).toContain(
      '- site = "https://chat.example.com"\n  + site = "https://chat.example.org"',
    );
    expect(settings()).toContain("chat.example.com");
  });

  test("that is interrupted changes nothing", async () => {
    const { data } = scene();
    const { status } = await inTerminal(["setup", "--data", data, "--unit", "none"], {
      columns: 100,
      answers: [
        ["Name of the organization: ", "Crew"],
        ["Your name: ", "\x04"],
      ],
    });
    expect([status !== 0, existsSync(data)]).toEqual([true, false]);
  });
});
