import { useEffect, useState } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { reasonOf } from "../../api/request.ts";
import { formatTime } from "../../lib/later.ts";
import { t } from "../../lib/texts.ts";
import { channelOf, nameOf, topicName } from "../../state/selectors.ts";
import { MessageHtml } from "../../ui/content/message-html.tsx";
import { useReader } from "../../ui/content/reader.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import type { MessageDialogProps } from "./dialog-props.ts";
import css from "./dialogs.module.css";

interface Version {
  user_id: number | null;
  timestamp: number;
  topic: string;
  prev_topic?: string;
  stream?: number;
  prev_stream?: number;
  rendered_content: string;
  prev_content?: string;
  content_html_diff?: string;
}

/** The earlier versions of a message, newest first. */
export function HistoryDialog({ message, onClose }: MessageDialogProps) {
  const { api } = useClient();
  const reader = useReader();
  const [versions, setVersions] = useState<readonly Version[] | null>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    const params = { allow_empty_topic_name: true };
    api.get<{ message_history: Version[] }>(`/messages/${message.id}/history`, params).then(
      ({ message_history }) => setVersions(message_history.toReversed()),
      (error: unknown) => setProblem(reasonOf(error)),
    );
  }, [api, message.id]);
  return (
    <Dialog title={t("Edits of this message")} width="wide" onClose={onClose}>
      {problem ? <p role="alert">{problem}</p> : null}
      {versions === null && problem === "" ? <Skeleton lines={4} /> : null}
      {versions?.map((version, at) => (
        <section
          key={`${version.timestamp} ${version.rendered_content} ${version.topic}`}
          className={css.version}
        >
          <VersionHead version={version} isFirst={at === versions.length - 1} />
          {version.prev_content !== undefined || at === versions.length - 1 ? (
            <MessageHtml html={version.content_html_diff ?? version.rendered_content} reader={reader} />
          ) : null}
        </section>
      ))}
    </Dialog>
  );
}

function VersionHead({ version, isFirst }: { version: Version; isFirst: boolean }) {
  const who = useSelect((state) =>
    version.user_id === null ? t("Somebody") : nameOf(state, version.user_id),
  );
  const isTwentyFour = useSelect((state) => state.user_settings.twenty_four_hour_time);
  const { prev_content, prev_topic, prev_stream, topic, stream } = version;
  const place = useSelect((state) => {
    const name = stream === undefined ? null : (channelOf(state, stream)?.name ?? t("another channel"));
    return name === null
      ? topicName(topic)
      : t("{channel} › {topic}", { channel: `#${name}`, topic: topicName(topic) });
  });
  const time = formatTime(new Date(version.timestamp * 1000), isTwentyFour);
  const isMoved = prev_topic !== undefined || prev_stream !== undefined;
  const what = () => {
    if (isFirst) return t("{who} wrote, {time}", { who, time });
    if (!isMoved) return t("{who} edited, {time}", { who, time });
    return prev_content === undefined
      ? t("{who} moved to {place}, {time}", { who, place, time })
      : t("{who} edited and moved to {place}, {time}", { who, place, time });
  };
  return <h3 className={css.when}>{what()}</h3>;
}
