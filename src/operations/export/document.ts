// Writes exports (docs/export.md): a JSON document with one row per line.
import type { SQLQueryBindings } from "bun:sqlite";
import { writeSync } from "node:fs";
import type { Task } from "@/kernel/lib/tasks.ts";
import { version } from "../../../package.json";
import { exportFormat } from "./schema.ts";
import type { ExportSection } from "./sections.ts";
import { closeSnapshot, type ExportDatabase, rowsOf, type SnapshotRow } from "./store-snapshot.ts";

export interface DocumentContents {
  sections: readonly ExportSection[];
  params?: readonly SQLQueryBindings[];
  /** Prepares what the sections need in the snapshot. */
  gather?: (snapshot: ExportDatabase) => Task<void>;
}

export interface DocumentWriting {
  /** An open file. */
  descriptor: number;
  /** UNIX seconds. */
  now: number;
  /** Called every thousand rows and at the end of each section. */
  report?: (section: string, rows: number) => void;
}

/** Writes a snapshot's data and closes it; returns the number of rows by section. */
export function* writeDocument(
  snapshot: ExportDatabase,
  { sections, params = [], gather }: DocumentContents,
  { descriptor, now, report = () => {} }: DocumentWriting,
): Task<Record<string, number>> {
  const put = chunkWrites(descriptor);
  const counts: Record<string, number> = {};
  try {
    if (gather) yield* gather(snapshot);
    put(`{"format":${exportFormat},"version":${JSON.stringify(version)},"exported_at":${now}`);
    for (const section of sections) {
      put(`,\n${JSON.stringify(section.name)}:[`);
      counts[section.name] = yield* writeRows(rowsOf(snapshot, section, params), put, (count) =>
        report(section.name, count),
      );
      put("]");
    }
    put("}\n");
    put.end();
    return counts;
  } finally {
    closeSnapshot(snapshot);
  }
}

/** Writes one row per line; returns the number of rows. */
function* writeRows(
  rows: Iterable<SnapshotRow | null>,
  put: Sink,
  report: (count: number) => void,
): Task<number> {
  let count = 0;
  for (const row of rows) {
    if (row) {
      put(`${count === 0 ? "\n" : ",\n"}${JSON.stringify(row)}`);
      count++;
      if (count % 1000 === 0) report(count);
    }
    yield 1;
  }
  report(count);
  return count;
}

interface Sink {
  (text: string): void;
  end(): void;
}

const chunkLength = 1 << 18;

function chunkWrites(descriptor: number): Sink {
  let waiting = "";
  const flush = () => {
    let rest: Uint8Array = Buffer.from(waiting);
    while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
    waiting = "";
  };
  const put = (text: string) => {
    waiting += text;
    if (waiting.length > chunkLength) flush();
  };
  return Object.assign(put, { end: flush });
}
