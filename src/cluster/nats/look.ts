// What NATS has of a cluster, for a command that must create nothing: also where the log is lost.
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import type { SharedLog } from "../shared-log.ts";
import { connectAs, type NatsAccess, Refused } from "./access.ts";
import { endsOf } from "./entries.ts";
import { KeyValueFacts } from "./key-facts.ts";
import { within } from "./server-choice.ts";
import { Subjects } from "./subjects.ts";

export interface Look {
  readonly ends: SharedLog["ends"];
  readonly talk: Pick<SharedLog["talk"], "states">;
  readonly facts: Pick<SharedLog["facts"], "list">;
  close(): Promise<void>;
}

const connectingMs = 3_000;
const answerMs = 1_000;

/** Null if no nats-server answers; rejects if they refuse. */
export async function lookAt(access: NatsAccess & { cluster: string; node: string }): Promise<Look | null> {
  const { cluster, node } = access;
  const connected = await connectAs(`confab-${node}`, access, connectingMs).catch((error) => {
    if (error instanceof Refused) throw error;
    return null;
  });
  if (!connected) return null;
  const { nc } = connected;
  const close = () => within(answerMs, nc.drain()).catch(() => void nc.close());
  try {
    const manager = await jetstreamManager(nc, { timeout: answerMs, checkAPI: false });
    const facts = async () => {
      const kv = await new Kvm(jetstream(nc, { timeout: answerMs })).open(`confab_${cluster}_facts`);
      return new KeyValueFacts(kv);
    };
    return {
      ends: () => endsOf(manager, `CONFAB_${cluster}_LOG`),
      talk: new Subjects(nc, `confab.${cluster}`),
      facts: { list: async (prefix) => (await facts()).list(prefix) },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
