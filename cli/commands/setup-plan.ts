// What 'confab setup' is going to do, decided before anything is changed.
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { z } from "zod";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { beginningOf, checkNotLost, hasOrganizationIn } from "@/operations/data-folder/queries.ts";
import { asReader } from "../organization.ts";
import { settingsFile } from "../settings.ts";
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
import { readUnit, unitHere, unitText } from "./setup-unit.ts";

export const change = z.object({ file: z.string(), lines: z.array(z.string()) });
export type Change = z.infer<typeof change>;

/** All that is decided before anything is changed. */
export interface Plan {
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

interface Setting {
  given: Record<string, unknown>;
  inTerminal: boolean;
  skip_mail_test: boolean;
  unit?: string | undefined;
  user: string;
}

export async function makePlan(
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
  const group = outputOf("id", "-gn", user) ?? user;
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

export function changesOf({ settings, unit }: Plan): Change[] {
  const changes = [{ file: settings.path, lines: differenceOf(settings.text, settings.edited) }];
  if (unit) changes.push({ file: unit.path, lines: differenceOf(unit.before, unit.text) });
  return changes.filter(({ lines }) => lines.length > 0);
}

/** The address at which people reach the server. */
export function addressOf({ answers, settings }: Plan): string {
  const { domain = none, https, host = "", port = "" } = answers;
  if (domain === none) return `http://${inUrl(connectable(host))}:${port}`;
  const { site } = Bun.TOML.parse(settings.edited) as { site?: string };
  if (https === "proxy" && site !== undefined) return site;
  return `https://${domain}${https !== "proxy" && port !== "443" ? `:${port}` : ""}`;
}

/** What a program prints; null if it fails or is not there. */
export function outputOf(program: string, ...words: string[]): string | null {
  if (!Bun.which(program)) return null;
  const { exitCode, stdout } = Bun.spawnSync([program, ...words], { stderr: "ignore" });
  return exitCode === 0 ? stdout.toString().trim() : null;
}
