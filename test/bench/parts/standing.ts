// The cost of an idle server: joining a large organization, disk, start and memory.
import { Database } from "bun:sqlite";
import { alternate, type Bench, compared, type Part, perOperation, withServers } from "../bench.ts";
import { folderBytes, median, residentMb } from "../figures.ts";
import { newFolder } from "../processes.ts";
import { databaseIn, prepare, type Server, startBare, startBareIn, startConfab } from "../servers.ts";
import { team } from "../worlds.ts";
import { accountsOf } from "./sending.ts";

export const register: Part = {
  name: "register",
  run: (bench) =>
    withServers([bench.openLarge()], async (confab) => {
      const account = confab.accounts.at(-1) ?? { email: "", apiKey: "" };
      const { users, channels, registerMs } = bench.sizes;
      const job = { account, paths: ["/register"], form: clientOfToday, ms: registerMs };
      await confab.run("repeat", job);
      const cost = await confab.run("repeat", job);
      const what = `register, ${users} users, in all of ${channels} channels`;
      bench.progress(`${what}: ${cost.count} times`);
      const limit = { most: 150 };
      bench.add({ what, unit: "ms", base: null, confab: median(cost.eachMs), limit });
      bench.add({ what: `${what}, server`, unit: "ms CPU", base: null, confab: perOperation(cost), limit });
    }),
};

export const queues: Part = {
  name: "queues",
  run: (bench) =>
    withServers([startBare(), bench.openLarge()], async (bare, confab) => {
      const { users } = bench.sizes;
      const idle: (number | null)[] = [];
      for (const server of [bare, confab]) {
        const opened = await server.run("enroll", { accounts: accountsOf(server, users) });
        await Bun.sleep(bench.sizes.idleMs);
        idle.push(residentMb(server.pid));
        bench.progress(`${server.name}: ${opened} queues`);
      }
      const [base = null, own = null] = idle;
      const what = `resident with ${users} idle queues`;
      if (own !== null) bench.add({ what, unit: "MB", base, confab: own, limit: { most: 200 } });
    }),
};

export const disk: Part = {
  name: "disk",
  run: (bench) =>
    withServers([bench.openLarge()], async (confab) => {
      for (const [channel, subscribers] of [
        ["fifty", 50],
        ["everyone", bench.sizes.users],
      ] as const) {
        const what = `disk, 120-byte message to ${subscribers} subscribers`;
        const bytes = await bytesPerMessage(bench, confab, channel);
        bench.add({ what, unit: "bytes", base: null, confab: bytes, limit: { most: 600 } });
      }
    }),
};

export const start: Part = {
  name: "start",
  async run(bench) {
    const prepared = await prepare(team);
    const bareFolder = newFolder("bare");
    const startMs = await alternate(
      bench.sizes.starts,
      () => startOnce(bench, startBareIn(bareFolder)),
      () => startOnce(bench, startConfab(prepared)),
    );
    bench.add(compared("start to first answer", "ms", startMs, { most: 100 }));
    const base = await idleMemory(bench, startBareIn(bareFolder));
    const confab = await idleMemory(bench, startConfab(prepared));
    if (confab !== null)
      bench.add({ what: "resident when idle", unit: "MB", base, confab, limit: { most: 90 } });
  },
};

export const clientOfToday = {
  apply_markdown: "true",
  client_gravatar: "true",
  slim_presence: "true",
  include_subscribers: "false",
  client_capabilities: JSON.stringify({
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: true,
    stream_typing_notifications: true,
    user_settings_object: true,
    linkifier_url_template: true,
    empty_topic_name: true,
  }),
};

async function bytesPerMessage({ sizes, progress }: Bench, server: Server, channel: string): Promise<number> {
  const before = settledBytes(server);
  const { count } = await server.run("burst", {
    accounts: server.accounts.slice(0, 10),
    channel: server.channels[channel] ?? 0,
    connections: sizes.senders,
    ms: 0,
    count: sizes.diskMessages,
  });
  await indexed(server);
  const bytes = (settledBytes(server) - before) / count;
  progress(`${channel}: ${bytes.toFixed(0)} bytes`);
  return bytes;
}

/** Waits until the full-text index contains all messages. */
async function indexed({ folder }: Server): Promise<void> {
  const db = new Database(databaseIn(folder), { readonly: true });
  const waiting = db.query("SELECT 1 FROM messages_to_index LIMIT 1");
  while (waiting.get() !== null) await Bun.sleep(100);
  db.close();
}

/** The size of the data folder after a checkpoint of the write-ahead log. */
function settledBytes({ folder }: Server): number {
  const db = new Database(databaseIn(folder), { readwrite: true });
  db.run("PRAGMA busy_timeout = 5000");
  db.query("PRAGMA wal_checkpoint(TRUNCATE)").get();
  db.close();
  return folderBytes(folder);
}

async function startOnce({ progress }: Bench, starting: Promise<Server>): Promise<number> {
  const server = await starting;
  await server.stop();
  progress(`${server.name}: ${server.startMs.toFixed(0)} ms`);
  return server.startMs;
}

async function idleMemory({ sizes }: Bench, starting: Promise<Server>): Promise<number | null> {
  const server = await starting;
  await Bun.sleep(sizes.idleMs);
  const megabytes = residentMb(server.pid);
  await server.stop();
  return megabytes;
}
