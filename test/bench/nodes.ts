// Three nodes of Confab with three nats-servers for the bench, next to one node with the same organization.

import { cpSync, writeFileSync } from "node:fs";
import { clusterState } from "@/operations/nodes/schema.ts";
import { NatsServer, natsBinary, startServers, until } from "../cluster/machines.ts";
import { freePorts } from "../support/ports.ts";
import { s3Toml, startS3 } from "../support/s3.ts";
import { cpuMs } from "./figures.ts";
import { newFolder, output, watch } from "./processes.ts";
import { confabCommand, discard, prepare, type Server, serveCommand, start, startConfab } from "./servers.ts";
import type { World } from "./worlds.ts";

export type BenchNode = Server & { node: string; url: string };
export type Nodes = {
  /** A separate server, with a copy of the organization. */
  one: Server;
  /** The current leader and followers. */
  leader(): Promise<BenchNode>;
  followers(): Promise<BenchNode[]>;
  all(): BenchNode[];
  nats: readonly { readonly pid: number }[];
  /** The size of all entries of the log, in one copy. */
  logBytes(): Promise<number>;
  /** Ends a node at once, as a lost machine does. */
  kill(node: BenchNode): void;
  /** Starts a node that was killed, and resolves once all have every entry of the log. */
  restart(node: BenchNode): Promise<void>;
  end(): Promise<void>;
};

type Streams = { account_details?: { stream_detail?: { name: string; state: { bytes: number } }[] }[] };

const names = ["a", "b", "c"];
const patienceMs = 120_000;

/** Like the tests' nats-servers, but killed when the bench ends, even after a crash. */
class BenchNats extends NatsServer {
  override start(): void {
    super.start();
    if (this.process) watch(this.process);
  }

  get pid(): number {
    return this.process?.pid ?? 0;
  }
}

export async function startNodes(world: World): Promise<Nodes> {
  const binary = natsBinary("several nodes were not measured");
  if (!binary) {
    throw new Error(
      "several nodes need a nats-server. Put one into the PATH, or name it in NATS_SERVER; .ci/nats.mjs also finds one by apt-get.",
    );
  }
  const ports = await freePorts(12);
  const [clients, monitors, routes] = [ports.slice(0, 3), ports.slice(3, 6), ports.slice(6, 9)];
  const where = newFolder("nats");
  const nats = clients.map((port, at) => {
    const [monitor = 0, route = 0] = [monitors[at], routes[at]];
    return new BenchNats(`n${at + 1}`, `${where}/n${at + 1}`, binary, port, monitor, route, routes);
  });
  const running = new Map<string, BenchNode>();
  let one: Server | null = null;
  const s3 = await startS3();
  const end = async () => {
    await Promise.all([...running.values(), ...(one ? [one] : [])].map(discard));
    await Promise.all([...nats.map((server) => server.stop()), s3.stop()]);
  };
  try {
    await startServers(nats);
    const prepared = await prepare(world);
    const copy = newFolder("one");
    cpSync(prepared.folder, copy, { recursive: true });
    const options = (node: string) => [
      ...["--cluster", nats.map(({ url }) => `nats://${url}`).join(), "--node", node],
      ...["--node-url", urlOf(node), "--nats-monitors", nats.map(({ monitor }) => monitor).join()],
    ];
    const portOf = (node: string) => ports[9 + names.indexOf(node)] ?? 0;
    const urlOf = (node: string) => `http://127.0.0.1:${portOf(node)}`;
    const withS3 = (folder: string) => {
      writeFileSync(`${folder}/confab.toml`, s3Toml(s3, folder));
      return folder;
    };
    const here = ["--data", withS3(prepared.folder), "--json"];
    await output([...confabCommand, "files", "move", "--to", "s3", ...here]);
    await output([...confabCommand, "cluster", "init", "--data", prepared.folder, ...options("a"), "--json"]);
    const startNode = async (node: string, folder: string) => {
      const command = (port: number) => serveCommand(folder, port, options(node));
      const server = await start(`node ${node}`, command, { ...prepared, folder }, { at: portOf(node) });
      running.set(node, { ...server, node, url: urlOf(node) });
    };
    for (const node of names)
      await startNode(node, node === "a" ? prepared.folder : withS3(newFolder("node")));
    one = await startConfab({ ...prepared, folder: copy });

    const state = async () => {
      const [asked] = running.values();
      const text = await output([
        ...confabCommand,
        "cluster",
        "status",
        "--json",
        "--data",
        asked?.folder ?? "",
      ]);
      return clusterState.parse(JSON.parse(text));
    };
    const level = () =>
      until(
        "all nodes have every entry",
        async () => {
          const { leader, nodes } = await state();
          return leader !== null && nodes.every(({ lag }) => lag === 0);
        },
        patienceMs,
      );
    const leader = () =>
      until("a node leads", async () => running.get((await state()).leader ?? "") ?? null, patienceMs);
    await level();
    return {
      one,
      leader,
      followers: async () => {
        const { node } = await leader();
        return [...running.values()].filter((other) => other.node !== node);
      },
      all: () => [...running.values()],
      nats,
      async logBytes() {
        const answer = await fetch(`${nats[0]?.monitor}/jsz?streams=true`);
        const { account_details: accounts = [] } = (await answer.json()) as Streams;
        const streams = accounts.flatMap(({ stream_detail = [] }) => stream_detail);
        return streams.find(({ name }) => name === "CONFAB_confab_LOG")?.state.bytes ?? Number.NaN;
      },
      kill(node) {
        running.delete(node.node);
        process.kill(node.pid, "SIGKILL");
      },
      async restart(node) {
        await node.stop();
        await startNode(node.node, node.folder);
        await level();
      },
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** The CPU that processes use during some work, in milliseconds; null where it cannot be read. */
export async function cpuDuring<T>(
  pids: readonly number[],
  work: () => Promise<T>,
): Promise<{ result: T; cpu: (number | null)[]; wallMs: number }> {
  const before = pids.map(cpuMs);
  const begin = performance.now();
  const result = await work();
  const wallMs = performance.now() - begin;
  const cpu = pids.map((pid, at) => {
    const [from = null, to] = [before[at], cpuMs(pid)];
    return from === null || to === null ? null : to - from;
  });
  return { result, cpu, wallMs };
}
