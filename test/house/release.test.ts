// What a release says about which of its executables were tried.
import { expect, test } from "bun:test";
import { join } from "node:path";
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
