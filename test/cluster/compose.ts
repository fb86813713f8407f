// The commands in docs/cluster/compose.yaml, each run by the executable or by nats-server with nats.conf, with the settings that its
// container would have. Part of `npm run test:cluster`.

import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ClusterState } from "@/operations/nodes/schema.ts";
import { cleanUp, confab, json, newFolder, type Server, serve } from "../support/executable.ts";
import { freePorts } from "../support/ports.ts";
import { s3Bucket, s3Keys, startS3 } from "../support/s3.ts";
import { commands, docs, services } from "./compose-page.ts";
import { NatsServer, natsBinary, startServers, until } from "./machines.ts";

const common = Object.fromEntries(
  readFileSync(join(docs, "cluster", "confab.env"), "utf8")
    .split("\n")
    .flatMap((line) => (/^\w+=/.test(line) ? [line.split(/=(.*)/s).slice(0, 2) as [string, string]] : [])),
);

const s3 = await startS3();
const binary = natsBinary("nobody ran the commands of docs/cluster/compose.yaml");
const servers = new Map<string, NatsServer>();
const nodes = new Map<string, { port: number; data: string; running: Server | null }>();

afterAll(async () => {
  await cleanUp();
  await s3.stop();
  for (const one of servers.values()) await one.kill();
});

/** The settings of a container, with the addresses of this test. */
function settingsOf(name: string): Record<string, string> {
  const { port = 0, data = "" } = nodes.get(name) ?? {};
  const named = { ...common, ...services[name]?.environment };
  const settings = Object.entries(named).map(([key, value]) => {
    const here = value
      .replaceAll(/http:\/\/(nats-\d):8222/g, (_, one) => servers.get(one)?.monitor ?? "")
      .replaceAll(/(nats-\d)(?=,|$)/g, (one) => servers.get(one)?.url ?? "")
      .replaceAll(`http://${name}:9900`, `http://127.0.0.1:${port}`)
      .replaceAll("https://s3.example.com", s3.endpoint);
    return [key, here] as const;
  });
  return {
    ...Object.fromEntries(settings),
    CONFAB_S3_BUCKET: s3Bucket,
    AWS_ACCESS_KEY_ID: s3Keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
    CONFAB_DATA: data,
  };
}

/** nats.conf, with the addresses of this test. */
function natsConf(ports: Record<string, number>, routes: readonly number[]): string {
  const conf = readFileSync(join(docs, "cluster", "nats.conf"), "utf8");
  const here = conf
    .replaceAll(/0\.0\.0\.0:(\d+)/g, (_, port) => `127.0.0.1:${ports[port]}`)
    .replaceAll(/nats-(\d):6222/g, (_, n) => `127.0.0.1:${routes[n - 1]}`);
  expect(here.match(/127\.0\.0\.1:\d+/g)).toHaveLength(6);
  return here;
}

async function up(name: string): Promise<void> {
  const node = nodes.get(name);
  if (!node) return;
  await node.running?.end("SIGTERM");
  node.running = await serve(node.data, ["--port", String(node.port)], { env: settingsOf(name) });
}

async function run(name: string, args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await confab(args, { env: settingsOf(name) });
  expect({ name, args, status, stderr: status === 0 ? "" : stderr }).toEqual({
    name,
    args,
    status: 0,
    stderr: "",
  });
  return stdout;
}

const status = () => json<ClusterState>(["cluster", "status"], { env: settingsOf("confab-b") });

describe.skipIf(!binary)("the commands of compose.yaml", () => {
  test("begin a cluster, ask it, and restart a node", async () => {
    const ports = await freePorts(12);
    const names = (prefix: string) => Object.keys(services).filter((name) => name.startsWith(prefix));
    const routes = ports.slice(6, 9);
    for (const [n, name] of names("nats-").entries()) {
      const [port = 0, monitor = 0, route = 0] = [ports[n], ports[3 + n], routes[n]];
      const folder = join(newFolder(), name);
      const server = new NatsServer(name, folder, binary ?? "", port, monitor, route, routes);
      const own = { "4222": port, "8222": monitor, "6222": route };
      server.configure(natsConf(own, routes), {
        ...common,
        ...services[name]?.environment,
        NATS_STORE: server.store,
      });
      servers.set(name, server);
    }
    for (const [n, name] of names("confab-").entries())
      nodes.set(name, { port: ports[9 + n] ?? 0, data: newFolder(), running: null });

    expect(commands.map(([verb]) => verb)).toEqual(["up", "run", "run", "up", "exec", "exec", "up"]);
    for (const [verb, ...words] of commands) {
      const [name = "", ...args] = words.filter((word) => !["-d", "--rm", "--no-deps"].includes(word));
      if (verb === "run") await run(name, args);
      else if (verb === "exec") {
        expect(args.shift()).toBe("confab");
        await until("one node leads", async () => (await status()).leader);
        expect(await run(name, args)).not.toBe("");
      } else if (name.startsWith("nats-")) await startServers([...servers.values()]);
      else if (name === "") await Promise.all([...nodes.keys()].map(up));
      else await up(name);
    }
    const state = await until("all nodes are there, and one leads", async () => {
      const found = await status();
      return found.leader !== null && found.nodes.every((one) => one.state !== null) && found;
    });
    expect(state.nodes.map(({ node }) => `confab-${node}`)).toEqual([...nodes.keys()]);
  }, 300_000);
});
