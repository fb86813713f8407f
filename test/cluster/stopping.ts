// Nodes while NATS does not answer: what they say, and that they can be stopped. Part of `npm run test:cluster`.
import { afterEach, describe, expect, test } from "bun:test";
import { cleanUp } from "../support/executable.ts";
import { natsBinary, until } from "./machines.ts";
import { Trio } from "./trio.ts";

const binary = natsBinary("nobody stopped nodes while NATS hangs");
/** compose.yaml and node.conf allow 40 s, after which the node is killed. */
const limitMs = 40_000;

describe.skipIf(!binary)("while NATS hangs", () => {
  let trio: Trio;

  afterEach(async () => {
    await cleanUp();
    await trio.end();
  });

  test("nodes say that they are unwell, answer nobody after a while, and go on once NATS answers", async () => {
    trio = new Trio(binary ?? "", { settings: { reads_without_log: "11" } });
    await trio.begin();
    await trio.leader();
    const health = (at: number) => fetch(`${trio.url(at)}/health`);
    const all = [0, 1, 2];
    for (const at of all) expect((await health(at)).status).toBe(200);
    for (const server of trio.servers) server.send("SIGSTOP");
    for (const at of all) {
      await until(
        "it answers nobody",
        async () => (await trio.call(at, "GET", "users/me")).result === "error",
      );
      const answer = await fetch(`${trio.url(at)}/api/v1/server_settings`);
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
      const said = await health(at);
      expect(said.status).toBe(503);
      expect(await said.json()).toMatchObject({
        problem: expect.stringMatching(/not been able to follow the cluster's log for \d+ seconds/),
      });
    }
    for (const server of trio.servers) server.send("SIGCONT");
    for (const at of all) {
      await until("it is well", async () => (await health(at)).ok);
      expect(await trio.call(at, "GET", "users/me")).toMatchObject({ result: "success" });
    }
  }, 300_000);
});

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
