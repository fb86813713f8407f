// Limits on the server's memory that clients can use.
import { afterEach, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { totalmem } from "node:os";
import { dirname, join } from "node:path";
import { connect as connectTls } from "node:tls";
import type { Forwarder } from "@/kernel/http/forwarding.ts";
import { type Log, silentLog } from "@/kernel/lib/log.ts";
import { memoryThereIs } from "@/memory.ts";
import { serve as serveHere } from "@/server.ts";
import { certificatePair } from "../support/certificate.ts";
import { call, cleanUp, confab, json, newFolder, serve } from "../support/executable.ts";
import { temporaryFolders } from "../support/folder.ts";
import { file } from "../support/pictures.ts";
import { basic, type Json } from "../support/requests.ts";
import { type World, world } from "../support/world.ts";

afterEach(() => cleanUp());
const newPlace = temporaryFolders();
const megabyte = 1_000_000;

describe("event queues past the memory they may take", () => {
  const send = (w: World, content: string) =>
    w.as("max").post("/messages", { type: "direct", to: [w.user("mel").id], content });

  test("are closed, least recently polled first, until the rest fit", async () => {
    const w = world({ queueMemory: megabyte });
    const { queues } = w.app.env;
    const opened: Awaited<ReturnType<World["queue"]>>[] = [];
    for (let n = 0; n < 10; n++) {
      opened.push(await w.queue("mel", { event_types: ["message"] }));
      w.clock.advance(1);
    }
    const isOpen = () => opened.map(({ id }) => queues.all.has(id));
    const [asked] = opened;
    // Acknowledged events use no memory: a queue that is polled can continue forever.
    for (let n = 0; n < 100; n++) {
      await send(w, `${n} `.repeat(2_000));
      expect(queues.bytes).toBeLessThanOrEqual(megabyte);
      expect(await asked?.poll()).toHaveLength(1);
      w.clock.advance(1);
    }
    expect(isOpen()[0]).toBe(true);
    expect(isOpen().slice(1)).not.toContain(true);
    const { body } = await w.as("mel").get("/events", { queue_id: opened[1]?.id, last_event_id: -1 });
    expect(body.code).toBe("BAD_EVENT_QUEUE_ID");
  });

  test("are closed even if nobody polls", async () => {
    const w = world({ queueMemory: megabyte });
    const { queues } = w.app.env;
    let last = "";
    for (let n = 0; n < 400; n++) {
      const { body } = await w.as(n % 2 ? "mel" : "max").post("/register", { event_types: ["message"] });
      last = body.queue_id;
      w.clock.advance(0.01);
    }
    expect(queues.bytes).toBeLessThanOrEqual(megabyte);
    expect(queues.all.size).toBeWithin(20, 300);
    expect(queues.all.has(last)).toBe(true);
  });

  test("count a shared text once, and nothing once all queues are gone", async () => {
    const w = world();
    const { queues } = w.app.env;
    for (let n = 0; n < 100; n++) await w.as("mel").post("/register", { event_types: ["message"] });
    const before = queues.bytes;
    await send(w, "x".repeat(10_000));
    expect(queues.bytes - before).toBeWithin(20_000, 60_000);
    const { poll } = await w.queue("mel", { event_types: ["message"] });
    await send(w, "more");
    await poll();
    await poll();
    for (const who of ["mel", "max"] as const) queues.closeAllOf(w.user(who).id);
    await send(w, "nobody hears this");
    expect([queues.all.size, queues.bytes]).toEqual([0, 0]);
  });
});

describe("answers that are read slowly", () => {
  const limit = 20 * megabyte;
  const page = "/api/v1/messages?anchor=newest&num_before=600&num_after=0&apply_markdown=false";

  async function serving(tls = false, onWarning: Log["warn"] = () => {}) {
    const w = world({ answerMemory: limit, onWarning });
    const content = "y".repeat(10_000);
    const to = [w.user("mel").id];
    await Promise.all(
      Array.from({ length: 600 }, () => w.as("mel").post("/messages", { type: "direct", to, content })),
    );
    const pair = tls ? await certificatePair() : undefined;
    const certificate = pair && (() => pair);
    const server = await serveHere(w.app, { host: "127.0.0.1", port: 0, log: silentLog, certificate });
    const { email, key } = w.user("mel");
    return { server, authorization: basic(email, key) };
  }

  const pageFor = (authorization: string) =>
    `GET ${page} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`;

  /** Sends a request over a separate connection, and reads none of the answer. */
  async function slow(socket: Socket, request: string): Promise<{ isCut: () => boolean; socket: Socket }> {
    let cut = false;
    socket.on("error", () => {});
    socket.on("close", () => {
      cut = true;
    });
    socket.write(request);
    await new Promise((resolve) => socket.once("readable", resolve));
    return { isCut: () => cut, socket };
  }

  const isCutSoon = async (reader: { isCut: () => boolean; socket: Socket }) => {
    reader.socket.resume();
    for (let n = 0; n < 3_000 && !reader.isCut(); n++) await Bun.sleep(10);
    return reader.isCut();
  };

  test.each([
    ["HTTP/1.1", false],
    ["HTTP/1.1 with TLS", true],
  ])(
    "over %s are cut off, the oldest first, if all together take too much memory",
    async (_, tls) => {
      const { server, authorization } = await serving(tls);
      const readers: Awaited<ReturnType<typeof slow>>[] = [];
      for (let n = 0; n < 6; n++) {
        const where = { host: "127.0.0.1", port: server.port };
        const socket = tls ? connectTls({ ...where, rejectUnauthorized: false }) : connect(where);
        readers.push(await slow(socket, pageFor(authorization)));
      }
      const answer = await fetch(`http${tls ? "s" : ""}://127.0.0.1:${server.port}${page}`, {
        headers: { authorization },
        tls: { rejectUnauthorized: false },
      });
      expect(((await answer.json()) as Json).messages).toHaveLength(600);
      for (const reader of readers.slice(0, 3)) expect(await isCutSoon(reader)).toBe(true);
      for (const { socket } of readers) socket.destroy();
      await server.stop();
    },
    30_000,
  );

  test("do not count if their clients have hung up before they are ready", async () => {
    const warnings: string[] = [];
    const { server, authorization } = await serving(false, (event) => warnings.push(event));
    const where = `http://127.0.0.1:${server.port}`;
    const request = pageFor(authorization);
    for (let n = 0; n < 8; n++) {
      const socket = connect({ host: "127.0.0.1", port: server.port });
      await new Promise((resolve) => socket.write(request, resolve));
      socket.destroy();
      expect((await fetch(`${where}/health`)).status).toBe(200);
    }
    for (let n = 0; n < 3; n++) {
      const answer = await fetch(where + page, { headers: { authorization } });
      expect(((await answer.json()) as Json).messages).toHaveLength(600);
    }
    expect(warnings).toEqual([]);
    await server.stop();
  }, 30_000);

  test("over HTTP/2 are cut off, too, and their connections stay open", async () => {
    const { server, authorization } = await serving(true);
    const readers = [];
    for (let n = 0; n < 6; n++) {
      const session = connectHttp2(`https://127.0.0.1:${server.port}`, { rejectUnauthorized: false });
      const request = session.request({ ":path": page, authorization });
      request.on("error", () => {});
      await new Promise((resolve) => request.once("response", resolve));
      readers.push({ session, request });
    }
    for (const { session, request } of readers.slice(0, 2)) {
      for (let n = 0; n < 3_000 && !request.closed; n++) await Bun.sleep(10);
      expect(request.rstCode).toBe(8);
      const quick = session.request({ ":path": "/health" });
      const status = await new Promise((resolve) =>
        quick.once("response", (head) => resolve(head[":status"])),
      );
      expect(status).toBe(200);
    }
    for (const { session } of readers) session.destroy();
    await server.stop();
  }, 30_000);

  test("count as well if they are many small ones or files, which wait on one connection over HTTP/2", async () => {
    const w = world({ answerMemory: megabyte });
    const { id, email, key } = w.user("mel");
    const authorization = basic(email, key);
    const content = "z".repeat(9_900);
    const sent = await w.as("mel").post("/messages", { type: "direct", to: [id], content });
    const uploaded = await w.as("mel").upload("/user_uploads", file("f".repeat(megabyte), "long.txt"));
    const pair = await certificatePair();
    const server = await serveHere(w.app, {
      host: "127.0.0.1",
      port: 0,
      log: silentLog,
      certificate: () => pair,
    });
    const paths = [`/api/v1/messages/${sent.body.id}`, uploaded.body.url as string, "/health"];
    for (const path of paths) {
      const session = connectHttp2(`https://127.0.0.1:${server.port}`, {
        rejectUnauthorized: false,
        settings: { initialWindowSize: 0 },
      });
      const requests = Array.from({ length: 100 }, () => {
        const request = session.request({ ":path": path, authorization, "accept-encoding": "identity" });
        request.on("error", () => {});
        return request;
      });
      const [first] = requests;
      for (let n = 0; n < 3_000 && !first?.closed; n++) await Bun.sleep(10);
      expect([path, first?.closed]).toEqual([path, true]);
      expect(requests.at(-1)?.closed).toBe(false);
      session.destroy();
    }
    await server.stop();
  }, 60_000);

  test("count as well if another node answers, and this one passes them on", async () => {
    const long = () =>
      new ReadableStream<Uint8Array>({ pull: (stream) => stream.enqueue(new Uint8Array(65_536)) });
    const forwarder: Forwarder = {
      mark: "x-mark",
      leads: false,
      isCurrent: true,
      term: 1,
      pass: () => Promise.resolve(new Response(long())),
      receive: () => Promise.reject(new Error("No node passes anything on")),
      hasSeen: () => true,
      cookiesAfter: () => [],
      catchUp: () => Promise.resolve(),
    };
    const w = world({ answerMemory: megabyte, forwarder });
    const server = await serveHere(w.app, { host: "127.0.0.1", port: 0, log: silentLog });
    const { email, key } = w.user("mel");
    const request = `POST /api/v1/messages HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(email, key)}\r\nContent-Length: 0\r\n\r\n`;
    const readers: Awaited<ReturnType<typeof slow>>[] = [];
    for (let n = 0; n < 6; n++) {
      readers.push(await slow(connect({ host: "127.0.0.1", port: server.port }), request));
    }
    for (const reader of readers.slice(0, 2)) expect(await isCutSoon(reader)).toBe(true);
    expect(readers.at(-1)?.isCut()).toBe(false);
    for (const { socket } of readers) socket.destroy();
    await server.stop();
  }, 60_000);
});

describe("the available memory", () => {
  const limited = (files: Record<string, string>) => {
    const root = newPlace();
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return memoryThereIs(root);
  };
  const v2 = { "proc/self/cgroup": "0::/system.slice/confab.service\n" };

  test.each<[string, Record<string, string>, number]>([
    ["no limit", {}, totalmem()],
    ["a limit that is none", { ...v2, "sys/fs/cgroup/memory.max": "max\n" }, totalmem()],
    [
      "a limit above the machine's memory",
      { ...v2, "sys/fs/cgroup/memory.max": "9007199254740991\n" },
      totalmem(),
    ],
    [
      "a unit's limit",
      { ...v2, "sys/fs/cgroup/system.slice/confab.service/memory.max": "256000000\n" },
      256_000_000,
    ],
    [
      "the limit of the slice around it, which is lower",
      {
        ...v2,
        "sys/fs/cgroup/system.slice/confab.service/memory.max": "256000000\n",
        "sys/fs/cgroup/system.slice/memory.high": "128000000\n",
      },
      128_000_000,
    ],
    [
      "a container's limit, seen from within",
      { "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "512000000\n" },
      512_000_000,
    ],
    [
      "a limit of cgroups, version 1",
      {
        "proc/self/cgroup": "9:name=systemd:/\n4:cpu,memory:/docker/abc\n0::/\n",
        "sys/fs/cgroup/memory/memory.limit_in_bytes": "300000000\n",
      },
      300_000_000,
    ],
  ])("with %s", (_, files, expected) => {
    expect(limited(files)).toBe(expected);
  });
});

describe("serve", () => {
  test("accepts memory limits for queues and answers", async () => {
    const data = newFolder();
    const founding = ["--org", "Crew", "--owner-email", "olive@example.com", "--owner-name", "Olive"];
    const { owner } = await json<{ owner: { email: string; api_key: string } }>([
      "init",
      "--data",
      data,
      ...founding,
    ]);
    writeFileSync(join(data, "confab.toml"), "queue_memory = 1\nanswer_memory = 50\n");
    const shown = JSON.parse((await confab(["config", "--data", data, "--json"])).stdout).settings;
    expect(shown).toContainEqual({ name: "answer_memory", value: "50", from: "file" });
    const server = await serve(data);
    for (let n = 0; n < 250; n++)
      await call(server, owner, ["POST", "/register"], { event_types: '["message"]' });
    const headers = { authorization: basic(owner.email, owner.api_key) };
    const metrics = await (await fetch(`${server.url}/metrics`, { headers })).text();
    expect(Number(/^confab_event_queues (\d+)$/m.exec(metrics)?.[1])).toBeWithin(20, 200);
    expect(Number(/^confab_event_queue_bytes (\d+)$/m.exec(metrics)?.[1])).toBeWithin(100_000, megabyte + 1);
    // The server writes its log a moment later.
    const isLogged = () => /"event":"queues","ended":\d+,"reason":"memory"/.test(server.printed().stderr);
    while (!isLogged()) await Bun.sleep(20);
  });

  test.each([
    ["--queue-memory", "0"],
    ["--answer-memory", "much"],
  ])("refuses %s %s", async (flag, value) => {
    const { status, stderr } = await confab(["serve", "--data", newFolder(), flag, value]);
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining("a number of megabytes above 0, such as 64"),
    ]);
  });
});
