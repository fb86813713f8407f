// Runs `bun test` in several processes at once, and prints what each says once it has ended, so that their output does not mix.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const bun = join(root, "node_modules", "bun", "bin", "bun.exe");

/**
 * Runs batches of files (paths from the repository), so many processes at a time. Returns the worst exit status, a line for each
 * test that failed, and whether any test ran. `reports` is a folder for Bun's reports of how long each file took, or null.
 */
export async function runBatches(batches, processes, { args, env, reports }) {
  const waiting = [...batches];
  const result = { status: 0, failed: [], hasRun: false };
  const children = new Set();
  for (const signal of ["SIGINT", "SIGTERM"])
    process.on(signal, () => {
      waiting.length = 0;
      for (const child of children) child.kill(signal);
    });
  const inTurn = async () => {
    for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
      const number = batches.length - waiting.length;
      const report = reports
        ? ["--reporter=junit", `--reporter-outfile=${join(reports, `${number}.xml`)}`]
        : [];
      const ended = await run(batch, { args: [...args, ...report], env, children });
      result.status = Math.max(result.status, ended.status);
      result.failed.push(...ended.failed);
      result.hasRun ||= ended.hasRun;
    }
  };
  await Promise.all(Array.from({ length: processes }, inTurn));
  return result;
}

function run(batch, { args, env, children }) {
  // As paths: Bun runs them in this order. Names alone are patterns, run in the file system's order, so that a file whose
  // tests depend on what ran before it would fail on some machines.
  const paths = batch.map((file) => `./${file}`);
  return new Promise((resolve) => {
    const child = spawn(bun, ["test", ...args, ...paths], {
      cwd: root,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.add(child);
    const output = [];
    child.stdout.on("data", (chunk) => output.push(chunk));
    child.stderr.on("data", (chunk) => output.push(chunk));
    child.on("close", (status, signal) => {
      children.delete(child);
      const text = Buffer.concat(output).toString();
      process.stdout.write(text);
      const failed = failures(text);
      // Bun crashed: as in its own lists, so that .ci/run counts it.
      if (signal) {
        const file = lastFile(text) ?? batch[0];
        console.log(`\n${file}:\n(fail) Bun ended by ${signal}\n 1 fail\n`);
        failed.push(`${file}: Bun ended by ${signal}; ${batch.join(", ")} did not all run`);
      }
      resolve({ status: signal ? 1 : status, failed, hasRun: text.includes("\nRan ") });
    });
  });
}

/** A line for each failure that Bun printed, with its file. */
function failures(text) {
  let file = "";
  return text.split("\n").flatMap((coloured) => {
    const line = stripVTControlCharacters(coloured);
    if (isFileLine(line)) file = line.slice(0, -1);
    if (/^\d+ tests? failed:$/.test(line)) file = "";
    return file && /^(\(fail\) |# Unhandled error between tests)/.test(line) ? [`${file}: ${line}`] : [];
  });
}

/** The file that Bun was in when it ended. */
function lastFile(text) {
  return text.split("\n").map(stripVTControlCharacters).findLast(isFileLine)?.slice(0, -1);
}

function isFileLine(line) {
  return /^test\/\S*\.tsx?:$/.test(line);
}
