// Builds a release into dist/release: the executables, what the guides download next to them, and checksums. Bun's
// runtimes for other platforms come from npm, and the nats-servers by apt-get from Debian, so this needs the network and apt-get.
// Arguments limit it to the platforms named: npm run release -- linux-x64.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { unsign } from "macho-unsign";
import { completeRelease } from "./release-files.mjs";
import { addNatsServer, architectures, natsFile } from "./release-nats.mjs";
import { runnerOf, triedText, tryExecutable } from "./try.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "dist", "release");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
/** Names of downloads, and what Bun calls their platforms; baseline: for processors without AVX2. */
const platforms = {
  "linux-x64": "bun-linux-x64-baseline",
  "linux-arm64": "bun-linux-arm64",
  "linux-x64-musl": "bun-linux-x64-musl-baseline",
  "linux-arm64-musl": "bun-linux-arm64-musl",
  "macos-x64": "bun-darwin-x64",
  "macos-arm64": "bun-darwin-arm64",
  "windows-x64": "bun-windows-x64-baseline",
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in platforms));
if (unknown.length > 0) {
  console.error(
    `There is no platform ${unknown.join(", ")}; there are ${Object.keys(platforms).join(", ")}.`,
  );
  process.exit(2);
}
const chosen = asked.length > 0 ? asked : Object.keys(platforms);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const failed = [];
const tried = [];
for (const [index, name] of chosen.entries()) {
  const file = `confab-${version}-${name}${name.startsWith("windows") ? ".exe" : ""}`;
  console.error(`[${index + 1}/${chosen.length}] ${file}`);
  const args = [join(root, ".ci", "build.mjs"), `--target=${platforms[name]}`, `--out=${join(folder, file)}`];
  const { status } = spawnSync(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) {
    failed.push(name);
    continue;
  }
  if (name === "macos-x64") removeSignature(join(folder, file));
  tried.push({ name, file, ...(await outcomeOf(name, join(folder, file))) });
  console.log(`${file}  ${Math.round(statSync(join(folder, file)).size / 1e6)} MB`);
}
for (const platform of chosen.filter((name) => name in architectures)) {
  try {
    addNatsServer(folder, platform);
    console.log(natsFile(platform));
  } catch (error) {
    console.error(error.message);
    failed.push(natsFile(platform));
  }
}
const notes = triedText(version, tried);
writeFileSync(join(folder, "TRIED.md"), notes);
completeRelease(folder);
console.log(`\n${notes}`);
failed.push(...tried.filter(({ fault }) => fault).map(({ name }) => name));
if (failed.length > 0) {
  console.error(`Not built, or does not work: ${failed.join(", ")}. The messages above say why.`);
  process.exit(1);
}

/** Runs an executable where this machine can; says what is wrong with it, or why it was not tried. */
async function outcomeOf(name, path) {
  const { runner, obstacle } = runnerOf(name);
  if (obstacle) return { obstacle };
  try {
    await tryExecutable([...runner, path]);
    return { runner };
  } catch (error) {
    console.error(error.message);
    return { fault: error.message };
  }
}

/** Bun's runtime comes signed, and what is built into it breaks the signature: Intel Macs run a file without one. */
function removeSignature(path) {
  const { buffer, byteOffset, byteLength } = readFileSync(path);
  const unsigned = unsign(buffer.slice(byteOffset, byteOffset + byteLength));
  if (unsigned) writeFileSync(path, new Uint8Array(unsigned));
}
