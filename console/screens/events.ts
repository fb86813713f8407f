import type { TailedEvent } from "../event-tail.ts";
import { line, timeText } from "../layout.ts";
import { screen } from "../screen.ts";

function clockText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(11, 19);
}

export const events = screen<TailedEvent>({
  key: "E",
  title: "Events",
  area: "Server",
  about: "as clients receive them, newest first",
  empty: "No events since the console started listening.",
  follows: true,
  start: ({ events: tail }) => tail.start(),
  rows: ({ events: tail }) => tail.events,
  id: ({ number }) => number,
  head: ({ events: tail }) => [line(tail.state, tail.state === "Listening." ? "good" : "warn"), []],
  copies: ({ event }) => JSON.stringify(event),
  columns: [
    { title: "TIME (UTC)", value: ({ at }) => clockText(at) },
    { title: "EVENT", value: ({ type }) => type, tone: () => "accent" },
    { title: "WHAT IT SAYS", value: ({ event }) => JSON.stringify(event), grow: true, tone: () => "dim" },
  ],
  facts: (_, { at, type }) => [
    ["When", timeText(at)],
    ["Event", type],
  ],
  text: (_, { event }) => JSON.stringify(event, null, 2),
});
