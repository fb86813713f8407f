import { useEffect, useRef, useState } from "react";
import type { ReportType } from "@/messaging/reports/schema.ts";
import { useClient, useSelect } from "../../api/client.ts";
import { reasonOf } from "../../api/request.ts";
import { formatTime } from "../../lib/later.ts";
import { parts, t } from "../../lib/texts.ts";
import { placeKey } from "../../state/places.ts";
import { nameOf, placeName, topicName } from "../../state/selectors.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { copyWithNotice } from "../../ui/content/behaviours.ts";
import { MessageHtml } from "../../ui/content/message-html.tsx";
import { useReader } from "../../ui/content/reader.ts";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { noteUse, reactionKey, reactionOf } from "../../ui/emoji/frequent.ts";
import { useEmojiName } from "../../ui/emoji/local-names.ts";
import { type EmojiEntry, emojiCharacter, pictureOf } from "../../ui/emoji/names.ts";
import { Picker } from "../../ui/emoji/picker.tsx";
import { Select, TextArea } from "../../ui/field.tsx";
import { Rich } from "../../ui/rich.tsx";
import { goTo, linkTo } from "../../ui/routes/navigation.ts";
import { parseHash, placeOfTerms } from "../../ui/routes/route.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { sourceOf } from "../compose/insertion.ts";
import { TimeDialog } from "../compose/time-dialog.tsx";
import type { MessageDialog, MessageDialogProps } from "./dialog-props.ts";
import css from "./dialogs.module.css";
import { HistoryDialog } from "./history-dialog.tsx";
import { MoveDialog } from "./move-dialog.tsx";
import { reportReasons } from "./report-reasons.ts";

export function Dialogs({ dialog, ...props }: MessageDialogProps & { dialog: MessageDialog }) {
  switch (dialog) {
    case "move-topic":
      return <MoveDialog {...props} wholeTopic />;
    case "move":
      return <MoveDialog {...props} />;
    case "delete":
      return <DeleteDialog {...props} />;
    case "delete-topic":
      return <DeleteTopicDialog {...props} />;
    case "history":
      return <HistoryDialog {...props} />;
    case "receipts":
      return <ReceiptsDialog {...props} />;
    case "react":
      return <ReactDialog {...props} />;
    case "reactions":
      return <ReactionsDialog {...props} />;
    case "remind":
      return <RemindDialog {...props} />;
    case "report":
      return <ReportDialog {...props} />;
    case "source":
      return <SourceDialog {...props} />;
    case "text":
      return <TextDialog {...props} />;
  }
}

function DeleteDialog({ message, onClose }: MessageDialogProps) {
  const { api } = useClient();
  return (
    <Confirm
      title={t("Delete this message?")}
      action={t("Delete")}
      danger
      onClose={onClose}
      onConfirm={async () => void (await api.delete(`/messages/${message.id}`))}
    >
      <p>{t("It disappears for everyone, and cannot be brought back.")}</p>
    </Confirm>
  );
}

function People({ ids }: { ids: readonly number[] }) {
  const users = useSelect((state) => state.users);
  return (
    <ul className={css.people}>
      {ids.map((id) => (
        <li key={id} className={css.person}>
          <Avatar src={users[id]?.avatar_url ?? `/avatar/${id}`} size={24} />
          {users[id]?.full_name ?? t("Unknown person")}
        </li>
      ))}
    </ul>
  );
}

function ReceiptsDialog({ message, onClose }: MessageDialogProps) {
  const { api } = useClient();
  const [ids, setIds] = useState<readonly number[] | null>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    api.get<{ user_ids: number[] }>(`/messages/${message.id}/read_receipts`).then(
      ({ user_ids }) => setIds(user_ids),
      (error: unknown) => setProblem(reasonOf(error)),
    );
  }, [api, message.id]);
  const count = ids?.length ?? 0;
  const title =
    ids === null
      ? t("Who has read this")
      : t("{count, plural, one {Read by # person} other {Read by # people}}", { count });
  return (
    <Dialog title={title} width="small" onClose={onClose}>
      {problem ? <p role="alert">{problem}</p> : null}
      {ids === null && problem === "" ? <Skeleton lines={3} /> : null}
      {ids?.length === 0 ? <p className={css.quiet}>{t("Nobody yet, or nobody who shows it.")}</p> : null}
      {ids && ids.length > 0 ? <People ids={ids} /> : null}
    </Dialog>
  );
}

function ReactionsDialog({ message, onClose }: MessageDialogProps) {
  const emoji = useSelect((state) => state.realm_emoji);
  const emojiName = useEmojiName();
  const kinds = Map.groupBy(message.reactions, reactionKey);
  return (
    <Dialog title={t("Who reacted")} width="small" onClose={onClose}>
      {kinds.size === 0 ? <p className={css.quiet}>{t("Nobody has reacted yet.")}</p> : null}
      {[...kinds].map(([key, reactions]) => {
        const [{ emoji_code = "", emoji_name = "", reaction_type = "" } = {}] = reactions;
        return (
          <section key={key}>
            <h3 className={css.emoji}>
              {reaction_type === "unicode_emoji" ? (
                <span aria-hidden="true">{emojiCharacter(emoji_code)}</span>
              ) : (
                <img src={pictureOf(emoji, { reaction_type, emoji_code })} alt="" width={20} height={20} />
              )}
              <bdi>
                {emojiName({ emoji_name, emoji_code, reaction_type })} {reactions.length}
              </bdi>
            </h3>
            <People ids={reactions.map(({ user_id }) => user_id)} />
          </section>
        );
      })}
    </Dialog>
  );
}

function RemindDialog({ message, onClose }: MessageDialogProps) {
  const { api } = useClient();
  const isTwentyFour = useSelect((state) => state.user_settings.twenty_four_hour_time);
  const remind = async (time: Date) => {
    const scheduled_delivery_timestamp = Math.floor(time.getTime() / 1000);
    await api.post("/reminders", { message_id: message.id, scheduled_delivery_timestamp });
    showToast({ text: t("You are reminded {time}.", { time: formatTime(time, isTwentyFour) }) });
  };
  return (
    <TimeDialog
      hasOffers
      title={t("Remind me of this")}
      action={t("Remind me")}
      onChoose={remind}
      onClose={onClose}
    />
  );
}

function ReportDialog({ message, onClose }: MessageDialogProps) {
  const { api, store } = useClient();
  const [reason, setReason] = useState<ReportType>("spam");
  const [description, setDescription] = useState("");
  const report = async () => {
    await api.post(`/messages/${message.id}/report`, { report_type: reason, description });
    showToast({ text: t("The moderators have been told.") });
  };
  return (
    <Confirm title={t("Report to the moderators")} action={t("Report")} onClose={onClose} onConfirm={report}>
      <p>
        {t("Only the moderators learn that you reported this message of {name}.", {
          name: nameOf(store.get(), message.sender_id),
        })}
      </p>
      <Select label={t("Reason")} value={reason} choices={reportReasons} onChange={setReason} />
      <TextArea
        label={t("What should they know?")}
        maxLength={1000}
        value={description}
        onChange={setDescription}
        required={reason === "other"}
      />
    </Confirm>
  );
}

/** All emoji, to react with. */
function ReactDialog({ message, onClose }: MessageDialogProps) {
  const { flagging } = useClient();
  const react = (emoji: EmojiEntry) => {
    const reaction = reactionOf(emoji);
    noteUse(reaction);
    void flagging.react(message.id, reaction, true);
    onClose();
  };
  return (
    <Dialog title={t("React")} width="small" onClose={onClose}>
      <Picker onPick={react} />
    </Dialog>
  );
}

/** The message's text, where a finger can select a part of it. */
function TextDialog({ message, onClose }: MessageDialogProps) {
  const reader = useReader();
  const content = useRef<HTMLDivElement>(null);
  const copy = () => void copyWithNotice(content.current?.innerText.trim() ?? "", t("Copied."));
  return (
    <Dialog
      title={t("Select text")}
      onClose={onClose}
      actions={<Button onClick={copy}>{t("Copy all")}</Button>}
    >
      <div ref={content} className={css.text}>
        <MessageHtml html={message.content} reader={reader} />
      </div>
    </Dialog>
  );
}

function SourceDialog({ message, onClose }: MessageDialogProps) {
  const client = useClient();
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    sourceOf(client, message.id).then(setText, (error: unknown) => setText(reasonOf(error)));
  }, [client, message.id]);
  return (
    <Dialog
      title={t("What was typed")}
      onClose={onClose}
      actions={
        <Button onClick={() => void copyWithNotice(text ?? "", t("Text copied."))}>{t("Copy")}</Button>
      }
    >
      <pre className={css.source} dir="auto">
        {text ?? ""}
      </pre>
    </Dialog>
  );
}

/** Deletes all messages of the message's topic. */
function DeleteTopicDialog({ message, onClose }: MessageDialogProps) {
  const { api, store } = useClient();
  const { stream_id = 0, subject } = message;
  const place = useSelect((state) => placeName(state, { stream_id, topic: subject }));
  const topic = topicName(subject);
  const remove = async () => {
    // Long topics take several requests.
    for (let isComplete = false; !isComplete; ) {
      const path = `/streams/${stream_id}/delete_topic`;
      isComplete = (await api.post<{ complete: boolean }>(path, { topic_name: subject })).complete;
    }
    showToast({ text: t("The topic {topic} is deleted.", { topic }) });
    const route = parseHash(location.hash);
    const here = route?.view === "messages" ? placeOfTerms(route.terms) : null;
    if (here && placeKey(here) === placeKey({ stream_id, topic: subject }))
      goTo(linkTo({ view: "topics", channel: stream_id }, store.get()), { replace: true });
  };
  return (
    <Confirm
      title={t("Delete this topic?")}
      action={t("Delete the topic")}
      danger
      onClose={onClose}
      onConfirm={remove}
    >
      <p>
        <Rich
          parts={parts(
            "All messages in <place>{place}</place> disappear for everyone, and cannot be brought back.",
            { place },
          )}
          place={(content) => <b>{content}</b>}
        />
      </p>
    </Confirm>
  );
}
