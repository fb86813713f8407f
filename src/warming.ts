// Registers in a large organization a few times after the start, in slices and without a queue, so that the first clients need not
// wait for what is kept in memory (the list of people, the texts of channels and groups, who is in which of them), nor for the code
// of a registration to be compiled.
import type { App } from "@/app.ts";
import { usersUpTo } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { hasRealm } from "@/foundation/realm/access.ts";
import events from "@/outside/events/api.ts";
import { requestFor } from "@/outside/events/queries.ts";
import type { QueueRegistration } from "@/outside/events/registration.ts";
import { visibleChannels } from "@/places/channels/access.ts";
import { channelConversation, conversation } from "@/places/conversations/access.ts";
import { busiestPerson } from "@/places/subscriptions/access.ts";
import { guard } from "@/timers.ts";
import type { Ctx } from "./kernel/core/context.ts";
import { type EarlyParts, readStale, readState } from "./kernel/events/state.ts";
import { jsonHeaders, successAnswer } from "./kernel/http/http-answers.ts";
import { routeOf } from "./kernel/http/routes.ts";
import type { Log } from "./kernel/lib/log.ts";
import { Pieces } from "./kernel/lib/long-answers.ts";
import { runInSlices, type Task } from "./kernel/lib/tasks.ts";
import { keepNewest } from "./messaging/receipts/cached-messages.ts";
import { forgetUnread } from "./messaging/receipts/cached-unread.ts";

/** With fewer people, a first client waits for a few milliseconds only, and less memory is better. */
const largeFrom = 2000;
/** JavaScript that has run as often is compiled. */
const rounds = 10;
/** Milliseconds of CPU of the whole process, after which no other round begins: on a slow machine, or while clients wait. */
const maxMs = 800;
/** So many messages are kept for those who have not read them. */
const newest = 20_000;

/** Begins in the next turn; returns a function that ends it. */
export function warmUp(app: App, log: Log): () => void {
  let isEnded = false;
  setImmediate(guard(log, "warming", () => warming(app, () => isEnded)));
  return () => {
    isEnded = true;
  };
}

/**
 * Registers as the member in most channels, several times: then the code that runs for each channel and each message is compiled, too.
 * Their unread messages are read again in each round, and are not kept.
 */
async function warming(app: App, isEnded: () => boolean): Promise<void> {
  const before = process.cpuUsage();
  const person = await runInSlices(until(isEnded, readingOf(app)));
  if (!person) return;
  for (let round = 0; round < rounds && !isEnded() && msSince(before) < maxMs; round++) {
    const ctx = app.ctx({ kind: "user", id: person, client: "confab" });
    await rehearsal(ctx, isEnded);
    forgetUnread(ctx, person);
  }
}

function msSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Ends without a result as soon as `isEnded`. */
function* until<T>(isEnded: () => boolean, steps: Task<T>): Task<T | undefined> {
  while (!isEnded()) {
    const step = steps.next();
    if (step.done) return step.value;
    yield step.value;
  }
  return undefined;
}

/** Reads what is kept for all people; returns the ID of the member in most channels, or null if the organization is small. */
function* readingOf(app: App): Task<number | null> {
  const { system } = app;
  // The first start in a new folder creates the organization a moment later.
  if (!hasRealm(system) || usersUpTo(system, roles.guest).size < largeFrom) return null;
  const person = yield* busiestPerson(system, roles.member);
  if (person === null) return null;
  yield* keepNewest(system, newest);
  const ctx = app.ctx({ kind: "user", id: person, client: "confab" });
  for (const { id } of visibleChannels(ctx)) {
    conversation(ctx, channelConversation(ctx, id));
    yield 1;
  }
  return person;
}

/** A registration from its parameters to the pieces of its answer. */
async function rehearsal(ctx: Ctx, isEnded: () => boolean): Promise<void> {
  const request = requestFor(ctx, usualRegistration());
  const parts: EarlyParts = new Map();
  await runInSlices(until(isEnded, readStale(ctx, request, parts)));
  if (isEnded()) return;
  const answer = await successAnswer(plainRequest, readState(ctx, request, parts), {
    ignored: [],
    headers: { ...jsonHeaders },
    note: (body) => body,
  });
  if (answer.body instanceof Pieces) for await (const _ of answer.body);
}

const plainRequest = { method: "POST", header: () => undefined };

/** What clients usually ask for. */
function usualRegistration(): QueueRegistration {
  const endpoint = events.endpoints?.find(({ id }) => id === "register-queue");
  if (!endpoint) throw new Error("There is no endpoint to register");
  const { params } = routeOf(endpoint).decode(new Map(Object.entries(usual)));
  return params as unknown as QueueRegistration;
}

const usual = {
  apply_markdown: "true",
  client_gravatar: "true",
  slim_presence: "true",
  client_capabilities: JSON.stringify({
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: true,
    stream_typing_notifications: true,
    user_settings_object: true,
    linkifier_url_template: true,
    empty_topic_name: true,
  }),
};
