// Sets a server up: asks, shows what changes, and then does it in steps that can be done again.
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { listText } from "@/kernel/lib/wording.ts";
import { writePrivately } from "@/operations/data-folder/host.ts";
import { beginningOf, checkNotLost, hasOrganizationIn } from "@/operations/data-folder/queries.ts";
import { databaseFile } from "@/operations/data-folder/schema.ts";
import { flag, option } from "../args.ts";
import { standalone } from "../command.ts";
import { ask, yes } from "../confirm.ts";
import { asOperator, asReader } from "../organization.ts";
import { bold, harmlessLines, quote } from "../output.ts";
import { settingsFile } from "../settings.ts";
import { streams } from "../streams.ts";
import { foundIn } from "./init.ts";
import { connectable, inUrl } from "./serve-listening.ts";
import { type Answered, type Answers, answerArgs, collectAnswers, none } from "./setup-questions.ts";
import {
  answersIn,
  differenceOf,
  editSettings,
  editsFor,
  readSettingsFile,
  type SettingsFile,
} from "./setup-settings.ts";
import { readUnit, unitHere, unitText, usualUnit } from "./setup-unit.ts";

const change = z.object({ file: z.string(), lines: z.array(z.string()) });
type Change = z.infer<typeof change>;

const shape = z.object({
  dry_run: z.boolean(),
  /** The lines of files that go (-) and come (+). */
  changes: z.array(change),
  /** What was done; with --dry-run, what would be. */
  steps: z.array(z.string()),
  next: z.array(z.string()),
  /** Signs the owner of a new organization in, once and within an hour. */
  login_link: z.string().nullable(),
});
type Shown = z.infer<typeof shape>;

const accountName = z
  .string()
  .regex(/^[a-z_][a-z0-9_-]{0,30}$/, "the name of a user of this machine, such as confab");

const args = {
  ...answerArgs,
  skip_mail_test: flag(z.boolean().default(false), "do not try the connection to the mail server"),
  unit: option(
    "FILE",
    z
      .string()
      .regex(/^(none|\/.*\/[\w@.-]+\.service)$/, "the path of a unit that ends in .service, or none")
      .optional(),
    `systemd unit to write; 'none' for none (default: ${usualUnit} for root, where systemd runs)`,
  ),
  user: option(
    "NAME",
    accountName.default("confab"),
    "user of this machine that the service runs as; created if it does not exist",
  ),
  no_start: flag(z.boolean().default(false), "do not start the service, nor at boot"),
  dry_run: flag(z.boolean().default(false), "show what would be done, and change nothing"),
  yes,
};

/** All that is decided before anything is changed. */
interface Plan {
  dataDir: string;
  answers: Answers;
  isNew: boolean;
  settings: SettingsFile & { edited: string };
  unit: { path: string; name: string; before: string; text: string } | null;
  /** The user that the service runs as; null without a service. */
  user: string | null;
  /** The folder of this machine that backups go to. */
  backups: string | null;
}

interface Step {
  /** As in "This creates …". */
  does: string;
  run: () => void | Promise<void>;
}

export default [
  standalone({
    name: "setup",
    summary: "Set a server up: organization, settings, service, backups",
    about:
      "Asks for what a server needs, and then creates the organization, writes confab.toml in the data folder and, as root where " +
      "systemd runs, a unit of systemd, and starts it. Each answer is a flag, too: with --yes nothing is asked, and what is not " +
      "given stays as it is, or becomes what is usual. It can be run again: Enter keeps the answer of before, and all else in " +
      "confab.toml stays. It shows the lines that change before it changes anything.",
    examples: [
      "sudo confab setup --data /var/lib/confab",
      "confab setup --dry-run --org Crew --owner-name Ada --owner-email ada@example.com",
      "sudo confab setup --data /var/lib/confab --yes --backup-to /mnt/backups --backup-every 1d",
    ],
    args,
    result: shape,
    async run({ dataDir: folder, given, show }, { yes, dry_run, ...how }) {
      const dataDir = resolve(folder);
      const inTerminal = streams().isTerminal() && process.stderr.isTTY === true && !yes;
      const plan = await makePlan(dataDir, { ...how, given, inTerminal });
      const changes = changesOf(plan);
      const links: string[] = [];
      const steps = stepsOf(plan, { starts: !how.no_start, onLink: (link) => links.push(link) });
      const shown = { dry_run, changes, steps: steps.map(({ does }) => does), next: [], login_link: null };
      if (dry_run) return show(shown);
      if (steps.length > 0 && !yes) await askToGoOn(changes, steps);
      for (const { run } of steps) await run();
      const [login_link = null] = links;
      await show({ ...shown, login_link, next: await nextSteps(plan, login_link !== null, !how.no_start) });
    },
    json: (shown: Shown) => shown,
    print: ({ dry_run, changes, steps, next, login_link }: Shown) => {
      const does = steps.map((one) => `  ${one}`).join("\n");
      const title = dry_run ? "Without --dry-run, this command" : "What this command did: it";
      const parts = [
        ...changes.map(changeText),
        steps.length === 0 ? "All is as it was answered: nothing was changed." : `${title}\n\n${does}`,
        login_link &&
          `Sign in with this link, in a browser. It works once, within an hour:\n\n  ${bold(login_link)}`,
        next.length > 0 && `What to do next:\n\n${next.map((one) => `  ${one}`).join("\n")}`,
      ];
      return parts.filter(Boolean).join("\n\n");
    },
  }),
];

async function askToGoOn(changes: readonly Change[], steps: readonly Step[]): Promise<void> {
  if (process.stderr.isTTY)
    for (const one of changes) process.stderr.write(`${harmlessLines(changeText(one))}\n\n`);
  await ask(`${sentenceOf(steps)} Go on?`);
}

const sentenceOf = (steps: readonly Step[]) => `This ${listText(steps.map(({ does }) => does))}.`;
/** A new file may be long; what is in it is known by its kind. */
const maxShown = 12;

function changeText({ file, lines }: Change): string {
  const more = lines.length > maxShown ? [`… and ${lines.length - maxShown} more lines`] : [];
  return `${file}:\n${[...lines.slice(0, maxShown), ...more].map((line) => `  ${line}`).join("\n")}`;
}

interface Setting {
  given: Record<string, unknown>;
  inTerminal: boolean;
  skip_mail_test: boolean;
  unit?: string | undefined;
  user: string;
}

async function makePlan(
  dataDir: string,
  { given, inTerminal, skip_mail_test, unit = unitHere(), user }: Setting,
): Promise<Plan> {
  checkNotLost(dataDir);
  const isNew = !hasOrganizationIn(dataDir) || beginningOf(dataDir) !== null;
  if (isNew && unit !== none && holdsOthers(dataDir)) {
    fail(
      "BAD_REQUEST",
      `${dataDir} holds other files, which would be given to ${user}: name an empty folder with --data.`,
    );
  }
  const typed = Object.fromEntries(
    Object.keys(answerArgs).flatMap((key) => (typeof given[key] === "string" ? [[key, given[key]]] : [])),
  );
  if (!isNew) await checkSame(dataDir, typed);
  const file = readSettingsFile(dataDir);
  const before = answersIn(file);
  const edit = (answered: Answered) => editSettings(file, editsFor(answered, before, file.content), dataDir);
  const usualPlace = unit === none ? none : "/var/backups/confab-store";
  const asking = {
    before,
    isNew,
    usualPlace,
    mailIsTried: !skip_mail_test,
    checkBackup: (answered: Answered) => {
      edit(answered);
      checkFolder(backupFolderOf(answered.so));
    },
  };
  // Those of the organization that is there are equal, and no questions.
  const flags = isNew
    ? typed
    : Object.fromEntries(Object.entries(typed).filter(([key]) => !isOfFounding(key)));
  const answered = await collectAnswers(flags, asking, inTerminal);
  const { so: answers } = answered;
  const backups = backupFolderOf(answers);
  const plan = { dataDir, answers, isNew, settings: { ...file, edited: edit(answered) }, backups };
  if (unit === none) return { ...plan, unit: null, user: null };
  const group = said("id", "-gn", user) ?? user;
  const text = unitText({ user, group, dataDir, folders: backups === null ? [] : [backups] });
  const name = basename(unit, ".service");
  return { ...plan, unit: { path: unit, name, before: readUnit(unit, dataDir), text }, user };
}

/** Whether there is more in a new data folder than its settings, and than a start that was interrupted has left. */
function holdsOthers(dataDir: string): boolean {
  if (!existsSync(dataDir) || beginningOf(dataDir) !== null) return false;
  // A disk of its own has "lost+found".
  return readdirSync(dataDir).some((name) => name !== settingsFile && name !== "lost+found");
}

function backupFolderOf({ backup_to = none }: Answers): string | null {
  return backup_to === none || backup_to.includes("://") ? null : resolve(backup_to);
}

function checkFolder(path: string | null): void {
  if (path === null || !existsSync(path) || statSync(path).isDirectory()) return;
  fail("BAD_REQUEST", `${path} is a file, not a folder.`);
}

const ofFounding = ["org", "owner_name", "owner_email", "language"] as const;
const isOfFounding = (key: string) => (ofFounding as readonly string[]).includes(key);

/** Throws if the flags name another organization than the one that is there; equal ones are no mistake when a script runs twice. */
async function checkSame(dataDir: string, typed: Answers): Promise<void> {
  if (ofFounding.every((key) => typed[key] === undefined)) return;
  const [{ realmSettings }, { listUsers }, { addressOf: addressOfUser }] = await Promise.all([
    import("@/foundation/realm/schema.ts"),
    import("@/foundation/accounts/queries.ts"),
    import("@/foundation/users/schema.ts"),
  ]);
  await asReader({ dataDir, as: null }, (ctx) => {
    const { name, default_language } = realmSettings.read(ctx);
    const owners = listUsers(ctx, {}).filter(({ is_owner, is_active }) => is_owner && is_active);
    const { org = name, language = default_language, owner_email, owner_name } = typed;
    const isOwner = owners.some(
      (one) =>
        (owner_email ?? addressOfUser(one)).toLowerCase() === addressOfUser(one).toLowerCase() &&
        (owner_name ?? one.full_name) === one.full_name,
    );
    if (org === name && language === default_language && isOwner) return;
    fail(
      "BAD_REQUEST",
      `${dataDir} holds the organization ${name} already, and its name, language and owners are others than given. ` +
        "'confab realm set' and 'confab user' change them.",
    );
  });
}

function changesOf({ settings, unit }: Plan): Change[] {
  const changes = [{ file: settings.path, lines: differenceOf(settings.text, settings.edited) }];
  if (unit) changes.push({ file: unit.path, lines: differenceOf(unit.before, unit.text) });
  return changes.filter(({ lines }) => lines.length > 0);
}

interface Doing {
  starts: boolean;
  onLink: (link: string) => void;
}

function stepsOf(plan: Plan, { starts, onLink }: Doing): Step[] {
  const { dataDir, answers, isNew, settings, unit, user, backups } = plan;
  const steps: Step[] = [];
  const add = (isDue: boolean, does: string, run: Step["run"]) => isDue && steps.push({ does, run });
  const isMade = user === null || said("id", "-u", user) !== null;
  add(!isMade, `makes the user ${user} of this machine`, () => makeUser(user ?? "", dataDir));
  add(isNew, `creates the organization ${answers.org} in ${dataDir}`, async () => {
    makeFolderFor(dataDir);
    onLink(await found(plan));
  });
  add(settings.text !== settings.edited, `writes ${settings.path}`, () => {
    makeFolderFor(dataDir);
    const before = statSync(settings.path, { throwIfNoEntry: false });
    writePrivately(settings.path, settings.edited);
    // Else a server that runs as another user could no longer read it.
    if (before && process.getuid?.() === 0) chownSync(settings.path, before.uid, before.gid);
  });
  const isGiven = (file: string) => user === null || isOwnedBy(join(dataDir, file), user);
  add(
    user !== null && (steps.length > 0 || ![databaseFile, settingsFile].every(isGiven)),
    `gives ${dataDir} to ${user}`,
    () => giveTo(user ?? "", dataDir),
  );
  add(backups !== null && isToMake(backups, user), `makes the folder ${backups}`, () => {
    makeFolderFor(backups ?? "");
    if (user !== null) giveTo(user, backups ?? "");
  });
  if (!unit) return steps;
  add(unit.before !== unit.text, `writes ${unit.path}`, () => writeUnit(unit));
  if (!starts || !Bun.which("systemctl")) return steps;
  const isActive = isRunning(unit.name);
  const verb = isActive ? "restarts" : "starts";
  add(
    !isActive || steps.length > 0,
    `${verb} ${unit.name}${isActive ? "" : ", now and at each boot"}`,
    () => {
      must("systemctl", "daemon-reload");
      if (isActive) must("systemctl", "restart", unit.name);
      else must("systemctl", "enable", "--now", unit.name);
    },
  );
  return steps;
}

/** Creates the organization; returns a link that signs its owner in. */
async function found({ dataDir, answers }: Plan): Promise<string> {
  const { org = "", owner_email = "", owner_name = "", language } = answers;
  const names = {
    name: org,
    owner_email,
    owner_name,
    ...(language !== undefined && { default_language: language }),
  };
  await foundIn(dataDir, names, async () => {});
  const { makeLoginLink } = await import("@/foundation/sessions/actions-links.ts");
  return asOperator(
    { dataDir, as: owner_email },
    async (ctx) => addressOf(answers) + (await makeLoginLink(ctx, ctx.actor.id)).path,
  );
}

/** The address at which people reach the server. */
function addressOf({ domain = none, https, host = "", port = "" }: Answers): string {
  if (domain === none) return `http://${inUrl(connectable(host))}:${port}`;
  return `https://${domain}${https !== "proxy" && port !== "443" ? `:${port}` : ""}`;
}

function makeUser(user: string, dataDir: string): void {
  must("useradd", "--system", "--home-dir", dataDir, "--shell", "/usr/sbin/nologin", user);
}

/** Makes a folder that only its owner may enter; those above it are open, as usual on this machine. */
function makeFolderFor(path: string): void {
  const before = process.umask(0o022);
  try {
    mkdirSync(dirname(path), { recursive: true });
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    fail("BAD_REQUEST", `${path} cannot be made: ${(error as Error).message}.`);
  } finally {
    process.umask(before);
  }
}

function giveTo(user: string, path: string): void {
  must("chown", "-R", `${user}:`, path);
}

function isOwnedBy(path: string, user: string): boolean {
  return !existsSync(path) || String(statSync(path).uid) === said("id", "-u", user);
}

/** Whether a folder for backups has yet to be made, or given to its user; one with files in it is left as it is. */
function isToMake(folder: string, user: string | null): boolean {
  if (!existsSync(folder)) return true;
  return user !== null && readdirSync(folder).length === 0 && !isOwnedBy(folder, user);
}

function writeUnit({ path, text }: { path: string; text: string }): void {
  try {
    writePrivately(path, text);
    chmodSync(path, 0o644);
  } catch (error) {
    fail(
      "BAD_REQUEST",
      `${path} cannot be written: ${(error as Error).message}. Run this as root, or with --unit none.`,
    );
  }
}

function isRunning(unit: string): boolean {
  return Bun.spawnSync(["systemctl", "is-active", "--quiet", unit]).exitCode === 0;
}

/** What a program prints; null if it fails or is not there. */
function said(program: string, ...words: string[]): string | null {
  if (!Bun.which(program)) return null;
  const { exitCode, stdout } = Bun.spawnSync([program, ...words], { stderr: "ignore" });
  return exitCode === 0 ? stdout.toString().trim() : null;
}

/** Runs a program of this machine; throws with what it says if it fails. */
function must(program: string, ...words: string[]): void {
  if (!Bun.which(program)) fail("BAD_REQUEST", `This machine has no program ${program}.`);
  const { exitCode, stderr } = Bun.spawnSync([program, ...words]);
  if (exitCode !== 0)
    fail(
      "BAD_REQUEST",
      `'${[program, ...words].join(" ")}' failed: ${stderr.toString().trim() || `status ${exitCode}`}`,
    );
}

async function nextSteps(plan: Plan, hasLink: boolean, starts: boolean): Promise<string[]> {
  const { dataDir, answers, unit, user, backups } = plan;
  const folder = /^[\w./@+-]+$/.test(dataDir) ? dataDir : quote(dataDir);
  const confab = (words: string) =>
    `${user === null ? "" : `sudo -u ${user} `}confab ${words} --data ${folder}`;
  const started = !unit
    ? `${confab("serve")}   # start the server`
    : await whetherItAnswers(plan, unit.name, starts);
  return [
    started,
    answers.https === "auto" &&
      `Let ${answers.domain} lead to this machine, and its ports 80 and 443 be open: the server gets its certificate through them.`,
    answers.https === "proxy" &&
      `Let the proxy pass ${addressOf(answers)} on to http://${answers.host}:${answers.port}.`,
    !hasLink &&
      `${confab(`user login-link ${answers.owner_email ?? "EMAIL"}`)}   # a link that signs in once`,
    (answers.mail_host ?? none) === none &&
      "Without a mail server, you pass invitations on yourself; --mail-host names one.",
    backups === null &&
      (answers.backup_to ?? none) === none &&
      "No backups are made; --backup-to says where to.",
    backups !== null && `Copy ${backups} and ${plan.settings.path} to another machine from time to time.`,
    `${confab("doctor")}   # check all of it`,
  ].filter((one) => one !== false && one !== null);
}

async function whetherItAnswers(
  { answers: { https, host = "", port = "" } }: Plan,
  unit: string,
  starts: boolean,
): Promise<string | null> {
  if (!starts || !Bun.which("systemctl"))
    return `systemctl daemon-reload && systemctl enable --now ${unit}   # start the service`;
  const local = `${https === "files" || https === "auto" ? "https" : "http"}://${inUrl(connectable(host))}:${port}/health`;
  for (const end = Date.now() + patienceMs; Date.now() < end; await Bun.sleep(pauseMs)) {
    // The certificate names the public host, but this connects to the local machine.
    const isAnswered = await fetch(local, {
      tls: { rejectUnauthorized: false },
      signal: AbortSignal.timeout(pauseMs * 8),
    }).then(
      () => true,
      () => false,
    );
    if (isAnswered) return null;
  }
  return `The server does not answer yet: journalctl -u ${unit} -n 20 shows why.`;
}

const patienceMs = 20_000;
const pauseMs = 250;
