// What a release holds next to its programs, and the checksums of all of it.
import { createHash } from "node:crypto";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { componentsWithNats, noticesWithNats } from "./release-nats.mjs";

const docs = fileURLToPath(new URL("../docs", import.meta.url));
const dist = fileURLToPath(new URL("../dist", import.meta.url));

/** From docs/: what the guides have operators download. */
const accompanying = [
  "confab.service",
  "confab-backup.service",
  "confab-backup.timer",
  "Containerfile",
  "compose.yaml",
];
/** From dist/: whose work is in the executables, as .ci/notices.mjs found it when they were built. */
const notices = ["THIRD-PARTY.txt", "sbom.cdx.json"];
const sumsFile = "SHA256SUMS";

/** Puts the other files of a release next to the programs in `folder`, and SHA256SUMS of everything there. */
export function completeRelease(folder) {
  for (const name of accompanying) copyFileSync(join(docs, name), join(folder, name));
  const papers = notices.map((name) => readFileSync(join(dist, name), "utf8"));
  writeFileSync(join(folder, notices[0]), noticesWithNats(papers[0], folder));
  const components = componentsWithNats(JSON.parse(papers[1]), folder);
  writeFileSync(join(folder, notices[1]), `${JSON.stringify(components, null, 2)}\n`);
  const names = readdirSync(folder)
    .filter((name) => name !== sumsFile)
    .sort();
  const lines = names.map((name) => `${sha256(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, sumsFile), lines.join(""));
}

function sha256(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
