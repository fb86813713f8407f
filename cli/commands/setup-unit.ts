// The systemd unit that 'confab setup' writes: docs/confab.service with the paths of this machine.
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import template from "../../docs/confab.service" with { type: "text" };
import { none } from "./setup-questions.ts";

export const usualUnit = "/etc/systemd/system/confab.service";

/** Where the unit goes if nothing is said: nowhere without systemd, or for people who may not write it. */
export function unitHere(): string {
  return existsSync("/run/systemd/system") && process.getuid?.() === 0 ? usualUnit : none;
}

export interface Unit {
  user: string;
  group: string;
  dataDir: string;
  /** Folders outside the data folder that the server writes to. */
  folders: readonly string[];
}

/** The folders that ProtectHome= hides. */
const homes = /^\/(home|root|run\/user)\//;

export function unitText({ user, group, dataDir, folders }: Unit): string {
  const program = ownProgram();
  const isInHome = [...program, dataDir, ...folders].some((path) => homes.test(path));
  const values: Record<string, string> = {
    User: user,
    Group: group,
    ExecStart: [...program, "serve", "--data", dataDir]
      .map((word) => quoteForUnit(word, { inCommand: true }))
      .join(" "),
    ReadWritePaths: [dataDir, ...folders].map((path) => quoteForUnit(path)).join(" "),
    ...(isInHome && { ProtectHome: "read-only" }),
  };
  return template.replaceAll(/^(\w+)=.*$/gm, (line, name: string) =>
    name in values ? `${name}=${values[name]}` : line,
  );
}

/** How this program was started: the executable or, from the sources, Bun and the entry point. */
function ownProgram(): string[] {
  const script = process.argv[1] ?? "";
  return script.endsWith("main.ts") && existsSync(script)
    ? [process.execPath, resolve(script)]
    : [process.execPath];
}

function quoteForUnit(text: string, { inCommand = false } = {}): string {
  const escaped = text.replaceAll("%", "%%").replaceAll(/[\\"]/g, "\\$&");
  const whole = inCommand ? escaped.replaceAll("$", "$$$$") : escaped;
  return /[\s\\"']/.test(text) ? `"${whole}"` : whole;
}

/** The text of a unit that is there already, empty without one; throws if it serves another data folder. */
export function readUnit(path: string, dataDir: string): string {
  if (path === none || !existsSync(path)) return "";
  const text = readFileSync(path, "utf8");
  const serves = `--data ${quoteForUnit(dataDir, { inCommand: true })}`;
  const start = /^ExecStart=.*$/m.exec(text)?.[0] ?? "";
  if (start === "" || `${start} `.includes(`${serves} `)) return text;
  return fail(
    "BAD_REQUEST",
    `${path} starts another server (${start.replace("ExecStart=", "")}): name another unit with --unit, or remove that one.`,
  );
}
