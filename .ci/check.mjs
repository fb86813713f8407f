// `npm run check`: types and style, side by side. Each prints once it has ended. What tsc found out is kept in dist/types, so that
// it looks only at what has changed since.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

// The largest project by itself, the others one after another: they end at about the same time on two cores.
const lanes = [
  [types("tsconfig.json", "all")],
  [types("src/web/tsconfig.json", "web"), types("test/web/tsconfig.json", "web-tests"), style()],
];
const statuses = await Promise.all(lanes.map(runAll));
process.exitCode = Math.max(...statuses.flat());

/** One checker, because several check the types that they share several times: half the CPU time. */
function types(project, name) {
  const known = join("dist", "types", `${name}.tsbuildinfo`);
  return ["tsc", "-p", project, "--checkers", "1", "--incremental", "--tsBuildInfoFile", known, "--pretty"];
}

function style() {
  return ["biome", "check", "--error-on-warnings", "--colors=force"];
}

async function runAll(commands) {
  const statuses = [];
  for (const command of commands) statuses.push(await run(command));
  return statuses;
}

function run([command, ...args]) {
  return new Promise((resolve) => {
    const child = spawn(join(root, "node_modules", ".bin", command), args, { cwd: root });
    const output = [];
    child.stdout.on("data", (chunk) => output.push(chunk));
    child.stderr.on("data", (chunk) => output.push(chunk));
    child.on("close", (status) => {
      process.stdout.write(Buffer.concat(output));
      resolve(status ?? 1);
    });
  });
}
