import { join } from "node:path";
import { z } from "zod";
import { emailAddress } from "@/foundation/users/schema.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { type Exported, exported } from "@/operations/export/schema.ts";
import { flag, operand } from "../args.ts";
import { standalone } from "../command.ts";
import { yes } from "../confirm.ts";
import { mayOverwrite } from "../files.ts";
import { failUsage } from "../misuse.ts";
import { asOperator, asReader } from "../organization.ts";
import { complain, facts } from "../output.ts";
import { isNodeFolder, serverOfNode } from "../own-node.ts";
import { progressLine } from "../progress.ts";

const file = operand("FILE", z.string().min(1, "the path of a file"), "the JSON document to write");
const shape = "docs/export.md in the source describes it. Uploaded files are in backups only.";

export default [
  standalone({
    name: "export organization",
    summary: "Write all of the organization's data as JSON",
    about:
      "Writes people, groups, channels, messages and everything else as one JSON document. The server may run. A remote server " +
      "exports for administrators what is public, and with --private also what people agreed to; it keeps a copy for some days. " +
      shape,
    examples: [
      "confab export organization crew.json",
      "confab --profile work export organization crew.json --private",
    ],
    actsAs: true,
    runsRemotely: true,
    args: {
      file,
      private: flag(
        z.boolean().default(false),
        "of a remote server: also the private data of those who agreed to its export",
      ),
      yes,
    },
    result: exported,
    async run({ dataDir, remote, as, show }, { file, yes, private: isPrivate }) {
      if (remote) {
        const { exportThere } = await import("./export-remote.ts");
        return show(await exportThere({ remote, as }, { file, yes, isPrivate }));
      }
      refuseAs(as);
      if (isPrivate)
        failUsage("--private goes with --server: next to the data folder everything is exported");
      await show(await write(dataDir, { file, yes, email: null }));
    },
    json: (done) => done,
    print,
  }),
  standalone({
    name: "export user",
    summary: "Write one person's data as JSON",
    about:
      "Writes one person's account, settings, messages and drafts as one JSON document. The audit log notes it. The server may run. " +
      "A remote server does it for owners, and the person must have agreed to that in their settings; next to the data folder " +
      `nobody need agree: who has it has all data anyway. ${shape}`,
    examples: [
      "confab export user ada@example.com ada.json",
      "confab --profile work export user ada@example.com ada.json",
    ],
    actsAs: true,
    runsRemotely: true,
    args: { email: operand("EMAIL", emailAddress, "whose data"), file, yes },
    result: exported,
    async run({ dataDir, remote, as, show }, { email, file, yes }) {
      if (remote) {
        const { exportPersonThere } = await import("./export-remote.ts");
        return show(await exportPersonThere({ remote, as }, { email, file, yes }));
      }
      refuseAs(as);
      await show(await write(dataDir, { file, yes, email }));
    },
    json: (done) => done,
    print,
  }),
];

function refuseAs(as: string | null): void {
  if (as !== null) failUsage("--as goes with --server: next to the data folder the command acts for nobody");
}

async function write(
  dataDir: string,
  { file, yes, email }: { file: string; yes: boolean; email: string | null },
): Promise<Exported> {
  const [{ databaseFile }, { exportData }, { getUserByEmail }] = await Promise.all([
    import("@/operations/data-folder/schema.ts"),
    import("@/operations/export/host.ts"),
    import("@/foundation/accounts/queries.ts"),
  ]);
  const find = (address: string) =>
    asReader({ dataDir, as: null }, (ctx) => {
      try {
        return getUserByEmail(ctx, { email: address }).user_id;
      } catch {
        return fail("BAD_REQUEST", `There is no user with the address ${address}.`);
      }
    });
  const userId = email === null ? await asReader({ dataDir, as: null }, () => null) : await find(email);
  const overwrite = await mayOverwrite(file, yes);
  const { report, end } = progressLine();
  try {
    const done = exportData({
      database: join(dataDir, databaseFile),
      file,
      overwrite,
      userId,
      now: Math.floor(Date.now() / 1000),
      report: (section, rows) => report({ doing: `${section}: ${rows}`, done: 0, of: 0 }),
    });
    await note(dataDir, userId);
    return done;
  } finally {
    end();
  }
}

/** Notes the export in the audit log. A folder that cannot be written to can be exported, too. */
async function note(dataDir: string, userId: number | null): Promise<void> {
  try {
    if (isNodeFolder(dataDir)) {
      const { noteCommand } = await import("@/operations/export/schema.ts");
      const server = await serverOfNode({ dataDir, as: null });
      const given: Record<string, string> = userId === null ? {} : { user: String(userId) };
      await server.run({ command: noteCommand, given, agreed: false });
      return;
    }
    const { recordExport } = await import("@/operations/export/actions.ts");
    await asOperator({ dataDir, as: null }, (ctx) => recordExport(ctx, userId));
  } catch (error) {
    complain(`The audit log does not name this export: ${(error as Error).message}`);
  }
}

function print({ file, rows }: Exported): string {
  const counted = Object.entries(rows).map(([name, count]) => [name, String(count)] as const);
  return `Wrote ${file}\n${facts(counted)}`;
}
