// Runs every command of the guide on backups, with its settings, while a server works on the data folder.
import { afterAll, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { cleanUp, executable, json, newFolder, newOrganization, serve } from "../support/executable.ts";
import { until } from "../support/waiting.ts";

const page = readFileSync(join(import.meta.dir, "..", "..", "docs", "backup.md"), "utf8");
const blocks = (kind: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(
    ([, block = ""]) => block,
  );

afterAll(() => cleanUp());

test("the guide on backups gives commands that work as they stand, with its settings", async () => {
  const machine = newFolder();
  const { data } = await newOrganization(join(machine, "var/lib/confab"));
  mkdirSync(join(machine, "var/backups"));
  const onMachine = (text: string) => text.replaceAll(/(?<![\w.])\/var(?=\/)/g, `${machine}/var`);
  const bin = join(machine, "bin");
  mkdirSync(bin);
  const started = executable.map((word) => `'${word}'`).join(" ");
  writeFileSync(join(bin, "confab"), `#!/bin/sh\nexec ${started} "$@"\n`, { mode: 0o755 });
  const outputs = new Map<string, string>();
  const run = async (command: string) => {
    const ran = Bun.spawn(["bash", "-euo", "pipefail", "-c", onMachine(command)], {
      env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
      stdout: "pipe",
      stderr: "pipe",
    });
    const output = (await new Response(ran.stdout).text()) + (await new Response(ran.stderr).text());
    const status = await ran.exited;
    expect(`${command}→ ${status} ${status === 0 ? "" : output}`).toBe(`${command}→ 0 `);
    outputs.set(command, output);
  };
  const [first = "", ...others] = blocks("sh");
  await run(first);
  writeFileSync(join(data, "confab.toml"), onMachine(blocks("toml").join("\n")));
  const server = await serve(data);
  const place = join(machine, "var/backups/confab-store");
  const listed = () => json<{ backups: unknown[] }>(["backup", "list", place]);
  await until(async () => (await listed()).backups.length === 1, "the first backup");
  for (const command of others) await run(command);
  expect(await server.end("SIGTERM")).toBe(0);
  const all = [...outputs.values()].join("\n");
  expect(all).toContain("It can be restored; the copy is removed.");
  expect(all).toContain("Restored Crew as of");
  expect(page).toContain("confab restore s3://");

  const secret = await generateX25519Identity();
  writeFileSync(join(machine, "backup-key.txt"), `${secret}\n`);
  const line = /^ {4}(encrypt_to = ".*")$/m
    .exec(page)?.[1]
    ?.replace("age1…", await identityToRecipient(secret));
  appendFileSync(join(data, "confab.toml"), `${line}\n`);
  await json(["backup", "now", "--data", data]);
  const identity = ["--identity", join(machine, "backup-key.txt")];
  expect(page).toContain(
    "`confab backup rehearse` take the file with the secret key by `--identity backup-key.txt`",
  );
  const rehearsed = await json(["backup", "rehearse", "--data", data, ...identity]);
  expect(rehearsed).toMatchObject({ organization: "Crew", people: 1, seconds: expect.any(Number) });
});
