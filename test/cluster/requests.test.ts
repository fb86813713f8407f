// What is sent to NATS, and sent again: entries of the log, and renewals of the lease.
import { describe, expect, test } from "bun:test";
import {
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  type StreamInfo,
} from "@nats-io/jetstream";
import type { KV } from "@nats-io/kv";
import { errors, headers, type Msg, type NatsConnection } from "@nats-io/transport-node";
import { Entries } from "@/cluster/nats/entries.ts";
import { KeyLease } from "@/cluster/nats/key-lease.ts";
import { areApart } from "@/cluster/nats/placement.ts";
import type { ServerChoice } from "@/cluster/nats/server-choice.ts";
import { Subjects } from "@/cluster/nats/subjects.ts";
import { Fenced } from "@/cluster/shared-log.ts";
import { Neighbours } from "@/cluster/watching/neighbours.ts";
import { NotAppended } from "@/kernel/store/commit-log.ts";
import { until } from "../support/waiting.ts";

const wrongLast = new JetStreamApiError({ err_code: 10071, code: 400, description: "wrong last sequence" });
const full = new JetStreamApiError({ err_code: 10077, code: 400, description: "maximum bytes exceeded" });

type Attempt = PromiseWithResolvers<{ seq: number }>;

/** A log of six entries; `stored` is the ID of the seventh. */
function sevenAppended(stored: string | null = null, nearby: JetStreamClient | null = null) {
  const attempts: Attempt[] = [];
  const near = {
    client: nearby,
    noteFailure: () => {
      near.client = null;
    },
  };
  const client = {
    publish: () => {
      const one = Promise.withResolvers<{ seq: number }>();
      attempts.push(one);
      return one.promise;
    },
  } as unknown as JetStreamClient;
  const head = headers();
  if (stored) head.set("Nats-Msg-Id", stored);
  const streams = { getMessage: async () => (stored ? { header: head } : null) };
  const manager = { streams } as unknown as JetStreamManager;
  const entries = new Entries({ client, manager, near }, { stream: "LOG", subject: "log" });
  const appended = entries.append(new Uint8Array(10), "mine", 6);
  return { attempts, appended, near };
}

async function reach(attempts: readonly unknown[], count: number): Promise<void> {
  await until(
    () => attempts.length >= count,
    () => `${count} attempts are made`,
  );
}

test("an entry is sent again while there is no answer, and the first answer with its number counts", async () => {
  const { attempts, appended } = sevenAppended();
  await reach(attempts, 3);
  attempts[0]?.reject(new errors.TimeoutError());
  attempts[1]?.resolve({ seq: 0 });
  attempts[2]?.resolve({ seq: 7 });
  await appended;
  const { length } = attempts;
  await Bun.sleep(400);
  expect(attempts).toHaveLength(length);
});

test("an entry whose place is taken is there if the log has its ID, and else another node's", async () => {
  const mine = sevenAppended("mine");
  mine.attempts[0]?.reject(wrongLast);
  await mine.appended;
  const others = sevenAppended("another's");
  others.attempts[0]?.reject(wrongLast);
  await expect(others.appended).rejects.toBeInstanceOf(Fenced);
});

test("an entry that the log refuses is not in it, unless an attempt without an answer may still come", async () => {
  const { attempts, appended } = sevenAppended();
  await reach(attempts, 2);
  attempts[1]?.reject(full);
  await reach(attempts, 3);
  attempts[2]?.reject(full);
  await reach(attempts, 4);
  // Everything sent so far is answered now, so nothing can arrive later.
  for (const one of attempts) one.reject(full);
  await expect(appended).rejects.toBeInstanceOf(NotAppended);

  const saved = sevenAppended();
  await reach(saved.attempts, 2);
  saved.attempts[1]?.reject(full);
  await Bun.sleep(5);
  saved.attempts[0]?.resolve({ seq: 7 });
  await saved.appended;
});

test("an entry takes the connection to the log's server first, and the usual one if that has no answer or breaks", async () => {
  const answering = sevenAppended(null, { publish: async () => ({ seq: 7 }) } as unknown as JetStreamClient);
  await answering.appended;
  expect(answering.attempts).toHaveLength(0);
  expect(answering.near.client).not.toBeNull();

  const late = Promise.withResolvers<{ seq: number }>();
  const silent = sevenAppended(null, { publish: () => late.promise } as unknown as JetStreamClient);
  await reach(silent.attempts, 1);
  expect(silent.near.client).toBeNull();
  // The first attempt may have arrived, so this is not final.
  silent.attempts[0]?.reject(full);
  await Bun.sleep(5);
  late.resolve({ seq: 7 });
  await silent.appended;

  const broken = sevenAppended(null, {
    publish: () => Promise.reject(new errors.ClosedConnectionError()),
  } as unknown as JetStreamClient);
  await Promise.resolve();
  await reach(broken.attempts, 1);
  broken.attempts[0]?.resolve({ seq: 7 });
  await broken.appended;
});

test("a lease is requested again, and the first answer counts, whatever other attempts are refused for", async () => {
  const attempts: (PromiseWithResolvers<number> & { after: number | undefined })[] = [];
  let entry: { operation: string; revision: number; json?: () => unknown } | null = null;
  const kv = {
    get: async () => entry,
    put: (_key: string, _text: string, { previousSeq }: { previousSeq?: number }) => {
      const one = { ...Promise.withResolvers<number>(), after: previousSeq };
      attempts.push(one);
      return one.promise;
    },
  } as unknown as KV;
  let answers = 0;
  const choice = { ask: <T>(_: number, request: () => Promise<T>) => request(), noteAnswer: () => answers++ };
  const holders = { nc: {} as unknown as NatsConnection, subject: "holds" };
  const lease = new KeyLease(kv, "leader", 1_000, choice as unknown as ServerChoice, holders);
  const me = { node: "a", url: "http://a" };

  const taken = lease.hold(me, 0, false);
  await reach(attempts, 2);
  attempts[1]?.reject(wrongLast);
  await Bun.sleep(5);
  attempts[0]?.resolve(5);
  expect(await taken).toBe(5);
  expect(attempts.map(({ after }) => after)).toEqual([0, 0]);

  attempts.length = 0;
  const lost = lease.hold(me, 5, true);
  await reach(attempts, 1);
  attempts[0]?.reject(wrongLast);
  expect(await lost).toBeNull();

  attempts.length = 0;
  entry = { operation: "PUT", revision: 6, json: () => me };
  answers = 0;
  expect(await lease.read()).toEqual({ revision: 6, leader: me });
  expect(await lease.read()).toEqual({ revision: 6, leader: me });
  // A server that has lost the others answers the same again and again.
  expect(answers).toBe(1);
  entry = { operation: "DEL", revision: 7 };
  expect(await lease.read()).toEqual({ revision: 7, leader: null });
  const again = lease.hold(me, 7, false);
  await reach(attempts, 1);
  attempts[0]?.resolve(8);
  expect(await again).toBe(8);
  expect(attempts[0]?.after).toBe(7);
  entry = null;
  expect(await lease.read()).toBeNull();
});

describe("before a node leads, the others say their positions", () => {
  /** A connection at which a test answers. */
  function asked() {
    let answer = (_: Msg) => {};
    let asks = 0;
    const nc = {
      subscribe: (_: string, { callback }: { callback: (error: null, message: Msg) => void }) => {
        answer = (message) => callback(null, message);
        return { unsubscribe: () => {} };
      },
      publish: () => asks++,
    } as unknown as NatsConnection;
    const say = (node: string | null, position: number) => {
      const head = headers();
      if (node !== null) head.set("Confab-Node", node);
      answer({ data: new Uint8Array(1), headers: head, string: () => String(position) } as unknown as Msg);
    };
    return { talk: new Subjects(nc, "confab.test"), say, asks: () => asks };
  }

  test("one that is busy is waited for, if it answered lately and is not the one that led", async () => {
    const { talk, say, asks } = asked();
    const neighbours = new Neighbours(talk, { node: "a", id: "1" }, 60_000);
    const first = neighbours.twin();
    for (const node of ["a", "b", "c"]) say(node, 5);
    expect(await first).toMatchObject({ node: "a", id: null });

    const ask = async (dead: string | null, lateAnswer: () => void) => {
      const before = asks();
      let isOver = false;
      const found = neighbours.positions(dead).finally(() => {
        isOver = true;
      });
      await until(() => asks() > before, "it asks");
      say("a", 5);
      // Longer than usual answers take.
      await Bun.sleep(300);
      const wasOver = isOver;
      lateAnswer();
      return { wasOver, found: await found };
    };
    expect(await ask("b", () => say("c", 9))).toEqual({ wasOver: false, found: [5, 9] });
    expect(await ask("b", () => say(null, 9))).toEqual({ wasOver: false, found: [5, 9] });
  });

  test("one that never answered is not waited for", async () => {
    const { talk, say } = asked();
    const found = new Neighbours(talk, { node: "a", id: "1" }).positions(null);
    say("b", 7);
    expect(await found).toEqual([7]);
  });
});

test("NATS is asked for another leader of the lease only if it is not the log's, and both have all copies", () => {
  const other = (name: string) => ({ name, current: true, active: 500_000_000, lag: 0, peer: name });
  const stream = (leader: string, replicas = [other("x"), other("y")]) =>
    ({ cluster: { leader, replicas }, config: { num_replicas: 3 } }) as unknown as Pick<
      StreamInfo,
      "cluster" | "config"
    >;
  expect(areApart([stream("n1"), stream("n2")])).toBe(true);
  expect(areApart([stream("n1"), stream("n1")])).toBe(false);
  expect(areApart([stream("n1"), stream("")])).toBe(false);
  const lacking = [
    { ...other("y"), current: false },
    { ...other("y"), lag: 3 },
    { ...other("y"), active: 3_000_000_000 },
    { ...other("y"), offline: true },
  ];
  for (const one of lacking) expect(areApart([stream("n1"), stream("n2", [other("x"), one])])).toBe(false);
  expect(areApart([stream("n1", [other("x")]), stream("n2")])).toBe(false);
});
