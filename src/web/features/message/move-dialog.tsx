import { useState } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { collator, t } from "../../lib/texts.ts";
import { Confirm } from "../../ui/dialog.tsx";
import { Checkbox, Radios, Select, TextField } from "../../ui/field.tsx";
import { goTo, goToLater, linkTo } from "../../ui/routes/navigation.ts";
import { placeRoute } from "../../ui/routes/route.ts";
import { showToast } from "../../ui/toasts.tsx";
import type { MessageDialogProps } from "./dialog-props.ts";

type Extent = "change_one" | "change_later" | "change_all";

const extents: { value: Extent; label: string; hint?: string }[] = [
  { value: "change_one", label: t("This message") },
  { value: "change_later", label: t("This message and those after it") },
  { value: "change_all", label: t("The whole topic") },
];

/** `wholeTopic` moves all messages of the message's topic. */
export function MoveDialog({
  message,
  onClose,
  wholeTopic = false,
}: MessageDialogProps & { wholeTopic?: boolean }) {
  const { api, store } = useClient();
  const channels = useSelect((state) => state.subscriptions);
  const maxTopic = useSelect((state) => state.organization.max_topic_length);
  const [channelId, setChannelId] = useState(message.stream_id ?? 0);
  const [topic, setTopic] = useState(message.subject);
  const [extent, setExtent] = useState<Extent>(wholeTopic ? "change_all" : "change_later");
  const [tellOld, setTellOld] = useState(false);
  const [tellNew, setTellNew] = useState(true);
  const choices = Object.values(channels)
    .filter(({ is_archived }) => !is_archived)
    .sort((a, b) => collator.compare(a.name, b.name))
    .map(({ stream_id, name }) => ({ value: stream_id, label: name }));

  const move = async () => {
    const isElsewhere = channelId !== message.stream_id;
    if (!isElsewhere && topic === message.subject)
      throw new Error(t("Choose another topic or another channel."));
    const goOn = goToLater();
    await api.patch(`/messages/${message.id}`, {
      topic: topic.trim(),
      stream_id: isElsewhere ? channelId : undefined,
      propagate_mode: extent,
      send_notification_to_old_thread: tellOld,
      send_notification_to_new_thread: tellNew,
    });
    const place = { stream_id: channelId, topic: topic.trim() };
    if (wholeTopic) {
      goOn(linkTo(placeRoute(place), store.get()));
      return;
    }
    showToast({
      text: t("Moved."),
      action: { label: t("Go there"), run: () => goTo(linkTo(placeRoute(place, message.id), store.get())) },
    });
  };

  return (
    <Confirm
      title={wholeTopic ? t("Rename or move the topic") : t("Move to another topic")}
      action={t("Move")}
      onClose={onClose}
      onConfirm={move}
    >
      <Select label={t("Channel")} value={channelId} choices={choices} onChange={setChannelId} />
      <TextField label={t("Topic")} value={topic} maxLength={maxTopic} onChange={setTopic} />
      {wholeTopic ? null : (
        <Radios legend={t("What moves")} value={extent} choices={extents} onChange={setExtent} />
      )}
      <div>
        <Checkbox label={t("Say so in the new topic")} checked={tellNew} onChange={setTellNew} />
        <Checkbox label={t("Say so in the old topic")} checked={tellOld} onChange={setTellOld} />
      </div>
    </Confirm>
  );
}
