// The nats-servers of a release, from Debian's package: the programs, and whose work is in them (.ci/notices/nats-server.json).
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { withPackage } from "./debian.mjs";
import { line, partComponent, partText, textsOf, wrapped } from "./notice-parts.mjs";

const known = JSON.parse(readFileSync(new URL("./notices/nats-server.json", import.meta.url), "utf8"));

/** By the platforms of a release that have one: Debian's architecture. */
export const architectures = { "linux-x64": "amd64", "linux-arm64": "arm64" };

export const natsFile = (platform) => `nats-server-${known.version}-${platform}`;

/** Puts the nats-server for a platform into a folder. Throws if Debian's package is another than the notices are of. */
export function addNatsServer(folder, platform) {
  const place = { name: "nats-server", suite: known.suite, architecture: architectures[platform] };
  withPackage(place, ({ folder: unpacked, fields }) => {
    const fault = faultOf(fields);
    if (fault !== null) throw new Error(fault);
    copyFileSync(join(unpacked, "usr", "sbin", "nats-server"), join(folder, natsFile(platform)));
    chmodSync(join(folder, natsFile(platform)), 0o755);
  });
}

/** Why the notices do not hold for a package with these fields; null if they do. */
export function faultOf({ Version: version = "", "Built-Using": built = "" }) {
  const read = `read ${known.source} again, and correct .ci/notices/nats-server.json.`;
  if (!version.startsWith(`${known.version}-`))
    return `The notices are of nats-server ${known.version}, not ${version}: ${read}`;
  const sources = built.split(", ").map((one) => one.split(" ")[0]);
  const others = sources.filter((one) => one !== "" && !known.built_using.includes(one));
  return others.length > 0
    ? `nats-server ${version} contains ${others.join(", ")}, which has no notice: ${read}`
    : null;
}

/** The nats-servers in the folder of a release. */
const filesIn = (folder) =>
  Object.keys(architectures).flatMap((platform) =>
    readdirSync(folder).includes(natsFile(platform)) ? [{ platform, file: natsFile(platform) }] : [],
  );

/** The notices of a release's executables, and of the nats-servers in its folder. */
export function noticesWithNats(text, folder) {
  const files = filesIn(folder).map(({ file }) => file);
  if (files.length === 0) return text;
  const faults = [];
  const parts = known.contains.map((part) => partText(part, faults));
  if (faults.length > 0) throw new Error(faults.join("\n"));
  const { version, license, source, suite, contains } = known;
  return `${[
    text.trimEnd(),
    `${line}\nnats-server ${version} (${license}), ${source}`,
    wrapped(
      `A program of its own, which Confab starts in a cluster: ${files.join(" and ")}, from the package nats-server of Debian ${suite}, unchanged. ` +
        "It contains:",
    ),
    parts.join("\n"),
    ...textsOf(contains),
  ].join("\n\n")}\n`;
}

/** The same for the list of components. */
export function componentsWithNats(sbom, folder) {
  const { version, license, source, contains } = known;
  const programs = filesIn(folder).map(({ file }) => {
    const content = createHash("sha256")
      .update(readFileSync(join(folder, file)))
      .digest("hex");
    return {
      type: "application",
      "bom-ref": file,
      name: "nats-server",
      version,
      purl: `pkg:github/nats-io/nats-server@v${version}`,
      licenses: [{ license: { id: license } }],
      hashes: [{ alg: "SHA-256", content }],
      externalReferences: [{ type: "vcs", url: source }],
      components: contains.map(partComponent),
    };
  });
  return { ...sbom, components: [...sbom.components, ...programs] };
}
