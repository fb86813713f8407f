// Makes a fresh checkout ready to run: plain Node, because nothing is installed yet.
import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const bunPackage = join(root, "node_modules", "bun");
const bun = join(bunPackage, "bin", "bun.exe"); // its name on every platform
const locked = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;

checkNode();
if (!isInstalled()) install();
if (!bunIsPlaced()) placeBun();

function checkNode() {
  const [major = 0] = process.versions.node.split(".").map(Number);
  if (major < 20) stop(`Confab needs Node 20 or newer to set itself up; this is ${process.version}.`);
}

/** npm leaves a copy of the lock in node_modules, saying what it put there (so a manual `npm install` counts). */
function isInstalled() {
  let installed;
  try {
    installed = JSON.parse(readFileSync(join(root, "node_modules", ".package-lock.json"), "utf8")).packages;
  } catch {
    return false;
  }
  return Object.entries(locked).every(([path, entry]) => {
    if (path === "") return true;
    const found = installed[path];
    return found ? found.version === entry.version && found.integrity === entry.integrity : entry.optional;
  });
}

function install() {
  console.error("Installing dependencies (npm ci) …");
  const npm = process.env.npm_execpath;
  // --include: with NODE_ENV=production npm would leave Bun itself out.
  const args = ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"];
  const options = { cwd: root, stdio: ["ignore", 2, 2] };
  const { status, error } = npm?.endsWith("npm-cli.js")
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync("npm", args, { ...options, shell: process.platform === "win32" });
  if (status !== 0) stop(`npm ci failed${error ? `: ${error.message}` : ""}. The messages above say why.`);
}

/** The npm package holds a placeholder of a few bytes until its postinstall links the real binary. */
function bunIsPlaced() {
  try {
    return statSync(bun).size > 1_000_000;
  } catch {
    return false;
  }
}

function placeBun() {
  // npm was told not to run install scripts (ignore-scripts, or npm 12's default): run the one we need.
  spawnSync(process.execPath, ["install.js"], { cwd: bunPackage, stdio: ["ignore", 2, 2] });
  const { status, error } = spawnSync(bun, ["--version"]);
  if (status === 0) return;
  stop(
    `Bun ${locked["node_modules/bun"].version} does not run on this machine (${process.platform} ${process.arch})` +
      `${error ? `: ${error.message}` : ""}.\n` +
      "A proxy or a blocked download is the usual reason: delete node_modules and try again.",
  );
}

function stop(message) {
  console.error(message);
  process.exit(1);
}
