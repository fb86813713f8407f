// Notes between the nodes of an organization, which are not stored (docs/design.md#several-nodes). A note may get lost.
import type { z } from "zod";
import type { Ctx, Reads } from "@/kernel/core/context.ts";
import { event } from "@/kernel/core/events.ts";
import { type Hook, hook } from "@/kernel/store/hooks.ts";

export interface Note<T> {
  /** Sends a note to all nodes, this one included; does nothing on a standalone server. */
  tell(reads: Reads, content: T): void;
  /** Registers what a node does with such a note, as the system. */
  readonly heard: Hook<T, void, Ctx>;
}

const declared = new Map<string, (ctx: Ctx, content: unknown) => void>();

/** Declares a kind of note. Contents of another shape, which another version may send, are ignored. */
export function note<T extends object>(type: string, about: string, schema: z.ZodType<T>): Note<T> {
  const heard = hook<T, void, Ctx>();
  const made = event(type, {
    about,
    schema,
    isInternal: true,
    after: (content: T, queues) => queues.passNote(type, content),
  });
  declared.set(type, (ctx, content) => {
    const { data } = schema.safeParse(content);
    if (data !== undefined) heard(ctx, data);
  });
  return {
    heard,
    tell: ({ db }, payload) => db.peers?.tell({ event: made, audience: { to: [] }, payload }),
  };
}

/** Passes a note to the function that is registered for it. */
export function hearNote(ctx: Ctx, type: string, content: unknown): void {
  declared.get(type)?.(ctx, content);
}
