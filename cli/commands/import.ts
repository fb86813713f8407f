import { readFileSync } from "node:fs";
import { z } from "zod";
import { organizationName, realmSettings } from "@/foundation/realm/schema.ts";
import { emailAddress } from "@/foundation/users/schema.ts";
import { stripControlCharacters } from "@/kernel/lib/control-characters.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { bytesText } from "@/kernel/lib/wording.ts";
import type { ImportInput } from "@/operations/import/host.ts";
import { type ImportReport, importReport, sourceNames } from "@/operations/import/schema.ts";
import { type ArgValues, flag, operand, option } from "../args.ts";
import { standalone } from "../command.ts";
import { lockFolder } from "../lock.ts";
import { openFolder } from "../organization.ts";
import { facts } from "../output.ts";
import { isNodeFolder, refuseNode } from "../own-node.ts";
import { progressLine } from "../progress.ts";
import { settingsOfFile } from "../settings.ts";
import { checkSite, invitationLines, inviting, waysIn, withLinksIn } from "./import-invite.ts";
import { newSalt } from "./init.ts";

const yes = z.boolean().default(false);
const file = operand("FILE", z.string().min(1, "the path of a file"), "the export");

const common = {
  file,
  dry_run: flag(yes, "only check the export, and print what would be imported and what would be lost"),
  org: option("NAME", organizationName.optional(), "name of the organization, in a folder that has none yet"),
  owner_email: option("EMAIL", emailAddress.optional(), "which person of the export owns it then"),
  missing_people: flag(
    yes,
    "add people that the export names but does not describe, as deactivated accounts",
  ),
  ...inviting,
};

const fetching = {
  fetch: flag(yes, "fetch files and pictures that the export only links to"),
  token_file: option("FILE", z.string().optional(), "a file with a token of Slack's API, for --fetch"),
  fetch_host: option(
    "HOST",
    z.string().optional(),
    "with --fetch: another host to fetch from, such as files.example.com:8443",
  ),
};

interface ImportFlags extends ArgValues<typeof inviting> {
  file: string;
  dry_run: boolean;
  org?: string | undefined;
  owner_email?: string | undefined;
  missing_people: boolean;
  fetch?: boolean;
  token_file?: string | undefined;
  fetch_host?: string | undefined;
}

const steps =
  "The export is read and checked as a whole first; then everything is written into a copy of the organization, which takes " +
  "its place at the end. Until then nothing has changed, and an import that was interrupted goes on where it stopped when the " +
  "same command is given again. The server must be stopped; in a cluster, all nodes. Everything imported counts as read.";

const onlyAlone =
  "An export of Confab goes into a folder without an organization. Import it into an empty folder, and begin a cluster of " +
  "another name with that.";

interface Described {
  source: "slack" | "zulip" | "mattermost";
  summary: string;
  about: string;
  example: string;
}

function importing({ source, summary, about, example }: Described) {
  return standalone({
    name: `import ${source}`,
    summary,
    about: `${about} ${steps}`,
    examples: [
      `confab import ${source} ${example} --dry-run`,
      `confab import ${source} ${example} --data /srv/confab`,
    ],
    args: source === "slack" ? { ...common, ...fetching } : common,
    result: importReport,
    settings: settingsOfFile,
    run: async ({ dataDir, show }, given) => {
      const { links_file: linksFile } = given;
      const report = await carryOut(dataDir, source, given as ImportFlags);
      await show({ report: withLinksIn(linksFile, report), dataDir, linksFile });
    },
    json: ({ report }) => report,
    print,
  });
}

async function carryOut(
  dataDir: string,
  source: Described["source"],
  given: ImportFlags,
): Promise<ImportReport> {
  const { checkApart, importExport, tryImport } = await import("@/operations/import/host.ts");
  checkApart(given.file, dataDir);
  const { report, end } = progressLine();
  const onProgress = (doing: string, done: number, of: number) => report({ doing, done, of, unit: "" });
  const options = { ...optionsOf(source, given), dataDir, onProgress: onProgress, invite: waysIn(given) };
  const { openCore } = await import("@/core.ts");
  try {
    const onlyReads = isNodeFolder(dataDir);
    if (given.dry_run)
      return await tryImport({ ...options, open: (folder) => openCore(folder, { onlyReads }) });
    const { unlock, known } = await lockFor(dataDir);
    try {
      const site = given.invite ? checkSite(given.site, known) : given.site;
      const made = { ...options, salt: newSalt(), site: site ?? null };
      const run = (into: Pick<ImportInput, "open" | "replacement">) => importExport({ ...made, ...into });
      if (!isNodeFolder(dataDir)) return await run({ open: opener(openCore, site), replacement: null });
      const { importOnNode } = await import("./import-node.ts");
      return await importOnNode({ dataDir, site, run });
    } finally {
      unlock();
    }
  } finally {
    end();
  }
}

type Open = typeof import("@/core.ts").openCore;

const opener = (open: Open, site: string | undefined) => (folder: string) =>
  open(folder, site === undefined ? {} : { site });

interface Locked {
  unlock(): void;
  /** The address of the last `serve`; null before the first. */
  known: string | null;
}

/** Locks the folder; throws if a server runs on it. */
async function lockFor(dataDir: string): Promise<Locked> {
  const { checkNotLost, isDataFolder } = await import("@/operations/data-folder/queries.ts");
  checkNotLost(dataDir);
  if (!isDataFolder(dataDir)) return { unlock: lockFolder(dataDir), known: null };
  const unlock = lockFolder(dataDir);
  try {
    // Migrates the database, and writes nothing else.
    const core = await openFolder(dataDir, { onlyReads: isNodeFolder(dataDir) });
    const { site } = realmSettings.read(core.system);
    await core.close();
    return { unlock, known: site || null };
  } catch (error) {
    unlock();
    throw error;
  }
}

const own = standalone({
  name: "import confab",
  summary: "Import an organization that 'confab export organization' wrote",
  about:
    "Creates an organization from a JSON document that 'confab export organization' wrote, in a folder that has none. Everything " +
    "keeps its ID. Exports do not hold passwords, keys, uploaded files, pictures, and what people keep for themselves. Everything " +
    "counts as read. To move an organization to another machine with all that, use 'confab backup'.",
  examples: ["confab import confab crew.json --dry-run", "confab import confab crew.json --data /srv/confab"],
  args: { file, dry_run: common.dry_run, ...inviting },
  result: importReport,
  settings: settingsOfFile,
  run: async ({ dataDir, show }, { file, dry_run, ...given }) => {
    if (!dry_run) refuseNode(dataDir, onlyAlone);
    const { checkKept, importDocument } = await import("@/operations/import/host.ts");
    checkKept(file, dataDir);
    const { openCore } = await import("@/core.ts");
    const { report, end } = progressLine();
    const onProgress = (doing: string, done: number, of: number) => report({ doing, done, of, unit: "" });
    const { links_file: linksFile } = given;
    const invite = waysIn(given);
    const { unlock, known } = dry_run ? { unlock: () => {}, known: null } : await lockFor(dataDir);
    try {
      const site = given.invite && !dry_run ? checkSite(given.site, known) : given.site;
      const report = await importDocument({
        ...{
          file,
          onProgress,
          invite,
          salt: newSalt(),
          newToken: newSalt,
          now: Math.floor(Date.now() / 1000),
        },
        dataDir: dry_run ? null : dataDir,
        open: opener(openCore, site),
      });
      end();
      await show({ report: withLinksIn(linksFile, report), dataDir, linksFile });
    } finally {
      unlock();
      end();
    }
  },
  json: ({ report }) => report,
  print,
});

function optionsOf(source: Described["source"], given: ImportFlags) {
  const { fetch = false, token_file, fetch_host } = given;
  if (!fetch && (token_file ?? fetch_host) !== undefined) fail("BAD_REQUEST", "Add --fetch to fetch files.");
  return {
    source,
    file: given.file,
    organization: given.org ?? null,
    ownerEmail: given.owner_email ?? null,
    allowMissing: given.missing_people,
    fetch: fetch
      ? { token: token_file === undefined ? null : tokenIn(token_file), host: fetch_host ?? null }
      : null,
  };
}

function tokenIn(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return fail("BAD_REQUEST", `The file ${path} cannot be read.`);
  }
}

interface Shown {
  report: ImportReport;
  dataDir: string;
  linksFile: string | undefined;
}

function print({ report, dataDir, linksFile }: Shown): string {
  const { people, known_people, deactivated, bots, channels, private_channels, archived_channels } = report;
  const { dry_run, invitations } = report;
  const rows: [string, string][] = [
    ["People", countWithNotes(people, [known_people, "there already"], [deactivated, "deactivated"])],
    ["Bots", String(bots)],
    ["Channels", countWithNotes(channels, [private_channels, "private"], [archived_channels, "archived"])],
    ["Direct conversations", String(report.conversations)],
    ["Messages", String(report.messages)],
    ["Topics", String(report.threads)],
    ["Edits", String(report.edits)],
    ["Reactions", String(report.reactions)],
    ["Stars", String(report.stars)],
    ["Custom emoji", String(report.emoji)],
    ["Files", countWithNotes(report.files, [report.file_bytes, bytesText(report.file_bytes)])],
  ];
  const lost = report.lost.map(({ what, count }) => `  ${what}: ${count}`);
  const from = sourceNames[report.source];
  return [
    dry_run
      ? `Nothing was imported. From ${from}, this would be imported:`
      : `Imported from ${from} into ${report.organization}:`,
    facts(rows),
    ...(lost.length > 0 ? ["Left out or changed:", ...lost] : []),
    ...notReadLines(report.not_read),
    ...matchLines(report.matches),
    ...report.remarks.map(stripControlCharacters),
    ...(invitations ? invitationLines({ invitations, dryRun: dry_run, linksFile, dataDir }) : []),
    ...(dry_run || invitations
      ? []
      : [
          "Imported people have no password yet: the same command with --invite mails or prints links to choose one.",
        ]),
  ].join("\n");
}

const maxNotRead = 20;

/** The files of the export that nothing was taken from. */
function notReadLines(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const more = paths.length - maxNotRead;
  return [
    "Files in the export that were not read:",
    ...paths.slice(0, maxNotRead).map((path) => stripControlCharacters(`  ${path}`)),
    ...(more > 0 ? [`  and ${more} more, which --json lists`] : []),
  ];
}

const maxMatches = 20;

/** The people of the export who have an account already. */
function matchLines(matches: ImportReport["matches"]): string[] {
  if (matches.length === 0) return [];
  const shown = matches
    .slice(0, maxMatches)
    .map(({ email, name, name_here }) =>
      stripControlCharacters(`  ${email}: ${name === name_here ? name : `${name}, here ${name_here}`}`),
    );
  const more = matches.length - shown.length;
  return [
    "People of the export who are here already, by their address:",
    ...shown,
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

function countWithNotes(count: number, ...notes: [count: number, text: string][]): string {
  const texts = notes.filter(([n]) => n > 0).map(([n, text]) => (/^\d/.test(text) ? text : `${n} ${text}`));
  return texts.length === 0 ? String(count) : `${count} (${texts.join(", ")})`;
}

export default [
  own,
  importing({
    source: "slack",
    summary: "Import a Slack export",
    about:
      "Imports the zip archive of Slack's 'Export data', or the folder that it unpacks to. docs/moving-from-slack.md says what is kept.",
    example: "'Crew Slack export.zip'",
  }),
  importing({
    source: "zulip",
    summary: "Import a Zulip export",
    about:
      "Imports the archive of Zulip's 'Export organization', or the folder that it unpacks to. docs/moving-from-zulip.md says what is kept.",
    example: "zulip-export-crew.tar.gz",
  }),
  importing({
    source: "mattermost",
    summary: "Import a Mattermost bulk export",
    about:
      "Imports the zip archive of 'mmctl export create', or the folder that it unpacks to. docs/moving-from-mattermost.md says what is kept.",
    example: "crew_export.zip",
  }),
];
