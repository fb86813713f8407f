import { afterAll, expect, test } from "bun:test";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { serversLacking } from "@/cluster/examination/meta.ts";
import { checkMonitors, checkServers, checkWhole, MonitorWatch } from "@/cluster/examination/monitors.ts";
import { examineNats } from "@/cluster/examination/nats.ts";
import { checkVersion } from "@/cluster/examination/nats-check.ts";
import { findNatsServer } from "@/cluster/machines/nats-program.ts";
import { repeatRequest } from "@/cluster/nats/repeated-requests.ts";
import type { LogFields } from "@/kernel/lib/log.ts";
import { temporaryFolders } from "../support/folder.ts";
import { until } from "../support/waiting.ts";

const newFolder = temporaryFolders();

test("nats-servers from 2.10.23 on are new enough", () => {
  for (const version of ["2.10.23", "2.10.27", "2.11.0", "2.12.1-beta.2", "3.0.0"])
    checkVersion("n1", version);
  for (const version of ["2.10.22", "2.9.25", "1.99.99", "2.10", ""]) {
    expect(() => checkVersion("n1", version)).toThrow(
      `The nats-server n1 is version ${version}; several nodes need 2.10.23 or newer.`,
    );
  }
});

type State = "well" | "careless" | "silent" | "behind" | "old";

/** What each answers of its cluster; null for one that is alone. */
let metas: (Record<string, unknown> | null)[] = [];
const leading = (name: string, ...others: string[]) => ({
  leader: name,
  cluster_size: others.length + 1,
  replicas: others.map((one) => ({ name: one, current: true, active: 500_000_000 })),
});
const whole = () => [
  { leader: "n2", cluster_size: 3 },
  leading("n2", "n1", "n3"),
  { leader: "n2", cluster_size: 3 },
];
metas = whole();
/** How each sees the copies of the log. */
let logs: Record<string, unknown>[] = whole();

/** What answers at the monitoring addresses of three nats-servers. */
const states: State[] = ["well", "well", "well"];
const servers = await Promise.all(
  states.map(async (_, at) => {
    const server = createServer((request, response) => {
      if (states[at] === "silent") return request.socket.destroy();
      if (request.url === "/healthz") {
        const lag = { status: "unavailable", error: "JetStream stream 'LOG' is not current" };
        return response.end(JSON.stringify(states[at] === "behind" ? lag : { status: "ok" }));
      }
      if (request.url?.startsWith("/jsz")) {
        const meta_cluster = metas[at] ?? undefined;
        const streams = [
          { name: "LOG", config: {} },
          { name: "CONFAB_chat_LOG", config: { max_bytes: -1 } },
          { name: "CONFAB_chat_FILES", config: { max_bytes: 50 } },
          { name: "CONFAB_other_FILES", config: { max_bytes: 50 } },
        ];
        const stream_detail = streams.map((one) => ({ ...one, cluster: logs[at], state: { bytes: 45 } }));
        const account_details = [{ stream_detail }];
        const store = { storage: 70, config: { max_storage: 100 } };
        return response.end(
          JSON.stringify({ server_id: `N${at + 1}`, meta_cluster, account_details, ...store }),
        );
      }
      const version = states[at] === "old" ? "2.9.10" : "2.10.27";
      const jetstream = { config: states[at] === "careless" ? {} : { sync_always: true } };
      const now = new Date(Date.now() + (clocks[at] ?? 0)).toISOString().replace("Z", "123456Z");
      response.end(JSON.stringify({ server_name: `n${at + 1}`, version, now, jetstream }));
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    return server;
  }),
);
/** How wrong the clock of each is, in milliseconds. */
const clocks = [0, 0, 0];
const monitors = servers.map((one) => `http://127.0.0.1:${(one.address() as AddressInfo).port}`);
const monitored = { monitors, replicas: 3 };
const set = (...to: State[]) => states.splice(0, 3, ...to);
const sync = "does not sync each entry";

afterAll(() => {
  for (const one of servers) one.close();
});

test("next to the executable, a nats-server has its plain name or that of a release; the newest fit one is taken", () => {
  const folder = newFolder();
  const platform = `linux-${process.arch}`;
  const other = `linux-${process.arch === "arm64" ? "x64" : "arm64"}`;
  const put = (name: string, version: string, mode = 0o755) => {
    writeFileSync(join(folder, name), `#!/bin/sh\necho nats-server: v${version}\n`, { mode });
    return join(folder, name);
  };
  put(`nats-server-9.0.0-${other}`, "9.0.0");
  put(`nats-server-2.9.10-${platform}`, "2.9.10");
  const older = put(`nats-server-2.10.27-${platform}`, "2.10.27");
  expect(findNatsServer(undefined, folder)).toBe(older);
  const newer = put(`nats-server-2.11.4-${platform}`, "2.11.4");
  expect(findNatsServer(undefined, folder)).toBe(newer);
  const plain = put("nats-server", "2.10.23");
  expect(findNatsServer(undefined, folder)).toBe(plain);
  put("nats-server", "2.9.10");
  expect(findNatsServer(undefined, folder)).toBe(newer);
  const downloaded = put("downloaded", "2.10.27", 0o644);
  expect(() => findNatsServer(downloaded, folder)).toThrow(
    "may not be run: make it executable with 'chmod +x'",
  );
});

test("a node starts while a nats-server is away, but not with fewer, and a cluster begins only with all", async () => {
  set("well", "well", "well");
  await checkMonitors(monitored, true);
  set("well", "silent", "well");
  await checkMonitors(monitored, false);
  expect(await checkServers(monitored)).toMatchObject([
    { message: expect.stringContaining(monitors[1] ?? "") },
  ]);
  const begun = checkMonitors(monitored, true);
  setTimeout(() => set("well", "well", "well"), 500);
  await begun;
  set("well", "silent", "silent");
  await expect(checkServers(monitored)).rejects.toThrow("No nats-server could be asked for its settings");
  set("silent", "well", "careless");
  await expect(checkMonitors(monitored, false)).rejects.toThrow(sync);
  set("well", "well", "well");
  const two = { monitors: monitors.slice(1), replicas: 3 };
  await expect(checkServers(two)).rejects.toThrow("lead to 2 nats-servers; name the address of each");
  await checkMonitors({ monitors: null, replicas: 3 }, true);
});

test("a node that runs says once what changes about a nats-server", async () => {
  const said: string[] = [];
  const line =
    (level: string) =>
    (event: string, fields: LogFields = {}) =>
      void said.push([level, event, fields.address, fields.error ?? ""].join(" "));
  const log = { info: line("info"), warn: line("warn"), error: line("error"), flush: () => {} };
  const watch = new MonitorWatch({ ...monitored, cluster: "chat" }, log);
  const check = async (...to: State[]) => {
    set(...to);
    said.length = 0;
    await watch.check();
    await watch.check();
    return said.toSorted();
  };
  const [one = "", two = "", three = ""] = monitors;
  expect(await check("well", "well", "well")).toEqual([]);
  expect(await check("well", "silent", "careless")).toEqual([
    expect.stringMatching(new RegExp(`^error cluster_nats_unfit ${three} .*${sync}`)),
    expect.stringMatching(
      new RegExp(`^warn cluster_nats_silent ${two} No nats-server .* ECONNRESET[^.]*\\.$`),
    ),
  ]);
  const stores = [
    { store: "all", bytes: 70, roomBytes: 100 },
    { store: "files", bytes: 45, roomBytes: 50 },
  ];
  const figures = () =>
    watch.figures.toSorted((one, other) => monitors.indexOf(one.server) - monitors.indexOf(other.server));
  expect(figures()).toEqual([
    { server: one, fault: null, stores },
    { server: two, fault: "silent", stores: [] },
    { server: three, fault: "unfit", stores },
  ]);
  expect(await check("well", "well", "careless")).toEqual([`info cluster_nats_well ${two} `]);
  expect(await check("well", "well", "well")).toEqual([`info cluster_nats_well ${three} `]);
  set("well", "behind", "well");
  await watch.check();
  expect(await check("well", "well", "well")).toEqual([]); // it had just started
  expect(await check("well", "behind", "well")).toEqual([
    expect.stringMatching(
      new RegExp(`^warn cluster_nats_behind ${two} The nats-server n2 has not .* restart it\\.$`),
    ),
  ]);
  expect(figures().map(({ fault }) => fault)).toEqual([null, "behind", null]);
  expect(await check("well", "well", "well")).toEqual([`info cluster_nats_well ${two} `]);
});

test("the doctor warns of a nats-server that lacks what the others have", async () => {
  set("well", "behind", "well");
  const [found] = await examineNats(monitored);
  expect(found).toMatchObject({
    verdict: "warning",
    finding: "n2 does not have all that the other nats-servers have: JetStream stream 'LOG' is not current.",
  });
  set("well", "well", "well");
  expect(await examineNats(monitored)).toMatchObject([{ verdict: "well" }]);
});

test("the doctor warns of nats-servers whose clocks differ", async () => {
  set("well", "well", "well");
  clocks[1] = 120_000;
  expect(await examineNats(monitored)).toMatchObject([
    {
      verdict: "warning",
      finding: expect.stringMatching(/^The clock of n2 is 1(19|20|21) seconds ahead of that of n[13]\.$/),
    },
  ]);
  clocks[1] = 0;
  clocks[2] = -86_400_000;
  set("behind", "well", "well");
  const [lag, clock] = await examineNats(monitored);
  expect(lag?.finding).toContain("n1 does not have all");
  expect(clock?.finding).toMatch(/^The clock of n[12] is 86,[34]\d\d seconds ahead of that of n3\.$/);
  clocks[2] = 0;
  set("well", "well", "well");
  expect(await examineNats(monitored)).toMatchObject([{ verdict: "well" }]);
});

test("a request is sent again while there is no answer, and fails with its last error", async () => {
  const answers: PromiseWithResolvers<string>[] = [];
  const request = () => {
    const one = Promise.withResolvers<string>();
    answers.push(one);
    return one.promise;
  };
  const found = repeatRequest(request, { ms: 30_000 });
  await until(() => answers.length >= 2, "it asks again");
  answers[0]?.reject(new Error("dropped"));
  answers[1]?.resolve("from the new leader");
  expect(await found).toBe("from the new leader");

  let attempts = 0;
  const refused = () => Promise.reject(new Error(`attempt ${++attempts}`));
  await expect(repeatRequest(refused, { ms: 60, everyMs: 5 })).rejects.toThrow(/^attempt \d+$/);
  expect(attempts).toBeGreaterThan(1);
  attempts = 0;
  await expect(repeatRequest(refused, { ms: 30_000, isFinal: () => true })).rejects.toThrow("attempt 1");
});

test("nats-servers that formed a cluster without one of them are told from those that did not, with the cure", async () => {
  set("well", "well", "well");
  const examine = async (...answers: typeof metas) => {
    metas = answers;
    const [found] = await examineNats(monitored);
    metas = whole();
    return found?.verdict === "well" ? null : found;
  };
  expect(await examine(...whole())).toBeNull();
  // As nats-server 2.10.27 answers after such a start: the third follows the leader, who does not know it.
  const follows = { leader: "n3", cluster_size: 2 };
  expect(await examine(follows, follows, leading("n3", "n1"))).toMatchObject({
    verdict: "problem",
    finding: "The nats-servers n1 and n3 formed a cluster without n2, and the log has 3 copies.",
    remedy: expect.stringMatching(/^Restart n2: it joins the others then\./),
  });
  // One of another cluster, and one that is none.
  const other = { leader: "", cluster_size: 3 };
  for (const third of [other, null]) {
    expect(await examine(leading("n1", "n2"), { leader: "n1", cluster_size: 2 }, third)).toMatchObject({
      finding: "The nats-servers n1 and n2 formed a cluster without n3, and the log has 3 copies.",
    });
  }
  expect(await examine(other, other, other)).toMatchObject({
    finding: "n1, n2 and n3 have no leader, so they store nothing.",
  });
  expect(await examine(null, null, null)).toMatchObject({
    finding: "n1 counts 1 nats-server to its cluster, and the log has 3 copies.",
  });

  // A cluster begins once they are one, and says else what is wrong.
  metas = [follows, follows, leading("n3", "n1")];
  const begun = checkWhole(monitored);
  setTimeout(() => {
    metas = whole();
  }, 500);
  await begun;
  metas = [follows, follows, leading("n3", "n1")];
  await expect(checkWhole(monitored, 0)).rejects.toThrow(
    /formed a cluster without n2, .* Restart n2: it joins/,
  );
  metas = whole();
});

test("which nats-servers lack something is known of those that their leaders see whole", async () => {
  set("well", "well", "well");
  const named = monitors.map((address, at) => ({ name: `n${at + 1}`, address }));
  const two = named.slice(0, 2);
  expect(await serversLacking(named)).toEqual([]);
  const copy = { name: "n1", current: true, active: 0 };
  for (const one of [{ current: false }, { lag: 2 }, { active: 2_500_000_000 }, { offline: true }]) {
    const [first = {}, second = {}, third = {}] = whole();
    logs = [
      first,
      {
        ...second,
        replicas: [
          { ...copy, ...one },
          { ...copy, name: "n3" },
        ],
      },
      third,
    ];
    expect(await serversLacking(named)).toEqual(["n1"]);
    expect(await serversLacking(two)).toEqual(["n1"]);
  }
  // One that is lost is not asked, nor does it count; where it led, nobody knows.
  logs = [{ leader: "n3" }, { leader: "n3" }, leading("n3", "n1", "n2")];
  expect(await serversLacking(named)).toEqual([]);
  expect(await serversLacking(two)).toEqual(["n1", "n2"]);
  logs = whole();
  set("silent", "well", "well");
  expect(await serversLacking(named)).toEqual(["n1"]);
  set("well", "well", "well");
});

test("where to get a nats-server that is new enough is said of one that is too old, and of one that does not start", async () => {
  set("well", "old", "well");
  const sources = "Debian has one from release 13 (trixie) on, and https://nats.io/download the newest.";
  await expect(checkMonitors(monitored, true)).rejects.toThrow(
    `The nats-server n2 is version 2.9.10; several nodes need 2.10.23 or newer. ${sources}`,
  );
  expect(await examineNats(monitored)).toMatchObject([
    { verdict: "problem", finding: expect.stringContaining(sources) },
  ]);
  set("well", "silent", "well");
  const doesNotStart = "One that ends at once with 'unknown field \"sync_interval\"' is too old";
  expect(await examineNats(monitored)).toMatchObject([
    { verdict: "problem", remedy: expect.stringContaining(doesNotStart) },
  ]);
  await expect(checkMonitors(monitored, true, 0)).rejects.toThrow(doesNotStart);
  set("well", "well", "well");
});
