import type { Core } from "@/core.ts";
import type { StoreKind } from "@/foundation/file-stores/schema.ts";
import { failInEnglish as fail } from "@/kernel/lib/errors.ts";
import { bytesText } from "@/kernel/lib/wording.ts";
import { filesShown, type MovedFiles, movedFiles, storeKind } from "@/operations/file-moves/schema.ts";
import { option } from "../args.ts";
import { inspecting, standalone } from "../command.ts";
import { isLocked } from "../lock.ts";
import { checkOrganization, openFolder } from "../organization.ts";
import { table } from "../output.ts";
import { isNodeFolder } from "../own-node.ts";
import { progressLine } from "../progress.ts";
import space from "./files-space.ts";

const names = { disk: "the disk", s3: "the S3 store", nats: "the nats-servers" } as const;
const count = (files: number) => (files === 1 ? "1 file" : `${files} files`);

const disksOfNodes =
  "The nodes of a cluster do not find files on one machine's disk: 'confab cluster leave' moves them there.";
const runningNodes =
  "Stop all nodes first; the nats-servers must run, by 'confab serve --witness' where Confab runs them.";

/** Opens the folder for the move; on a node's, the move goes through the log. */
async function openFor(dataDir: string, to: StoreKind): Promise<Core> {
  if (!isNodeFolder(dataDir)) {
    if (to === "nats") fail("BAD_REQUEST", "A single server has no nats-servers: choose s3 or disk.");
    return openFolder(dataDir);
  }
  if (to === "disk") fail("BAD_REQUEST", disksOfNodes);
  if (isLocked(dataDir)) fail("BAD_REQUEST", runningNodes);
  const { openLeadingIn } = await import("./cluster-files.ts");
  return openLeadingIn(dataDir);
}

export default [
  inspecting({
    name: "files show",
    summary: "Show where uploads, pictures and exports are",
    about: "Shows where the organization's files are, how many there are and how large they are together.",
    examples: ["confab files show", "confab files show --data /srv/confab --json"],
    args: {},
    result: filesShown,
    async here({ dataDir }) {
      await checkOrganization(dataDir);
      const { showFiles } = await import("@/operations/file-moves/host.ts");
      const core = await openFolder(dataDir, { onlyReads: true });
      try {
        return await showFiles(core.system);
      } finally {
        await core.close();
      }
    },
    async there(ctx) {
      const { showFiles } = await import("@/operations/file-moves/host.ts");
      return showFiles(ctx);
    },
    print: ({ stores, also_at }) => {
      const rows = stores.map(({ store, address, files, bytes: size }) => [
        store,
        String(files),
        bytesText(size),
        address,
      ]);
      const shown = table(["STORE", "FILES", "SIZE", "ADDRESS"], rows);
      if (also_at === null) return shown;
      return `${shown}\n\nA move was interrupted. Everything can be read; finish it with the same command.`;
    },
  }),
  standalone({
    name: "files move",
    summary: "Move uploads, pictures and exports to an S3 store, or back",
    about:
      "Moves all files to the S3 store that the settings s3_bucket and others name, or back: of a single server to the data folder, of a cluster to its " +
      "nats-servers. A single server may run, if it was started with these settings: people read and upload files meanwhile. All nodes of a cluster must be " +
      "stopped, and its nats-servers run. Each file is copied, read again and compared before its original is deleted. An interrupted move goes on when the " +
      "command is given again.",
    examples: ["confab files move --to s3", "confab files move --to disk --data /srv/confab"],
    args: { to: option("STORE", storeKind, "where to: s3, disk, or nats of a cluster") },
    result: movedFiles,
    async run({ dataDir, show }, { to }) {
      await checkOrganization(dataDir);
      const { moveFiles } = await import("@/operations/file-moves/host.ts");
      const { report, end } = progressLine();
      const core = await openFor(dataDir, to);
      try {
        const isServed = isLocked(dataDir);
        await show(await moveFiles(core.system, { dataDir, to, isServed, report }).finally(end));
      } finally {
        await core.close();
      }
    },
    json: (moved) => moved,
    print: ({ at, address, files, bytes: size }: MovedFiles) =>
      `${files === 0 ? "Nothing was left to move" : `Moved ${count(files)} (${bytesText(size)})`}: all are in ${names[at]} now, ${address}.`,
  }),
  ...space,
];
