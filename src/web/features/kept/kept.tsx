// Drafts, scheduled messages and reminders.
import { BellRing, CalendarClock, FilePen, Trash2 } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import type { Draft } from "@/personal/drafts/schema.ts";
import type { Reminder } from "@/personal/reminders/schema.ts";
import type { ScheduledMessage } from "@/personal/scheduled-messages/schema.ts";
import { useClient, useSelect } from "../../api/client.ts";
import { t } from "../../lib/texts.ts";
import { dueTime, fullTime, shortTime } from "../../lib/times.ts";
import { directPlace, type Place, placeOf } from "../../state/places.ts";
import { placeName } from "../../state/selectors.ts";
import type { State } from "../../state/state.ts";
import { IconButton } from "../../ui/button.tsx";
import { plainText } from "../../ui/emoji/plain.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { linkTo } from "../../ui/routes/navigation.ts";
import { placeRoute } from "../../ui/routes/route.ts";
import { showFailure } from "../../ui/toasts.tsx";
import { TopicName } from "../../ui/topic-name.tsx";
import { ViewHead } from "../../ui/view-head.tsx";
import css from "../lists/lists.module.css";

type Kind = "drafts" | "scheduled" | "reminders";

export function Kept({ kind }: { kind: Kind }) {
  if (kind === "drafts") return <Drafts />;
  return kind === "scheduled" ? <ScheduledMessages /> : <Reminders />;
}

function Page({ title, children, empty }: { title: string; children: ReactNode[]; empty: ReactNode }) {
  return (
    <>
      <ViewHead title={title} />
      {children.length === 0 ? (
        empty
      ) : (
        <div className={css.page}>
          <div className={css.inner}>
            <ul className={css.list}>{children}</ul>
          </div>
        </div>
      )}
    </>
  );
}

interface RowProps {
  place: Place | null;
  text: string;
  time: number;
  /** Whether the time is when it will be sent, rather than when it was written. */
  isDue?: boolean;
  note?: string;
  near?: number;
  /** The request that removes it. */
  path: string;
  remove: string;
}

function Row({ place, text, time, isDue = false, note, near, path, remove }: RowProps) {
  const { api, store } = useClient();
  const name = useSelect((state) => (place ? placeName(state, place) : t("No recipient yet")));
  const isTwentyFour = useSelect((state) => state.user_settings.twenty_four_hour_time);
  const drop = () => api.delete(path).catch(showFailure);
  return (
    <li className={css.row}>
      <a
        className={css.link}
        href={place ? linkTo(placeRoute(place, near), store.get()) : undefined}
        data-row
      >
        <span className={css.words}>
          <span className={css.title}>
            <bdi className={css.name}>
              <TopicName name={name} />
            </bdi>
          </span>
          <span className={css.last}>
            <bdi>{text}</bdi>
          </span>
        </span>
        <span>
          <time className={css.time} data-tip={fullTime(time, isTwentyFour)}>
            {isDue ? dueTime(time, isTwentyFour) : shortTime(time, isTwentyFour)}
          </time>
          {note ? <span className={css.time}>{note}</span> : null}
        </span>
      </a>
      <IconButton
        className={css.done}
        size="small"
        label={remove}
        icon={Trash2}
        onClick={() => void drop()}
      />
    </li>
  );
}

function draftPlace(state: Pick<State, "self">, { type, to, topic }: Draft): Place | null {
  const [first] = to;
  if (type === "stream" && first !== undefined) return { stream_id: first, topic };
  return type === "private" && to.length > 0 ? directPlace(to, state.self.user_id) : null;
}

function Drafts() {
  const drafts = useSelect((state) => state.drafts);
  const self = useSelect((state) => state.self);
  return (
    <Page
      title={t("Drafts")}
      empty={
        <EmptyState icon={FilePen} title={t("No drafts")}>
          {t("What you write and do not send is kept here, on all your devices.")}
        </EmptyState>
      }
    >
      {Object.values(drafts)
        .sort((a, b) => b.timestamp - a.timestamp)
        .map((draft) => (
          <Row
            key={draft.id}
            place={draftPlace({ self }, draft)}
            text={draft.content}
            time={draft.timestamp}
            path={`/drafts/${draft.id}`}
            remove={t("Delete the draft")}
          />
        ))}
    </Page>
  );
}

function placeOfScheduled(self: number, { type, to, topic = "" }: ScheduledMessage): Place {
  if (type === "stream") return { stream_id: Number(to), topic };
  return directPlace([to].flat(), self);
}

function ScheduledMessages() {
  const scheduled = useSelect((state) => state.scheduled_messages);
  const self = useSelect((state) => state.self.user_id);
  return (
    <Page
      title={t("Scheduled messages")}
      empty={
        <EmptyState icon={CalendarClock} title={t("Nothing is scheduled")}>
          {t("Write a message and choose a time beside the button that sends it.")}
        </EmptyState>
      }
    >
      {Object.values(scheduled)
        .sort((a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp)
        .map((one) => (
          <Row
            key={one.scheduled_message_id}
            place={placeOfScheduled(self, one)}
            text={plainText(one.rendered_content)}
            time={one.scheduled_delivery_timestamp}
            isDue
            note={one.failed ? t("Could not be sent") : ""}
            path={`/scheduled_messages/${one.scheduled_message_id}`}
            remove={t("Do not send it")}
          />
        ))}
    </Page>
  );
}

function Reminders() {
  const { fetching } = useClient();
  const reminders = useSelect((state) => state.reminders);
  useEffect(() => {
    // A reminder opens the conversation of its message, which may not be loaded yet.
    const ids = Object.values(reminders).map((one) => one.reminder_target_message_id);
    fetching.byIds(ids).catch(() => {});
  }, [fetching, reminders]);
  return (
    <Page
      title={t("Reminders")}
      empty={
        <EmptyState icon={BellRing} title={t("No reminders")}>
          {t("Choose “Remind me” in the menu of a message to be told of it again.")}
        </EmptyState>
      }
    >
      {Object.values(reminders)
        .sort((a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp)
        .map((one) => (
          <ReminderRow key={one.reminder_id} reminder={one} />
        ))}
    </Page>
  );
}

function ReminderRow({ reminder }: { reminder: Reminder }) {
  const {
    reminder_id,
    reminder_target_message_id: id,
    rendered_content,
    scheduled_delivery_timestamp,
  } = reminder;
  const message = useSelect((state) => state.messages[id]);
  const self = useSelect((state) => state.self.user_id);
  return (
    <Row
      place={message ? placeOf(message, self) : directPlace([self], self)}
      text={plainText(rendered_content)}
      time={scheduled_delivery_timestamp}
      isDue
      {...(message ? { near: id } : {})}
      path={`/reminders/${reminder_id}`}
      remove={t("Forget the reminder")}
    />
  );
}
