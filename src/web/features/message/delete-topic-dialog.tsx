import { useClient, useSelect } from "../../api/client.ts";
import { placeKey } from "../../state/places.ts";
import { channelOf, topicName } from "../../state/selectors.ts";
import { Confirm } from "../../ui/dialog.tsx";
import { goTo, linkTo } from "../../ui/routes/navigation.ts";
import { parseHash, placeOfTerms } from "../../ui/routes/route.ts";
import { showToast } from "../../ui/toasts.tsx";
import type { MessageDialogProps } from "./dialog-props.ts";

/** Deletes all messages of the message's topic. */
export function DeleteTopicDialog({ message, onClose }: MessageDialogProps) {
  const { api, store } = useClient();
  const { stream_id = 0, subject } = message;
  const channel = useSelect((state) => channelOf(state, stream_id)?.name ?? "");
  const topic = useSelect((state) => topicName(state, subject));
  const remove = async () => {
    // Long topics take several requests.
    for (let isComplete = false; !isComplete; ) {
      const path = `/streams/${stream_id}/delete_topic`;
      isComplete = (await api.post<{ complete: boolean }>(path, { topic_name: subject })).complete;
    }
    showToast({ text: `The topic ${topic} is deleted.` });
    const route = parseHash(location.hash);
    const here = route?.view === "messages" ? placeOfTerms(route.terms) : null;
    if (here && placeKey(here) === placeKey({ stream_id, topic: subject }))
      goTo(linkTo({ view: "topics", channel: stream_id }, store.get()), { replace: true });
  };
  return (
    <Confirm title="Delete this topic?" action="Delete the topic" danger onClose={onClose} onConfirm={remove}>
      <p>
        All messages in{" "}
        <b>
          #{channel} › {topic}
        </b>{" "}
        disappear for everyone, and cannot be brought back.
      </p>
    </Confirm>
  );
}
