// How the notices and the list of components (CycloneDX) name what a program contains of others.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

/** A part of a program or of a package, whose texts are at the end; adds to `faults` what is missing. */
export function partText({ name, license, url, copyright, texts }, faults) {
  const isFree = license === "public domain";
  if (copyright.length === 0 && !isFree) faults.push(`${name} has no copyright notice.`);
  for (const text of texts) {
    if (!existsSync(textFile(text))) faults.push(`The text of ${text} is not in .ci/notices/licenses.`);
  }
  const lines = [...copyright, ...(texts.length > 0 ? [`Texts below: ${texts.join(", ")}`] : [])];
  return [`    ${name}: ${license}`, ...[url, ...lines].map((line) => `        ${line}`)].join("\n");
}

/** The texts of the licences of parts, each once. */
export function textsOf(parts) {
  const names = [...new Set(parts.flatMap((part) => part.texts))].sort();
  return names.map((name) => `${line}\nText: ${name}\n\n${readFileSync(textFile(name), "utf8").trim()}`);
}

function textFile(name) {
  return join(here, "notices", "licenses", `${name}.txt`);
}

/** Between two notices. */
export const line = "-".repeat(80);

export function wrapped(text) {
  return text.replaceAll(/(.{1,100})( |$)/g, "$1\n").trimEnd();
}

export function partComponent({ name, license, url }) {
  return {
    type: "library",
    name,
    licenses: [{ license: { name: license } }],
    externalReferences: [{ type: "website", url }],
  };
}
