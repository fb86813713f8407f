// The steps of 'confab setup', which can be done again, and the programs of this machine that they need.
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { writePrivately } from "@/operations/data-folder/host.ts";
import { databaseFile } from "@/operations/data-folder/schema.ts";
import { asOperator } from "../organization.ts";
import { settingsFile } from "../settings.ts";
import { foundIn } from "./init.ts";
import { addressOf, outputOf, type Plan } from "./setup-plan.ts";

export interface Step {
  /** As in "This creates …". */
  does: string;
  run: () => void | Promise<void>;
}

interface Doing {
  starts: boolean;
  onLink: (link: string) => void;
}

export function stepsOf(plan: Plan, { starts, onLink }: Doing): Step[] {
  const { dataDir, answers, isNew, settings, unit, user, backups } = plan;
  const steps: Step[] = [];
  const add = (isDue: boolean, does: string, run: Step["run"]) => isDue && steps.push({ does, run });
  const isMade = user === null || outputOf("id", "-u", user) !== null;
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
      runProgram("systemctl", "daemon-reload");
      if (isActive) runProgram("systemctl", "restart", unit.name);
      else runProgram("systemctl", "enable", "--now", unit.name);
    },
  );
  return steps;
}

/** Creates the organization; returns a link that signs its owner in. */
async function found(plan: Plan): Promise<string> {
  const { dataDir, answers } = plan;
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
    async (ctx) => addressOf(plan) + (await makeLoginLink(ctx, ctx.actor.id)).path,
  );
}

function makeUser(user: string, dataDir: string): void {
  runProgram("useradd", "--system", "--home-dir", dataDir, "--shell", "/usr/sbin/nologin", user);
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
  runProgram("chown", "-R", `${user}:`, path);
}

function isOwnedBy(path: string, user: string): boolean {
  return !existsSync(path) || String(statSync(path).uid) === outputOf("id", "-u", user);
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

/** Runs a program of this machine; throws with what it says if it fails. */
function runProgram(program: string, ...words: string[]): void {
  if (!Bun.which(program)) fail("BAD_REQUEST", `This machine has no program ${program}.`);
  const { exitCode, stderr } = Bun.spawnSync([program, ...words]);
  if (exitCode !== 0)
    fail(
      "BAD_REQUEST",
      `'${[program, ...words].join(" ")}' failed: ${stderr.toString().trim() || `status ${exitCode}`}`,
    );
}
