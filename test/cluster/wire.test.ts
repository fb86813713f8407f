import { describe, expect, test } from "bun:test";
import { decode, digestOf, encode, type Head } from "@/cluster/wire.ts";
import type { Emitted } from "@/kernel/core/events.ts";
import { everyone, to } from "@/kernel/core/events.ts";
import type { Committed, Written } from "@/kernel/store/commit-log.ts";
import { noteAdded } from "../support/kernel.ts";

const head: Head = { after: "abc", term: 7 };

function written(sql: string, ...params: Written["params"]): Written {
  return { sql, params, changes: 1, rowid: null };
}

function emitted(audience: Emitted["audience"], text: string): Emitted {
  return { event: noteAdded as Emitted["event"], audience, payload: { text } };
}

function again(batch: Partial<Committed>, given: Head = head) {
  return decode(encode(given, { written: [], emitted: [], ...batch }));
}

describe("an entry of the log", () => {
  test("keeps values that JSON cannot hold", () => {
    const values = [
      written("a", null, 0, -1.5, "x", "", "\ud800 half a pair", "\u0000"),
      written("a", new Uint8Array([0, 255, 7]), new Uint8Array(0)),
      written("b", 9_007_199_254_740_993n, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
    ];
    expect(again({ written: values }).written).toEqual(values);
  });

  test("keeps the effect of each statement", () => {
    const values = [
      { sql: "a", params: [], changes: 0, rowid: null },
      { sql: "a", params: [], changes: 3, rowid: 12 },
    ];
    expect(again({ written: values }).written).toEqual(values);
  });

  test("keeps the audiences of events, each set of people once", () => {
    const many = new Set([5, 3, 90_000, 4]);
    const queue = { id: "q", userId: 3 };
    const events = [
      emitted(everyone, "all"),
      emitted({ to: many, also: [1], tap: "messages" }, "some"),
      emitted({ to: many, queue }, "the same"),
      emitted(to(), "nobody"),
    ];
    const read = again({ emitted: events }).emitted;
    expect(read.map(({ payload }) => payload)).toEqual(events.map(({ payload }) => payload));
    expect(read.map(({ event }) => event)).toEqual(events.map(({ event }) => event));
    expect(read.map(({ audience }) => audience.to)).toEqual([
      "everyone",
      new Set([3, 4, 5, 90_000]),
      new Set([3, 4, 5, 90_000]),
      new Set(),
    ]);
    expect(read[1]?.audience).toMatchObject({ also: [1], tap: "messages" });
    expect(read[2]?.audience).toMatchObject({ queue });
    const one = encode(head, { written: [], emitted: events.slice(0, 2) }).length;
    const another = encode(head, { written: [], emitted: events.slice(0, 3) }).length;
    expect(another - one).toBeLessThan(120);
  });

  test("contains its predecessor, its term, and the node that begins to lead", () => {
    expect(again({})).toMatchObject(head);
    expect(again({}, { ...head, leads: "node-2" })).toMatchObject({ ...head, leads: "node-2" });
  });

  test("is compressed if that makes it smaller", () => {
    const rows = Array.from({ length: 26 }, (_, n) =>
      written("INSERT INTO t (a, b) VALUES (?, ?)", n, `text ${n}`),
    );
    const data = encode(head, { written: rows, emitted: [] });
    expect(data.length).toBeLessThan(JSON.stringify(rows).length / 2);
    expect(decode(data).written).toEqual(rows);
  });

  test("of a newer version is refused; an event that only a newer version knows is delivered to nobody, but keeps its ID", () => {
    const text = new TextDecoder().decode(
      encode(head, { written: [], emitted: [emitted(everyone, "a")] }).subarray(1),
    );
    const read = (json: string) => decode(Buffer.concat([Buffer.of(0), Buffer.from(json)]));
    expect(() => read(text.replace('"version":1', '"version":2'))).toThrow(
      "The log holds an entry of version 2, and this Confab reads version 1",
    );
    expect(read(text).emitted).toHaveLength(1);
    const [later] = read(text.replace('"test_note/add"', '"of_later/add"')).emitted;
    expect(later).toMatchObject({ event: { key: "unknown", isInternal: true }, audience: { to: [] } });
  });

  test("has another digest if a byte differs", () => {
    const data = encode(head, { written: [], emitted: [] });
    const other = Uint8Array.from(data);
    other[other.length - 1] = 0;
    expect(digestOf(other)).not.toBe(digestOf(data));
    expect(digestOf(Uint8Array.from(data))).toBe(digestOf(data));
  });
});
