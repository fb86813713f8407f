import { allow } from "@/foundation/permissions/access.ts";
import type { Reads } from "@/kernel/core/context.ts";
import { query } from "@/kernel/core/operation.ts";
import { botFor } from "@/outside/bots/access.ts";
import { callFrom, payloadOf, type ReadPost, read, theSender } from "./reading.ts";
import type { SenderFacts } from "./schema.ts";
import { senders } from "./senders.ts";
import * as store from "./store.ts";

/** The secret with which a bot's senders must sign; null if they need not. */
export function secretOf(reads: Reads, botId: number): string | null {
  return store.findSecret(reads, botId);
}

/** Whether the senders of a bot that the actor may change must sign. */
export const hasSecret = query(
  allow.user,
  (ctx, botId: number): boolean => secretOf(ctx, botFor(ctx, botId).id) !== null,
);

/** The senders, their events, and the events that are left out by default. */
export const listSenders = query(allow.anyone, (): SenderFacts[] =>
  senders.map(({ name, title, setup, isSigned, events, quiet }) => ({
    name,
    title,
    where: setup.where,
    field: setup.field,
    paste: setup.paste ?? null,
    signs: isSigned !== undefined,
    events: Object.keys(events).filter((event) => event !== "*"),
    left_out: [...quiet],
    takes_others: Object.hasOwn(events, "*"),
  })),
);

export interface WebhookTrial {
  sender: string;
  body: string;
  headers: Readonly<Record<string, string>>;
  options: Readonly<Record<string, string>>;
}

/** The message that a request would cause, even if its event is left out by default; sends nothing. */
export const tryWebhook = query(
  allow.anyone,
  (_, { sender, body, headers, options }: WebhookTrial): ReadPost => {
    const known = theSender(sender);
    const call = callFrom({ payload: payloadOf({ body }, known), body, headers, options });
    return read(known, call, { only: ["*"], except: undefined });
  },
);
