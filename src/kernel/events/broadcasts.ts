// Broadcasts between the nodes of an organization, which are not stored (docs/design.md#several-nodes). A broadcast may get lost.
import type { z } from "zod";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { event } from "@/kernel/core/events.ts";
import { type Hook, hook } from "@/kernel/store/hooks.ts";

export interface Broadcast<T> {
  /** Sends it to all nodes, this one included; does nothing on a standalone server. */
  send(reads: Reads, content: T): void;
  /** Registers what a node does with it, as the system. */
  readonly received: Hook<T, void, Ctx>;
}

const declared = new Map<string, (ctx: Ctx, content: unknown) => void>();

/** Declares a kind of broadcast. Contents of another shape, which another version may send, are ignored. */
export function broadcast<T extends object>(type: string, about: string, schema: z.ZodType<T>): Broadcast<T> {
  const received = hook<T, void, Ctx>();
  const made = event(type, {
    about,
    schema,
    isInternal: true,
    after: (content: T, queues) => queues.passBroadcast(type, content),
  });
  declared.set(type, (ctx, content) => {
    const { data } = schema.safeParse(content);
    if (data !== undefined) received(ctx, data);
  });
  return {
    received,
    send: ({ db }, payload) => db.peers?.broadcast({ event: made, audience: { to: [] }, payload }),
  };
}

/** Passes a broadcast to the function that is registered for it. */
export function receiveBroadcast(ctx: Ctx, type: string, content: unknown): void {
  declared.get(type)?.(ctx, content);
}
