// Limits the memory that all answers take until clients have read them.
import type { AnswerListener, AnswerSink } from "./kernel/http/http-answers.ts";
import type { Log } from "./kernel/lib/log.ts";

/** Smaller answers take no more memory than the connection itself. With HTTP/2, a hundred may wait on one connection. */
const minLargeBytes = 16_384;
/** What a request over HTTP/2 takes besides its answer, as measured with many. */
const streamBytes = 12_000;

/** Past `max` bytes, closes the connections whose clients have been reading longest, except for the newest answer's. */
export function unreadAnswers(max: number, log: Log): AnswerListener {
  const sizes = new Map<AnswerSink, number>();
  let total = 0;

  const forget = (sink: AnswerSink) => {
    total -= sizes.get(sink) ?? 0;
    sizes.delete(sink);
  };
  return (sink, length) => {
    if (length < minLargeBytes && !sink.stream) return;
    const bytes = sink.stream ? length + streamBytes : length;
    total += bytes;
    sizes.set(sink, bytes);
    sink.on("close", () => forget(sink));
    for (const [oldest] of sizes) {
      if (total <= max || oldest === sink) return;
      log.warn("answer", { cut: true, reason: "slow reader", bytes: sizes.get(oldest) });
      forget(oldest);
      cut(oldest);
    }
  };
}

/** `NGHTTP2_CANCEL`, without loading node:http2 for it. */
export const cancelled = 8;

function cut({ stream, socket }: AnswerSink): void {
  if (stream) stream.close(cancelled);
  else socket?.destroy();
}
