import { bytesText } from "@/kernel/lib/wording.ts";
import { filesShown, type MovedFiles, movedFiles, storeKind } from "@/operations/file-moves/schema.ts";
import { option } from "../args.ts";
import { inspecting, standalone } from "../command.ts";
import { isLocked } from "../lock.ts";
import { checkOrganization, openFolder } from "../organization.ts";
import { table } from "../output.ts";
import { refuseNode } from "../own-node.ts";
import { progressLine } from "../progress.ts";
import space from "./files-space.ts";

const names = { disk: "the disk", s3: "the S3 store" } as const;
const count = (files: number) => (files === 1 ? "1 file" : `${files} files`);

const forAllNodes =
  "The files of a cluster stay in the S3 store, where all nodes read them. To move them, end the cluster first with 'confab cluster leave'.";

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
    summary: "Move uploads, pictures and exports to an S3 store, or back to the disk",
    about:
      "Moves all files to the S3 store that the settings s3_bucket and others name, or back to the data folder. The server may " +
      "run, if it was started with these settings: people read and upload files meanwhile. Each file is copied, read again and " +
      "compared before its original is deleted. An interrupted move goes on when the command is given again.",
    examples: ["confab files move --to s3", "confab files move --to disk --data /srv/confab"],
    args: { to: option("STORE", storeKind, "where to: s3 or disk") },
    result: movedFiles,
    async run({ dataDir, show }, { to }) {
      await checkOrganization(dataDir);
      refuseNode(dataDir, forAllNodes);
      const { moveFiles } = await import("@/operations/file-moves/host.ts");
      const { report, end } = progressLine();
      const core = await openFolder(dataDir);
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
