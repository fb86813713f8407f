// Memory is given back once a busy server has nothing to do.
import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { collectWhenIdle } from "@/idle-gc.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A server that leaves garbage with each request, by default a megabyte. */
function wasteful(kept: number, waste = 1_000_000) {
  let heap = kept;
  const release = jest.fn();
  const collect = jest.fn(() => {
    heap = kept;
  });
  const answer = (text: string) => {
    heap += waste;
    return `${text}!`;
  };
  const handle = collectWhenIdle(answer, release, { quietMs: 1000, heapSize: () => heap, collect });
  const ask = (times: number) => Array.from({ length: times }, () => handle("hello"));
  return { ask, collect, release };
}

test("much garbage is collected once, as soon as no request comes for a while", () => {
  const { ask, collect } = wasteful(20_000_000);
  for (let i = 0; i < 8; i++) {
    expect(ask(3)).toEqual(["hello!", "hello!", "hello!"]);
    jest.advanceTimersByTime(700);
  }
  expect(collect).toHaveBeenCalledTimes(0);
  jest.advanceTimersByTime(60_000);
  expect(collect).toHaveBeenCalledTimes(1);
});

test("little garbage is kept until there is more", () => {
  const { ask, collect } = wasteful(20_000_000);
  ask(5);
  jest.advanceTimersByTime(60_000);
  expect(collect).toHaveBeenCalledTimes(1); // what the start left
  for (let i = 1; i <= 2; i++) {
    ask(5);
    jest.advanceTimersByTime(60_000);
    expect(collect).toHaveBeenCalledTimes(i);
  }
});

test("many requests are followed by a collection however little garbage there is, and free caches", () => {
  const { ask, collect, release } = wasteful(20_000_000, 0);
  ask(10);
  jest.advanceTimersByTime(60_000);
  expect(collect).toHaveBeenCalledTimes(1); // what the start left
  ask(1_999);
  jest.advanceTimersByTime(60_000);
  expect(collect).toHaveBeenCalledTimes(1);
  expect(release).toHaveBeenCalledTimes(0);
  ask(1);
  jest.advanceTimersByTime(60_000);
  expect(collect).toHaveBeenCalledTimes(2);
  expect(release).toHaveBeenCalledTimes(1);
});

test("a heap of much garbage is collected, also if requests came since the start without a pause", () => {
  const { ask, collect } = wasteful(20_000_000);
  for (let second = 0; second < 7; second++) {
    ask(10);
    jest.advanceTimersByTime(900);
  }
  expect(collect).toHaveBeenCalledTimes(0);
  jest.advanceTimersByTime(60_000);
  expect(collect).toHaveBeenCalledTimes(1);
});

test("a heap too large to be collected quickly is left alone, but caches are freed", () => {
  for (const [kept, requests] of [
    [50_000_000, 9],
    [20_000_000, 80],
  ] as const) {
    const { ask, collect, release } = wasteful(kept);
    ask(requests);
    jest.advanceTimersByTime(60_000);
    expect(collect).toHaveBeenCalledTimes(0);
    expect(release).toHaveBeenCalledTimes(0);
    ask(2_000);
    jest.advanceTimersByTime(60_000);
    expect(collect).toHaveBeenCalledTimes(0);
    expect(release).toHaveBeenCalledTimes(1);
  }
});
