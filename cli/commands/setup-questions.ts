// The questions of 'confab setup', in their order. Each answer is a flag, too.
import { z } from "zod";
import { tryMailServer } from "@/foundation/mail/host.ts";
import { organizationName } from "@/foundation/realm/schema.ts";
import { emailAddress, fullName } from "@/foundation/users/schema.ts";
import { AppError, failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { listText, wordingAfter, wordingOf } from "@/kernel/lib/wording.ts";
import { interval, keepRule } from "@/operations/backup/schema.ts";
import { type Arg, option, optionName } from "../args.ts";
import { readLine, readSecret } from "../input.ts";
import { failUsage } from "../misuse.ts";
import { complain } from "../output.ts";
import { serverSettings } from "../settings.ts";
import { readCertificate, textOf } from "../tls.ts";
import { languageTag } from "./init.ts";

export const none = "none";

const mailHost = z
  .string()
  .max(253)
  .regex(/^[\w.:-]+$/, "a host must be a name or an address, such as mail.example.com; or none");
const text = z.string().min(1).max(1000);
const path = z.string().min(1, "the path of a file").max(4096);
const mailFrom = emailAddress.optional();

/** A setting of the server as a flag that is for this command alone, as typed. */
function ofServer(
  key:
    | "tls_cert"
    | "tls_key"
    | "trusted_proxy"
    | "host"
    | "port"
    | "s3_endpoint"
    | "s3_region"
    | "s3_credentials",
  about?: string,
) {
  const { placeholder, rule, about: usual } = serverSettings[key] as Arg;
  return option(placeholder, asTyped(rule), about ?? usual);
}

/** Checks by a rule, and keeps the text. */
function asTyped(rule: z.ZodType): z.ZodType<string | undefined> {
  return z
    .string()
    .superRefine((typed, ctx) => {
      const { error } = rule.safeParse(typed);
      for (const issue of error?.issues ?? [])
        ctx.addIssue({ code: "custom", message: wordingOf(issue).text });
    })
    .optional();
}

export const answerArgs = {
  org: option("NAME", asTyped(organizationName), "name of the organization"),
  owner_name: option("NAME", asTyped(fullName), "name of its owner"),
  owner_email: option("EMAIL", asTyped(emailAddress), "address of its owner"),
  language: option("TAG", asTyped(languageTag), "language of the organization and of new people"),
  domain: option(
    "NAME",
    asTyped(serverSettings.domain.rule),
    "domain name at which people reach the server; 'none' to try it on this machine",
  ),
  https: option(
    "WAY",
    z.enum(["auto", "files", "proxy"]).optional(),
    "auto: the server gets a certificate for the domain by itself; files: it has one; proxy: a reverse proxy ends TLS",
  ),
  tls_cert: ofServer("tls_cert", "certificate chain (PEM)"),
  tls_key: ofServer("tls_key"),
  trusted_proxy: ofServer("trusted_proxy"),
  host: ofServer("host"),
  port: ofServer("port"),
  mail_host: option("HOST", mailHost.optional(), "mail server that sends all mails; 'none' for none"),
  mail_port: option(
    "PORT",
    asTyped(serverSettings.port.rule),
    "its port: 465, or 587 where TLS begins later",
  ),
  mail_user: option("NAME", text.optional(), "user name there; 'none' for none"),
  mail_password_file: option("FILE", path.optional(), "file that holds the password there"),
  mail_from: option("EMAIL", asTyped(mailFrom), "sender address of emails"),
  backup_to: option(
    "PLACE",
    text.optional(),
    "folder or s3://BUCKET/PREFIX for scheduled backups; 'none' for none",
  ),
  backup_every: option("TIME", asTyped(interval), "how often to back up: a time from 15m to 31d, such as 6h"),
  backup_keep: option(
    "RULE",
    asTyped(keepRule),
    "which backups stay: numbers of hours, days and weeks, such as '24h 14d 8w'",
  ),
  s3_endpoint: ofServer("s3_endpoint", "address of the S3 store of the backups; if not given, Amazon's own"),
  s3_region: ofServer("s3_region", "region of the backups' bucket"),
  s3_credentials: ofServer("s3_credentials", "file with the credentials of the backups' bucket"),
};

type Key = keyof typeof answerArgs | "mail_password" | "mail_options";
export type Answers = { [K in Key]?: string };

interface Question {
  key: Key;
  /** What the terminal asks; without it, only the flag answers. */
  asks?: string;
  /** Must be answered: Enter alone is no answer. */
  isNeeded?: true;
  isSecret?: true;
  /** Under which answers it is a question at all, and how to say so. */
  when?: { isSo: (so: Answers) => boolean; says: string };
  usual?: (so: Answers) => string | undefined;
  /** Throws if the answers up to this one do not go together or do not work; a terminal then asks again, from `from` on. */
  check?: (so: Answers, given: ReadonlySet<string>) => void | Promise<void>;
  from?: Key;
}

const isOf = (key: Key, value: string, says: string) => ({ isSo: (so: Answers) => so[key] === value, says });
const isNamed = (key: Key, says: string) => ({ isSo: (so: Answers) => (so[key] ?? none) !== none, says });
const inStore = {
  isSo: ({ backup_to = "" }: Answers) => backup_to.startsWith("s3://"),
  says: "--backup-to s3://…",
};
const withMail = isNamed("mail_host", "--mail-host");
const withBackup = isNamed("backup_to", "--backup-to");

export interface Asking {
  /** What is in confab.toml, as answers. */
  before: Answers;
  /** Whether the folder has no organization yet. */
  isNew: boolean;
  /** Where backups go if nothing is said. */
  usualPlace: string;
  mailIsTried: boolean;
  checkBackup: (answered: Answered) => void;
}

/** All answers, and which of them somebody gave: the others are as before, or as usual. */
export interface Answered {
  so: Answers;
  given: ReadonlySet<string>;
}

function questionsFor({ before, isNew, usualPlace, mailIsTried, checkBackup }: Asking): Question[] {
  const created = { isSo: () => isNew, says: "a folder without an organization" };
  return [
    { key: "org", asks: "Name of the organization", isNeeded: true, when: created },
    { key: "owner_name", asks: "Your name", isNeeded: true, when: created },
    { key: "owner_email", asks: "Your address", isNeeded: true, when: created },
    { key: "language", usual: () => "en", when: created },
    {
      key: "domain",
      asks: "Domain name, such as chat.example.com, or none to try it on this machine",
      usual: () => none,
    },
    {
      key: "https",
      asks: "HTTPS: 'auto' to get a certificate, 'files' to use one that you have, 'proxy' for a reverse proxy in front",
      when: isNamed("domain", "--domain"),
      usual: () => "auto",
    },
    {
      key: "tls_cert",
      asks: "File of the certificate chain",
      isNeeded: true,
      when: isOf("https", "files", "--https files"),
    },
    {
      key: "tls_key",
      asks: "File of its private key",
      isNeeded: true,
      when: isOf("https", "files", "--https files"),
      from: "tls_cert",
      check: ({ tls_cert = "", tls_key = "" }) => void readCertificate(tls_cert, tls_key),
    },
    {
      key: "trusted_proxy",
      asks: "Address of the proxy",
      when: isOf("https", "proxy", "--https proxy"),
      usual: () => "127.0.0.1",
    },
    { key: "host", usual: (so) => usualListening(so).host },
    { key: "port", usual: (so) => usualListening(so).port },
    { key: "mail_host", asks: "Mail server, or none", usual: () => none },
    // Such as "?tls.rejectUnauthorized=false": for no other server than the one it was written for.
    {
      key: "mail_options",
      when: { isSo: (so) => so.mail_host === before.mail_host, says: "the same server" },
    },
    { key: "mail_port", asks: "Its port", when: withMail, usual: () => "465" },
    { key: "mail_user", asks: "User name there, or none", when: withMail, usual: () => none },
    { key: "mail_password_file", when: isNamed("mail_user", "--mail-user") },
    {
      key: "mail_password",
      asks: "Password there",
      isSecret: true,
      when: isNamed("mail_user", "--mail-user"),
    },
    {
      key: "mail_from",
      asks: "Sender of the mails",
      when: withMail,
      usual: ({ domain }) => (domain === none ? undefined : `noreply@${domain}`),
      from: "mail_host",
      check: async (so) => {
        const url = mailUrl(so);
        if (mailIsTried && url !== mailUrl(before)) await tryMail(url);
      },
    },
    { key: "backup_to", asks: "Folder or s3://BUCKET/PREFIX for backups, or none", usual: () => usualPlace },
    {
      key: "s3_endpoint",
      asks: "Address of the S3 store, or none for Amazon's",
      when: inStore,
      usual: () => none,
    },
    { key: "s3_region", asks: "Region of the bucket, or none", when: inStore, usual: () => none },
    {
      key: "s3_credentials",
      asks: "File with the store's credentials, or none",
      when: inStore,
      usual: () => none,
    },
    { key: "backup_every", asks: "How often to back up", when: withBackup, usual: () => "6h" },
    {
      key: "backup_keep",
      asks: "Which backups to keep, in hours, days and weeks",
      when: withBackup,
      usual: () => "24h 14d 8w",
      from: "backup_to",
      check: (so, given) => checkBackup({ so, given }),
    },
  ];
}

/** Where the server listens if nothing is said; https is missing without a domain. */
export function usualListening({ https = "proxy" }: Answers): { host: string; port: string } {
  return https === "proxy" ? { host: "127.0.0.1", port: "9900" } : { host: "0.0.0.0", port: "443" };
}

async function tryMail(url: string): Promise<void> {
  const problem = await tryMailServer(url);
  if (problem === null) return;
  fail("BAD_REQUEST", `${new URL(url).host} ${problem}. --skip-mail-test sets it up even so.`);
}

/** The URL of the mail server that answers name; empty for none. */
export function mailUrl({
  mail_host: host = none,
  mail_port: port = "465",
  mail_user: user = none,
  ...so
}: Answers): string {
  if (host === none) return "";
  const password = so.mail_password === undefined ? "" : `:${encodeURIComponent(so.mail_password)}`;
  const login = user === none ? "" : `${encodeURIComponent(user)}${password}@`;
  return `${port === "465" ? "smtps" : "smtp"}://${login}${host.includes(":") ? `[${host}]` : host}:${port}${so.mail_options ?? ""}`;
}

/** The answers: what was typed as flags, else in a terminal, else what is there already, else what is usual. */
export async function collectAnswers(given: Answers, asking: Asking, inTerminal: boolean): Promise<Answered> {
  const questions = questionsFor(asking);
  const so: Answers = {};
  /** What a person typed before they are asked again. */
  const typed: Answers = {};
  const answered = new Set<string>(Object.keys(given));
  const missing: Key[] = [];
  for (let i = 0; i < questions.length; i++) {
    const question = questions[i] as Question;
    const { key, when, check, from } = question;
    if (when && !when.isSo(so)) {
      delete so[key];
      if (given[key] !== undefined) failUsage(`${optionName(key)} goes with ${when.says}`);
      continue;
    }
    const usual = typed[key] ?? asking.before[key] ?? question.usual?.(so);
    const isAsked = inTerminal && question.asks !== undefined && given[key] === undefined;
    so[key] = given[key] ?? (isAsked ? await askFor(question, usual) : usual);
    if (key === "mail_password")
      so[key] = so.mail_password_file ? passwordIn(so.mail_password_file) : so[key];
    typed[key] = so[key];
    if (so[key] !== usual) answered.add(key);
    if (question.isNeeded && so[key] === undefined) missing.push(key);
    try {
      if (missing.length === 0) await check?.(so, answered);
    } catch (error) {
      const again = questions.findIndex((one) => one.key === (from ?? key));
      const couldChange = questions
        .slice(again, i + 1)
        .some((one) => one.asks !== undefined && given[one.key] === undefined);
      if (!inTerminal || !couldChange || !(error instanceof AppError)) throw error;
      complain(error.message);
      i = again - 1;
    }
  }
  if (missing.length > 0) {
    const names = listText(missing.map(optionName));
    failUsage(`${names} ${missing.length === 1 ? "is" : "are"} missing`);
  }
  return { so, given: answered };
}

async function askFor(
  { key, asks = "", isNeeded, isSecret }: Question,
  usual: string | undefined,
): Promise<string | undefined> {
  if (isSecret)
    return (await readSecret(usual === undefined ? asks : `${asks} [unchanged]`, { once: true })) || usual;
  for (;;) {
    const typed = readLine(`${asks}${usual === undefined ? "" : ` [${usual}]`}: `) || usual;
    const problem = problemOf(key, typed, isNeeded);
    if (problem === null) return typed;
    complain(problem);
  }
}

function problemOf(key: Key, typed: string | undefined, isNeeded = false): string | null {
  if (typed === undefined) return isNeeded ? "An answer is needed." : null;
  if (typed === none && !isNeeded) return null;
  const { error } = (answerArgs as Partial<Record<Key, Arg>>)[key]?.rule.safeParse(typed) ?? {};
  return error ? wordingAfter(`'${typed}'`, error.issues[0]).replace(/([^.])$/, "$1.") : null;
}

function passwordIn(file: string): string {
  const [password = "", ...more] = textOf(file).split(/\r?\n/);
  if (password !== "" && more.every((line) => line === "")) return password;
  return fail("BAD_REQUEST", `${file} must hold the password on one line.`);
}
