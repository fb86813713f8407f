// npm run bench:import: CPU time and peak memory of importing a large export of each other chat by the executable.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { exportsOf } from "./exports.ts";

const { values } = parseArgs({
  options: {
    messages: { type: "string", default: "1000000" },
    only: { type: "string", multiple: true },
  },
});
const count = Number(values.messages);
const confab = join(import.meta.dir, "../../../dist/confab");

for (const [source, { write, ending }] of Object.entries(exportsOf)) {
  if (values.only !== undefined && !values.only.includes(source)) continue;
  const folder = mkdtempSync(join(tmpdir(), "confab-bench-import-"));
  try {
    const file = join(folder, `export.${ending}`);
    await write(count, join(folder, "parts"), file);
    rmSync(join(folder, "parts"), { recursive: true });
    const child = Bun.spawn(
      [confab, "import", source, file, "--data", join(folder, "data"), "--org", "Crew", "--json"],
      {
        stdout: "pipe",
        stderr: "inherit",
      },
    );
    const report = await new Response(child.stdout).text();
    if ((await child.exited) !== 0) throw new Error(`The import from ${source} failed.`);
    const { messages, seconds } = JSON.parse(report) as { messages: number; seconds: number };
    const { cpuTime, maxRSS } = child.resourceUsage() ?? { cpuTime: { total: 0n }, maxRSS: 0 };
    const size = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`;
    const cpu = Math.round(Number(cpuTime.total) / 1_000_000);
    console.log(
      `${source}: ${messages} messages of ${size(statSync(file).size)}, ${cpu} s of CPU, ${seconds} s, peak ${size(maxRSS)}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
