import { existsSync, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { z } from "zod";
import { stripControlCharacters } from "@/kernel/lib/control-characters.ts";
import { bytesText } from "@/kernel/lib/wording.ts";
import { type Restored, restored, backup as saved } from "@/operations/backup/schema.ts";
import { flag, operand } from "../args.ts";
import { chosen, identity, placeOf, storeArgs } from "../backups.ts";
import { standalone } from "../command.ts";
import { yes } from "../confirm.ts";
import { mayOverwrite } from "../files.ts";
import { exitingOnSignals } from "../interrupting.ts";
import { checkOrganization, dataOption } from "../organization.ts";
import { facts, timeText } from "../output.ts";
import { refuseNode } from "../own-node.ts";
import { progressLine } from "../progress.ts";
import { filesNamedIn, settingsFile, settingsOfFile } from "../settings.ts";
import { backupPlaceCommands } from "./backup-places.ts";

const file = z.string().min(1, "the path of a file");

const shown = saved.extend({
  /** Certificates and keys that the settings name outside the data folder: they are not in it. */
  outside: z.array(z.string()),
});

const backup = standalone({
  name: "backup",
  summary: "Back up the whole organization to one file",
  about:
    "Saves the organization in one compressed archive with checksums: its database and all its files, even those in an S3 store. The " +
    "server may keep running; the backup contains everything acknowledged before it began. The file appears only once it is complete. " +
    "The machine's settings (confab.toml), certificates and keys are not in it, unless --with-config adds them.",
  examples: [
    "confab backup confab-2026-11-21.tar.gz",
    "confab backup --data /srv/confab --yes /backup/confab.tar.gz",
  ],
  args: {
    file: operand("FILE", file, "the archive to write"),
    yes,
    without_files: flag(
      z.boolean().default(false),
      "leave out uploads and pictures, for an S3 store that has backups of its own",
    ),
    with_config: flag(
      z.boolean().default(false),
      "add confab.toml with its secrets, and the certificates and keys that it names in the data folder",
    ),
  },
  result: shown,
  async run({ dataDir, show }, { file, yes, without_files: withoutFiles, with_config }) {
    await checkOrganization(dataDir);
    const { config, outside } = with_config ? configIn(dataDir) : { config: [], outside: [] };
    const { createBackup } = await import("@/operations/backup/host.ts");
    const { report, end } = progressLine();
    const overwrite = await mayOverwrite(file, yes);
    const now = Math.floor(Date.now() / 1000);
    const { storesIn } = await import("../stores.ts");
    const stores = storesIn(dataDir);
    const input = { dataDir, file, overwrite, withoutFiles, stores, now, config, report };
    const done = await exitingOnSignals(() => createBackup(input)).finally(end);
    const hasConfig = existsSync(join(dataDir, settingsFile));
    await show({ ...done, outside, hasConfig });
  },
  json: ({ hasConfig: _, ...done }) => done,
  print: (done: z.infer<typeof shown> & { hasConfig: boolean }) => {
    const rows: [string, string][] = [
      ["Saved", done.file],
      ["Size", bytesText(done.bytes)],
      ["Files", String(done.files)],
      ["Up to message", String(done.last_message_id)],
      ["SHA-256", done.sha256],
    ];
    if (done.config.length > 0) rows.push(["With", stripControlCharacters(done.config.join(", "))]);
    const apart = done.outside.map(
      (path) => `Not in it, because it is outside the data folder: ${stripControlCharacters(path)}`,
    );
    const without =
      done.hasConfig && done.config.length === 0
        ? [
            `${settingsFile} is not in it: it belongs to this machine. --with-config adds it, with its secrets.`,
          ]
        : [];
    return [facts(rows), ...apart, ...without].join("\n");
  },
});

/** The settings of a data folder, and the files that they name: in the folder, by their paths there, and outside. */
function configIn(dataDir: string): { config: string[]; outside: string[] } {
  if (!existsSync(join(dataDir, settingsFile))) return { config: [], outside: [] };
  const named = filesNamedIn(dataDir).map((path) => relative(resolve(dataDir), resolve(path)));
  const isInside = (path: string) => !path.startsWith("..") && !isAbsolute(path);
  const inside = named.filter(isInside).map((path) => path.split(sep).join("/"));
  const outside = named.filter((path) => !isInside(path)).map((path) => resolve(dataDir, path));
  return { config: [settingsFile, ...new Set(inside)], outside };
}

const mostNames = 5;

function namesOf(paths: readonly string[]): string {
  const more = paths.length - mostNames;
  return stripControlCharacters(
    [...paths.slice(0, mostNames), ...(more > 0 ? [`${more} more`] : [])].join(", "),
  );
}

const backToBackup =
  "To go back to a backup, stop all nodes, restore it into an empty folder, and begin a cluster of another name with that: " +
  "'confab cluster init --cluster-name NAME'. The other nodes join it with empty folders.";

const restore = standalone({
  name: "restore",
  summary: "Restore a backup into a new data folder",
  about:
    "Creates a data folder from an archive of 'confab backup', or from the newest scheduled backup of a folder or S3 store. It verifies " +
    "all checksums, and checks the database, before anything appears in the data folder, which must be empty or absent. Settings of " +
    "the machine where an archive was made, if it holds any, are left out unless --with-config restores them.",
  examples: [
    "confab restore confab-2026-11-21.tar.gz --data /srv/confab",
    "confab restore /var/backups/confab --data /srv/confab",
    "confab restore s3://backups/chat/ --backup 20261121 --s3-region eu-central-1 --data /srv/confab",
  ],
  settings: settingsOfFile,
  args: {
    file: operand(
      "FILE",
      file,
      "the archive to read, or the place of scheduled backups: a folder or s3://BUCKET/PREFIX",
    ),
    backup: chosen,
    identity,
    with_config: flag(
      z.boolean().default(false),
      "restore confab.toml, certificates and keys, too, if the archive holds them",
    ),
    ...storeArgs,
  },
  result: restored,
  async run({ dataDir, show }, { file, backup, identity, with_config: withConfig, ...store }) {
    refuseNode(dataDir, backToBackup);
    const { restoreBackup } = await import("@/operations/backup/host.ts");
    const isPlace =
      file.startsWith("s3://") || statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
    const from = isPlace ? { place: placeOf(file, store), backup, identity } : file;
    const { report, end } = progressLine();
    const done = await exitingOnSignals(() => restoreBackup({ from, dataDir, withConfig, report })).finally(
      end,
    );
    await show({ ...done, dataDir });
  },
  json: ({ dataDir: _, ...done }) => done,
  print: (done: Restored & { dataDir: string }) =>
    [
      `Restored ${stripControlCharacters(done.organization)} as of ${timeText(done.created_at)} UTC, ` +
        `up to message ${done.last_message_id}.`,
      ...(done.config.length > 0 ? [`Restored as well: ${namesOf(done.config)}.`] : []),
      ...(done.left_out.length > 0
        ? [
            `Left out, because it belongs to the other machine: ${namesOf(done.left_out)}. --with-config restores it.`,
          ]
        : []),
      `Start it with 'confab serve${dataOption(done.dataDir)}'.`,
    ].join("\n"),
});

export default [backup, ...backupPlaceCommands, restore];
