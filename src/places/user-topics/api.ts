import { z } from "zod";
import { forSpectators } from "@/kernel/events/state.ts";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { fail } from "@/kernel/lib/errors.ts";
import { channelHooks } from "@/places/channels/hooks.ts";
import { channelId } from "@/places/channels/schema.ts";
import { sentence } from "@/text/language/tables.ts";
import { emitPoliciesAgain, muteTopic, setTopicPolicy } from "./actions.ts";
import { mutedTopicsState, userTopicsState } from "./queries.ts";
import { muteOp, policyTopic, visibilityPolicy } from "./schema.ts";

export default domain({
  name: "user-topics",
  about: "how visible each topic is to each user: muted, unmuted, followed, by hand or automatically",
  hooks: [channelHooks.returned.register(emitPoliciesAgain)],
  state: {
    user_topic: forSpectators(userTopicsState, { user_topics: [] }),
    muted_topics: forSpectators(mutedTopicsState, (_, { fetched }) =>
      fetched?.has("user_topic") ? {} : { muted_topics: [] },
    ),
  },
  endpoints: [
    endpoint("update-user-topic", {
      about:
        "Sets the caller's visibility policy for a topic: muted, unmuted, followed, or none, which follows the channel.",
      method: "POST",
      path: "/user_topics",
      params: { stream_id: channelId, topic: policyTopic, visibility_policy: visibilityPolicy },
      run: (ctx, { stream_id, topic, visibility_policy }) =>
        setTopicPolicy(ctx, { channelId: stream_id, topic, policy: visibility_policy }),
    }),
    endpoint("mute-topic", {
      about:
        "Mutes or unmutes a topic through the older interface. Unmuting a followed topic keeps it followed.",
      method: "PATCH",
      path: "/users/me/subscriptions/muted_topics",
      params: {
        stream_id: channelId.optional(),
        stream: z.string().optional(),
        topic: policyTopic,
        op: muteOp,
      },
      run: (ctx, { stream_id, stream, topic, op }) =>
        muteTopic(ctx, { channel: onlyOne(stream_id, stream), topic, op }),
    }),
  ],
});

function onlyOne(stream_id: number | undefined, stream: string | undefined): number | string {
  if (stream_id !== undefined && stream !== undefined) {
    const parameters = "stream_id, stream";
    fail("BAD_REQUEST", sentence("Unsupported parameter combination: {parameters}", { parameters }), {
      parameters,
    });
  }
  const channel = stream_id ?? stream;
  return (
    channel ?? fail("REQUEST_VARIABLE_MISSING", "Missing 'stream_id' argument", { var_name: "stream_id" })
  );
}
