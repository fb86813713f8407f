import type { Ctx } from "@/kernel/core/context.ts";
import { countText } from "@/kernel/lib/wording.ts";
import type { TailedEvent } from "../event-tail.ts";
import { messageText, toAccount, toChannel, toMessage } from "../jumps.ts";
import { line, timeText } from "../layout.ts";
import { channelText, userNames } from "../names.ts";
import { type Fact, screen } from "../screen.ts";

function clockText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(11, 19);
}

/** The person, channel and message that an event names. */
function linksOf(ctx: Ctx, event: Record<string, unknown>): Fact[] {
  const nested = (event.message ?? {}) as Record<string, unknown>;
  const idOf = (...given: unknown[]) => given.find((one) => typeof one === "number") as number | undefined;
  const person = idOf(event.user_id, event.sender_id, nested.sender_id);
  const channel = idOf(event.stream_id, nested.stream_id);
  const message = idOf(event.message_id, nested.id);
  return [
    ...(person === undefined ? [] : [["Person", userNames(ctx)(person), toAccount(ctx, person)] as const]),
    ...(channel === undefined ? [] : [["Channel", channelText(ctx, channel), toChannel(channel)] as const]),
    ...(message === undefined
      ? []
      : [["Message", messageText(ctx, message), toMessage(ctx, message)] as const]),
  ];
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
  head: ({ events: tail }) => [
    tail.isStopped
      ? line(`Stopped: ${countText(tail.waiting, "event")} came since. s goes on.`, "warn")
      : line(tail.state, tail.state === "Listening." ? "good" : "warn"),
    [],
  ],
  actions: [
    {
      key: "s",
      title: "stop, go on",
      async run({ events: tail }) {
        tail.isStopped = !tail.isStopped;
        return { message: tail.isStopped ? "The list stands still." : "New events are shown again." };
      },
    },
  ],
  copies: ({ event }) => JSON.stringify(event),
  columns: [
    { title: "TIME (UTC)", value: ({ at }) => clockText(at) },
    { title: "EVENT", value: ({ type }) => type, tone: () => "accent" },
    { title: "WHAT IT SAYS", value: ({ event }) => JSON.stringify(event), grow: true, tone: () => "dim" },
  ],
  facts: ({ ctx }, { at, type, event }) => [
    ["When", timeText(at)],
    ["Event", type],
    ...linksOf(ctx(), event),
  ],
  text: (_, { event }) => JSON.stringify(event, null, 2),
});
