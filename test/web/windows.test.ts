// What the web client keeps of long conversations: a range around the reader, and its messages.
import { describe, expect, test } from "bun:test";
import type { Message } from "../../src/web/state/messages.ts";
import { narrowKey, term } from "../../src/web/state/narrows.ts";
import { afterEvents, type State } from "../../src/web/state/state.ts";

const empty = { messages: {}, windows: {} } as unknown as State;
const inChannel = (id: number) => [term("channel", id)];
const countOf = ({ messages }: State) => Object.keys(messages).length;

/** The state after a page of a hundred messages up to `last`. */
function page(state: State, channel: number, last: number, side: "older" | "newer" | "fresh"): State {
  const terms = inChannel(channel);
  const ids = Array.from({ length: 100 }, (_, i) => last - 99 + i);
  const messages = ids.map(
    (id) => ({ id, type: "stream", stream_id: channel, flags: [] }) as unknown as Message,
  );
  const answer = {
    key: narrowKey(terms),
    terms,
    messages,
    side,
    found_oldest: false,
    found_newest: side === "fresh",
  };
  return afterEvents(state, [{ type: "client", op: "fetched", ...answer } as never]);
}

const windowOf = (state: State, channel: number) => state.windows[narrowKey(inChannel(channel))];

describe("a long conversation", () => {
  const opened = page(page(empty, 2, 900_000, "fresh"), 1, 100_000, "fresh");
  let state = opened;
  for (let last = 99_900; last >= 90_100; last -= 100) state = page(state, 1, last, "older");

  test("keeps the messages around the reader without a gap, and drops distant ones", () => {
    const window = windowOf(state, 1);
    expect(window?.ids).toEqual(Array.from({ length: 600 }, (_, i) => 90_001 + i));
    expect(window).toMatchObject({ found_newest: false, found_oldest: false });
    expect(state.messages[90_001]).toBeDefined();
    expect(state.messages[100_000]).toBeUndefined();
  });

  test("leaves other conversations as they were", () => {
    expect(windowOf(state, 2)).toBe(windowOf(opened, 2));
    expect(windowOf(state, 2)?.ids.every((id) => state.messages[id])).toBe(true);
    expect(countOf(state)).toBe(700);
  });

  test("is read downwards again", () => {
    const back = page(page(state, 1, 90_700, "newer"), 1, 90_800, "newer");
    expect(windowOf(back, 1)?.ids).toEqual(Array.from({ length: 600 }, (_, i) => 90_201 + i));
    expect(countOf(back)).toBe(700);
  });
});

test("of many conversations, the last opened ones stay loaded", () => {
  let state = empty;
  for (let channel = 1; channel <= 50; channel++) state = page(state, channel, channel * 1000, "fresh");
  expect(countOf(state)).toBeLessThanOrEqual(3000);
  expect(windowOf(state, 1)).toBeUndefined();
  for (let channel = 41; channel <= 50; channel++)
    expect(windowOf(state, channel)?.ids.every((id) => state.messages[id])).toBe(true);
});
