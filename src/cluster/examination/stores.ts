// How full the store of a nats-server is, and those of its streams that have a limit.
import { z } from "zod";
import type { NatsStore } from "@/operations/nodes/host.ts";
import { askMonitor } from "./nats-check.ts";

const answered = z.object({
  storage: z.number(),
  config: z.object({ max_storage: z.number() }),
  account_details: z
    .array(
      z.object({
        stream_detail: z
          .array(
            z.object({
              name: z.string(),
              state: z.object({ bytes: z.number() }),
              config: z.object({ max_bytes: z.number().default(-1) }).optional(),
            }),
          )
          .default([]),
      }),
    )
    .default([]),
});

/** The whole store; null if it has no limit. `answer` is that of /jsz. */
export function wholeStoreIn(answer: unknown): NatsStore | null {
  const { data } = answered.safeParse(answer);
  if (!data || data.config.max_storage <= 0) return null;
  return { store: "all", bytes: data.storage, roomBytes: data.config.max_storage };
}

/** The whole store, and the streams of a cluster, where they have a limit. */
export async function storesAt(address: string, cluster: string, ca?: string): Promise<NatsStore[]> {
  const answer = await askMonitor(address, "/jsz?streams=1&config=1", ca);
  const prefix = `CONFAB_${cluster}_`;
  const streams = (answered.safeParse(answer).data?.account_details ?? [])
    .flatMap(({ stream_detail }) => stream_detail)
    .flatMap(({ name, state, config }): NatsStore[] => {
      const roomBytes = config?.max_bytes ?? -1;
      if (!name.startsWith(prefix) || roomBytes <= 0) return [];
      return [{ store: name.slice(prefix.length).toLowerCase(), bytes: state.bytes, roomBytes }];
    });
  const whole = wholeStoreIn(answer);
  return whole ? [whole, ...streams] : streams;
}
