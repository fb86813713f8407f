import { expect, test } from "bun:test";
import { createListCache } from "@/kernel/lib/cached-lists.ts";
import { listOfOpen } from "@/kernel/lib/json-text.ts";

const list = (texts: string[]) => () => [listOfOpen(texts.map((text) => Buffer.from(text)))];

test("a list is made again only of other parts", () => {
  const made = createListCache(100_000);
  const parts = ['{"a":1', '{"a":2'];
  const first = made(parts, list(parts));
  expect(first[0]?.toJSON()).toEqual([{ a: 1 }, { a: 2 }]);
  expect(made([...parts], list([]))).toBe(first);
  expect(made(['{"a":1'], list(['{"a":1']))[0]?.toJSON()).toEqual([{ a: 1 }]);
  expect(made(parts, list([]))).toBe(first);
});

test("a list of nothing is empty", () => expect(listOfOpen([]).toJSON()).toEqual([]));

test.each([
  ["long", 15_000, 40_000],
  ["short", 0, 20_000],
])("only the %s lists asked for last are kept, up to a number of bytes", (_, length, max) => {
  const made = createListCache(max);
  const [a, b, c] = ["a", "b", "c"].map((name) => [`{"${name}":"${name.repeat(length)}"`]) as [
    string[],
    string[],
    string[],
  ];
  const first = made(a, list(a));
  made(b, list(b));
  expect(made(a, list(a))).toBe(first);
  made(c, list(c));
  expect(made(a, list(a))).toBe(first);
  const before = made(b, list(b));
  made(c, list(c));
  made(a, list(a));
  expect(made(b, list(b))).not.toBe(before);
});
