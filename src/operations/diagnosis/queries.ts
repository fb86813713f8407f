// The checks of `confab doctor`: each finding comes with a remedy.
import { existsSync, statfsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { OpenStore } from "@/foundation/file-stores/schema.ts";
import { allow } from "@/foundation/permissions/access.ts";
import { query } from "@/kernel/core/operation.ts";
import { bytesText } from "@/kernel/lib/wording.ts";
import { scarceSpace } from "@/messaging/uploads/fullness.ts";
import { isLost, listLeftStagings } from "@/operations/data-folder/queries.ts";
import { databaseFile } from "@/operations/data-folder/schema.ts";
import type { ClusterState } from "@/operations/nodes/schema.ts";
import { isLoopback } from "@/text/links/schema.ts";
import { version } from "../../../package.json";
import { examineFiles } from "./files.ts";
import { examineNodes as findingsOf } from "./nodes.ts";
import { type Finding, timeText, well } from "./schema.ts";
import { examineServer, failingRemedy, healthAt } from "./server.ts";
import { type CheckDepth, type DatabaseFacts, examineDatabase } from "./store.ts";
import { accountWork, topicWork } from "./topics.ts";

const gigabyte = 1e9;
const mebibyte = 1_048_576;
const largeWal = 256e6;
const clockSlack = 300;
/** More than the longest interval of a schedule. */
const longWithoutBackup = 32 * 86_400;
const patienceMs = 5000;

export interface Circumstances {
  /** UNIX seconds. */
  now: number;
  isServed: boolean;
  /** Where the running server listens on this machine; null if none does. */
  address: string | null;
  /** Whether to check the whole database, however long that takes. */
  deep: boolean;
  /** Whether this process serves the folder: then nothing may hold up others. */
  isServing?: boolean;
  /** Throws if the settings cannot be used. */
  stores: OpenStore;
}

/** The checks of a cluster's nodes. */
export const examineNodes = (state: ClusterState): Finding[] => findingsOf(state);

/** All checks of a data folder; a server may be running on it. */
export async function examine(dataDir: string, circumstances: Circumstances): Promise<Finding[]> {
  const { now, isServed, address, deep, isServing = false } = circumstances;
  const path = join(dataDir, databaseFile);
  if (isLost(dataDir)) return [reportLost(dataDir)];
  if (!existsSync(path)) {
    return [
      {
        check: "Data folder",
        verdict: "problem",
        finding: `There is no organization in ${resolve(dataDir)}.`,
        remedy: "Name its folder with --data, or create one with 'confab init' or 'confab serve'.",
      },
    ];
  }
  const files = [folderMode(dataDir), space(dataDir), leftovers(dataDir), wal(path)];
  const facts = read(path, isServing ? "nothing" : deep ? "everything" : "tables");
  if ("check" in facts) return [...files, facts];
  const named = await examineFiles(dataDir, circumstances);
  return [
    ...files,
    ...ofDatabase(facts),
    ...topicWork(facts.topicWork, isServed),
    ...facts.accountWork.map((work) => accountWork(work, isServed)),
    ...named,
    ...uploadSpace(facts),
    ...scheduledBackups(facts, now),
    ...ownCertificate(facts, now),
    clock(facts, now),
    ...(address === null ? [] : [await examineServer(address)]),
    await checkReached(facts.site, isServed),
  ];
}

/** What the server that runs finds about itself by `look`, for administrators elsewhere. */
export const examineWithin = query(
  allow.admin,
  async (ctx, look: (dataDir: string) => Promise<Finding[]>): Promise<Finding[]> => [
    ...(await look(dirname(ctx.db.sqlite.filename))),
    {
      check: "Only on its machine",
      verdict: "note",
      finding:
        "The server looked at itself. Whether the tables of its database are intact and, with --deep, whether its indexes, its " +
        "references and all its files are, can only be seen on its machine.",
      remedy: "Run 'confab doctor' there.",
    },
  ],
);

function reportLost(dataDir: string): Finding {
  return {
    check: "Data folder",
    verdict: "problem",
    finding: `${resolve(dataDir)} held an organization, and its database is missing or empty.`,
    remedy: "Keep a copy of the folder, and restore a backup into a new one with 'confab restore'.",
  };
}

function folderMode(dataDir: string): Finding {
  const others = process.platform === "win32" ? 0 : statSync(dataDir).mode & 0o077;
  if (others === 0) return well("Data folder", `${resolve(dataDir)} cannot be read by other users.`);
  return {
    check: "Data folder",
    verdict: "warning",
    finding: `Other users of this machine can read ${resolve(dataDir)}.`,
    remedy: `chmod 700 '${resolve(dataDir)}'`,
  };
}

function space(dataDir: string): Finding {
  const { bavail, bsize } = statfsSync(dataDir);
  const free = bavail * bsize;
  const finding = `${(free / gigabyte).toFixed(1)} GB are free.`;
  if (free > 2 * gigabyte) return well("Disk space", finding);
  const verdict = free < gigabyte / 4 ? "problem" : "warning";
  const remedy = "Make room: a full disk refuses every message. 'confab stats' shows what is large.";
  return { check: "Disk space", verdict, finding, remedy };
}

function leftovers(dataDir: string): Finding {
  const found = listLeftStagings(dataDir);
  if (found.length === 0) return well("Left-over files", "None.");
  return {
    check: "Left-over files",
    verdict: "warning",
    finding: `Work that was interrupted left ${found.join(", ")}.`,
    remedy: "The server removes them at its next start; what it may not remove, delete by hand.",
  };
}

function wal(path: string): Finding {
  const bytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const finding = `${(bytes / 1e6).toFixed(1)} MB.`;
  if (bytes < largeWal) return well("Write-ahead log", finding);
  const remedy =
    "Some process keeps reading the database, so the log cannot be merged into it: restart the server.";
  return { check: "Write-ahead log", verdict: "warning", finding, remedy };
}

function read(path: string, depth: CheckDepth): DatabaseFacts | Finding {
  try {
    return examineDatabase(path, depth);
  } catch (error) {
    return {
      check: "Database",
      verdict: "problem",
      finding: `It cannot be read: ${(error as Error).message}.`,
      remedy: "Stop the server, keep a copy of the folder, and restore a backup with 'confab restore'.",
    };
  }
}

function ofDatabase(facts: DatabaseFacts): Finding[] {
  return [...integrity(facts), schema(facts), owners(facts), ...waitingMails(facts)];
}

function scheduledBackups({ backups: { last, failed } }: DatabaseFacts, now: number): Finding[] {
  const check = "Scheduled backups";
  const known = last
    ? `The newest one of ${timeText(last.created_at)} is in ${last.place}, which keeps ${last.kept}.`
    : "None has been made so far.";
  if (failed) {
    const which = failed.count === 1 ? "The last one" : `The last ${failed.count}`;
    const finding = `${which} failed, at ${timeText(failed.at)}: ${failed.reason}. ${known}`;
    const remedy = "See to that; 'confab backup now' tries again at once. docs/backup.md says more.";
    return [{ check, verdict: failed.count === 1 ? "warning" : "problem", finding, remedy }];
  }
  if (!last) return [];
  const isOld = now - last.created_at > longWithoutBackup;
  const remedy = "Start the server, and see whether its confab.toml still has a table [backup].";
  return [isOld ? { check, verdict: "warning", finding: known, remedy } : well(check, known)];
}

/** The certificate that the server gets by itself. */
function ownCertificate({ certificate: { obtained, failed } }: DatabaseFacts, now: number): Finding[] {
  const check = "Certificate";
  const isValid = obtained !== null && obtained.expires_at > now;
  const known = !obtained
    ? "There is none yet."
    : `The one for ${obtained.domain} ${isValid ? "is valid until" : "expired at"} ${timeText(obtained.expires_at)}.`;
  if (failed) {
    const which = failed.count === 1 ? "The last try" : `The last ${failed.count} tries`;
    const finding = `${which} to get one failed, at ${timeText(failed.at)}: ${failed.reason} The next one is at ${timeText(failed.retry_at)}. ${known}`;
    const remedy = failed.is_limit
      ? failed.remedy
      : `${failed.remedy} 'systemctl reload confab' (SIGHUP) tries at once.`;
    return [{ check, verdict: isValid ? "warning" : "problem", finding, remedy }];
  }
  if (!obtained) return [];
  const remedy = "Start the server: it gets another one.";
  return [isValid ? well(check, known) : { check, verdict: "problem", finding: known, remedy }];
}

function waitingMails({ refusedMails: { count, answer } }: DatabaseFacts): Finding[] {
  if (count === 0) return [];
  const finding = `${count === 1 ? "1 mail waits" : `${count} mails wait`}, because the mail server answered: ${answer}`;
  const remedy = "'confab mail list' shows them, 'confab mail test ADDRESS' tries the mail server.";
  return [{ check: "Waiting mails", verdict: "problem", finding, remedy }];
}

function integrity({ faults, brokenReferences }: DatabaseFacts): Finding[] {
  if (faults === null) return [];
  if (faults.length === 0 && brokenReferences === null) {
    return [well("Database", "Its tables are intact; --deep also checks indexes and references.")];
  }
  if (faults.length === 0 && brokenReferences === 0) return [well("Database", "It is intact.")];
  const broken = brokenReferences === 1 ? "1 row refers" : `${brokenReferences} rows refer`;
  const finding = faults[0] ?? `${broken} to missing rows.`;
  const remedy = "Keep a copy of the folder, and restore a backup with 'confab restore'.";
  return [{ check: "Database", verdict: "problem", finding, remedy }];
}

function schema({ schema, knownSchema }: DatabaseFacts): Finding {
  if (schema === knownSchema) return well("Version", `Confab ${version}, schema ${schema}.`);
  if (schema < knownSchema) {
    const finding = `The data is of an older version (schema ${schema} of ${knownSchema}).`;
    return {
      check: "Version",
      verdict: "note",
      finding,
      remedy: "The next start of the server brings it up to date.",
    };
  }
  const finding = `The data was written by a newer version (schema ${schema}; this one knows ${knownSchema}).`;
  return { check: "Version", verdict: "problem", finding, remedy: "Run the newer version." };
}

function uploadSpace({ uploads: { used, quota } }: DatabaseFacts): Finding[] {
  const check = "Space for uploads";
  if (quota === null) return [];
  const percent = Math.floor((used / (quota * mebibyte)) * 100);
  const finding = `Files take up ${bytesText(used)}, ${percent} % of the organization's quota.`;
  const scarce = scarceSpace({ used, quota: quota * mebibyte });
  if (!scarce) return [well(check, finding)];
  const verdict = scarce.isLate ? "problem" : "warning";
  const remedy =
    "'confab files largest', 'files users' and 'files unlinked' show what could go; 'confab realm upload-limits --quota' sets another quota. Uploads are refused once it is used up.";
  return [{ check, verdict, finding, remedy }];
}

function owners({ activeOwners }: DatabaseFacts): Finding {
  if (activeOwners > 0) return well("Owners", `${activeOwners} active.`);
  const remedy = "Make somebody an owner: confab user reactivate EMAIL, or confab user role EMAIL owner.";
  return { check: "Owners", verdict: "problem", finding: "There is no active owner.", remedy };
}

function clock({ newestMessageAt }: DatabaseFacts, now: number): Finding {
  if (newestMessageAt <= now + clockSlack) return well("Clock", timeText(now));
  return {
    check: "Clock",
    verdict: "problem",
    finding: `The newest message is from ${timeText(newestMessageAt)}, which is in the future.`,
    remedy: "Set this machine's clock, and keep it set (NTP).",
  };
}

/** Whether the public address leads to this server, and to this version. */
async function checkReached(site: string, isServed: boolean): Promise<Finding> {
  if (site === "") {
    const finding = "The server has not run here yet.";
    return { check: "Address", verdict: "note", finding, remedy: "Start it with 'confab serve'." };
  }
  if (!isServed) {
    const finding = `No server runs on this data folder; its last one was ${site}.`;
    return { check: "Address", verdict: "problem", finding, remedy: "Start it with 'confab serve'." };
  }
  const remedy = `Check that DNS, firewall and reverse proxy lead ${site} to it.`;
  const problem = (finding: string): Finding => ({ check: "Address", verdict: "problem", finding, remedy });
  try {
    const found = await healthAt(site);
    if (found.isThis && found.problem === null)
      return isLoopback(site) ? reportUnnamed(site) : well("Address", `${site} answers.`);
    if (found.isThis)
      return { ...problem(`${site} answers, and says: ${found.problem}`), remedy: failingRemedy };
    return problem(`${site} answers, but not as Confab ${version} in good health.`);
  } catch (error) {
    const found = await checkTrust(site, error as Failure).catch(() => null);
    return found ?? problem(`Nothing answers at ${site} (${wordsOf(error as Failure)}).`);
  }
}

function reportUnnamed(site: string): Finding {
  return {
    check: "Address",
    verdict: "note",
    finding: `${site} answers, but only on this machine: links in invitations and emails do not work for others.`,
    remedy: "If others use this server, start it with --site and its public address.",
  };
}

type Failure = Error & { code?: string };

/** Findings for certificates that clients reject, by error code. */
const objections: Record<string, { verdict: "warning" | "problem"; finding: string; remedy: string }> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    verdict: "warning",
    finding: "its certificate is self-signed, so clients reject it unless they were told to trust it",
    remedy: "Get a certificate from an authority, such as Let's Encrypt.",
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    verdict: "problem",
    finding: "its certificate is for another name",
    remedy: "Get a certificate for this name.",
  },
  CERT_HAS_EXPIRED: {
    verdict: "problem",
    finding: "its certificate has expired",
    remedy: "Renew it, then send the server SIGHUP.",
  },
};

const untrusted = {
  verdict: "warning",
  finding: "its certificate comes from an authority that this machine does not trust",
  remedy: "Serve the full chain, with the certificates between it and the authority's own.",
} as const;

/** The finding if the server answers but its certificate is not trusted; null if that is not the cause. */
async function checkTrust(site: string, { code = "" }: Failure): Promise<Finding | null> {
  if (!/CERT|SIGNATURE/.test(code) || !(await healthAt(site, { rejectUnauthorized: false })).isThis)
    return null;
  const { finding, ...more } = objections[code] ?? untrusted;
  return { check: "Address", finding: `${site} answers, but ${finding}.`, ...more };
}

const refusals: Record<string, string> = {
  ConnectionRefused: "the connection is refused",
  ECONNREFUSED: "the connection is refused",
  ENOTFOUND: "there is no such host",
  EPROTO: "it does not speak TLS",
  TimeoutError: `no answer within ${patienceMs / 1000} seconds`,
};

function wordsOf({ code, name, message }: Failure): string {
  return refusals[code ?? ""] ?? refusals[name] ?? message;
}
