// Commands for scheduled backups: 'backup now', 'backup list' and 'backup rehearse'.
import { dirname } from "node:path";
import { z } from "zod";
import { stripControlCharacters } from "@/kernel/lib/control-characters.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { bytesText, countText } from "@/kernel/lib/wording.ts";
import { storedBackup, storedBackups } from "@/operations/backup/schema.ts";
import { operand } from "../args.ts";
import { backupPlanOf, chosen, identity, placeFor, storeArgs } from "../backups.ts";
import { command, standalone } from "../command.ts";
import { exitingOnSignals } from "../interrupting.ts";
import { asOperator } from "../organization.ts";
import { facts, table, timeText } from "../output.ts";
import { progressLine } from "../progress.ts";
import { settingsOfFile } from "../settings.ts";

const place = operand(
  "PLACE",
  z.string().min(1).optional(),
  "a folder or s3://BUCKET/PREFIX; if not given, that of the schedule in confab.toml",
);

const now = command({
  name: "backup now",
  summary: "Make a scheduled backup at once",
  about:
    "Makes a backup as the schedule in confab.toml would: only what the place lacks is stored, each part is read back and compared, " +
    "and backups that the rule does not keep are removed. The server may keep running.",
  examples: ["confab backup now", "confab backup now --data /srv/confab"],
  args: {},
  isHere: true,
  result: storedBackup.extend({ place: z.string(), seconds: z.number(), kept: z.int() }),
  async run(ctx) {
    const plan =
      backupPlanOf(dirname(ctx.db.sqlite.filename)) ??
      fail(
        "BAD_REQUEST",
        "confab.toml has no table [backup]; 'confab backup FILE' makes a backup without one.",
      );
    const { backUpNow } = await import("@/operations/backup/actions.ts");
    const { oldest_at: _, ...shown } = await backUpNow(ctx, plan);
    return shown;
  },
  print: (made) =>
    facts([
      ["Backup", made.backup],
      ["Place", stripControlCharacters(made.place)],
      [
        "Holds",
        `${countText(made.files, "file")}, ${bytesText(made.bytes)}, up to message ${made.last_message_id}`,
      ],
      ["Added", bytesText(made.added_bytes)],
      ["Kept there", String(made.kept)],
      ["Took", `${made.seconds} s`],
    ]),
});

const list = standalone({
  name: "backup list",
  summary: "List the scheduled backups of a place",
  about: "Lists the complete backups of a folder or S3 store, the newest first. It needs no data folder.",
  examples: ["confab backup list", "confab backup list s3://backups/chat/ --s3-region eu-central-1 --json"],
  args: { place, ...storeArgs },
  settings: settingsOfFile,
  result: storedBackups,
  async run({ dataDir, show }, { place, ...store }) {
    const { listStoredBackups } = await import("@/operations/backup/queries.ts");
    await show(await listStoredBackups(placeFor(dataDir, place, store)));
  },
  json: (found) => found,
  print: ({ place, backups }: z.infer<typeof storedBackups>) => {
    if (backups.length === 0) return `No backups in ${stripControlCharacters(place)}.`;
    const rows = backups.map(
      ({ backup, created_at, last_message_id, files, bytes, added_bytes, encrypted }) => [
        backup,
        timeText(created_at),
        String(last_message_id),
        String(files),
        bytesText(bytes),
        bytesText(added_bytes),
        encrypted ? "yes" : "no",
      ],
    );
    return table(["BACKUP", "TIME (UTC)", "MESSAGE", "FILES", "SIZE", "ADDED", "ENCRYPTED"], rows);
  },
});

const rehearsed = z.object({
  backup: z.string(),
  place: z.string(),
  created_at: z.int(),
  organization: z.string(),
  people: z.int(),
  channels: z.int(),
  messages: z.int(),
  last_message_id: z.int(),
  files: z.int(),
  bytes: z.int(),
  seconds: z.number(),
});

const rehearse = standalone({
  name: "backup rehearse",
  summary: "Restore a scheduled backup for trial, and say what it holds",
  about:
    "Restores the newest backup of a place, or the one named, into a folder next to the data folder, checks all of it, opens it, and " +
    "removes the folder again. It says how long that took, and what the backup holds. The running server is not touched.",
  examples: ["confab backup rehearse", "confab backup rehearse /var/backups/confab --backup 20261121"],
  args: { place, backup: chosen, identity, ...storeArgs },
  settings: settingsOfFile,
  result: rehearsed,
  async run({ dataDir, show }, { place, backup, identity, ...store }) {
    const source = { place: placeFor(dataDir, place, store), backup, identity };
    const { rehearseRestore } = await import("@/operations/backup/host.ts");
    const { report, end } = progressLine();
    const found = await exitingOnSignals(() =>
      rehearseRestore({ source, dataDir, report }, async (folder) => {
        const { statistics } = await import("@/operations/metrics/queries.ts");
        return asOperator({ dataDir: folder, as: null }, statistics);
      }),
    ).finally(end);
    const { people, channels, messages, organization } = found.opened;
    const count = Object.values(people).reduce((sum, one) => sum + one, 0);
    const { opened: _, ...rest } = found;
    await show({ ...rest, organization, people: count, channels, messages: messages.all });
  },
  json: (found) => found,
  print: (found: z.infer<typeof rehearsed>) =>
    [
      facts([
        ["Backup", found.backup],
        ["Of", `${timeText(found.created_at)} UTC`],
        ["Organization", stripControlCharacters(found.organization)],
        ["People", String(found.people)],
        ["Channels", String(found.channels)],
        ["Messages", `${found.messages}, up to ${found.last_message_id}`],
        ["Files", `${found.files}, ${bytesText(found.bytes)}`],
        ["Took", `${found.seconds} s`],
      ]),
      "It can be restored; the copy is removed.",
    ].join("\n"),
});

export const backupPlaceCommands = [now, list, rehearse];
