import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { type Arg, originOf, read } from "../args.ts";
import { standalone } from "../command.ts";
import { table } from "../output.ts";
import { serverSettings, settingsFile, settingsOfFile } from "../settings.ts";

const settingShape = z.object({
  name: z.string(),
  value: z.string().nullable(),
  from: z.enum(["environment", "file", "default"]),
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
      "the data folder, or the default. Flags of 'serve' override all of these.",
    examples: ["confab config", "confab config --data /srv/confab --json"],
    args: {},
    result: shape,
    async run({ dataDir, show }) {
      const file = settingsOfFile(dataDir);
      const settings = Object.entries(serverSettings).map(([name, row]) => presentSetting(name, row, file));
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
  return value.replace(/^(\w+:\/\/[^/]*):[^/]*@/, "$1:***@");
}

function placeOf(from: ShownSetting["from"], name: string): string {
  if (from === "file") return settingsFile;
  const row: Arg | undefined = Object.entries(serverSettings).find(([key]) => key === name)?.[1];
  return from === "environment" ? (row?.env ?? from) : from;
}
