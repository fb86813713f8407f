import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { RepeatedRefusals } from "@/kernel/http/repeated-refusals.ts";
import type { LogFields } from "@/kernel/lib/log.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const hourMs = 3_600_000;
const refusal = {
  operation: "get-events",
  address: "203.0.113.7",
  account: "a@b.c",
  reason: "INVALID_API_KEY",
};

function repeats() {
  const lines: [string, LogFields | undefined][] = [];
  const log = {
    info() {},
    error() {},
    flush() {},
    warn: (event: string, fields?: LogFields) => void lines.push([event, fields]),
  };
  const counted = new RepeatedRefusals(log);
  const singly = (times: number, credentials = "key", given = refusal) =>
    Array.from({ length: times }, () => counted.isSingle(given, credentials)).filter(Boolean).length;
  return { lines, singly };
}

test("what is repeated is counted in one line an hour, and starts over", () => {
  const { lines, singly } = repeats();
  expect(singly(50)).toBe(20);
  expect(singly(5, "another key")).toBe(5);
  jest.advanceTimersByTime(hourMs);
  expect(lines).toEqual([["login_refused_again", { ...refusal, times: 30, since: expect.any(String) }]]);
  expect(singly(50)).toBe(20);
  jest.advanceTimersByTime(3 * hourMs);
  expect(lines).toHaveLength(2);
});

test("another account, address or reason counts separately", () => {
  const { singly } = repeats();
  expect(singly(30)).toBe(20);
  for (const other of [{ account: "b@b.c" }, { address: "203.0.113.8" }, { reason: "USER_DEACTIVATED" }]) {
    expect(singly(30, "key", { ...refusal, ...other })).toBe(20);
  }
});

test("very many different ones are reported early", () => {
  const { lines, singly } = repeats();
  singly(21);
  for (let n = 0; n < 10_000; n++) singly(1, `key ${n}`);
  expect(lines).toMatchObject([["login_refused_again", { times: 1 }]]);
});
