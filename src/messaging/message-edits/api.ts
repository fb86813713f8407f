import { z } from "zod";
import { domain } from "@/kernel/http/domain.ts";
import { endpoint } from "@/kernel/http/endpoint.ts";
import { nextOf } from "@/messaging/background-jobs/hooks.ts";
import { attachment } from "@/messaging/uploads/schema.ts";
import { updateMessage } from "./actions.ts";
import { continueMove } from "./actions-moving.ts";
import { messagePatch } from "./schema.ts";

const { message_id, topic, channel_id: stream_id, ...others } = messagePatch.shape;

export default domain({
  name: "message-edits",
  about: "changing messages: their content, and moving them to another topic or channel; the event of both",
  hooks: [nextOf.move.register(continueMove)],
  endpoints: [
    endpoint("update-message", {
      about:
        "Changes a message's content, or moves it, alone or with others, to another topic or channel. Makes all of the given changes or none.",
      method: "PATCH",
      path: "/messages/{message_id:[0-9]+}",
      params: { message_id, topic, stream_id, ...others },
      returns: { detached_uploads: z.array(attachment) },
      keeps: "results",
      run: async (ctx, { stream_id: channel_id, ...params }) => ({
        detached_uploads: await updateMessage(ctx, { ...params, channel_id }),
      }),
    }),
  ],
});
