// For how long messages are kept, in the organization and in each channel. A shorter time says first what it deletes.
import { Hash, Pencil } from "lucide-react";
import { useMemo, useState } from "react";
import type { Expiring, RetentionWaits } from "@/foundation/retention/schema.ts";
import { useClient, useSelect } from "../../api/client.ts";
import { useLoaded } from "../../api/loaded.ts";
import { collator, locale, t } from "../../lib/texts.ts";
import { fullTime } from "../../lib/times.ts";
import type { Channel } from "../../state/channels.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Checkbox, Select, TextField } from "../../ui/field.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Table } from "../../ui/table.tsx";
import { showToast } from "../../ui/toasts.tsx";
import css from "../organize/organize.module.css";

/** Negative for ever; null as the organization. */
type Days = number | null;

const forEver = -1;
/** What the field chooses besides numbers of days. */
const [asOrganization, another] = [0, -2];
const offered = [30, 90, 180, 365, 730];
const mostDays = 36_500;

function wordDays(days: number): string {
  if (days < 0) return t("For ever");
  const form = { style: "unit", unit: "day", unitDisplay: "long" } as const;
  return new Intl.NumberFormat(locale, form).format(days);
}

const isShorter = (days: number, than: number) => days >= 0 && (than < 0 || days < than);

interface Place {
  /** Null for the organization. */
  id: number | null;
  name: string;
  /** The days that are set. */
  days: Days;
}

export function RetentionSection() {
  const days = useSelect(({ organization }) => organization.realm_message_retention_days) as number;
  const streams = useSelect((state) => state.streams);
  const waits = useLoaded<RetentionWaits>("/retention", { renewOn: ["realm", "stream"] });
  const [changing, setChanging] = useState<Place | null>(null);
  const organization: Place = { id: null, name: t("The organization"), days };
  const channels = useMemo(
    () => Object.values(streams).sort((a, b) => collator.compare(a.name, b.name)),
    [streams],
  );
  return (
    <>
      <section className={css.group}>
        <p className={css.quiet}>
          {t(
            "What is older is deleted for everyone, in channels and in direct messages. A shorter time deletes only after a day: until then, a longer one takes it back.",
          )}
        </p>
        <Waits waits={waits.value} problem={waits.problem} again={waits.again} />
      </section>
      <section className={css.group}>
        <h2 className={css.groupTitle}>{t("The organization")}</h2>
        <p>{t("How long messages are kept: {time}", { time: wordDays(days) })}</p>
        <p className={css.quiet}>
          {t("In direct messages, and in the channels without a time of their own.")}
        </p>
        <div className={css.buttons}>
          <Button onClick={() => setChanging(organization)}>{t("Change …")}</Button>
        </div>
      </section>
      <section className={css.group}>
        <h2 className={css.groupTitle}>{t("Channels")}</h2>
        <Table<Channel>
          label={t("How long channels keep messages")}
          rows={channels}
          keyOf={({ stream_id }) => stream_id}
          nameOf={({ name }) => name}
          textOf={({ name }) => name}
          columns={[
            {
              id: "name",
              title: t("Channel"),
              width: "minmax(0, 2fr)",
              show: ({ name }) => <bdi>{`#${name}`}</bdi>,
              compare: (a, b) => collator.compare(a.name, b.name),
            },
            {
              id: "days",
              title: t("Kept"),
              show: ({ message_retention_days: own }) => wordDays(own ?? days),
              compare: (a, b) =>
                order(a.message_retention_days ?? days) - order(b.message_retention_days ?? days),
            },
            {
              id: "by",
              title: t("Decided by"),
              show: ({ message_retention_days: own }) =>
                own === null ? t("The organization") : t("The channel"),
            },
          ]}
          menuOf={({ stream_id, name, message_retention_days }) => [
            {
              label: t("Change …"),
              icon: Pencil,
              onSelect: () => setChanging({ id: stream_id, name: `#${name}`, days: message_retention_days }),
            },
          ]}
          empty={<EmptyState icon={Hash} title={t("No channels")} />}
        />
      </section>
      {changing ? (
        <Change
          key={changing.id}
          place={changing}
          usual={days}
          onDone={waits.again}
          onClose={() => setChanging(null)}
        />
      ) : null}
    </>
  );
}

/** For ever is the longest. */
const order = (days: number) => (days < 0 ? mostDays + 1 : days);

interface WaitsProps {
  waits: RetentionWaits | null;
  problem: string | null;
  again: () => void;
}

/** What deletes later than it is set to, and a button for those who do not want to wait. */
function Waits({ waits, problem, again }: WaitsProps) {
  const { api } = useClient();
  const isTwentyFour = useSelect(({ user_settings }) => user_settings.twenty_four_hour_time);
  const streams = useSelect((state) => state.streams);
  const [releasing, setReleasing] = useState<{ id: number | null; name: string } | null>(null);
  if (waits === null)
    return problem === null ? null : (
      <Banner
        look="warn"
        action={
          <Button size="small" onClick={again}>
            {t("Try again")}
          </Button>
        }
      >
        {t("What waits to be deleted could not be loaded.")} {problem}
      </Banner>
    );
  const rows = [
    ...(waits.paused_until === null
      ? []
      : [
          {
            id: null,
            name: t("The organization"),
            text: t("Until {time}, nothing is deleted: messages came by an import or from a backup.", {
              time: fullTime(waits.paused_until, isTwentyFour),
            }),
          },
        ]),
    ...waits.holds.map(({ stream_id, days, until }) => {
      const name = stream_id === null ? t("The organization") : `#${streams[stream_id]?.name ?? stream_id}`;
      return {
        id: stream_id,
        name,
        text: t("{place}: kept until {time} as before: {kept}.", {
          place: name,
          time: fullTime(until, isTwentyFour),
          kept: wordDays(days),
        }),
      };
    }),
  ];
  return (
    <>
      {rows.map(({ text, ...place }) => (
        <Banner
          key={text}
          action={
            <Button
              size="small"
              aria-label={t("Delete now: {place}", { place: place.name })}
              onClick={() => setReleasing(place)}
            >
              {t("Delete now …")}
            </Button>
          }
        >
          {text}
        </Banner>
      ))}
      {releasing ? (
        <Confirm
          title={t("Delete now what is too old?")}
          action={t("Delete now")}
          danger
          onClose={() => setReleasing(null)}
          onConfirm={async () => {
            await api.post("/retention/sweep", releasing.id === null ? {} : { stream_id: releasing.id });
            again();
          }}
        >
          <p>
            {t(
              "{place}: what is older than the time that is set is deleted for everyone within an hour, and cannot be brought back.",
              {
                place: releasing.name,
              },
            )}
          </p>
        </Confirm>
      ) : null}
    </>
  );
}

interface ChangeProps {
  place: Place;
  /** The days of the organization. */
  usual: number;
  onDone: () => void;
  onClose: () => void;
}

function choiceOf(days: Days): number {
  if (days === null) return asOrganization;
  return days < 0 ? forEver : offered.includes(days) ? days : another;
}

function Change({ place, usual, onDone, onClose }: ChangeProps) {
  const { api } = useClient();
  const { id, name, days: before } = place;
  const [choice, setChoice] = useState(choiceOf(before));
  const [written, setWritten] = useState(before === null || before < 0 ? "" : String(before));
  const [isNow, setNow] = useState(false);
  const own = choice === another ? Number(/^\d+$/.exec(written.trim())?.[0] ?? Number.NaN) : choice;
  const isValid = choice !== another || (own >= 1 && own <= mostDays);
  const days: Days = choice === asOrganization ? null : own;
  const applied = days ?? usual;
  const isLess = isValid && isShorter(applied, before ?? usual);
  const expiring = useLoaded<Expiring>(isLess ? "/retention/expiring" : null, {
    params: { days: applied, ...(id === null ? {} : { stream_id: id }) },
  });
  const choices = [
    ...(id === null
      ? []
      : [{ value: asOrganization, label: t("As the organization ({time})", { time: wordDays(usual) }) }]),
    { value: forEver, label: t("For ever") },
    ...offered.map((value) => ({ value, label: wordDays(value) })),
    { value: another, label: t("Another number of days") },
  ];
  const save = async () => {
    if (!isValid) throw new Error(t("Write a number of days, from 1 to {most, number}.", { most: mostDays }));
    if (isLess && expiring.value === null) throw new Error(t("It is still counted what goes."));
    if (days !== before) {
      if (id === null) await api.patch("/realm", { message_retention_days: applied });
      else
        await api.patch(`/streams/${id}`, {
          message_retention_days: days === null ? "realm_default" : days < 0 ? "unlimited" : days,
        });
    }
    if (isLess && isNow) await api.post("/retention/sweep", id === null ? {} : { stream_id: id });
    showToast({ text: t("Saved: {what}.", { what: `${name}, ${wordDays(applied)}` }) });
    onDone();
  };
  return (
    <Confirm
      title={
        id === null
          ? t("How long messages are kept")
          : t("How long messages in {channel} are kept", { channel: name })
      }
      action={isLess && (expiring.value?.messages ?? 0) > 0 ? t("Save, and delete") : t("Save")}
      danger={isLess}
      onClose={onClose}
      onConfirm={save}
    >
      <Select label={t("Kept")} value={choice} choices={choices} onChange={setChoice} />
      {choice === another ? (
        <TextField
          label={t("Days")}
          value={written}
          inputMode="numeric"
          autoComplete="off"
          onChange={setWritten}
        />
      ) : null}
      {isLess ? (
        <>
          <Loading of={expiring} lines={2}>
            {(found) => <Going found={found} days={applied} />}
          </Loading>
          <Checkbox
            label={t("Delete within an hour, not in a day")}
            hint={t("Then it cannot be taken back.")}
            checked={isNow}
            onChange={setNow}
          />
        </>
      ) : (
        <p className={css.quiet}>{t("This deletes nothing now.")}</p>
      )}
    </Confirm>
  );
}

function Going({ found: { messages, files, oldest }, days }: { found: Expiring; days: number }) {
  if (messages === 0)
    return <p className={css.quiet}>{t("No message is older than {time}.", { time: wordDays(days) })}</p>;
  return (
    <>
      <p role="status">
        <b>
          {t(
            "{count, plural, one {# message is older than {time}, and is deleted for everyone.} other {# messages are older than {time}, and are deleted for everyone.}}",
            {
              count: messages,
              time: wordDays(days),
            },
          )}
        </b>{" "}
        {oldest === null
          ? null
          : t("The oldest is from {day}.", {
              day: new Date(oldest * 1000).toLocaleDateString(locale, { dateStyle: "long" }),
            })}
      </p>
      {files === 0 ? null : (
        <p className={css.quiet}>
          {t(
            "{count, plural, one {# file is linked from no other message: only who uploaded it can open it afterwards.} other {# files are linked from no other message: only who uploaded them can open them afterwards.}}",
            {
              count: files,
            },
          )}
        </p>
      )}
    </>
  );
}
