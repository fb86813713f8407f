import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { checkTarget } from "@/backup/target.ts";
import { version } from "../../package.json";
import { type Exported, exportFormat } from "./schema.ts";
import { organizationSections, readSections, userSections } from "./store.ts";

export interface ExportInput {
  /** The database's path. */
  database: string;
  file: string;
  overwrite: boolean;
  /** Whose data; null for everything. */
  userId: number | null;
  /** UNIX seconds. */
  now: number;
  /** Told after every thousand rows and at the end of each section. */
  report(section: string, rows: number): void;
}

const chunkLength = 1 << 20;

/** Writes what the organization holds, or holds of one person, as one JSON document, row by row. */
export function exportData(input: ExportInput): Exported {
  const { file, overwrite } = input;
  checkTarget(file, overwrite);
  const partial = `${file}.partial`;
  const descriptor = openSync(partial, "w", 0o600);
  try {
    const rows = writeDocument(
      input,
      chunked((text) => writeSync(descriptor, text)),
    );
    fsyncSync(descriptor);
    renameSync(partial, file);
    return { file, rows };
  } finally {
    closeSync(descriptor);
    rmSync(partial, { force: true });
  }
}

interface Sink {
  (text: string): void;
  end(): void;
}

function chunked(write: (text: string) => void): Sink {
  let waiting = "";
  const flush = () => {
    if (waiting !== "") write(waiting);
    waiting = "";
  };
  const put = (text: string) => {
    waiting += text;
    if (waiting.length > chunkLength) flush();
  };
  return Object.assign(put, { end: flush });
}

function writeDocument({ database, userId, now, report }: ExportInput, put: Sink): Record<string, number> {
  const sections = userId === null ? organizationSections : userSections;
  const counts: Record<string, number> = {};
  put(`{"format":${exportFormat},"version":${JSON.stringify(version)},"exported_at":${now}`);
  for (const { section, rows } of readSections(database, sections, userId === null ? [] : [userId])) {
    put(`,\n${JSON.stringify(section.name)}:[`);
    let count = 0;
    for (const row of rows) {
      put(`${count === 0 ? "\n" : ",\n"}${JSON.stringify(row)}`);
      count++;
      if (count % 1000 === 0) report(section.name, count);
    }
    put("]");
    report(section.name, count);
    counts[section.name] = count;
  }
  put("}\n");
  put.end();
  return counts;
}
