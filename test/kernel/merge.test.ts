// Merging ordered lists reads each no further than needed.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Direction, merge, type PostingList, postingList } from "@/kernel/lib/merge.ts";
import { runSync } from "@/kernel/lib/tasks.ts";

interface Given {
  ids: number[];
  /** How much nearer than its first ID the list says that it starts; null if it does not say. */
  early: number | null;
}

function listOf({ ids, early }: Given, direction: Direction, onRead = () => {}): PostingList {
  const sign = direction === "after" ? 1 : -1;
  const ordered = [...ids].sort((a, b) => sign * (a - b));
  const read = (from: number, max: number) => {
    onRead();
    return ordered.filter((id) => sign * (id - from) > 0).slice(0, max);
  };
  const [first] = ordered;
  return postingList(read, early === null || first === undefined ? undefined : first - sign * early);
}

const lists = fc.array(
  fc.record({
    ids: fc.uniqueArray(fc.integer({ min: 1, max: 200 }), { maxLength: 40 }),
    early: fc.option(fc.nat(30)),
  }),
  { maxLength: 12 },
);

test.each(["before", "after"] as const)("gives each ID once and in order, %s an ID", (direction) => {
  const sign = direction === "after" ? 1 : -1;
  const input = fc.record({
    lists,
    from: fc.integer({ min: 0, max: 201 }),
    first: fc.integer({ min: 1, max: 20 }),
    sizes: fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 5 }),
  });
  fc.assert(
    fc.property(input, ({ lists, from, first, sizes }) => {
      const read = merge(
        lists.map((list) => listOf(list, direction)),
        direction,
        from,
        first,
      );
      const found = [...sizes, 1000].flatMap((size) => runSync(read(size)));
      const beyond = new Set(lists.flatMap(({ ids }) => ids).filter((id) => sign * (id - from) > 0));
      expect(found).toEqual([...beyond].sort((a, b) => sign * (a - b)));
    }),
  );
});

test("does not read lists that start farther away", () => {
  const wasRead: number[] = [];
  const lists = Array.from({ length: 100 }, (_, i) =>
    listOf({ ids: [i * 10 + 1, i * 10 + 2], early: 1 }, "after", () => wasRead.push(i)),
  );
  expect(runSync(merge(lists, "after", 0)(3))).toEqual([1, 2, 11]);
  expect(wasRead).toEqual([0, 1]);
});
