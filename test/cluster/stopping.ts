// Nodes that are stopped while NATS does not answer. Part of `npm run test:cluster`.
import { afterEach, describe, expect, test } from "bun:test";
import { cleanUp } from "../support/executable.ts";
import { natsBinary } from "./machines.ts";
import { Trio } from "./trio.ts";

const binary = natsBinary("nobody stopped nodes while NATS hangs");
/** compose.yaml and node.conf allow 40 s, after which the node is killed. */
const limitMs = 40_000;

describe.skipIf(!binary)("a node that is stopped ends soon", () => {
  let trio: Trio;

  afterEach(async () => {
    await cleanUp();
    await trio.end();
  });

  for (const [what, signal] of [
    ["hangs", "SIGSTOP"],
    ["is gone", "SIGKILL"],
  ] as const) {
    test(`if NATS ${what}`, async () => {
      trio = new Trio(binary ?? "", {});
      await trio.begin();
      await trio.leader();
      for (const server of trio.servers) server.send(signal);
      await Bun.sleep(1_000);
      const ended = trio.running.map((one) => one?.end("SIGTERM"));
      const late = Bun.sleep(limitMs).then(() => "late");
      expect(await Promise.all(ended.map((one) => Promise.race([one, late])))).toEqual([0, 0, 0]);
    }, 300_000);
  }
});
