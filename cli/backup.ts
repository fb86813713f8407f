import { z } from "zod";
import { harmless } from "@/kernel/harmless.ts";
import { type Backup, type Restored, restored, backup as saved } from "@/operations/backup/schema.ts";
import { flag, operand } from "./args.ts";
import { standalone } from "./command.ts";
import { exitingOnSignals } from "./interrupting.ts";
import { checkOrganization, dataOption } from "./organization.ts";
import { facts, timeText } from "./output.ts";
import { refuseNode } from "./own-node.ts";
import { bytes, progressLine } from "./progress.ts";

const file = z.string().min(1, "the path of a file");

const backup = standalone({
  name: "backup",
  summary: "Back up the whole organization to one file",
  about:
    "Saves the organization in one compressed archive with checksums, including all uploads, even those in an S3 store. The server may " +
    "keep running; the backup contains everything acknowledged before it began. The file appears only once it is complete.",
  examples: [
    "confab backup confab-2026-11-21.tar.gz",
    "confab backup --data /srv/confab --yes /backup/confab.tar.gz",
  ],
  args: {
    file: operand("FILE", file, "the archive to write"),
    yes: flag(z.boolean().default(false), "overwrite an existing file"),
    without_files: flag(
      z.boolean().default(false),
      "leave out uploads and pictures, for an S3 store that has backups of its own",
    ),
  },
  result: saved,
  async run({ dataDir, show }, { file, yes, without_files: withoutFiles }) {
    await checkOrganization(dataDir);
    const { createBackup } = await import("@/operations/backup/host.ts");
    const { report, end } = progressLine();
    const now = Math.floor(Date.now() / 1000);
    const { s3Of } = await import("./s3.ts");
    const { storeOf } = await import("@/foundation/file-stores/host.ts");
    const s3 = () => storeOf(s3Of(dataDir));
    const input = { dataDir, file, overwrite: yes, withoutFiles, s3, now, report };
    const done = await exitingOnSignals(() => createBackup(input)).finally(end);
    await show(done);
  },
  json: (done) => done,
  print: (done: Backup) =>
    facts([
      ["Saved", done.file],
      ["Size", bytes(done.bytes)],
      ["Files", String(done.files)],
      ["Up to message", String(done.last_message_id)],
      ["SHA-256", done.sha256],
    ]),
});

const backToBackup =
  "To go back to a backup, stop all nodes, restore it into an empty folder, and begin a cluster of another name with that: " +
  "'confab cluster init --cluster-name NAME'. The other nodes join it with empty folders.";

const restore = standalone({
  name: "restore",
  summary: "Restore a backup into a new data folder",
  about:
    "Creates a data folder from an archive of 'confab backup'. It verifies the checksum of every file, and checks the " +
    "database, before anything appears in the folder, which must be empty or absent.",
  examples: ["confab restore confab-2026-11-21.tar.gz --data /srv/confab"],
  args: { file: operand("FILE", file, "the archive to read") },
  result: restored,
  async run({ dataDir, show }, { file }) {
    refuseNode(dataDir, backToBackup);
    const { restoreBackup } = await import("@/operations/backup/host.ts");
    const { report, end } = progressLine();
    const done = await exitingOnSignals(() => restoreBackup({ file, dataDir, report })).finally(end);
    await show({ ...done, dataDir });
  },
  json: ({ dataDir: _, ...done }) => done,
  print: (done: Restored & { dataDir: string }) =>
    `Restored ${harmless(done.organization)} as of ${timeText(done.created_at)} UTC, ` +
    `up to message ${done.last_message_id}.\nStart it with 'confab serve${dataOption(done.dataDir)}'.`,
});

export default [backup, restore];
