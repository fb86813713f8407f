// What clients have not read yet of their answers waits in our memory; all of it together is bounded.
import { constants } from "node:http2";
import type { AnswerSink, LargeAnswerListener } from "@/kernel/http-answers.ts";
import type { Log } from "@/kernel/log.ts";

/** Past `most` bytes, the connections end whose clients have been reading for longest; but not the newest. */
export function unreadAnswers(most: number, log: Log): LargeAnswerListener {
  const sizes = new Map<AnswerSink, number>();
  let total = 0;

  const forget = (sink: AnswerSink) => {
    total -= sizes.get(sink) ?? 0;
    sizes.delete(sink);
  };
  return (sink, bytes) => {
    total += bytes;
    sizes.set(sink, bytes);
    sink.once("close", () => forget(sink));
    for (const [oldest] of sizes) {
      if (total <= most || oldest === sink) return;
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
