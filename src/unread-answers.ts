// Limits the memory that all answers take until clients have read them.
import { constants } from "node:http2";
import type { AnswerSink, LargeAnswerListener } from "@/kernel/http-answers.ts";
import type { Log } from "@/kernel/log.ts";

/** Past `max` bytes, closes the connections whose clients have been reading longest, except for the newest answer's. */
export function unreadAnswers(max: number, log: Log): LargeAnswerListener {
  const sizes = new Map<AnswerSink, number>();
  let total = 0;

  const forget = (sink: AnswerSink) => {
    total -= sizes.get(sink) ?? 0;
    sizes.delete(sink);
  };
  return (sink, bytes) => {
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

function cut({ stream, socket }: AnswerSink): void {
  if (stream) stream.close(constants.NGHTTP2_CANCEL);
  else socket?.destroy();
}
