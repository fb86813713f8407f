// Files in the nats-servers of a cluster: what a store promises, with real nats-servers that are killed. Part of `npm run test:cluster`.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { natsStore } from "@/cluster/nats/file-store.ts";
import { openJetStream } from "@/cluster/nats/jetstream.ts";
import { newName } from "@/foundation/file-stores/names.ts";
import type { FileName, FileStore } from "@/foundation/file-stores/schema.ts";
import { cleanUp, confab, json, newFolder, newOrganization, serve } from "../support/executable.ts";
import { freePorts } from "../support/ports.ts";
import { basic } from "../support/requests.ts";
import { s3Toml, startS3, type TestS3 } from "../support/s3.ts";
import { levelServers, NatsServer, natsBinary, startServers, until } from "./machines.ts";

const binary = natsBinary("nobody tried files in nats-servers");
const day = 86_400;
const servers: NatsServer[] = [];
const opened: FileStore[] = [];
let access: Parameters<typeof natsStore>[0];

/** As each node has one of its own. */
function open(node: string, cluster = access.cluster): FileStore {
  const store = natsStore({ ...access, node, cluster });
  opened.push(store);
  return store;
}

beforeAll(async () => {
  if (binary === null) return;
  const found = await freePorts(9);
  const routes = found.slice(6);
  for (let n = 0; n < 3; n++) {
    const [port = 0, monitor = 0, route = 0] = [found[n], found[n + 3], routes[n]];
    servers.push(new NatsServer(`n${n + 1}`, newFolder(), binary, port, monitor, route, routes));
  }
  await startServers(servers);
  access = {
    servers: servers.map(({ url }) => url),
    cluster: "team",
    node: "a",
    replicas: 3,
    patienceMs: 120_000,
  };
});
afterAll(async () => {
  // First: the others wait for one that a failed test left frozen.
  await Promise.all(servers.map((one) => one.kill()));
  await Promise.all(opened.map((one) => one.close?.()));
  await cleanUp();
});

const upload = (): FileName => ({ shelf: "uploads", name: newName() });

function contentOf(bytes: number): { content: Buffer; path: string } {
  const content = Buffer.from(Bun.randomUUIDv7().repeat(Math.ceil(bytes / 36))).subarray(0, bytes);
  const path = join(newFolder(), "content");
  writeFileSync(path, content);
  return { content, path };
}

async function bytesOf(store: FileStore, file: FileName, start = 0, end?: number): Promise<Buffer | null> {
  const found = await store.find(file);
  return found && Buffer.concat(await Array.fromAsync(found.read(start, end ?? found.bytes)));
}

const namesIn = async (store: FileStore, shelf: FileName["shelf"]) =>
  (await Array.fromAsync(store.list(shelf))).flat().map(({ name }) => name);

async function withManager<R>(
  work: (at: {
    manager: Awaited<ReturnType<typeof jetstreamManager>>;
    nc: Awaited<ReturnType<typeof connect>>;
  }) => Promise<R>,
): Promise<R> {
  const nc = await connect({ servers: access.servers });
  try {
    return await work({ manager: await jetstreamManager(nc), nc });
  } finally {
    await nc.close();
  }
}

/** Without a leader, any nats-server answers, with what its copy has. */
const ledBy = (manager: Awaited<ReturnType<typeof jetstreamManager>>) => async () => {
  const { cluster } = await manager.streams.info("CONFAB_team_FILES");
  return cluster?.leader ? cluster : null;
};

describe.skipIf(binary === null)("files in nats-servers", () => {
  test("of any size are read by every node, whole and in parts, and listed until they are removed", async () => {
    const [a, b] = [open("a"), open("b")];
    const piece = 512 * 1024;
    const at = Math.floor(Date.now() / 1_000);
    for (const bytes of [0, 1, piece, piece + 1, 3 * piece + 7]) {
      const { content, path } = contentOf(bytes);
      const file = upload();
      expect(await b.find(file)).toBeNull();
      await a.put(file, path);
      expect((await bytesOf(b, file))?.equals(content)).toBe(true);
      for (const [start, end] of [
        [0, 1],
        [piece - 1, piece + 1],
        [piece, 2 * piece],
        [bytes - 1, bytes],
      ] as const) {
        if (start < 0 || end > bytes) continue;
        expect(await bytesOf(b, file, start, end)).toEqual(Buffer.from(content.subarray(start, end)));
      }
      const [listed] = (await Array.fromAsync(b.list("uploads")))
        .flat()
        .filter(({ name }) => name === file.name);
      expect(listed).toMatchObject({ name: file.name, bytes });
      expect(listed?.changedAt).toBeGreaterThanOrEqual(at);
      expect(await namesIn(b, "pictures")).toEqual([]);
      // A second time, as after an answer that got lost.
      await b.put(file, path);
      expect(await namesIn(a, "uploads")).toEqual([file.name]);
      await b.remove(file);
      await b.remove(file);
      expect([await a.find(file), await namesIn(a, "uploads")]).toEqual([null, []]);
    }
    const thumbnail: FileName = { shelf: "thumbnails", name: `${newName()}-large.webp` };
    await a.put(thumbnail, contentOf(10).path);
    expect(await namesIn(b, "thumbnails")).toEqual([thumbnail.name]);
    expect(await a.readNote("owner.txt")).toBeNull();
    await a.writeNote("owner.txt", "us");
    await a.writeNote("owner.txt", "us, still");
    expect(await b.readNote("owner.txt")).toBe("us, still");
  });

  test("that a process began to store and did not finish are not there, and are gone after a day", async () => {
    const store = open("a");
    const [old, young] = [upload(), upload()];
    const seconds = Math.floor(Date.now() / 1_000);
    const left = () =>
      withManager(async ({ manager }) => {
        const { state } = await manager.streams.info("CONFAB_team_FILES", {
          subjects_filter: "confab.team.files.uploads.>",
        });
        return Object.keys(state.subjects ?? {}).map((subject) => subject.split(".")[5]);
      });
    await withManager(async ({ nc }) => {
      for (const [{ name }, at] of [
        [old, seconds - day - 60],
        [young, seconds - day + 600],
      ] as const)
        await nc.request(
          `confab.team.files.uploads.${name.slice(0, 2)}.${name}.600000.${at}.1`,
          "the second piece",
        );
    });
    expect(await left()).toEqual(expect.arrayContaining([old.name, young.name]));
    expect([await store.find(old), await store.find(young)]).toEqual([null, null]);
    expect(await namesIn(store, "uploads")).toEqual([]);
    expect(await left()).toEqual([young.name]);
  });

  test("are stored and read while the nats-server that leads their stream or another is killed, or frozen", async () => {
    const store = open("a");
    /** The one that leads the stream, and another. */
    const chosen = () =>
      withManager(async ({ manager }) => {
        const { leader } = await until("a nats-server leads the stream", ledBy(manager));
        return [servers.find(({ name }) => name === leader), servers.find(({ name }) => name !== leader)];
      });
    for (const which of [0, 1]) {
      const server = (await chosen())[which] as NatsServer;
      const { content, path } = contentOf(5_000_000);
      const file = upload();
      const stored = store.put(file, path);
      await server.kill();
      await stored;
      const whole = bytesOf(open("b"), file);
      expect((await whole)?.equals(content)).toBe(true);
      await startServers(servers);
      expect((await bytesOf(store, file))?.equals(content)).toBe(true);
      await levelServers(servers);
    }
    for (const which of [0, 1]) {
      const server = (await chosen())[which] as NatsServer;
      const { content, path } = contentOf(1_000_000);
      const file = upload();
      server.send("SIGSTOP");
      try {
        await store.put(file, path);
        expect((await bytesOf(store, file))?.equals(content)).toBe(true);
      } finally {
        server.send("SIGCONT");
      }
      await levelServers(servers);
    }
  });

  test("have a limit for all together, which is said, and what is over it is not there", async () => {
    const store = open("a");
    const { path } = contentOf(3_000_000);
    const change = (max_bytes: number) =>
      withManager(({ manager }) => manager.streams.update("CONFAB_team_FILES", { max_bytes }));
    const before = await withManager(async ({ manager }) => {
      await until("a nats-server leads the stream", ledBy(manager));
      return manager.streams.info("CONFAB_team_FILES");
    });
    // As much as this machine's disk lets it have.
    expect([20, 10, 5, 2.5]).toContain(before.config.max_bytes / 2 ** 30);
    await change(before.state.bytes + 1_000_000);
    const file = upload();
    await expect(store.put(file, path)).rejects.toThrow("The server's file store is full");
    expect(await store.find(file)).toBeNull();
    const { state } = await withManager(({ manager }) => manager.streams.info("CONFAB_team_FILES"));
    expect(state.bytes).toBe(before.state.bytes);
    await change(before.config.max_bytes);
    await store.put(file, path);
    expect((await store.find(file))?.bytes).toBe(3_000_000);
  });

  test("cannot be reached while no nats-server answers, which is said", async () => {
    const lonely = natsStore({ ...access, servers: ["127.0.0.1:1"], patienceMs: 100 });
    await expect(lonely.find(upload())).rejects.toThrow("The server's file store does not answer just now");
  });

  describe("of an organization", () => {
    const folder = newFolder();
    let s3: TestS3;
    beforeAll(async () => {
      s3 = await startS3();
    });
    afterAll(() => s3?.stop());
    const { content } = contentOf(1_200_000);
    const kept = { files: 1, bytes: content.length };
    let port = 0;
    let headers: Record<string, string>;
    let path = "";
    /** Runs a server on the folder meanwhile. */
    const served = async (work: (url: string) => Promise<void>) => {
      const server = await serve(folder, ["--port", String(port)]);
      await work(`http://127.0.0.1:${port}`);
      expect(await server.end("SIGTERM")).toBe(0);
    };
    const expectFile = async (url: string) => {
      const answer = await fetch(url + path, { headers });
      expect(Buffer.from(await answer.bytes()).equals(content)).toBe(true);
    };
    const configure = (cluster_name: string, more = "") => {
      const settings = {
        cluster: access.servers.map((one) => `nats://${one}`),
        nats_monitors: servers.map(({ monitor }) => monitor),
        cluster_name,
        node: "a",
        node_url: `http://127.0.0.1:${port}`,
      };
      const lines = Object.entries(settings).map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`);
      writeFileSync(join(folder, "confab.toml"), more + lines.join(""));
    };
    const run = (...args: string[]) => confab([...args, "--data", folder]);
    const shown = () => json(["files", "show", "--data", folder]);
    const expectRefusal = async (reason: string, ...args: string[]) => {
      const { status, stderr } = await run(...args);
      expect([status, stderr]).toEqual([1, expect.stringContaining(reason)]);
    };

    test("on its disk move there when a cluster begins, but not where another cluster is", async () => {
      [port = 0] = await freePorts(1);
      const { owner } = await newOrganization(folder);
      headers = { authorization: basic(owner.email, owner.api_key) };
      await served(async (url) => {
        const body = new FormData();
        body.append("file", new File([content], "plan.bin"));
        const answer = await fetch(`${url}/api/v1/user_uploads`, { method: "POST", body, headers });
        path = ((await answer.json()) as { url: string }).url;
        await expectFile(url);
      });
      await expectRefusal("A single server has no nats-servers", "files", "move", "--to", "nats");

      await open("a", "taken").writeNote("confab.organization", "another one");
      configure("taken");
      await expectRefusal("the files of another organization", "cluster", "init");
      const log = await openJetStream({ ...access, cluster: "begun", leaseMs: 1_000 });
      await log.append(Buffer.from("an entry"), "1", 0);
      await log.close();
      configure("begun");
      await expectRefusal("hold the log of a cluster begun already", "cluster", "init");
      expect(await shown()).toMatchObject({ at: "disk", also_at: null, stores: [kept] });

      configure("moving");
      await json(["cluster", "init", "--data", folder]);
      expect(await shown()).toMatchObject({ at: "nats", also_at: null, stores: [kept] });
      await served(async (url) => {
        await expectFile(url);
        await expectRefusal("Stop all nodes first", "files", "move", "--to", "s3");
        const doctor = await run("doctor");
        expect(doctor.stdout).toContain("The newest are in the nats-servers of the cluster");
      });
    });

    test("are in a backup", async () => {
      const backup = join(newFolder(), "backup.tar.gz");
      expect(await run("backup", backup)).toMatchObject({ status: 0 });
      const restored = join(newFolder(), "restored");
      expect(await confab(["restore", backup, "--data", restored])).toMatchObject({ status: 0 });
      const there = await json(["files", "show", "--data", restored]);
      expect(there).toMatchObject({ at: "disk", also_at: null, stores: [kept] });
    });

    for (const to of ["s3", "nats"])
      test(`move to ${to} while the nodes are stopped`, async () => {
        configure("moving");
        if (to === "s3") await expectRefusal("no settings for an S3 store", "files", "move", "--to", to);
        configure("moving", s3Toml(s3, folder));
        const moved = await json(["files", "move", "--to", to, "--data", folder]);
        expect(moved).toMatchObject({ at: to, ...kept });
        expect(await shown()).toMatchObject({ at: to, also_at: null, stores: [kept] });
        await served(expectFile);
      });

    test("move to the disk when the cluster ends", async () => {
      configure("moving");
      await json(["cluster", "leave", "--yes", "--data", folder]);
      const { names } = await withManager(async ({ manager }) => ({
        names: (await Array.fromAsync(manager.streams.list())).map(({ config }) => config.name),
      }));
      expect(names).not.toContain("CONFAB_moving_FILES");
      writeFileSync(join(folder, "confab.toml"), "");
      expect(await shown()).toMatchObject({ at: "disk", also_at: null, stores: [kept] });
      await served(expectFile);
    });
  });
});
