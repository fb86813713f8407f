// The log's entries, in a stream of JetStream.
import type { JetStreamClient, JetStreamManager } from "@nats-io/jetstream";
import { errors } from "@nats-io/transport-node";
import { NotAppended } from "@/kernel/commit-log.ts";
import { type Ends, Fenced, Unanswered } from "../shared-log.ts";
import { codeOf, isWrongLast } from "./codes.ts";
import type { NearLog } from "./near-log.ts";
import { againMs, repeated } from "./repeated-requests.ts";

/** Shorter than JetStream remembers message IDs. */
const appendingMs = 60_000;
/** An answer may be late and still tell what became of an attempt. */
const lateMs = 10_000;
/** An entry of this size is sent again after `againMs`, a larger one less often. */
const usualBytes = 64 * 1024;
const endsMs = 1_500;

interface Names {
  readonly stream: string;
  readonly subject: string;
}

interface Ways {
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
  /** Taken by the first attempt to append an entry. */
  readonly near: Pick<NearLog, "client" | "failed">;
}

export class Entries {
  constructor(
    private readonly ways: Ways,
    private readonly names: Names,
  ) {}

  /**
   * Sends the message, and again until there is an answer: JetStream takes an ID only once. If the place is taken, the entry there
   * tells whose it is; if it is empty after all, the stream has changed its leader.
   */
  append(data: Uint8Array, msgID: string, after: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let isOver = false;
    let unanswered = 0;
    const end = (error?: Error) => {
      isOver = true;
      clearInterval(repeating);
      clearTimeout(ending);
      if (error) reject(error);
      else resolve();
    };
    const how = { msgID, expect: { lastSequence: after }, timeout: lateMs };
    let last: unknown = "timeout";
    const { client, near } = this.ways;
    const attempt = async (by = client) => {
      unanswered++;
      try {
        const { seq } = await by.publish(this.names.subject, data, how);
        unanswered--;
        if (seq === after + 1) end();
        // 0 answers another attempt while the first is not stored on enough servers yet, and may never be.
        else if (seq !== 0) end(new Fenced(`The log took the entry as ${seq}, not as ${after + 1}`));
      } catch (error) {
        last = error;
        if (isOver) return;
        if (codeOf(error) === null) {
          if (by !== client) again();
          else if (error instanceof errors.ClosedConnectionError) end(new Unanswered(String(error)));
          return;
        }
        unanswered--;
        const there = await this.idAt(after + 1).catch(() => null);
        if (there === msgID) end();
        else if (there !== null) end(new Fenced(`Entry ${after + 1} of the log is another node's`));
        // An error such as a full log or too large an entry is final only if no other attempt may still arrive.
        else if (!isWrongLast(error) && unanswered === 0) end(new NotAppended(String(error)));
      }
    };
    const everyMs = againMs * Math.max(1, data.length / usualBytes);
    const again = () => {
      near.failed();
      void attempt();
    };
    const repeating = setInterval(again, everyMs);
    const ending = setTimeout(
      () => end(new Unanswered(`No answer for entry ${after + 1}: ${last}`)),
      appendingMs,
    );
    void attempt(near.client ?? client);
    return promise;
  }

  async ends(): Promise<Ends> {
    const { state } = await repeated(() => this.ways.manager.streams.info(this.names.stream), { ms: endsMs });
    const { first_seq, last_seq, bytes } = state;
    return { first: first_seq, last: last_seq, bytes };
  }

  async takenAt(seq: number): Promise<number | null> {
    const found = await this.at(seq);
    return found ? found.time.getTime() : null;
  }

  async read(from: number, to: number): Promise<Uint8Array[]> {
    const numbers = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
    const found = await Promise.all(numbers.map((seq) => this.at(seq)));
    const end = found.indexOf(null);
    return found.slice(0, end < 0 ? found.length : end).flatMap((one) => (one ? [one.data] : []));
  }

  private at(seq: number) {
    return this.ways.manager.streams.getMessage(this.names.stream, { seq });
  }

  private async idAt(seq: number): Promise<string | null> {
    return (await this.at(seq))?.header.get("Nats-Msg-Id") ?? null;
  }
}
