// Memory is given back once a busy server has nothing to do.
import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { collectingWhenCalm } from "@/calm.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function counted() {
  const collect = jest.fn();
  const handle = collectingWhenCalm((text: string) => `${text}!`, { calmMs: 2000, minRequests: 3, collect });
  return { handle, collect };
}

test("many requests are followed by one collection, as soon as none comes for a while", () => {
  const { handle, collect } = counted();
  for (const text of ["a", "b", "c", "d"]) {
    expect(handle(text)).toBe(`${text}!`);
    jest.advanceTimersByTime(1500);
  }
  expect(collect).toHaveBeenCalledTimes(0);
  jest.advanceTimersByTime(4000);
  expect(collect).toHaveBeenCalledTimes(1);
  jest.advanceTimersByTime(60_000);
  expect(collect).toHaveBeenCalledTimes(1);
});

test("a few requests are not, until there are enough of them", () => {
  const { handle, collect } = counted();
  for (const text of ["a", "b"]) handle(text);
  jest.advanceTimersByTime(60_000);
  expect(collect).toHaveBeenCalledTimes(0);
  handle("c");
  jest.advanceTimersByTime(60_000);
  expect(collect).toHaveBeenCalledTimes(1);
});
