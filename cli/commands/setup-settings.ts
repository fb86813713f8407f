// What 'confab setup' reads of confab.toml as answers, and how it writes answers there.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { read } from "../args.ts";
import { planIn } from "../backups.ts";
import { parseSettings, serverSettings, settingsFile, settingsIn } from "../settings.ts";
import { type Answered, type Answers, mailUrl, none, usualListening } from "./setup-questions.ts";

type Values = Record<string, string | number | null>;

/** Values to write into the settings file: outside of tables, and into [backup]. Null removes one; a table that is null goes whole. */
interface Edits {
  values: Values;
  backup: Values | null;
}

export interface SettingsFile {
  path: string;
  text: string;
  content: Record<string, unknown>;
}

export function readSettingsFile(dataDir: string): SettingsFile {
  const path = join(resolve(dataDir), settingsFile);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const content = parseSettings(text, path);
  return { path, text, content };
}

/** What the settings file says, as answers. */
export function answersIn({ content, path }: SettingsFile): Answers {
  const found = settingsIn(content, path);
  const { domain, site, tls_cert, tls_key, trusted_proxy, host, port } = found;
  const https = domain !== undefined ? "auto" : wayIn({ site, tls_cert });
  const table = isTable(content.backup) ? content.backup : {};
  const ofBackup = (key: string) => (typeof table[key] === "string" ? table[key] : undefined);
  return withoutUndefined({
    domain: domain ?? (site === undefined ? undefined : URL.parse(site)?.hostname),
    https,
    tls_cert,
    tls_key,
    trusted_proxy,
    host,
    port,
    ...mailIn(found),
    backup_to: ofBackup("to"),
    backup_every: ofBackup("every"),
    backup_keep: ofBackup("keep"),
    s3_endpoint: ofBackup("s3_endpoint"),
    s3_region: ofBackup("s3_region"),
    s3_credentials: ofBackup("s3_credentials"),
  });
}

function wayIn({ site, tls_cert }: Record<string, string | undefined>): string | undefined {
  if (tls_cert !== undefined) return "files";
  return site === undefined ? undefined : "proxy";
}

function mailIn({ smtp_url, mail_from }: Record<string, string>): Answers {
  const url = smtp_url === undefined ? null : URL.parse(smtp_url);
  if (!url) return {};
  const { hostname, port, username, password, protocol, search } = url;
  return withoutUndefined({
    mail_host: hostname.replaceAll(/[[\]]/g, ""),
    mail_port: port || (protocol === "smtps:" ? "465" : "587"),
    mail_user: username === "" ? undefined : decodeURIComponent(username),
    mail_password: password === "" ? undefined : decodeURIComponent(password),
    mail_options: search || undefined,
    mail_from,
  });
}

function withoutUndefined(answers: { [K in keyof Answers]: Answers[K] | undefined }): Answers {
  return Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== undefined));
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const groups = {
  address: ["domain", "https", "tls_cert", "tls_key", "trusted_proxy", "host", "port"],
  mail: ["mail_host", "mail_port", "mail_user", "mail_password", "mail_password_file", "mail_from"],
  backup: ["backup_to", "backup_every", "backup_keep", "s3_endpoint", "s3_region", "s3_credentials"],
} as const;

/** What the answers change in the settings file. What nobody answered otherwise than before stays as it is written. */
export function editsFor({ so, given }: Answered, before: Answers, content: SettingsFile["content"]): Edits {
  const differs = (group: keyof typeof groups) => {
    const isThere = groups[group].some((key) => before[key] !== undefined);
    return groups[group].some(
      (key) => orNone(so[key]) !== orNone(before[key]) && (!isThere || given.has(key)),
    );
  };
  return {
    values: {
      ...(differs("address") && addressValues(so, before, content.site)),
      ...(differs("mail") && mailValues(so)),
    },
    backup: differs("backup") ? backupValues(so) : isTable(content.backup) ? {} : null,
  };
}

const orNone = (value: string | undefined) => value ?? none;
const orNull = (value: string | undefined) => (orNone(value) === none ? null : (value ?? null));
const fileOrNull = (value: string | undefined) => (orNull(value) === null ? null : resolve(value ?? ""));

function addressValues(so: Answers, before: Answers, site: unknown): Values {
  const { domain, https, host, port, tls_cert, tls_key, trusted_proxy } = so;
  const usual = usualListening(so);
  // The server takes these by itself, except with the files of a certificate.
  const isTaken = https !== "files" && host === usual.host && port === usual.port;
  return {
    domain: https === "auto" ? (domain ?? null) : null,
    site: siteOf(so, before, site),
    host: isTaken ? null : (host ?? null),
    port: isTaken ? null : Number(port),
    tls_cert: fileOrNull(tls_cert),
    tls_key: fileOrNull(tls_key),
    trusted_proxy: orNull(trusted_proxy),
  };
}

function siteOf({ domain, https, port }: Answers, before: Answers, site: unknown): string | null {
  if (orNull(domain) === null || https === "auto") return null;
  // The proxy may be reached at another port, which is no answer.
  const isSame = https === "proxy" && before.https === "proxy" && domain === before.domain;
  if (isSame && typeof site === "string") return site;
  return `https://${domain}${https === "files" && port !== "443" ? `:${port}` : ""}`;
}

function mailValues(so: Answers): Values {
  return { smtp_url: mailUrl(so) || null, mail_from: orNull(so.mail_from) };
}

function backupValues({ backup_to: to = none, ...so }: Answers): Values | null {
  if (to === none) return null;
  return {
    every: so.backup_every ?? null,
    to: to.includes("://") ? to : resolve(to),
    keep: so.backup_keep ?? null,
    s3_endpoint: orNull(so.s3_endpoint),
    s3_region: orNull(so.s3_region),
    s3_credentials: fileOrNull(so.s3_credentials),
  };
}

/** The text with the edits; all else, comments included, stays. Throws if that could not be used by a server. */
export function editSettings(file: SettingsFile, { values, backup }: Edits, dataDir: string): string {
  const table = isTable(file.content.backup) ? file.content.backup : null;
  const lines = file.text === "" ? [] : file.text.replace(/\n$/, "").split("\n");
  const top = editLines(lines.slice(0, startOfTables(lines)), values);
  const rest = editTable(lines.slice(startOfTables(lines)), backup);
  const gap = top.length > 0 && rest.length > 0 && top.at(-1) !== "" && rest[0] !== "" ? [""] : [];
  const edited = [...top, ...gap, ...rest].map((line) => `${line}\n`).join("");
  if (edited === `${file.text}\n`) return file.text;
  const { backup: _, ...others } = file.content;
  const merged = {
    ...merge(others, values),
    ...(backup && { backup: merge(table ?? {}, backup) }),
  };
  if (!isDeepStrictEqual(readable(edited), merged)) {
    fail(
      "BAD_REQUEST",
      `${file.path} is written in a way that this command cannot change: change it by hand, as the install guide says.`,
    );
  }
  const settings = settingsIn(merged, file.path);
  const checked = read(serverSettings, {}, settings);
  if ("problem" in checked) fail("BAD_REQUEST", `${checked.problem}.`);
  planIn({ backup: merged.backup, settings: () => settings }, dataDir);
  return edited;
}

function readable(text: string): unknown {
  try {
    return Bun.TOML.parse(text);
  } catch {
    return null;
  }
}

function merge(content: Record<string, unknown>, values: Values): Record<string, unknown> {
  return Object.fromEntries(Object.entries({ ...content, ...values }).filter(([, value]) => value !== null));
}

const isHeader = (line: string) => /^\s*\[/.test(line);
const isBackupHeader = (line: string) => /^\s*\[\s*backup\s*\]/.test(line);

function startOfTables(lines: readonly string[]): number {
  const found = lines.findIndex(isHeader);
  return found < 0 ? lines.length : found;
}

function editTable(lines: readonly string[], backup: Values | null): string[] {
  const start = lines.findIndex(isBackupHeader);
  if (start < 0) {
    if (backup === null || Object.keys(backup).length === 0) return [...lines];
    const gap = lines.length > 0 ? [""] : [];
    return [...lines, ...gap, "[backup]", ...editLines([], backup)];
  }
  const next = lines.findIndex((line, i) => i > start && isHeader(line));
  const end = next < 0 ? lines.length : next;
  const own =
    backup === null
      ? []
      : [...lines.slice(start, start + 1), ...editLines(lines.slice(start + 1, end), backup)];
  return [...lines.slice(0, start), ...own, ...lines.slice(end)];
}

function editLines(lines: readonly string[], values: Values): string[] {
  const edited = [...lines];
  for (const [key, value] of Object.entries(values)) {
    const at = edited.findIndex((line) => new RegExp(`^\\s*${key}\\s*=`).test(line));
    const written = value === null ? [] : [`${key} = ${JSON.stringify(value)}`];
    if (at >= 0) edited.splice(at, 1, ...written);
    else edited.splice(endOf(edited), 0, ...written);
  }
  return edited;
}

/** Behind the last line that is not empty. */
function endOf(lines: readonly string[]): number {
  return lines.findLastIndex((line) => line.trim() !== "") + 1;
}

/** The lines that go and those that come, in this order; passwords are hidden. */
export function differenceOf(before: string, after: string): string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const gone = old.filter((line) => !now.includes(line)).map((line) => `- ${line}`);
  const come = now.filter((line) => !old.includes(line)).map((line) => `+ ${line}`);
  return [...gone, ...come].map((line) => line.replace(/(\w+:\/\/[^/:]*):[^/]*@/, "$1:***@"));
}

const linesOf = (text: string) => text.split("\n").filter((line) => line.trim() !== "");
