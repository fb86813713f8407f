// Runs the commands of the pages on moving from other chats, with generated exports.
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { cleanUp, confab, executable, json, newFolder } from "../support/executable.ts";
import { type Members, tarred, zipped } from "../support/imports/archives.ts";
import { mattermostExport } from "../support/imports/mattermost.ts";
import { slackExport } from "../support/imports/slack.ts";
import { zulipExport } from "../support/imports/zulip.ts";

const root = join(import.meta.dir, "..", "..");
const built = join(root, "dist", "confab");
const isReady = process.platform !== "win32" && existsSync(built) && executable[0] === built;

afterAll(() => cleanUp());

interface Page {
  source: string;
  /** The export, under the name that it has on the page. */
  file: string;
  pack(path: string, members: Members): Promise<string>;
  members(): Members;
}

const pages: Page[] = [
  { source: "slack", file: "Crew Slack export.zip", pack: zipped, members: slackExport },
  { source: "zulip", file: "zulip-export-crew.tar.gz", pack: tarred, members: zulipExport },
  { source: "mattermost", file: "crew_export.zip", pack: zipped, members: mattermostExport },
];

const page = (name: string) => readFileSync(join(root, "docs", name), "utf8");

describe.skipIf(!isReady)("the pages on moving from another chat", () => {
  test.each(pages)(
    "give commands that work as they stand: from $source",
    async ({ source, file, pack, members }) => {
      const folder = newFolder();
      renameSync(await pack(join(folder, "export"), members()), join(folder, file));
      const bin = join(folder, "bin");
      mkdirSync(bin);
      symlinkSync(built, join(bin, "confab"));
      const data = join(folder, "data");
      const text = page(`moving-from-${source}.md`);
      const commands = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
      const outputs: string[] = [];
      for (const command of commands) {
        const ran = Bun.spawn(
          ["bash", "-euo", "pipefail", "-c", command.replaceAll("/var/lib/confab", data)],
          {
            cwd: folder,
            env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
            stdout: "pipe",
            stderr: "pipe",
          },
        );
        const output = (await new Response(ran.stdout).text()) + (await new Response(ran.stderr).text());
        const status = await ran.exited;
        expect(`${command}→ ${status} ${status === 0 ? "" : output}`).toBe(`${command}→ 0 `);
        outputs.push(output);
      }
      expect(outputs).toEqual([
        expect.stringContaining("Nothing was imported. From"),
        expect.stringContaining("Imported from"),
        expect.stringMatching(/https:\/\/chat\.example\.com\/password\/reset\/\w{32}/),
      ]);
      expect((await json<unknown[]>(["user", "list", "--data", data])).length).toBeGreaterThan(3);
    },
    60_000,
  );

  test("name only existing options", async () => {
    for (const { source } of pages) {
      const { stdout } = await confab(["import", source, "--help"]);
      // Options of `confab init`, which has a help of its own, are no options of imports.
      const text = page(`moving-from-${source}.md`).replaceAll(/`confab init [^`]*`/g, "");
      const named = [...text.matchAll(/--[a-z]+(?:-[a-z]+)*/g)].map(([name]) => name);
      const ours = named.filter((name) => !/^--(include|no-attachments|public|new-email)/.test(name));
      expect(ours.length).toBeGreaterThan(3);
      for (const name of ours) expect([source, name, stdout.includes(name)]).toEqual([source, name, true]);
    }
  });
});
