// The log's entries, in a stream of JetStream. Its messages are numbered from 1. Where the log goes on after an existing database, the
// stream's metadata say how many entries came before. JetStream can begin at another number (`first_seq`), but many nats-servers (2.10 up
// to 2.10.28, 2.11 up to 2.11.2, and in one case all before 2.15) empty their copy of such a stream when they start.
import type { JetStreamClient, JetStreamManager, StreamConfig, StreamInfo } from "@nats-io/jetstream";
import { errors } from "@nats-io/transport-node";
import { NotAppended } from "@/kernel/store/commit-log.ts";
import { type Ends, Fenced, NoLog, Unanswered } from "../shared-log.ts";
import { codeOf, isWrongLast, noStream } from "./codes.ts";
import type { NearLog } from "./near-log.ts";
import { againMs, repeatRequest } from "./repeated-requests.ts";

/** Shorter than JetStream remembers message IDs. */
const appendingMs = 60_000;
/** An answer may be late and still tell what became of an attempt. */
const lateMs = 10_000;
/** An entry of this size is sent again after `againMs`, a larger one less often. */
const usualBytes = 64 * 1024;
const endsMs = 1_500;
/** The leader of a stream hears of each other nats-server every second. */
const heardMs = 3_000;
const nanoseconds = 1_000_000;

interface Names {
  readonly stream: string;
  readonly subject: string;
}

interface Ways {
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
  /** Taken by the first attempt to append an entry. */
  readonly near: Pick<NearLog, "client" | "noteFailure">;
}

const beforeKey = "confab_entries_before";

/**
 * The part of a stream's settings in which one log differs from those before it. A node that still knows an earlier one sends its
 * entries to a subject that nobody stores.
 */
export function settingsAfter(before: number, subject: string): Pick<StreamConfig, "subjects" | "metadata"> {
  return { subjects: [subjectAfter(before, subject)], metadata: { [beforeKey]: String(before) } };
}

function subjectAfter(before: number, subject: string): string {
  return before === 0 ? subject : `${subject}.${before}`;
}

/** How many entries came before the stream's message 1. */
export function entriesBefore({ metadata }: Pick<StreamConfig, "metadata">): number {
  return Number(metadata?.[beforeKey] ?? 0);
}

/** Where the log in a stream begins and ends, and how many entries came before the stream's message 1. */
export async function endsOf(
  { streams }: Pick<JetStreamManager, "streams">,
  stream: string,
): Promise<Ends & { before: number }> {
  const isFinal = (error: unknown) => codeOf(error) === noStream;
  try {
    const { state, config } = await repeatRequest(() => streams.info(stream).then(checkLed), {
      ms: endsMs,
      isFinal,
    });
    const before = entriesBefore(config);
    const { first_seq, last_seq, bytes } = state;
    return { first: before + Math.max(1, first_seq), last: before + last_seq, bytes, before };
  } catch (error) {
    throw isFinal(error) ? new NoLog() : error;
  }
}

/**
 * A nats-server that has lost the others answers, too, for as long as it is alone, with what its copy of a stream has. So an answer counts
 * only if its server leads the stream, and has just heard of enough others.
 */
export function checkLed(info: StreamInfo): StreamInfo {
  const { cluster } = info;
  const { leader, replicas = [] } = cluster ?? {};
  const heard = replicas.filter(({ active }) => active < heardMs * nanoseconds).length;
  const hasMajority = 2 * (heard + 1) > replicas.length + 1;
  if (cluster && !(leader && hasMajority))
    throw new Error(
      `The stream ${info.config.name} is unavailable: the nats-server that answers does not reach a majority of the others`,
    );
  return info;
}

export class Entries {
  /** `before` is read again with each look at the ends of the log. */
  constructor(
    private readonly ways: Ways,
    private readonly names: Names,
    private before = 0,
  ) {}

  /**
   * Sends the message, and again until there is an answer: JetStream takes an ID only once. If the place is taken, the entry there
   * tells whose it is; if it is empty after all, the stream has changed its leader.
   */
  append(data: Uint8Array, msgID: string, after: number): Promise<void> {
    const { before } = this;
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
    const subject = subjectAfter(before, this.names.subject);
    const how = { msgID, expect: { lastSequence: after - before }, timeout: lateMs };
    let last: unknown = "timeout";
    const { client, near } = this.ways;
    const attempt = async (by = client) => {
      unanswered++;
      try {
        const { seq } = await by.publish(subject, data, how);
        unanswered--;
        if (before + seq === after + 1) end();
        // 0 answers another attempt while the first is not stored on enough servers yet, and may never be.
        else if (seq !== 0) end(new Fenced(`The log took the entry as ${before + seq}, not as ${after + 1}`));
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
      near.noteFailure();
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
    const { before, ...ends } = await endsOf(this.ways.manager, this.names.stream);
    this.before = before;
    return ends;
  }

  async forgetBefore(first: number): Promise<void> {
    await this.ways.manager.streams.purge(this.names.stream, { seq: first - this.before });
  }

  async findTime(seq: number): Promise<number | null> {
    const found = await this.at(seq);
    return found ? found.time.getTime() : null;
  }

  async read(from: number, to: number): Promise<Uint8Array[]> {
    const numbers = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
    const found = await Promise.all(numbers.map((seq) => this.at(seq)));
    const end = found.indexOf(null);
    return found.slice(0, end < 0 ? found.length : end).flatMap((one) => (one ? [one.data] : []));
  }

  private async at(entry: number) {
    const seq = entry - this.before;
    return seq < 1 ? null : this.ways.manager.streams.getMessage(this.names.stream, { seq });
  }

  private async idAt(seq: number): Promise<string | null> {
    return (await this.at(seq))?.header.get("Nats-Msg-Id") ?? null;
  }
}
