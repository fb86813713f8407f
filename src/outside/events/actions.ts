import { allow, me } from "@/foundation/permissions/access.ts";
import { noteHere } from "@/foundation/user-activity/access.ts";
import { operation } from "@/kernel/operation.ts";
import { readEarly } from "@/kernel/state.ts";
import { openQueue, type Registration, registerSpectator, requestOfMember } from "./registration.ts";

/** Opens a queue and returns the initial state of the same moment, so that no event is lost in between. */
export const register = operation(
  allow.viewer,
  async (ctx, given: Registration): Promise<Record<string, unknown>> => {
    if (ctx.actor.kind === "anonymous") return registerSpectator(ctx, given);
    const { request } = requestOfMember(ctx, given);
    noteHere(ctx, me(ctx).id); // before anything is read: the client counts itself among the active subscribers
    const early = await readEarly(ctx, request);
    return openQueue(ctx, { given, early });
  },
);
