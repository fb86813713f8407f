import { knowsOldTypes } from "@/foundation/emoji/schema.ts";
import { allow, isGuest, me } from "@/foundation/permissions/access.ts";
import { versionFields } from "@/foundation/realm/schema.ts";
import type { Ctx, StateRequest } from "@/kernel/core/context.ts";
import { listEventTypes } from "@/kernel/core/events.ts";
import { query } from "@/kernel/core/operation.ts";
import type { EventQueue, PastEvents } from "@/kernel/core/queue-types.ts";
import { queueLimits } from "@/kernel/events/event-queue.ts";
import { type EarlyParts, readState, readStateOfSpectators } from "@/kernel/events/state.ts";
import { expectsOldFields } from "@/kernel/http/client-name.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { queueFilter } from "@/messaging/narrows/narrow.ts";
import { defaultListening } from "@/outside/bots/access.ts";
import { queueKeeper } from "./host.ts";
import { clientCapabilities, type Opening, type QueueTerms } from "./schema.ts";

export interface QueueRegistration {
  apply_markdown: boolean;
  /** Defaults to true; without an account, to false. */
  client_gravatar?: boolean;
  include_subscribers: "true" | "false" | "partial";
  /** If absent, like `narrow`, bots get the default that was set for them. */
  all_public_streams?: boolean;
  slim_presence: boolean;
  presence_history_limit_days: number;
  /** Absent or null: all types. */
  event_types?: string[] | null;
  /** Absent or null: same as `event_types`. */
  fetch_event_types?: string[] | null;
  client_capabilities: Record<string, unknown>;
  narrow?: [string, string][];
  /** In seconds. */
  idle_queue_timeout?: number;
}

interface Opened {
  /** On a node: resolves once the client can go on at any other. */
  kept: Promise<void> | null;
  answer: Record<string, unknown>;
}

/** Runs in one tick. Checks permissions again, because they may have changed while the early parts were read. */
export const openQueue = query(
  allow.viewer,
  (ctx, { given, early }: { given: QueueRegistration; early: EarlyParts }): Opened => {
    const { input, request } = requestOfMember(ctx, given);
    const state = readState(ctx, request, early);
    const named = queueKeeper(ctx)?.name(termsOf(ctx, input, request), ctx.actor.id);
    const queue = ctx.env.queues.open(request, sizeOf(input), named?.idOf);
    return {
      kept: named?.kept ?? null,
      answer: {
        ...versionFields,
        ...state,
        queue_id: queue.id,
        last_event_id: queue.lastId,
        idle_queue_timeout_secs: (request.idleMs ?? queueLimits.idleMs) / 1000,
      },
    };
  },
);

function termsOf({ actor: { client } }: Ctx, input: Listening, { types }: StateRequest): QueueTerms {
  const { fetch_event_types: _, event_types: __, ...listened } = input;
  return { client, given: { ...listened, ...(types && { event_types: [...types] }) } };
}

/**
 * Opens a queue again that another node held, with the events after `last`; null if it has ended, or if these events were
 * dropped.
 */
export async function reopenQueue(
  ctx: Ctx,
  { id, last, opening, past }: { id: string; last: number; opening: Opening; past: PastEvents },
): Promise<EventQueue | null> {
  const { client, start, given } = opening;
  const { kind, id: userId, site } = ctx.actor;
  const { input, request } = requestOfMember({ ...ctx, actor: { kind, id: userId, site, client } }, given);
  const kept = { id, traits: request, start, lastEventId: last };
  return ctx.env.queues.revive(kept, past, sizeOf(input));
}

/** The memory that its traits take. */
function sizeOf({ narrow }: Listening): number {
  return 2 * JSON.stringify(narrow).length;
}

export function requestOfMember(
  ctx: Ctx,
  given: QueueRegistration,
): { input: Listening; request: StateRequest } {
  const input = listening(ctx, given);
  if (input.all_public_streams && isGuest(me(ctx))) {
    fail("BAD_REQUEST", "User not authorized for this query");
  }
  return { input, request: requestOf(ctx, input, queueFilter(ctx, input.narrow)) };
}

/** The initial state for people without an account: what is public on the web. They get no queue. */
export function registerSpectator(ctx: Ctx, input: QueueRegistration): Record<string, unknown> {
  for (const name of ["client_gravatar", "all_public_streams"] as const) {
    if (input[name]) fail("BAD_REQUEST", `Without an account, '${name}' must be false.`);
  }
  if (input.include_subscribers === "true") {
    fail("BAD_REQUEST", "Without an account, 'include_subscribers' must be false.");
  }
  const asked = { ...input, client_gravatar: false, include_subscribers: "false" } as const;
  const request = requestOf(ctx, { ...asked, all_public_streams: false, narrow: [] }, null);
  return { ...versionFields, ...readStateOfSpectators(ctx, request), queue_id: null, last_event_id: -1 };
}

type Listening = QueueRegistration & Required<Pick<QueueRegistration, "all_public_streams" | "narrow">>;

/** Fills in the defaults of bots. */
function listening(ctx: Ctx, input: QueueRegistration): Listening {
  const usual = defaultListening(ctx);
  const all_public_streams = input.all_public_streams ?? usual.all_public_streams;
  const narrow = input.narrow ?? (all_public_streams ? [] : usual.narrow);
  return { ...input, all_public_streams, narrow };
}

/** Drops unknown names, because the queue keeps the list as long as it lives. */
function requestOf(ctx: Ctx, input: Listening, narrow: unknown): StateRequest {
  const { event_types: types, client_capabilities } = input;
  const fetched = input.fetch_event_types ?? types;
  const known = Object.keys(clientCapabilities.shape);
  return {
    userId: ctx.actor.id,
    types: types ? among(eventTypes(), types) : null,
    fetched: fetched ? among([...eventTypes(), ...ctx.env.state.keys()], fetched) : null,
    capabilities: new Set(known.filter((name) => client_capabilities[name] === true)),
    taps: new Set(input.all_public_streams ? ["public_channels"] : []),
    ...(input.idle_queue_timeout !== undefined && { idleMs: 1000 * input.idle_queue_timeout }),
    options: {
      knows_old_emoji_types: knowsOldTypes(ctx.actor.client),
      expects_old_fields: expectsOldFields(ctx.actor.client),
      apply_markdown: input.apply_markdown,
      client_gravatar: input.client_gravatar ?? true,
      include_subscribers: input.include_subscribers,
      slim_presence: input.slim_presence,
      presence_history_limit_days: input.presence_history_limit_days,
      ...(input.narrow.length > 0 ? { narrow } : {}),
      ...(ctx.actor.site === undefined ? {} : { site: ctx.actor.site }),
    },
  };
}

function eventTypes(): string[] {
  return listEventTypes().map(({ type }) => type);
}

export function among(known: Iterable<string>, given: readonly string[]): Set<string> {
  const wanted = new Set(given);
  return new Set([...known].filter((name) => wanted.has(name)));
}
