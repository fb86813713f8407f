import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { type Arg, originOf, read } from "./args.ts";
import { standalone } from "./command.ts";
import { table } from "./output.ts";
import { serverSettings, settingsFile, settingsOfFile } from "./settings.ts";

const settingShape = z.object({
  name: z.string(),
  value: z.string().nullable(),
  from: z.enum(["environment", "file", "default"]),
});
type ShownSetting = z.infer<typeof settingShape>;

const shape = z.object({
  file: z.string(),
  settings: z.array(settingShape),
  /** What keeps 'confab serve' from starting so. */
  problem: z.string().nullable(),
});
type Shown = z.infer<typeof shape>;

export default [
  standalone({
    name: "config",
    summary: "Show how the server is set up, and by what",
    about:
      "Shows what 'confab serve' would use for each setting, and where it comes from: the environment, confab.toml in " +
      "the data folder, or the default. Flags given to 'serve' come before all of these.",
    examples: ["confab config", "confab config --data /srv/confab --json"],
    args: {},
    result: shape,
    async run({ dataDir, show }) {
      const file = settingsOfFile(dataDir);
      const settings = Object.entries(serverSettings).map(([name, row]) => shown(name, row, file));
      const checked = read(serverSettings, {}, file);
      const problem = "problem" in checked ? `${checked.problem}.` : null;
      await show({ file: join(resolve(dataDir), settingsFile), settings, problem });
    },
    json: (found) => found,
    print: ({ file, settings, problem }: Shown) => {
      const rows = settings.map(({ name, value, from }) => [name, value ?? "", placeOf(from, name)]);
      const place = `Settings file: ${file}${existsSync(file) ? "" : " (there is none yet)"}`;
      const wrong = problem === null ? "" : `\n\nThe server does not start like this: ${problem}`;
      return `${table(["SETTING", "VALUE", "FROM"], rows)}\n\n${place}${wrong}`;
    },
  }),
];

function shown(name: string, row: Arg, file: Record<string, string>): ShownSetting {
  const { value, from } = originOf(name, row, { given: {}, file });
  const used = value ?? row.rule.safeParse(undefined).data;
  return {
    name,
    value: used === undefined ? null : withoutPassword(String(used)),
    from: from === "flag" ? "default" : from,
  };
}

/** What is shown may be copied into a report of a fault. */
function withoutPassword(value: string): string {
  return value.replace(/^(\w+:\/\/[^/]*):[^/]*@/, "$1:***@");
}

function placeOf(from: ShownSetting["from"], name: string): string {
  if (from === "file") return settingsFile;
  const row: Arg | undefined = Object.entries(serverSettings).find(([key]) => key === name)?.[1];
  return from === "environment" ? (row?.env ?? from) : from;
}
