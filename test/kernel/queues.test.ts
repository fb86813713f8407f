import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { type Audience, type EventType, event, everyone, to } from "@/kernel/core/events.ts";
import type { EventQueue } from "@/kernel/core/queue-types.ts";
import { queueLimits } from "@/kernel/events/event-queue.ts";
import { MemoryQueues } from "@/kernel/events/queues.ts";
import { bytesOf } from "@/kernel/lib/long-answers.ts";
import { nextSlice } from "@/kernel/lib/tasks.ts";
import { kernel, noteAdded, traits } from "../support/kernel.ts";

const me = 7;

const waitsEnded = event("test_waits", {
  about: "Ends the waits of a user.",
  op: "end",
  schema: z.object({ user_id: z.int() }),
  after: ({ user_id }, queues) => queues.endWaits(user_id),
  isInternal: true,
});

function setUp() {
  const { queues, clock, faults } = kernel();
  const publish = (...texts: string[]) => tell(noteAdded, everyone, texts);
  const tell = (event: EventType<{ text: string }>, audience: Audience, texts: string[]) => {
    const emitted = texts.map((text) => ({
      event: event as EventType<unknown>,
      audience,
      payload: { text },
    }));
    queues.publish(emitted.map((one) => queues.prepare(one)));
  };
  const poll = async (queue: EventQueue, last: number, dontBlock = true) =>
    JSON.parse(Buffer.from(bytesOf((await queues.poll(queue, last, dontBlock)).json)).toString());
  const textsOf = async (answer: Promise<{ events: { text: string }[] }>) =>
    (await answer).events.map((e) => e.text);
  return { queues, clock, faults, publish, tell, poll, textsOf };
}

/** The client's side of a poll, which can hang up. */
function telephone() {
  const listeners: (() => void)[] = [];
  return {
    onHangUp: (listener: () => void) => void listeners.push(listener),
    hangUp: () => {
      for (const listener of listeners) listener();
    },
  };
}

describe("polling", () => {
  test("answers at once with the waiting events, ascending, and with the queue's ID", async () => {
    const { queues, publish, poll } = setUp();
    const queue = queues.open(traits(me));
    publish("a", "b");
    expect(await poll(queue, -1, false)).toEqual({
      result: "success",
      msg: "",
      events: [
        { type: "test_note", op: "add", text: "a", id: 0 },
        { type: "test_note", op: "add", text: "b", id: 1 },
      ],
      queue_id: queue.id,
    });
  });

  test("waits for the next event, and is answered with all of one publication", async () => {
    const { queues, publish, poll, textsOf } = setUp();
    const queue = queues.open(traits(me));
    const answer = poll(queue, -1, false);
    publish("a", "b");
    expect(await textsOf(answer)).toEqual(["a", "b"]);
  });

  test("ends when the client's credentials end, without events published at the same time", async () => {
    const { queues, poll, textsOf } = setUp();
    const [mine, another] = [queues.open(traits(me)), queues.open(traits(8))];
    const [waiting, other] = [poll(mine, -1, false), poll(another, -1, false)];
    const note = { event: noteAdded as EventType<unknown>, audience: everyone, payload: { text: "a" } };
    const end = { event: waitsEnded as EventType<unknown>, audience: to(), payload: { user_id: me } };
    queues.publish([note, end, note].map((one) => queues.prepare(one)));
    expect(await textsOf(waiting)).toEqual([]);
    expect(await textsOf(other)).toEqual(["a", "a"]);
    expect(await textsOf(poll(mine, -1))).toEqual(["a", "a"]);
  });

  test("does not wait if asked not to", async () => {
    const { queues, poll } = setUp();
    expect((await poll(queues.open(traits(me)), -1, true)).events).toEqual([]);
  });

  test("repeats events that were not acknowledged, but no acknowledged ones", async () => {
    const { queues, publish, poll, textsOf } = setUp();
    const queue = queues.open(traits(me));
    publish("a", "b", "c");
    expect(await textsOf(poll(queue, -1))).toEqual(["a", "b", "c"]);
    expect(await textsOf(poll(queue, -1))).toEqual(["a", "b", "c"]);
    expect(await textsOf(poll(queue, 1))).toEqual(["c"]);
    expect(await textsOf(poll(queue, 1))).toEqual(["c"]);
    expect(await textsOf(poll(queue, 2))).toEqual([]);
    expect(await textsOf(poll(queue, 2))).toEqual([]);
  });

  test("refuses an ID before the last acknowledged one, and one that was never in the queue", async () => {
    const { queues, publish, tell, poll } = setUp();
    const queue = queues.open(traits(me));
    publish("a");
    tell(noteAdded, to(me + 1), ["for another"]);
    publish("b");
    await poll(queue, 0);
    const code = "BAD_REQUEST";
    expect(poll(queue, -1)).rejects.toMatchObject({
      code,
      message: "An event newer than -1 has already been pruned!",
    });
    expect(poll(queue, 1)).rejects.toMatchObject({ code, message: "Event 1 was not in this queue" });
    expect(poll(queue, 3)).rejects.toMatchObject({ code, message: "Event 3 was not in this queue" });
    expect((await poll(queue, 2)).events).toEqual([]);
    expect(poll(queues.open(traits(me)), 0)).rejects.toMatchObject({ code });
  });

  test("a second poll ends the first, which gets no later events", async () => {
    const { queues, publish, poll, textsOf } = setUp();
    const queue = queues.open(traits(me));
    const first = poll(queue, -1, false);
    const second = poll(queue, -1, false);
    expect(await textsOf(first)).toEqual([]);
    publish("a");
    expect(await textsOf(second)).toEqual(["a"]);
  });

  test("a client that hangs up leaves its events for the next poll", async () => {
    const { queues, publish, poll, textsOf } = setUp();
    const queue = queues.open(traits(me));
    const line = telephone();
    void queues.poll(queue, -1, false, line.onHangUp);
    line.hangUp();
    expect(queue.waiter).toBeNull();
    publish("a");
    expect(await textsOf(poll(queue, -1))).toEqual(["a"]);
  });

  test("hanging up on an old poll does not disturb the new one", async () => {
    const { queues, publish, poll, textsOf } = setUp();
    const queue = queues.open(traits(me));
    const line = telephone();
    void queues.poll(queue, -1, false, line.onHangUp);
    const second = poll(queue, -1, false);
    line.hangUp();
    publish("a");
    expect(await textsOf(second)).toEqual(["a"]);
  });

  test("queues that wake together each get their own events", async () => {
    const { queues, tell, publish, poll } = setUp();
    const [mine, mineToo, theirs] = [me, me, me + 1].map((id) => queues.open(traits(id)));
    tell(noteAdded, to(me), ["a"]);
    const waiting = poll(theirs as EventQueue, -1, false);
    publish("b");
    const answers = [
      await poll(mine as EventQueue, -1),
      await poll(mineToo as EventQueue, -1),
      await waiting,
    ];
    expect(answers).toMatchObject([
      {
        queue_id: mine?.id,
        events: [
          { text: "a", id: 0 },
          { text: "b", id: 1 },
        ],
      },
      {
        queue_id: mineToo?.id,
        events: [
          { text: "a", id: 0 },
          { text: "b", id: 1 },
        ],
      },
      { queue_id: theirs?.id, events: [{ text: "b", id: 1 }] },
    ]);
  });
});

describe("audiences", () => {
  const receivesOf = async (
    traitsOfQueue: ReturnType<typeof traits>,
    audience: Audience,
    event = noteAdded,
  ) => {
    const { queues, tell, poll, textsOf } = setUp();
    const queue = queues.open(traitsOfQueue);
    queues.open(traits(me + 2));
    tell(event, audience, ["a"]);
    return (await textsOf(poll(queue, -1))).length === 1;
  };

  test.each([
    ["everyone", traits(me), everyone, true],
    ["the people named", traits(me), to(1, me), true],
    ["the people named in a set", traits(me), { to: new Set([me]) }, true],
    ["nobody else", traits(me), to(1, 2), false],
    ["those who asked for the type", traits(me, { types: new Set(["test_note"]) }), everyone, true],
    ["not those who asked for others", traits(me, { types: new Set(["message"]) }), everyone, false],
    ["those who tap the wider feed", traits(me, { taps: new Set(["feed"]) }), { to: [1], tap: "feed" }, true],
    ["not those who tap another", traits(me, { taps: new Set(["other"]) }), { to: [1], tap: "feed" }, false],
    [
      "once those who are named and tap",
      traits(me, { taps: new Set(["feed"]) }),
      { to: [me], tap: "feed" },
      true,
    ],
  ] as const)("%s", async (_, who, audience, receives) => {
    expect(await receivesOf(who, audience)).toBe(receives);
  });
});

describe("forms of an event", () => {
  const shouted = event("test_shout", {
    about: "For this test.",
    schema: z.object({ text: z.string(), mine: z.string().optional() }),
    variant: ({ capabilities }) => String(capabilities.has("loud")),
    shape: ({ text }: { text: string }, { capabilities, options }) => {
      if (options.deaf) return null;
      return { text: capabilities.has("loud") ? text.toUpperCase() : text };
    },
    own: ({ text }, { userId }) => (userId === me ? { mine: text } : null),
    accepts: ({ text }, { options }) => text !== options.except,
  });

  test("each client gets the form it can read, with its own fields", async () => {
    const { queues, tell, poll } = setUp();
    const loud = { capabilities: new Set(["loud"]) };
    const opened = [traits(1), traits(2, loud), traits(me, loud), traits(3)].map((t) => queues.open(t));
    tell(shouted, everyone, ["a"]);
    const events = await Promise.all(opened.map(async (queue) => (await poll(queue, -1)).events[0]));
    expect(events).toEqual([
      { type: "test_shout", text: "a", id: 0 },
      { type: "test_shout", text: "A", id: 0 },
      { type: "test_shout", text: "A", mine: "a", id: 0 },
      { type: "test_shout", text: "a", id: 0 },
    ]);
  });

  test("a queue that gets no form of an event is not woken", async () => {
    const { queues, tell, poll, publish, textsOf } = setUp();
    const narrowed = queues.open(traits(1, { options: { except: "a" } }));
    const waiting = poll(narrowed, -1, false);
    tell(shouted, everyone, ["a"]);
    publish("b");
    expect(await textsOf(waiting)).toEqual(["b"]);

    const deaf = queues.open(traits(2, { options: { deaf: true } }));
    tell(shouted, to(2), ["x"]);
    expect(await textsOf(poll(deaf, -1))).toEqual([]);
  });
});

const brokenAdded = event("test_broken", {
  about: "For this test.",
  schema: z.object({}),
  shape: (_: { text: string }) => {
    throw new Error("a bug");
  },
});

describe("an event that cannot be serialized", () => {
  test("closes the queues that would have missed it, and no others", async () => {
    const { queues, faults, publish, tell, poll, textsOf } = setUp();
    const [mine, other] = [queues.open(traits(me)), queues.open(traits(8))];
    const waiting = poll(mine, -1, false);
    tell(brokenAdded, to(me), ["x"]);
    publish("after");

    expect(await waiting).toMatchObject({ events: [] });
    expect(() => queues.find(mine.id, me)).toThrow("Bad event queue ID");
    expect(await textsOf(poll(other, -1))).toEqual(["after"]);
    expect(faults.map(String)).toEqual(["Error: a bug"]);
  });

  test("ends a queue that goes on at another node", async () => {
    const { queues, faults } = setUp();
    const emitted = { event: brokenAdded as EventType<unknown>, audience: to(me), payload: {} };
    const formFor = () => {
      throw new Error("a bug");
    };
    const past = { floor: 0, next: (id: number) => (id > 0 ? null : [{ id: 0, emitted, formFor }]) };
    const kept = { id: "0-x", traits: traits(me), start: 0, lastEventId: -1 };
    expect(await queues.revive(kept, past)).toBeNull();
    expect(queues.all.size).toBe(0);
    expect(faults.map(String)).toEqual(["Error: a bug"]);
  });
});

describe("a commit with many events", () => {
  const many = Array.from({ length: 3000 }, (_, i) => `n${i}`);

  test("is delivered in turns and in order, and lets waiting clients fetch in between", async () => {
    const { queues, publish, poll, textsOf } = setUp();
    const queue = queues.open(traits(me));
    const first = textsOf(poll(queue, -1, false));
    publish(...many);
    publish("later");
    const late = queues.open(traits(me));
    const fetched = await first;
    expect(fetched.length).toBeGreaterThan(0);
    expect(fetched.length).toBeLessThan(many.length);
    while (queue.events.at(-1)?.text.includes("later") !== true) await nextSlice();
    expect(await textsOf(poll(queue, -1))).toEqual([...many, "later"]);
    expect(await textsOf(poll(late, -1))).toEqual([]);
  });

  test("of another process reaches the queues that were open when it was noticed", async () => {
    const { queues, publish, poll, textsOf } = setUp();
    const queue = queues.open(traits(me));
    const made: string[] = [];
    const later = (text: string) =>
      queues.later()(noteAdded as EventType<unknown>, () => {
        made.push(text);
        return { event: noteAdded as EventType<unknown>, audience: everyone, payload: { text } };
      });
    queues.publish(many.map(later));
    expect(made.length).toBeLessThan(many.length);
    const late = queues.open(traits(me));
    publish("for both");
    while (late.events.length === 0) await nextSlice();
    expect(await textsOf(poll(queue, -1))).toEqual([...many, "for both"]);
    expect(await textsOf(poll(late, -1))).toEqual(["for both"]);
  });

  test("lets polls wait for their turn as well, except for those that ask not to wait", async () => {
    const { queues, publish, poll, textsOf } = setUp();
    const queue = queues.open(traits(me));
    publish(...many);
    expect(queues.poll(queue, -1, false)).toBeInstanceOf(Promise);
    expect((await poll(queue, -1)).events.length).toBeGreaterThan(0);
    const waiting = textsOf(poll(queue, -1, false));
    const had = queue.events.length;
    expect((await waiting).length).toBeGreaterThan(had);
    while (queue.events.length < many.length) await nextSlice();
    await nextSlice();
    expect(queues.poll(queue, -1, false)).not.toBeInstanceOf(Promise);
  });

  test("reaches many waiting clients in turns, and other work comes in between", async () => {
    const { queues, publish, poll, textsOf } = setUp();
    const count = 3_000;
    let answered = 0;
    const answers = Array.from({ length: count }, async (_, user) => {
      const texts = await textsOf(poll(queues.open(traits(user)), -1, false));
      answered++;
      return texts;
    });
    publish("for all");
    await new Promise(setImmediate);
    expect(answered).toBeGreaterThan(0);
    expect(answered).toBeLessThan(count);
    publish("later");
    const received = await Promise.all(answers);
    expect(received[0]).toEqual(["for all"]);
    expect(received.at(-1)).toEqual(["for all", "later"]);
  });

  test("is delivered at once if it ends queues", () => {
    const { queues, publish } = setUp();
    const queue = queues.open(traits(me));
    const note = { event: noteAdded as EventType<unknown>, audience: everyone, payload: { text: "n" } };
    const end = { event: waitsEnded as EventType<unknown>, audience: to(), payload: { user_id: me } };
    queues.publish([...many.map(() => note), end].map((one) => queues.prepare(one)));
    expect(queue.events).toHaveLength(many.length);
    publish("later");
    expect(queue.events).toHaveLength(many.length + 1);
  });
});

describe("the life of a queue", () => {
  test("is closed if its user opens too many and it was polled longest ago", () => {
    const { queues, clock } = setUp();
    const [first, second] = [queues.open(traits(me)), queues.open(traits(me))];
    clock.advance(1);
    void queues.poll(first, -1, true);
    for (let n = 0; n < queueLimits.perUser - 1; n++) queues.open(traits(me));
    expect(queues.all.size).toBe(queueLimits.perUser);
    expect(() => queues.find(second.id, me)).toThrow("Bad event queue ID");
    expect(queues.find(first.id, me)).toBe(first);
  });

  test("stays open if it is new, even if all others are being polled; the one polled longest ago is closed", () => {
    const { queues, clock } = setUp();
    const polled = Array.from({ length: queueLimits.perUser }, () => {
      const queue = queues.open(traits(me));
      void queues.poll(queue, -1, false);
      clock.advance(1);
      return queue;
    });
    const opened = queues.open(traits(me));
    expect(queues.find(opened.id, me)).toBe(opened);
    expect(queues.all.size).toBe(queueLimits.perUser);
    expect(() => queues.find(polled[0]?.id ?? "", me)).toThrow("Bad event queue ID");
  });

  const idle = queueLimits.idleMs / 1000;

  test("the error is the same for another user's, an unknown and a closed queue", () => {
    const { queues } = setUp();
    const queue = queues.open(traits(me));
    const refusal = (id: string, user: number) => {
      try {
        queues.find(id, user);
      } catch (error) {
        return (error as { toWire(): object }).toWire();
      }
    };
    const bad = (id: string) => ({
      result: "error",
      msg: `Bad event queue ID: ${id}`,
      code: "BAD_EVENT_QUEUE_ID",
      queue_id: id,
    });
    expect(queues.find(queue.id, me)).toBe(queue);
    expect(refusal(queue.id, me + 1)).toEqual(bad(queue.id));
    expect(refusal("1:2", me)).toEqual(bad("1:2"));
    queues.close(queue);
    expect(refusal(queue.id, me)).toEqual(bad(queue.id));
  });

  test("closing answers the open poll, and frees the memory", async () => {
    const { queues, poll, textsOf } = setUp();
    const queue = queues.open(traits(me));
    const waiting = poll(queue, -1, false);
    queues.closeAllOf(me);
    expect(queues.all.size).toBe(0);
    // Each turn of a delivery ends so.
    queues.wake(Number.POSITIVE_INFINITY);
    expect(await textsOf(waiting)).toEqual([]);
  });

  test("a long poll gets a heartbeat, with an ID like any event", async () => {
    const { queues, clock, poll, publish, textsOf } = setUp();
    const queue = queues.open(traits(me, { types: new Set(["test_note"]) }));
    const waiting = poll(queue, -1, false);
    clock.advance(queueLimits.heartbeatMs / 1000 - 1);
    queues.sweep();
    expect(queue.waiter).not.toBeNull();
    clock.advance(1);
    queues.sweep();
    expect((await waiting).events).toEqual([{ type: "heartbeat", id: 0 }]);
    publish("a");
    expect(await textsOf(poll(queue, 0))).toEqual(["a"]);
  });

  test("ends after ten minutes without a poll, and not a second earlier", async () => {
    const { queues, clock } = setUp();
    const queue = queues.open(traits(me));
    clock.advance(idle - 1);
    queues.sweep();
    await queues.poll(queue, -1, true);
    clock.advance(idle - 1);
    queues.sweep();
    expect(queues.all.size).toBe(1);
    clock.advance(1);
    queues.sweep();
    expect(queues.all.size).toBe(0);
  });

  test("does not end during a poll; the ten minutes count from its answer", async () => {
    const { queues, clock, poll } = setUp();
    const queue = queues.open(traits(me));
    const waiting = poll(queue, -1, false);
    clock.advance(idle + 1);
    queues.sweep();
    expect((await waiting).events).toMatchObject([{ type: "heartbeat" }]);
    clock.advance(idle - 1);
    queues.sweep();
    expect(queues.all.size).toBe(1);
    clock.advance(1);
    queues.sweep();
    expect(queues.all.size).toBe(0);
  });

  test("ends ten minutes after the client has hung up", () => {
    const { queues, clock } = setUp();
    const line = telephone();
    void queues.poll(queues.open(traits(me)), -1, false, line.onHangUp);
    line.hangUp();
    clock.advance(idle);
    queues.sweep();
    expect(queues.all.size).toBe(0);
  });

  test("ends when it has too many events, even if its client loses them", async () => {
    const { queues, publish, tell } = setUp();
    const [full, fresh] = [queues.open(traits(me)), queues.open(traits(me + 1))];
    const texts = Array.from({ length: queueLimits.events - 1 }, (_, n) => String(n));
    tell(noteAdded, to(me), texts);
    publish("the last that fits");
    while (fresh.events.length < 1) await nextSlice();
    expect(queues.all.size).toBe(2);
    publish("one too many", "and another");
    expect(queues.all.size).toBe(1);
    expect(() => queues.find(full.id, me)).toThrow("Bad event queue ID");
    expect(fresh.events).toHaveLength(3);
  });

  test("ends when its text is too long, without the events that its client has read", async () => {
    const { queues, publish, poll } = setUp();
    const [away, near] = [queues.open(traits(me)), queues.open(traits(me))];
    const tenth = "x".repeat(queueLimits.characters / 10);
    for (let n = 0; n < 9; n++) publish(tenth);
    await poll(near, -1, false);
    await poll(near, near.lastId, true);
    publish(tenth);
    expect(queues.all.size).toBe(1);
    expect(() => queues.find(away.id, me)).toThrow("Bad event queue ID");
    expect(near.events).toHaveLength(1);
    for (let n = 0; n < 8; n++) publish(tenth);
    expect(queues.all.size).toBe(1);
    publish(tenth);
    expect(queues.all.size).toBe(0);
  });

  test("stopping answers every open poll", async () => {
    const { queues, poll, textsOf } = setUp();
    const waiting = [me, me + 1].map((id) => poll(queues.open(traits(id)), -1, false));
    queues.answerAll();
    for (const answer of waiting) expect(await textsOf(answer)).toEqual([]);
  });
});

test("an audience has listeners if one of its users, its wider feed or its single queue listens", () => {
  const queues = new MemoryQueues(setUp().clock, 1);
  const audiences: Record<string, Audience> = {
    everyone,
    me: to(me),
    set: { to: new Set([me, me + 1]) },
    also: { to: [], also: [me] },
    single: { to: [], queue: { id: "none", userId: me } },
    feed: { to: [], tap: "public" },
    another: { to: new Set([me + 1]) },
  };
  const receiving = () =>
    Object.keys(audiences).filter((name) => queues.mayReceive(audiences[name] as Audience));
  expect(receiving()).toEqual([]);
  const queue = queues.open(traits(me));
  expect(receiving()).toEqual(["everyone", "me", "set", "also"]);
  audiences.single = { to: [], queue: { id: queue.id, userId: me } };
  expect(receiving()).toEqual(["everyone", "me", "set", "also", "single"]);
  queues.open({ ...traits(me + 2), taps: new Set(["public"]) });
  expect(receiving()).toEqual(["everyone", "me", "set", "also", "single", "feed"]);
  queues.close(queue);
  expect(receiving()).toEqual(["everyone", "feed"]);
});

describe("with a log that numbers the events", () => {
  const span = 2 ** 30;

  function logged(first: number) {
    const { queues, poll, faults } = setUp();
    queues.startAt(first);
    let next = first;
    const commit = (room: number, ...texts: string[]) => {
      const ids = { first: next, count: texts.length, end: next + texts.length + room };
      next = ids.end;
      const emitted = texts.map((text) => ({
        event: noteAdded as EventType<unknown>,
        audience: everyone,
        payload: { text },
      }));
      queues.publish(
        emitted.map((one) => queues.prepare(one)),
        ids,
      );
    };
    const tellOutside = (text: string) =>
      queues.publish([
        queues.prepare({ event: noteAdded as EventType<unknown>, audience: everyone, payload: { text } }),
      ]);
    const idsOf = async (queue: EventQueue, last: number) =>
      ((await poll(queue, last)).events as { text: string; id: number }[]).map(({ text, id }) => [text, id]);
    return { queues, faults, commit, tellOutside, idsOf };
  }

  test("events outside the log get the IDs that a commit leaves free, and none without a free one", async () => {
    const { queues, commit, tellOutside, idsOf } = logged(5);
    const queue = queues.open(traits(me));
    tellOutside("too early");
    commit(2, "a", "b");
    for (const text of ["c", "d", "too many"]) tellOutside(text);
    commit(1, "e");
    expect(await idsOf(queue, -1)).toEqual([
      ["a", 5],
      ["b", 6],
      ["c", 7],
      ["d", 8],
      ["e", 9],
    ]);
  });

  test("a client may acknowledge what another node sent it, gets nothing twice, and no ID that it has seen", async () => {
    const { queues, commit, tellOutside, idsOf } = logged(0);
    const queue = queues.open(traits(me));
    commit(4, "a");
    expect(await idsOf(queue, 2)).toEqual([]);
    tellOutside("b");
    expect(await idsOf(queue, 2)).toEqual([["b", 3]]);
    expect(() => queues.poll(queue, 5, true)).toThrow("Event 5 was not in this queue");
    expect(queues.reaches(4)).toBe(true);
    expect(queues.reaches(5)).toBe(false);
  });

  test("queues that open in another span count again, so that IDs stay below 2 to the 31st", async () => {
    const { queues, commit, idsOf } = logged(5 * span - 1);
    const before = queues.open(traits(me));
    commit(0, "a");
    const after = queues.open(traits(me));
    commit(0, "b");
    expect(await idsOf(before, -1)).toEqual([
      ["a", span - 1],
      ["b", span],
    ]);
    expect(await idsOf(after, -1)).toEqual([["b", 0]]);
  });

  test("a queue ends where its IDs would leave 31 bits", async () => {
    const { queues } = logged(0);
    const queue = queues.open(traits(me));
    queues.startAt(2 * span - 2);
    const ids = (first: number) => ({ first, count: 1, end: first + 1 });
    const one = () => [
      queues.prepare({ event: noteAdded as EventType<unknown>, audience: everyone, payload: { text: "x" } }),
    ];
    queues.publish(one(), ids(2 * span - 2));
    expect(queues.find(queue.id, me)).toBe(queue);
    queues.publish(one(), ids(2 * span - 1));
    expect(() => queues.find(queue.id, me)).toThrow("Bad event queue ID");
  });
});
