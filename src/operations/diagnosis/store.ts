import { Database } from "bun:sqlite";
import { type FileName, type FilePlacement, fileSettings } from "@/foundation/file-stores/schema.ts";
import type { serverOptions } from "@/foundation/realm/schema.ts";
import type { Reads } from "@/kernel/core/context.ts";
import type { SettingTable } from "@/kernel/store/settings.ts";
import type { Fault } from "@/messaging/background-jobs/schema.ts";
import { migrations } from "@/migrations/all.ts";
import type { backupSettings, FailedBackups, LastBackup } from "@/operations/backup/schema.ts";
import type {
  certificateSettings,
  FailedTries,
  ObtainedCertificate,
} from "@/operations/certificates/schema.ts";

export interface DatabaseFacts {
  schema: number;
  knownSchema: number;
  /** Damage that SQLite reports: empty if the file is intact, null if not checked. */
  faults: string[] | null;
  /** Null if not checked. */
  brokenReferences: number | null;
  activeOwners: number;
  site: string;
  /** UNIX seconds; 0 before the first message. */
  newestMessageAt: number;
  /** Moves and deletions of large topics that are under way. */
  topicWork: TopicWorkFacts[];
  /** Accounts that are being erased or emptied, and why that does not go on. */
  accountWork: AccountWorkFacts[];
  /** The last scheduled backup, and what went wrong since. */
  backups: { last: LastBackup | null; failed: FailedBackups | null };
  /** The certificate that the server got by itself, and what went wrong since. */
  certificate: { obtained: ObtainedCertificate | null; failed: FailedTries | null };
  /** Bytes of all uploaded files, and how many there may be in MiB; null without a limit. */
  uploads: { used: number; quota: number | null };
  /** Mails that the mail server refused and that will be tried again, and its newest answer. */
  refusedMails: { count: number; answer: string };
}

export interface TopicWorkFacts {
  kind: "move" | "deletion";
  topic: string;
  channel: string;
  /** If it does not go on: since when, and why. */
  fault: Pick<Fault, "since" | "reason"> | null;
}

export interface AccountWorkFacts {
  user_id: number;
  is_erased: 0 | 1;
  fault: string | null;
  /** UNIX seconds. */
  fault_since: number | null;
}

const refused = "given_up_at IS NULL AND answer IS NOT NULL";

/** How much of a database is checked, which takes a second for each gigabyte, or many times as long. */
export type CheckDepth = "nothing" | "tables" | "everything";

/** Reads a database without changing it, while others use it. */
export function examineDatabase(path: string, depth: CheckDepth): DatabaseFacts {
  const database = new Database(path, { readonly: true });
  try {
    database.run("PRAGMA busy_timeout = 5000");
    const one = (sql: string) => Object.values((database.query(sql).get() ?? {}) as object)[0];
    const number = (sql: string) => Number(one(sql) ?? 0);
    const checks = { nothing: null, tables: "quick_check", everything: "integrity_check" };
    const check = checks[depth];
    const lines = check === null ? null : database.query(`PRAGMA ${check}(5)`).values();
    const schema = number("PRAGMA user_version");
    const site = one("SELECT value FROM settings WHERE scope = 'realm' AND owner_id = 0 AND name = 'site'");
    return {
      schema,
      knownSchema: migrations.length,
      faults: lines?.map(([line]) => String(line)).filter((line) => line !== "ok") ?? null,
      brokenReferences:
        depth === "everything" ? database.query("PRAGMA foreign_key_check").all().length : null,
      activeOwners: number("SELECT COUNT(*) FROM users WHERE role = 100 AND is_active AND NOT is_bot"),
      site: typeof site === "string" ? JSON.parse(site) : "",
      newestMessageAt: number("SELECT sent_at FROM messages ORDER BY id DESC LIMIT 1"),
      topicWork: schema < migrations.length ? [] : topicWorkIn(database),
      accountWork:
        schema < migrations.length
          ? []
          : (database
              .query(
                "SELECT user_id, traces IS NOT NULL AS is_erased, fault, fault_since FROM account_work ORDER BY id",
              )
              .all() as AccountWorkFacts[]),
      backups: {
        last: noteIn<typeof backupSettings.table, "last">(database, "backups", "last"),
        failed: noteIn<typeof backupSettings.table, "failed">(database, "backups", "failed"),
      },
      certificate: {
        obtained: noteIn<typeof certificateSettings.table, "obtained">(database, "certificates", "obtained"),
        failed: noteIn<typeof certificateSettings.table, "failed">(database, "certificates", "failed"),
      },
      uploads: {
        used: number("SELECT used FROM upload_space"),
        quota: noteIn<typeof serverOptions.table, "upload_quota_mib">(database, "server", "upload_quota_mib"),
      },
      // A database that has not been migrated yet lacks these columns.
      refusedMails:
        schema < migrations.length
          ? { count: 0, answer: "" }
          : {
              count: number(`SELECT COUNT(*) FROM mails WHERE ${refused}`),
              answer: String(one(`SELECT answer FROM mails WHERE ${refused} ORDER BY id DESC LIMIT 1`) ?? ""),
            },
    };
  } finally {
    database.close();
  }
}

/** A setting as it is stored; null if it is not. */
function noteIn<T extends SettingTable, N extends keyof T & string>(
  database: Database,
  scope: string,
  name: N,
): T[N]["fallback"] | null {
  const stored = database
    .query("SELECT value FROM settings WHERE scope = ? AND owner_id = 0 AND name = ?")
    .get(scope, name) as { value: string } | null;
  return stored ? JSON.parse(stored.value) : null;
}

function topicWorkIn(database: Database): TopicWorkFacts[] {
  const works = database
    .query(
      "SELECT w.id, w.kind, w.topic, c.name AS channel FROM topic_work AS w " +
        "JOIN conversations AS v ON v.id = w.conversation_id JOIN channels AS c ON c.id = v.channel_id ORDER BY w.id",
    )
    .all() as (Omit<TopicWorkFacts, "fault"> & { id: number })[];
  const stored = database
    .query("SELECT value FROM settings WHERE scope = 'topic_work' AND owner_id = 0 AND name = 'faults'")
    .get() as { value: string } | null;
  const faults: Fault[] = stored ? JSON.parse(stored.value) : [];
  return works.map(({ id, ...work }) => ({
    ...work,
    fault: faults.find(({ work_id }) => work_id === id) ?? null,
  }));
}

export interface NamedFiles {
  placement: FilePlacement;
  files: FileName[];
}

/** Files that a database names, at most `max` of each kind, newest uploads first; null if it has another version. */
export function listNamedFiles(path: string, max: number): NamedFiles | null {
  const database = new Database(path, { readonly: true });
  try {
    database.run("PRAGMA busy_timeout = 5000");
    const { user_version } = database.query("PRAGMA user_version").get() as { user_version: number };
    if (user_version !== migrations.length) return null;
    const listNamed = (sql: string) => database.query(sql).all(max) as { file: string }[];
    const stored = database
      .query("SELECT value FROM settings WHERE scope = 'files' AND owner_id = 0 AND name = 'placement'")
      .get() as { value: string } | null;
    const uploads = listNamed("SELECT file FROM attachments ORDER BY id DESC LIMIT ?");
    const pictures = listNamed("SELECT file FROM pictures LIMIT ?");
    return {
      placement: stored ? JSON.parse(stored.value) : fileSettings.table.placement.fallback,
      files: [
        ...uploads.map(({ file }): FileName => ({ shelf: "uploads", name: file })),
        ...pictures.map(({ file }): FileName => ({ shelf: "pictures", name: `${file}.webp` })),
      ],
    };
  } finally {
    database.close();
  }
}

/** Merges the write-ahead log into the database and empties it; false if a reader keeps part of it. */
export function mergeWriteAheadLog({ db }: Reads): boolean {
  const found = db.sqlite.query("PRAGMA wal_checkpoint(TRUNCATE)").get() as { busy: number } | null;
  return found?.busy === 0;
}
