// Simulates a power cut of three nodes and their nats-servers at the same moment. Part of `npm run test:cluster`, whose
// --times says at how many moments.
import { afterAll, beforeAll, describe, expect } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diskAfter, generator, type Luck, Recorder, type Recording, writeDisk } from "../power/disk.ts";
import { obstacleToTracing, readTrace, traced } from "../power/trace.ts";
import { type Account, expectKept, load } from "./load.ts";
import { type Beginning, beginnings, Cluster, natsBinary, until } from "./machines.ts";
import { eachTime, remaining } from "./results.ts";

const seed = Number(process.env.CONFAB_POWER_SEED ?? Date.now() % 1_000_000);
const sent = 150;
const folder = mkdtempSync(join(tmpdir(), "confab-cluster-power-"));
const untried = "nobody tried what a power cut leaves of several nodes";
const binary = natsBinary(untried);
const obstacle = binary ? obstacleToTracing() : "There is no nats-server.";
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
if (obstacle) console.error(`LEFT OUT: ${untried}. ${obstacle}`);

/**
 * Loses some or all of what was not synced. Keeps the names: the usual file systems store a new file's name when the file is
 * synced, and nats-server relies on that.
 */
function luckOf(random: () => number, share: number): Luck {
  return { keeps: ({ kind }) => kind === "entries" || random() < share, keepsPage: () => random() < share };
}

for (const beginning of beginnings) {
  const title =
    `the power of all machines is cut at once, and the log began by ${beginning}: ` +
    "all hold the same, with everything that was acknowledged";
  describe.skipIf(obstacle !== null || remaining(title) === 0)(
    "several nodes whose power is cut at once",
    () => cutPower(title, beginning),
  );
}

function cutPower(title: string, beginning: Beginning): void {
  const root = join(folder, beginning);
  let cluster: Cluster;
  let olive: Account;
  let recording: Recording;
  let acknowledged: Map<string, number>;
  const random = generator(seed);

  afterAll(async () => {
    await cluster?.end();
    rmSync(root, { recursive: true, force: true });
  });

  beforeAll(async () => {
    mkdirSync(root);
    cluster = await Cluster.plan(root, binary ?? "");
    olive = { email: "olive@example.com", key: await cluster.create(beginning) };
    await cluster.end();
    const recorder = new Recorder(root);
    recorder.adopt();
    const trace = join(folder, `${beginning}.trace`);
    const shell = Bun.spawn(traced(trace, ["sh"]), {
      stdin: "pipe",
      stdout: "ignore",
      stderr: "inherit",
      cwd: folder,
    });
    try {
      await record(shell.stdin);
    } finally {
      shell.stdin.write("kill -9 $all; wait 2>/dev/null\n");
      shell.stdin.end();
      await shell.exited;
    }
    await readTrace(trace, recorder);
    recording = recorder.recording();
    console.log(`${recording.steps.length} steps, ${acknowledged.size} messages; seed ${seed}`);
  }, 300_000);

  /** Starts all of them in one shell under strace, and sends. */
  async function record(stdin: Bun.FileSink): Promise<void> {
    const [first, ...others] = cluster.nodes;
    const run = (one: { command: string[]; name: string }) => {
      const words = one.command.map((word) => `'${word}'`).join(" ");
      stdin.write(`${words} >'${folder}/${one.name}.out' 2>'${folder}/${one.name}.err' & all="$all $!"\n`);
      stdin.flush();
    };
    for (const one of cluster.servers) run(one);
    if (first) run(first);
    await first?.serves();
    for (const one of others) run(one);
    await Promise.all(others.map((one) => one.serves()));
    const made = { subscriptions: [{ name: "general" }] };
    await first?.call(olive, "POST", "users/me/subscriptions", made);
    const sending = await load(cluster, olive, { hasListeners: false });
    await until("messages are sent", () => sending.acknowledged.size > sent);
    await sending.stop();
    acknowledged = sending.acknowledged;
  }

  /** The messages that some node had acknowledged before a moment. */
  function promisedBefore(moment: number): Map<string, number> {
    const ids = new Set<number>();
    for (const step of recording.steps.slice(0, moment)) {
      if (step.kind !== "said") continue;
      for (const [, id] of step.text.matchAll(/\{"result":"success","msg":"","id":(\d+)/g))
        ids.add(Number(id));
    }
    return new Map([...acknowledged].filter(([, id]) => ids.has(id)));
  }

  eachTime(title, async (n) => {
    const said = recording.steps.flatMap((step, at) =>
      step.kind === "said" && step.text.includes('{"result":"success","msg":"","id":') ? [at + 1] : [],
    );
    expect(said.length).toBeGreaterThan(sent);
    const moment = said[Math.floor(random() * said.length)] ?? 0;
    const disk = diskAfter(recording, moment, luckOf(random, n % 2 === 1 ? 0 : 0.5));
    await cluster.end();
    rmSync(root, { recursive: true });
    writeDisk(disk, root);
    await cluster.begin();
    await cluster.leader();
    const promised = promisedBefore(moment);
    expect(promised.size).toBeGreaterThan(0);
    await expectKept(cluster, promised);
    const params = { type: "stream", to: "general", topic: "after", content: "and on" };
    const on = await until("it goes on", async () => {
      const answer = await (await cluster.leader()).call(olive, "POST", "messages", params);
      return answer.result === "success" && answer;
    });
    expect(on.id).toBeGreaterThan(Math.max(...promised.values()));
  });
}
