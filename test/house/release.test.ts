// What a release says about which of its executables were tried, and the nats-servers that it holds.
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkVersion } from "@/cluster/examination/nats-check.ts";
import {
  architectures,
  componentsWithNats,
  faultOf,
  natsFile,
  noticesWithNats,
} from "../../.ci/release-nats.mjs";
import { triedText } from "../../.ci/try.mjs";
import { newFolder } from "../support/executable.ts";

const platforms = ["linux-x64", "linux-arm64", "linux-arm64-musl", "macos-arm64", "windows-x64"];

test("a machine without an emulator tries its own platform alone, and says what to install", () => {
  const script = join(import.meta.dir, "..", "..", ".ci", "try.mjs");
  const node = Bun.which("node") ?? "node";
  const code = `import { runnerOf } from ${JSON.stringify(script)};
console.log(JSON.stringify(${JSON.stringify(platforms)}.map((one) => [one, runnerOf(one)])));`;
  const { stdout } = Bun.spawnSync([node, "--input-type=module", "-e", code], { env: { PATH: newFolder() } });
  const found = new Map<string, { runner?: string[]; obstacle?: string }>(JSON.parse(stdout.toString()));

  const os = { win32: "windows", darwin: "macos" }[process.platform as string] ?? process.platform;
  const here = `${os}-${process.arch}`;
  for (const [name, outcome] of found) {
    const install = process.platform === "linux" && name === "linux-arm64";
    if (name === here) expect(outcome).toEqual({ runner: [] });
    else expect(outcome.obstacle).toContain(install ? "install qemu-user" : `this machine is ${here}`);
  }
});

test("the notes of a release name what was tried, what was not and why, and what does not work", () => {
  const notes = triedText("1.2.3", [
    { file: "confab-1.2.3-linux-x64", runner: [] },
    { file: "confab-1.2.3-linux-arm64", runner: ["qemu-aarch64", "-L", "/usr"] },
    { file: "confab-1.2.3-macos-arm64", obstacle: "this machine is linux-x64" },
    { file: "confab-1.2.3-windows-x64.exe", fault: "--version printed nothing" },
  ]);
  expect(notes).toBe(`# What was tried of Confab 1.2.3

- confab-1.2.3-linux-x64: tried: version, init, serve, one message.
- confab-1.2.3-linux-arm64: tried under qemu-aarch64: version, init, serve, one message.
- confab-1.2.3-macos-arm64: NOT TRIED: this machine is linux-x64.
- confab-1.2.3-windows-x64.exe: does not work: --version printed nothing
`);
});

const kept = (path: string) => readFileSync(join(import.meta.dir, "..", "..", path), "utf8");
const nats = JSON.parse(kept(".ci/notices/nats-server.json"));

test("a release has a nats-server that is new enough for Linux on both processors, and the guide names it", () => {
  expect(architectures).toEqual({ "linux-x64": "amd64", "linux-arm64": "arm64" });
  checkVersion("nats-server", nats.version);
  for (const platform of Object.keys(architectures)) {
    expect(kept(".ci/release.mjs")).toContain(`"${platform}": "bun-`);
    expect(natsFile(platform)).toBe(`nats-server-${nats.version}-${platform}`);
    expect(kept("docs/cluster.md")).toContain(natsFile(platform));
  }
});

test("another nats-server than the notices are of stops a release", () => {
  const built = nats.built_using.map((name: string) => `${name} (= 1.0-1)`);
  const of = (version: string, more: string[] = []) =>
    faultOf({ Version: version, "Built-Using": [...built, ...more].join(", ") });
  expect(of(`${nats.version}-1+b2`)).toBeNull();
  expect(of("2.99.0-1")).toContain(`of nats-server ${nats.version}, not 2.99.0-1`);
  expect(of(`${nats.version}0-1`)).toContain("not");
  expect(of(`${nats.version}-1`, ["golang-new (= 2)"])).toContain("contains golang-new, which has no notice");
  expect(faultOf({})).toContain("The notices are of");
});

test("the papers of a release have the work in its nats-servers, each by its checksum", () => {
  const folder = newFolder();
  const sbom = { bomFormat: "CycloneDX", components: [{ name: "bun" }] };
  expect(noticesWithNats("Notices.\n", folder)).toBe("Notices.\n");
  expect(componentsWithNats(sbom, folder)).toEqual(sbom);
  for (const platform of Object.keys(architectures))
    writeFileSync(join(folder, natsFile(platform)), `the program for ${platform}`);
  const text = noticesWithNats("Notices.\n", folder);
  expect(text).toStartWith("Notices.\n");
  expect(text).toContain(`\nnats-server ${nats.version} (Apache-2.0), ${nats.source}\n`);
  for (const { name, license, copyright, texts } of nats.contains) {
    expect(text).toContain(`    ${name}: ${license}\n`);
    for (const line of copyright) expect(text).toContain(`        ${line}\n`);
    for (const one of texts)
      expect(text).toContain(`\nText: ${one}\n\n${kept(`.ci/notices/licenses/${one}.txt`).trim()}`);
  }
  const { components } = componentsWithNats(sbom, folder);
  const sha256 = (content: string) => new Bun.CryptoHasher("sha256").update(content).digest("hex");
  expect(components).toMatchObject([
    { name: "bun" },
    ...Object.keys(architectures).map((platform) => ({
      "bom-ref": natsFile(platform),
      name: "nats-server",
      version: nats.version,
      hashes: [{ alg: "SHA-256", content: sha256(`the program for ${platform}`) }],
    })),
  ]);
});
