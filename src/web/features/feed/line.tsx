// One line of a feed: a message, and the headings above it.
import { CircleAlert, Clock, EyeOff, RotateCcw, Trash2 } from "lucide-react";
import { memo, Suspense, useState } from "react";
import { useClient, useSelect } from "../../api/client.ts";
import { classes } from "../../lib/classes.ts";
import { useStore } from "../../lib/observable.ts";
import { t } from "../../lib/texts.ts";
import { clockTime, dayName, fullTime, localDay } from "../../lib/times.ts";
import type { Message } from "../../state/messages.ts";
import type { Term } from "../../state/narrows.ts";
import type { OutboxMessage } from "../../state/outbox.ts";
import { type Place, placeOf } from "../../state/places.ts";
import { channelOf, colorOf, namesOf, topicName } from "../../state/selectors.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import type { ContentReader } from "../../ui/content/enhance.ts";
import { MessageHtml } from "../../ui/content/message-html.tsx";
import { lazyView } from "../../ui/on-demand.tsx";
import { linkTo } from "../../ui/routes/navigation.ts";
import { placeRoute } from "../../ui/routes/route.ts";
import { TopicName } from "../../ui/topic-name.tsx";
import { editedMessage } from "../compose/editing.ts";
import { jumpingToDate } from "../dates/jump-to-date.tsx";
import { Collapsible } from "../message/collapsible.tsx";
import { openMessageDialog } from "../message/message-dialogs.tsx";
import { useWidget, Widget } from "../widgets/widget.tsx";
import { ConversationBeginning } from "./beginning.tsx";
import css from "./feed.module.css";
import { MessageActions } from "./message-actions.tsx";
import { Reactions } from "./reactions.tsx";
import type { ListedLine, MessageLine } from "./rows.ts";

const MessageEditor = lazyView(async () => (await import("../message/message-editor.tsx")).MessageEditor);

interface LineProps {
  line: ListedLine;
  isSelected: boolean;
  /** Whether the Tab key stops here. */
  isStop: boolean;
  /** The message that the address points to. */
  isNear: boolean;
  terms: readonly Term[];
  reader: ContentReader;
  /** Its HTML with the words marked that a search has found in it. */
  match: string | undefined;
}

export const FeedLine = memo(function FeedLine({ line, ...rest }: LineProps) {
  const beginning = line.beginning ? <ConversationBeginning beginning={line.beginning} /> : null;
  if ("outgoing" in line) {
    return (
      <>
        {beginning}
        <OutgoingRow outgoing={line.outgoing} showsSender={line.showsSender} />
      </>
    );
  }
  return (
    <>
      {beginning}
      {line.startsDay ? <Day timestamp={line.message.timestamp} terms={rest.terms} /> : null}
      {line.startsPlace ? <PlaceHead message={line.message} /> : null}
      {line.startsUnread ? (
        <div className={css.unreadLine} data-unread-line>
          <span>{t("New")}</span>
        </div>
      ) : null}
      <MessageRow line={line} {...rest} />
    </>
  );
}, sameLine);

/** Every change of the feed makes new lines; a line looks different only if these fields differ. */
function sameLine(before: LineProps, after: LineProps): boolean {
  const [a, b] = [before.line, after.line];
  if (
    before.isSelected !== after.isSelected ||
    before.isStop !== after.isStop ||
    before.isNear !== after.isNear ||
    before.terms !== after.terms ||
    before.reader !== after.reader ||
    before.match !== after.match
  )
    return false;
  if ("outgoing" in a || "outgoing" in b) return a === b;
  return (
    a.message === b.message &&
    a.beginning?.place === b.beginning?.place &&
    a.beginning?.first === b.beginning?.first &&
    a.beginning?.people === b.beginning?.people &&
    a.startsDay === b.startsDay &&
    a.startsPlace === b.startsPlace &&
    a.startsUnread === b.startsUnread &&
    a.showsSender === b.showsSender &&
    a.isHidden === b.isHidden
  );
}

function Day({ timestamp, terms }: { timestamp: number; terms: readonly Term[] }) {
  return (
    <h2 className={css.day}>
      <button
        type="button"
        // One stop of the Tab key in the feed; the keyboard has a command for it.
        tabIndex={-1}
        data-tip={t("Jump to a date")}
        onClick={() => jumpingToDate.set({ terms, date: localDay(timestamp) })}
      >
        {dayName(timestamp)}
      </button>
    </h2>
  );
}

function PlaceHead({ message }: { message: Message }) {
  const { store } = useClient();
  const self = useSelect((state) => state.self.user_id);
  const place = placeOf(message, self);
  const head = useSelect((state) => placeWords(state, place), sameWords);
  return (
    <h2 className={css.placeHead} style={{ borderColor: head.color }}>
      <a href={linkTo(placeRoute(place), store.get())} className={css.placeLink}>
        {head.channel ? (
          <>
            <span className={css.placeChannel}>
              <bdi>#{head.channel}</bdi>
            </span>
            <span className={css.placeArrow} aria-hidden="true">
              ›
            </span>
          </>
        ) : null}
        <span>
          <bdi>
            <TopicName name={head.name} />
          </bdi>
        </span>
      </a>
    </h2>
  );
}

function placeWords(state: Parameters<typeof channelOf>[0], place: Place) {
  if ("user_ids" in place) return { channel: "", name: namesOf(state, place.user_ids), color: undefined };
  const channel = channelOf(state, place.stream_id)?.name ?? t("unknown channel");
  return { channel, name: topicName(place.topic), color: colorOf(state, place.stream_id) };
}

type Words = ReturnType<typeof placeWords>;
const sameWords = (a: Words, b: Words) => a.channel === b.channel && a.name === b.name && a.color === b.color;

interface RowProps extends Omit<LineProps, "line"> {
  line: MessageLine;
}

function MessageRow({ line, isSelected, isStop, isNear, terms, reader, match }: RowProps) {
  const { message, showsSender, isHidden } = line;
  const [isRevealed, setRevealed] = useState(false);
  const isTwentyFour = useSelect((state) => state.user_settings.twenty_four_hour_time);
  const name = useSelect((state) => state.users[message.sender_id]?.full_name ?? message.sender_full_name);
  const picture = useSelect(
    (state) => state.users[message.sender_id]?.avatar_url ?? message.avatar_url ?? "",
  );
  const isBot = useSelect((state) => state.users[message.sender_id]?.is_bot === true);
  const { isVisitor } = useClient();
  const isEdited = useStore(editedMessage) === message.id;
  if (isHidden && !isRevealed) {
    return (
      <div className={css.hidden} data-key={line.key} data-message={message.id} tabIndex={-1}>
        <EyeOff size={14} strokeWidth={1.5} aria-hidden="true" />
        {t("From somebody you muted")}
        <Button look="quiet" size="small" onClick={() => setRevealed(true)}>
          {t("Show")}
        </Button>
      </div>
    );
  }
  const time = clockTime(message.timestamp, isTwentyFour);
  const when = fullTime(message.timestamp, isTwentyFour);
  const isMention = message.flags.includes("mentioned");
  return (
    <article
      className={classes(
        css.message,
        showsSender && css.withSender,
        isSelected && css.selected,
        isNear && css.near,
        isMention && css.mention,
        message.is_me_message && css.meMessage,
      )}
      data-key={line.key}
      data-message={message.id}
      tabIndex={isStop ? 0 : -1}
      aria-label={t("{name}, {time}", { name, time: when })}
    >
      <div className={css.side}>
        {showsSender ? (
          <button
            type="button"
            className={css.person}
            data-person={message.sender_id}
            tabIndex={-1}
            aria-label={name}
          >
            <Avatar src={picture} size={36} />
          </button>
        ) : (
          <time
            className={css.sideTime}
            dateTime={new Date(message.timestamp * 1000).toISOString()}
            data-tip={when}
          >
            {time}
          </time>
        )}
      </div>
      <div className={css.body}>
        {showsSender ? (
          <div className={css.sender}>
            <button type="button" className={css.senderName} data-person={message.sender_id} tabIndex={-1}>
              {name}
            </button>
            {isBot ? <span className={css.bot}>{t("Bot")}</span> : null}
            <time
              className={css.time}
              dateTime={new Date(message.timestamp * 1000).toISOString()}
              data-tip={when}
            >
              {time}
            </time>
          </div>
        ) : null}
        <Content message={message} reader={reader} match={match} isEdited={isEdited} />
        <Reactions message={message} />
      </div>
      {isVisitor || isEdited ? null : <MessageActions message={message} terms={terms} />}
    </article>
  );
}

type ContentProps = Pick<LineProps, "reader" | "match"> & { message: Message };

/** The message's content; or a poll, a task list, or the editor while it is edited. */
function Content({ message, reader, match, isEdited }: ContentProps & { isEdited: boolean }) {
  const widget = useWidget(message);
  const text = <ContentText message={message} reader={reader} match={match} />;
  if (isEdited) {
    return (
      <Suspense fallback={text}>
        <MessageEditor message={message} />
      </Suspense>
    );
  }
  return widget ? <Widget message={message} widget={widget} /> : text;
}

function ContentText({ message, reader, match }: ContentProps) {
  return (
    <>
      <Collapsible message={message}>
        <MessageHtml html={htmlOf(message, match)} reader={reader} />
      </Collapsible>
      {message.last_edit_timestamp ? (
        <button
          type="button"
          className={css.edited}
          tabIndex={-1}
          data-tip={t("Show the edits")}
          onClick={() => openMessageDialog("history", message.id)}
        >
          {t("edited")}
        </button>
      ) : null}
    </>
  );
}

/** Without `/me`, which the sender's name before the text replaces. */
function htmlOf({ content, is_me_message }: Message, match: string | undefined): string {
  const html = match ?? content;
  return is_me_message ? html.replace(/^(\s*<p>)\/me\s+/, "$1") : html;
}

function OutgoingRow({ outgoing, showsSender }: { outgoing: OutboxMessage; showsSender: boolean }) {
  const { sending } = useClient();
  const self = useSelect((state) => state.self);
  const isTwentyFour = useSelect((state) => state.user_settings.twenty_four_hour_time);
  const hasFailed = outgoing.state === "failed";
  const discard = (
    <Button size="small" look="quiet" icon={Trash2} onClick={() => sending.discard(outgoing.local_id)}>
      {t("Discard")}
    </Button>
  );
  return (
    <article
      className={classes(css.message, showsSender && css.withSender)}
      data-key={`sent ${outgoing.local_id}`}
      tabIndex={-1}
    >
      <div className={css.side}>{showsSender ? <Avatar src={self.avatar_url ?? ""} size={36} /> : null}</div>
      <div className={css.body}>
        {showsSender ? (
          <div className={css.sender}>
            <span className={css.senderName}>{self.full_name}</span>
            <span className={css.time}>{clockTime(outgoing.timestamp, isTwentyFour)}</span>
          </div>
        ) : null}
        <p className={classes(css.outgoing, hasFailed && css.failed)}>{outgoing.content}</p>
        {outgoing.state === "waiting" ? (
          <div className={css.waiting} role="status">
            <Clock size={14} strokeWidth={1.5} aria-hidden="true" />
            <span>{t("Waiting to be sent")}</span>
            {discard}
          </div>
        ) : null}
        {hasFailed ? (
          <div className={css.failure} role="alert">
            <CircleAlert size={14} strokeWidth={1.5} aria-hidden="true" />
            <span>{t("Not sent. {reason}", { reason: outgoing.error ?? "" })}</span>
            <Button size="small" look="quiet" icon={RotateCcw} onClick={() => sending.retry(outgoing)}>
              {t("Try again")}
            </Button>
            {discard}
          </div>
        ) : null}
      </div>
    </article>
  );
}
