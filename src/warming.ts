// Reads the initial state of a large organization once after the start, in turns, so that the first clients need not wait for what
// is kept in memory: the list of people, the texts of channels and groups, who is in which of them.
import type { App } from "@/app.ts";
import { usersUpTo } from "@/foundation/permissions/access.ts";
import { roles } from "@/foundation/permissions/schema.ts";
import { hasRealm } from "@/foundation/realm/access.ts";
import type { StateRequest } from "@/kernel/context.ts";
import type { Log } from "@/kernel/log.ts";
import { inTurns, type Steps } from "@/kernel/steps.ts";
import { keepNewest } from "@/messaging/receipts/kept-messages.ts";
import { forgetUnread } from "@/messaging/receipts/kept-unread.ts";
import { visibleChannels } from "@/places/channels/access.ts";
import { channelConversation, conversation } from "@/places/conversations/access.ts";
import { busiestPerson } from "@/places/subscriptions/access.ts";
import { guarded } from "@/timers.ts";

/** With fewer people, a first client waits for a few milliseconds only, and less memory is better. */
const largeFrom = 2000;
/** JavaScript that has run as often is compiled. */
const rounds = 3;
/** So many messages are kept for those who have not read them. */
const newest = 20_000;

/** Begins in the next turn; returns a function that ends it. */
export function warmUp(app: App, log: Log): () => void {
  let isEnded = false;
  const steps = until(() => isEnded, readingOf(app));
  setImmediate(guarded(log, "warming", () => inTurns(steps)));
  return () => {
    isEnded = true;
  };
}

function* until(isEnded: () => boolean, steps: Steps<void>): Steps<void> {
  while (!isEnded()) {
    const step = steps.next();
    if (step.done) return;
    yield step.value;
  }
}

/**
 * Reads as the member in most channels, several times: then the code that runs for each channel and each message is compiled, too.
 * Of what only they see, nothing is kept.
 */
function* readingOf(app: App): Steps<void> {
  const { system } = app;
  // The first start in a new folder creates the organization a moment later.
  if (!hasRealm(system) || usersUpTo(system, roles.guest).size < largeFrom) return;
  const person = yield* busiestPerson(system, roles.member);
  if (person === null) return;
  yield* keepNewest(system, newest);
  const ctx = app.ctx({ kind: "user", id: person, client: "confab" });
  for (const { id } of visibleChannels(ctx)) {
    conversation(ctx, channelConversation(ctx, id));
    yield 1;
  }
  for (let round = 0; round < rounds; round++) {
    for (const read of app.env.state.values()) {
      yield 1;
      const steps = read.early?.steps;
      if (steps) yield* steps(ctx, usualRequest(person));
      else read(ctx, usualRequest(person));
    }
    forgetUnread(ctx, person);
  }
}

/** What clients usually ask for. */
function usualRequest(userId: number): StateRequest {
  return {
    userId,
    types: null,
    fetched: null,
    capabilities: new Set(["empty_topic_name"]),
    taps: new Set(),
    options: { client_gravatar: true, include_subscribers: "false", slim_presence: true },
  };
}
