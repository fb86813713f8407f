// The data folder of a cluster's node is never opened on its own, so that no command makes it differ from the other nodes.
import { afterAll, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCore } from "@/core.ts";
import type { CommitLog } from "@/kernel/store/commit-log.ts";
import { runHere } from "../support/command-line.ts";
import { openDatabaseOf } from "../support/database.ts";
import { cleanUp, confab, newFolder } from "../support/executable.ts";

afterAll(() => cleanUp());

/** An empty log; this test writes nothing to it. */
const idle: CommitLog = {
  leads: false,
  append: () => Promise.reject(new Error("Nothing is written here")),
  read: () => Promise.resolve([]),
  spread: () => Promise.resolve(),
  announce: () => {},
  endNode: () => {},
};

test("commands and servers refuse the folder of a node, say what to do, and change nothing", async () => {
  const data = newFolder();
  const owner = ["--org", "Several", "--owner-email", "olive@example.com", "--owner-name", "Olive"];
  expect(await runHere(["init", "--data", data, ...owner])).toMatchObject({ status: 0 });
  await openCore(data, { commitLog: idle }).close();
  const stored = () => {
    const sqlite = openDatabaseOf(data, { readonly: true });
    const rows = ["users", "settings", "replication"].map((table) =>
      sqlite.query(`SELECT * FROM ${table}`).values(),
    );
    sqlite.close();
    return rows;
  };
  const before = stored();

  const commands = [
    ["user", "list"],
    ["user", "create", "--email", "ada@example.com", "--name", "Ada"],
    ["serve", "--port", "1"],
  ];
  for (const command of commands) {
    const run = command[0] === "serve" ? confab : runHere;
    const { status, stderr } = await run([...command, "--data", data]);
    expect({ command, status }).toEqual({ command, status: 1 });
    expect(stderr).toContain("This data folder belongs to a cluster's node");
    expect(stderr).toContain(
      "Start it with 'confab serve' and the settings of its cluster, and run the command then",
    );
  }
  // A node's server creates this file, and commands send their requests to the address in it.
  writeFileSync(join(data, "confab.operator"), `${"a".repeat(64)}\n`, { mode: 0o600 });
  for (const command of [
    ["user", "list"],
    ["queue", "list"],
    ["message", "tail"],
    ["api", "GET", "/users/me"],
  ]) {
    const { status, stderr } = await runHere([...command, "--data", data]);
    expect({ command, status }).toEqual({ command, status: 1 });
    expect(stderr).toContain("belongs to a cluster's node, whose server does not run. Start it with");
  }
  expect(stored()).toEqual(before);

  const node = openCore(data, { commitLog: idle });
  expect(node.replica?.position).toEqual({ seq: 0, digest: "" });
  await node.close();
});

test("a restored backup of a node is the folder of a single server", async () => {
  const data = newFolder();
  const owner = ["--org", "Several", "--owner-email", "olive@example.com", "--owner-name", "Olive"];
  expect(await runHere(["init", "--data", data, ...owner])).toMatchObject({ status: 0 });
  await openCore(data, { commitLog: idle }).close();
  writeFileSync(join(data, "confab.operator"), "a token\n");
  const file = join(newFolder(), "node.tar.gz");
  expect(await runHere(["backup", file, "--data", data])).toMatchObject({ status: 0 });

  const restored = newFolder();
  expect(await runHere(["restore", file, "--data", restored])).toMatchObject({ status: 0 });
  expect(existsSync(join(restored, "confab.operator"))).toBe(false);
  const made = ["user", "create", "--email", "ada@example.com", "--name", "Ada"];
  expect(await runHere([...made, "--data", restored])).toMatchObject({ status: 0 });
  expect((await runHere(["user", "list", "--data", restored])).stdout).toContain("ada@example.com");
});
