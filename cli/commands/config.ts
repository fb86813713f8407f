import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { settingsOfSeat } from "@/cluster/machines/seat.ts";
import { type Arg, originOf, read } from "../args.ts";
import { standalone } from "../command.ts";
import { table } from "../output.ts";
import { serverSettings, settingsFile, settingsOfFile } from "../settings.ts";

const settingShape = z.object({
  name: z.string(),
  value: z.string().nullable(),
  from: z.enum(["environment", "file", "cluster", "default"]),
});
type ShownSetting = z.infer<typeof settingShape>;

const shape = z.object({
  file: z.string(),
  settings: z.array(settingShape),
  /** Why 'confab serve' would not start with these settings. */
  problem: z.string().nullable(),
});
type Shown = z.infer<typeof shape>;

export default [
  standalone({
    name: "config",
    summary: "Show the server's settings and where they come from",
    about:
      "Shows what 'confab serve' would use for each setting, and where it comes from: the environment, confab.toml in " +
      "the data folder, the place of the machine in a cluster, or the default. Flags of 'serve' override all of these.",
    examples: ["confab config", "confab config --data /srv/confab --json"],
    args: {},
    result: shape,
    async run({ dataDir, show }) {
      const file = settingsOfFile(dataDir);
      const ofCluster = settingsOfSeat(dataDir);
      const settings = Object.entries(serverSettings).map(([name, row]) => {
        const shown = presentSetting(name, row, file);
        const isOfCluster = shown.from === "file" && file[name] === ofCluster[name];
        return isOfCluster ? { ...shown, from: "cluster" as const } : shown;
      });
      const checked = read(serverSettings, {}, file);
      const problem = "problem" in checked ? `${checked.problem}.` : null;
      await show({ file: join(resolve(dataDir), settingsFile), settings, problem });
    },
    json: (found) => found,
    print: ({ file, settings, problem }: Shown) => {
      const rows = settings.map(({ name, value, from }) => [name, value ?? "", placeOf(from, name)]);
      const place = `Settings file: ${file}${existsSync(file) ? "" : " (does not exist)"}`;
      const wrong = problem === null ? "" : `\n\nThe server cannot start with these settings: ${problem}`;
      return `${table(["SETTING", "VALUE", "FROM"], rows)}\n\n${place}${wrong}`;
    },
  }),
];

function presentSetting(name: string, row: Arg, file: Record<string, string>): ShownSetting {
  const { value, from } = originOf(name, row, { given: {}, file });
  const used = value ?? row.rule.safeParse(undefined).data;
  return {
    name,
    value: used === undefined ? null : withoutPassword(String(used)),
    from: from === "flag" ? "default" : from,
  };
}

/** Hides passwords, because the output may be copied into a bug report. */
function withoutPassword(value: string): string {
  return value.replaceAll(/(\w+:\/\/[^/,]*?):[^/,]*@/g, "$1:***@");
}

function placeOf(from: ShownSetting["from"], name: string): string {
  if (from === "file") return settingsFile;
  if (from === "cluster") return "its place in the cluster";
  const row: Arg | undefined = Object.entries(serverSettings).find(([key]) => key === name)?.[1];
  return from === "environment" ? (row?.env ?? from) : from;
}
