// The composer. It says in words where the message goes, and keeps drafts.
import { Eye, Pencil, SendHorizontal, X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { formatKeys } from "../../lib/keys.ts";
import { parts, t } from "../../lib/texts.ts";
import type { Place } from "../../state/places.ts";
import { colorOf, placeName } from "../../state/selectors.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { EmojiButton } from "../../ui/emoji/emoji-button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { Rich } from "../../ui/rich.tsx";
import { showFailure, showToast } from "../../ui/toasts.tsx";
import { TopicName } from "../../ui/topic-name.tsx";
import css from "./composer.module.css";
import { draftKeeper } from "./drafts.ts";
import { useDropTarget } from "./drop-target.tsx";
import { editLastMessage } from "./edit-last.ts";
import { holdBack } from "./holding.ts";
import { offerComposer } from "./insertion.ts";
import { Preview } from "./preview.tsx";
import { ScheduleMenu } from "./schedule-menu.tsx";
import { insertBlock, replaceRange } from "./text-area.ts";
import { Toolbar } from "./toolbar.tsx";
import { TypingLine, typingIn } from "./typing.tsx";
import { UploadList } from "./upload-list.tsx";
import { useUploads } from "./use-uploads.ts";
import { mayWarn, reasonForClosed, type Warning, warningsFor } from "./warnings.ts";
import { WritingArea } from "./writing-area.tsx";

interface ComposerProps {
  place: Place;
  onSent?: (place: Place) => void;
  /** Closes the composer, in views of several conversations, which show it only on request. */
  onClose?: () => void;
  /** In the line above the field. */
  beside?: ReactNode;
}

/** Give it the conversation as its React key: it keeps one text. */
export function Composer({ place, onSent, onClose, beside }: ComposerProps) {
  const closed = useSelect((state) => reasonForClosed(state, place));
  if (closed) {
    return (
      <div className={css.closed}>
        <div className={css.above}>{beside}</div>
        <Banner onDismiss={onClose}>{closed}</Banner>
      </div>
    );
  }
  const callbacks = { ...(onSent && { onSent }), ...(onClose && { onClose }) };
  return <OpenComposer place={place} beside={beside} {...callbacks} />;
}

function OpenComposer({ place, onSent, onClose, beside }: ComposerProps) {
  const client = useClient();
  const { sending } = client;
  const area = useRef<HTMLTextAreaElement>(null);
  const [keeper] = useState(() => draftKeeper(client, place));
  const [typing] = useState(() => typingIn(client, place));
  const [text, setText] = useState(keeper.text);
  const [isPreview, setPreview] = useState(false);
  const [warnings, setWarnings] = useState<readonly Warning[]>([]);
  const latest = useRef(text);
  latest.current = text;
  const uploads = useUploads(area);
  const dropTarget = useDropTarget(area, uploads.add);
  const name = useSelect((state) => placeName(state, place));
  const color = useSelect((state) => ("stream_id" in place ? colorOf(state, place.stream_id) : undefined));
  const enterSends = useSelect((state) => state.user_settings.enter_sends);
  const maxLength = useSelect((state) => state.organization.max_message_length);

  const change = useCallback(
    (next: string) => {
      setText(next);
      keeper.keep(next);
      setWarnings([]);
      if (next.trim() === "") typing.stop();
      else typing.touch();
    },
    [keeper, typing],
  );

  useEffect(() => keeper.open(setText), [keeper]);
  useEffect(() => () => typing.stop(), [typing]);
  useEffect(() => {
    // The person opened it to write.
    if (onClose) area.current?.focus();
  }, [onClose]);
  useEffect(
    () =>
      offerComposer(place, (inserted) => {
        if (area.current) insertBlock(area.current, inserted);
      }),
    [place],
  );

  const clear = (sent: string) => {
    keeper.discardSent(sent);
    // The person may have continued writing while it was being scheduled.
    if (keeper.text() !== "") return;
    setWarnings([]);
    setPreview(false);
    typing.stop();
    area.current?.focus();
  };
  const isReady = () => {
    if (text.trim() === "") return false;
    if (!uploads.isUnderWay) return true;
    showToast({ text: t("Files are still being uploaded.") });
    return false;
  };
  const send = (isSure = false) => {
    if (!isReady()) return;
    if (isSure || !mayWarn(text)) return post();
    const checked = text;
    warningsFor(client, place, checked).then((found) => {
      // If the person has continued writing, keep the text rather than send it.
      if (latest.current !== checked) return;
      if (found.length > 0) setWarnings(found);
      else post();
    });
  };
  const post = () => {
    const sent = text;
    clear(sent);
    holdBack({
      place,
      text: sent,
      send: () => {
        sending.send(place, sent);
        onSent?.(place);
      },
      takeBack: () => draftKeeper(client, place).takeBack(sent),
    });
  };

  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === "ArrowUp" && text === "" && !event.shiftKey && !event.altKey) {
      editLastMessage(client, place, change);
      return true;
    }
    if (event.key === "Escape" && warnings.length > 0) {
      setWarnings([]);
      return true;
    }
    if (event.key === "Escape" && onClose) {
      onClose();
      return true;
    }
    return false;
  };
  const label =
    "user_ids" in place ? t("Message {people}", { people: name }) : t("Message to {place}", { place: name });

  return (
    <form
      className={css.composer}
      aria-label={t("Write a message")}
      style={{ "--edge-color": color } as object}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {dropTarget}
      <div className={css.above}>
        <TypingLine place={place} />
        {beside}
      </div>
      <Warnings
        warnings={warnings}
        place={place}
        onSend={() => send(true)}
        onDismiss={() => {
          setWarnings([]);
          area.current?.focus();
        }}
      />
      <div className={css.box}>
        {onClose ? (
          <div className={css.to}>
            <p>
              <Rich
                parts={parts("to <place>{place}</place>", { place: name })}
                place={() => (
                  <strong>
                    <TopicName name={name} />
                  </strong>
                )}
              />
            </p>
            <IconButton size="small" label={t("Stop writing")} icon={X} onClick={onClose} />
          </div>
        ) : null}
        {isPreview ? <Preview text={text} /> : null}
        <div hidden={isPreview}>
          <WritingArea
            area={area}
            label={label}
            placeholder={onClose ? t("Write a message") : label}
            place={place}
            value={text}
            maxLength={maxLength}
            enterSends={enterSends}
            onChange={change}
            onSend={() => send()}
            onFiles={uploads.add}
            onKey={onKey}
          />
        </div>
        <UploadList of={uploads} />
        <div className={css.foot}>
          <Toolbar area={area} onFiles={uploads.add}>
            <EmojiButton
              label={t("Emoji")}
              size="small"
              onPick={({ names }) => {
                const field = area.current;
                if (field) replaceRange(field, field.selectionStart, field.selectionEnd, `:${names[0]}: `);
              }}
            />
            <IconButton
              size="small"
              label={isPreview ? t("Go on writing") : t("Preview")}
              icon={isPreview ? Pencil : Eye}
              pressed={isPreview}
              disabled={text.trim() === ""}
              onClick={() => setPreview(!isPreview)}
            />
          </Toolbar>
          {text.length > maxLength - 500 ? (
            <span className={css.left}>{t("{count} left", { count: String(maxLength - text.length) })}</span>
          ) : null}
          <SendKeyMenu />
          <ScheduleMenu place={place} text={text} isReady={isReady} onScheduled={clear} />
          <IconButton
            type="submit"
            className={css.send}
            label={t("Send")}
            icon={SendHorizontal}
            keys={formatKeys(enterSends ? "Enter" : "$mod+Enter")}
            aria-disabled={text.trim() === ""}
          />
        </div>
      </div>
    </form>
  );
}

/** Says which key sends, and changes it. On touch screens only the button sends. */
function SendKeyMenu() {
  const { api } = useClient();
  const enterSends = useSelect((state) => state.user_settings.enter_sends);
  const keys = (isEnter: boolean) => ({
    send: formatKeys(isEnter ? "Enter" : "$mod+Enter"),
    line: formatKeys(isEnter ? "Shift+Enter" : "Enter"),
  });
  const choice = (isEnter: boolean) => ({
    label: t("{send} sends, {line} starts a line", keys(isEnter)),
    checked: enterSends === isEnter,
    onSelect: () => void api.patch("/settings", { enter_sends: isEnter }).catch(showFailure),
  });
  return (
    <Menu
      label={t("Which key sends")}
      placement="top-end"
      trigger={
        <button type="button" className={css.sendKey} data-tip={t("Which key sends")}>
          {t("{send} sends", { send: keys(enterSends).send })}
        </button>
      }
      items={[choice(true), choice(false)]}
    />
  );
}

interface WarningsProps {
  warnings: readonly Warning[];
  place: Place;
  onSend: () => void;
  onDismiss: () => void;
}

function Warnings({ warnings, place, onSend, onDismiss }: WarningsProps) {
  const { api } = useClient();
  const users = useSelect((state) => state.users);
  if (warnings.length === 0) return null;
  const strangers = warnings.flatMap((warning) => warning.strangers ?? []);
  const first = users[strangers[0] ?? 0]?.full_name;
  const subscribe = async () => {
    if (!("stream_id" in place)) return;
    try {
      const { stream } = await api.get<{ stream: { name: string } }>(`/streams/${place.stream_id}`);
      const subscriptions = [{ name: stream.name }];
      await api.post("/users/me/subscriptions", { subscriptions, principals: strangers });
    } catch (error) {
      return showFailure(error);
    }
    onSend();
  };
  return (
    <div
      className={css.warnings}
      role="alert"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onDismiss();
      }}
    >
      <Banner
        look="warn"
        onDismiss={onDismiss}
        action={
          <span className={css.answers}>
            {strangers.length > 0 ? (
              <Button size="small" onClick={() => void subscribe()}>
                {strangers.length === 1 && first !== undefined
                  ? t("Subscribe {name} and send", { name: first })
                  : t("Subscribe them and send")}
              </Button>
            ) : null}
            <Button size="small" look="primary" autoFocus onClick={onSend}>
              {t("Send anyway")}
            </Button>
          </span>
        }
      >
        {warnings.map(({ key, text }) => (
          <p key={key}>{text}</p>
        ))}
      </Banner>
    </div>
  );
}
