// `confab node drain` at a node that ends while it is drained, as one does if a node of a newer version takes over; and what restarts a node.
import { afterAll, afterEach, expect, test } from "bun:test";
import { once } from "node:events";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { unitOf } from "@cli/commands/cluster-upgrade.ts";
import { lockFolder, noteServer } from "@cli/lock.ts";
import { rememberNodes } from "@/cluster/known-nodes.ts";
import type { ClusterState } from "@/operations/nodes/schema.ts";
import { cleanUp, confab, json, newFolder } from "../support/executable.ts";

const servers: Server[] = [];

afterEach(() => {
  for (const one of servers.splice(0)) one.close();
});
afterAll(() => cleanUp());

async function serving(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The folder of a node a whose server ends without an answer when it is drained, and which remembers a node b. */
async function endingNode(b: string): Promise<{ dataDir: string; drains: () => string[] }> {
  const dataDir = newFolder();
  const asked: string[] = [];
  const unlock = lockFolder(dataDir);
  const address = await serving((request) => {
    asked.push(`${request.method} ${request.url}`);
    unlock();
    request.socket.destroy();
  });
  noteServer(dataDir, { address, proxies: [] });
  writeFileSync(join(dataDir, "confab.operator"), "the token\n");
  writeFileSync(
    join(dataDir, "confab.toml"),
    `cluster = "nats://127.0.0.1:1"\nnats_unchecked = true\nnode = "a"\nnode_url = "${address}"\n`,
  );
  const last_seen = Math.floor(Date.now() / 1_000);
  rememberNodes({ dataDir, cluster: "confab" }, [
    { node: "b", url: b, last_seen, position: 4, state: null, lag: null },
  ]);
  return { dataDir, drains: () => asked };
}

/** A node b that tells what it knows to those who have the token. */
const telling = (leader: string | null) =>
  serving((request, response) => {
    const isOperator = request.headers.authorization?.includes(btoa("the token:"));
    const state: ClusterState = { cluster: "confab", asked: "b", leader, log: "there", newest: 4, nodes: [] };
    response.statusCode = isOperator && request.url === "/metrics/nodes" ? 200 : 401;
    response.setHeader("content-type", "application/json").end(JSON.stringify(state));
  });

test("a node that ended because one of a newer version leads was drained", async () => {
  const { dataDir, drains } = await endingNode(await telling("b"));
  const drained = await confab(["node", "drain", "--data", dataDir]);
  expect(drained).toEqual({
    status: 0,
    stdout:
      "a leads no more; b does. a has ended by itself, as a node does once one of a newer version leads: upgrade it, and start it.\n",
    stderr: "",
  });
  expect(drains()).toEqual(["POST /metrics/nodes/drain"]);
  const again = await endingNode(await telling("b"));
  expect(await json(["node", "drain", "--data", again.dataDir])).toEqual({ node: "a", leader: "b" });
});

test("a node that is drained takes part again", async () => {
  const dataDir = newFolder();
  const asked: string[] = [];
  const state: ClusterState = { cluster: "c", asked: "a", leader: "b", log: "there", newest: 4, nodes: [] };
  const address = await serving((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.setHeader("content-type", "application/json").end(JSON.stringify(state));
  });
  const unlock = lockFolder(dataDir);
  noteServer(dataDir, { address, proxies: [] });
  writeFileSync(join(dataDir, "confab.operator"), "the token\n");
  expect(await json(["node", "undrain", "--data", dataDir])).toEqual({ node: "a" });
  expect(asked).toEqual(["POST /metrics/nodes/undrain", "GET /metrics/nodes"]);
  unlock();
});

test("a node that ended, and after which nobody leads, is told from that", async () => {
  const { dataDir } = await endingNode(await telling(null));
  expect(await confab(["node", "drain", "--data", dataDir])).toMatchObject({
    status: 1,
    stdout: "",
    stderr: expect.stringContaining("no other node leads yet: its log says why it ended."),
  });
});

test("the unit of systemd that runs a server is known by its main process", () => {
  const [proc, programs] = [newFolder(), newFolder()];
  for (const [pid, groups] of [
    [7, "0::/system.slice/confab.service\n"],
    [8, "12:pids:/system.slice\n1:name=systemd:/system.slice/system-confab.slice/confab@b.service\n"],
    // One that a job of cron started, and one in a terminal.
    [9, "0::/system.slice/cron.service\n"],
    [10, "0::/user.slice/user-1000.slice/session-4.scope\n"],
  ] as const) {
    mkdirSync(join(proc, String(pid)));
    writeFileSync(join(proc, String(pid), "cgroup"), groups);
  }
  const systemctl = join(programs, "systemctl");
  writeFileSync(
    systemctl,
    '#!/bin/sh\n[ "$1 $2 $3" = "show --property=MainPID --value" ] || exit 1\n' +
      "case $4 in confab.service) echo 7;; confab@b.service) echo 8;; *) echo 1;; esac\n",
  );
  chmodSync(systemctl, 0o755);
  const path = process.env.PATH;
  try {
    process.env.PATH = `${programs}:${path}`;
    const units = [7, 8, 9, 10, 11].map((pid) => unitOf(pid, proc));
    expect(units).toEqual(["confab.service", "confab@b.service", null, null, null]);
  } finally {
    process.env.PATH = path;
  }
});
