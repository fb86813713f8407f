import { statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { findSharedStore } from "@/foundation/file-stores/host.ts";
import type { SharedKind } from "@/foundation/file-stores/schema.ts";
import { createBackup, restoreBackup } from "@/operations/backup/host.ts";
import { backupState, listBackups } from "@/operations/backup/queries.ts";
import type { MadeBackup, Progress } from "@/operations/backup/schema.ts";
import { bytes, duration, type Line, timeText, wrapLines } from "../layout.ts";
import { form, numberColumn, type ScreenForm, screen, timeColumn } from "../screen.ts";
import type { ConsoleSession } from "../session.ts";

interface Row extends MadeBackup {
  session: ConsoleSession;
}

const path = z.string().trim().min(1, "Enter a path.");

function stateOf({ file }: MadeBackup): string {
  return statSync(file, { throwIfNoEntry: false }) ? "there" : "moved or deleted";
}

const ageOf = ({ session, at }: Row) => duration(Math.max(0, session.ctx().now - at));

function progressText({ doing, done, of, unit }: Progress): [text: string, part: number | null] {
  if (of === 0) return [doing, null];
  const count = unit === undefined ? `${bytes(done)} of ${bytes(of)}` : `${done} of ${of} ${unit}`;
  return [`${doing}: ${count}`, done / of];
}

function newBackup(session: ConsoleSession): ScreenForm {
  const day = new Date(session.ctx().now * 1000).toISOString().slice(0, 10);
  const folder = dirname(resolve(session.host.dataDir));
  return form({
    title: "Back up everything to one file",
    fields: {
      file: {
        label: "File",
        about: "Where to write the archive, on the server's machine. It appears once it is complete.",
        rule: path,
        start: join(folder, `confab-${day}.tar.gz`),
      },
      overwrite: {
        label: "Overwrite",
        about: "Replaces a file of this name.",
        rule: z.boolean(),
        start: "no",
      },
    },
    async submit(ctx, { file, overwrite }) {
      const { dataDir } = session.host;
      session.begin("Backing up", async (report) => {
        const onProgress = (progress: Progress) => report(...progressText(progress));
        const input = {
          dataDir,
          file,
          overwrite,
          now: ctx.now,
          stores: (kind: SharedKind) => findSharedStore(ctx, kind),
          report: onProgress,
        };
        const made = await createBackup(input);
        return `${made.file}: ${bytes(made.bytes)}, ${made.files} files, up to message ${made.last_message_id}`;
      });
      return { message: "The backup has begun; you may go on." };
    },
  });
}

function restore({ host }: ConsoleSession, row: Row): ScreenForm {
  return form({
    title: "Restore into a new folder",
    fields: {
      folder: {
        label: "Folder",
        about:
          "A new or empty folder. What runs now stays as it is; start the restored one with 'confab serve --data FOLDER'.",
        rule: path,
        start: `${resolve(host.dataDir)}-restored`,
      },
    },
    async submit(_, { folder }) {
      row.session.begin("Restoring", async (report) => {
        const onProgress = (progress: Progress) => report(...progressText(progress));
        const done = await restoreBackup({ from: row.file, dataDir: folder, report: onProgress });
        const left = done.left_out.join(", ");
        const lacking =
          left === ""
            ? ""
            : `. Left out, because it belongs to the other machine: ${left}. 'confab restore --with-config' restores it.`;
        return `${done.organization} as of ${timeText(done.created_at)} is in ${folder}${lacking}`;
      });
      return { message: "Restoring has begun; you may go on." };
    },
  });
}

/** What became of the schedule, if there is one. */
function scheduleLines({ ctx }: ConsoleSession, width: number): Line[] {
  const { last, failed } = backupState(ctx());
  const made = last
    ? `By schedule: ${last.backup} in ${last.place}, made ${timeText(last.created_at)}. The place keeps ${last.kept}.`
    : null;
  const problem = failed
    ? `By schedule: ${failed.count} failed in a row, at last ${timeText(failed.at)}: ${failed.reason}.`
    : null;
  const lines = [
    ...(made === null ? [] : wrapLines(made, width, "good")),
    ...(problem === null ? [] : wrapLines(problem, width, "bad")),
  ];
  return lines.length === 0 ? [] : [...lines, []];
}

/** The work in hand as a bar. */
function workLines({ work }: ConsoleSession, width: number): Line[] {
  if (!work) return [];
  const tone = work.outcome === "failed" ? "bad" : work.outcome === "done" ? "good" : "accent";
  const first = wrapLines(`${work.title}: ${work.state}`, width, tone);
  if (work.outcome !== "running" || work.part === null) return [...first, []];
  const full = Math.round(work.part * width);
  return [
    ...first,
    [
      { text: "━".repeat(full), tone: "accent" },
      { text: "━".repeat(width - full), tone: "faint" },
    ],
    [],
  ];
}

export const backups = screen<Row>({
  key: "B",
  title: "Backups",
  need: "machine",
  area: "Server",
  about: "made of this data folder",
  empty: "No archive has been made yet. Press b to make one.",
  rows: (session) => listBackups(session.host.dataDir).map((one) => ({ ...one, session })),
  id: ({ file }) => file,
  name: ({ file }) => file,
  head: (session, { width }) => [...scheduleLines(session, width), ...workLines(session, width)],
  copies: ({ file }) => file,
  columns: [
    timeColumn("TIME", ({ at }) => at),
    { title: "AGE", value: ageOf, order: ({ at }) => -at, right: true },
    numberColumn("SIZE", ({ bytes: size }) => size, bytes),
    { title: "FILE", value: ({ file }) => file, brief: ({ file }) => basename(file), grow: true },
    { title: "STATE", value: stateOf, tone: (row) => (stateOf(row) === "there" ? "good" : "warn") },
  ],
  facts: (_, row) => [
    ["Made", `${timeText(row.at)}, ${ageOf(row)} ago`],
    ["File", row.file],
    ["Size", bytes(row.bytes)],
    ["State", stateOf(row)],
  ],
  actions: [{ key: "b", title: "back up", form: newBackup }],
  rowActions: [
    {
      key: "r",
      title: (row) => (stateOf(row) === "there" ? "restore" : null),
      isForOne: true,
      form: (_, row) => restore(row.session, row),
    },
  ],
});
