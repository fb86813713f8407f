// How many messages, people and channels there were day by day, and what is stored.
import { useState } from "react";
import type { Statistics } from "@/operations/statistics/schema.ts";
import { useSelect } from "../../api/client.ts";
import { useLoaded, useRenewed } from "../../api/loaded.ts";
import { formatBytes, formatNumber } from "../../lib/amounts.ts";
import { locale, t } from "../../lib/texts.ts";
import { fullTime } from "../../lib/times.ts";
import { Bars, Chart, Charts } from "../../ui/chart.tsx";
import { Select } from "../../ui/field.tsx";
import { Loading } from "../../ui/loading.tsx";
import css from "../organize/organize.module.css";
import { ScarceSpace } from "./scarce-space.tsx";

type Counts = {
  [Name in keyof Statistics]: Statistics[Name] extends (number | null)[] ? Name : never;
}[keyof Statistics];

interface Charted {
  counts: Counts;
  title: string;
  isFilled?: boolean;
}

interface Group {
  title: string;
  charts: readonly Charted[];
}

const groups: readonly Group[] = [
  {
    title: t("Messages"),
    charts: [
      { counts: "messages", title: t("Messages a day"), isFilled: true },
      { counts: "direct_messages", title: t("Of these, direct messages"), isFilled: true },
    ],
  },
  {
    title: t("People"),
    charts: [
      { counts: "active_people", title: t("Active on the day"), isFilled: true },
      { counts: "active_people_of_week", title: t("Active in the week") },
      { counts: "senders", title: t("Wrote something, bots too"), isFilled: true },
      { counts: "people", title: t("Members and guests") },
    ],
  },
  {
    title: t("Channels"),
    charts: [
      { counts: "channels_in_use", title: t("Channels with messages"), isFilled: true },
      { counts: "channels", title: t("Channels") },
    ],
  },
];

const wordDays = (days: number) =>
  new Intl.NumberFormat(locale, { style: "unit", unit: "day", unitDisplay: "long" }).format(days);

const periods = [30, 90, 365, 1_096].map((value) => ({ value, label: wordDays(value) }));

const dayMs = 86_400_000;

/** Days are those of UTC. */
const wordDay = (time: number) =>
  new Date(time).toLocaleDateString(locale, { dateStyle: "medium", timeZone: "UTC" });

export function StatisticsSection() {
  const [days, setDays] = useState(90);
  const loaded = useLoaded<Statistics>("/statistics", { params: { days } });
  useRenewed(loaded, loaded.value?.counted_at === null ? 5 : 600);
  const isTwentyFour = useSelect(({ user_settings }) => user_settings.twenty_four_hour_time);
  return (
    <>
      <Select label={t("Of the last")} value={days} choices={periods} onChange={setDays} />
      <Loading of={loaded} lines={12}>
        {(found) => (
          <>
            <p className={css.quiet} role="status">
              {found.counted_at === null
                ? t("The server is counting what was sent before: this fills while it does.")
                : t("Counted every hour, last {time}. Days begin at midnight UTC.", {
                    time: fullTime(found.counted_at, isTwentyFour),
                  })}
            </p>
            {groups.map((group) => (
              <DaysOf key={group.title} {...group} found={found} />
            ))}
            <section className={css.group}>
              <h2 className={css.groupTitle}>{t("Storage")}</h2>
              <Bars
                format={formatBytes}
                rows={[
                  { name: t("Database"), value: found.storage.database },
                  { name: t("Pictures"), value: found.storage.pictures },
                  { name: t("Videos"), value: found.storage.videos },
                  { name: t("Sounds"), value: found.storage.sounds },
                  { name: t("Other files"), value: found.storage.others },
                ]}
              />
              <ScarceSpace />
            </section>
          </>
        )}
      </Loading>
    </>
  );
}

function DaysOf({ title, charts, found }: Group & { found: Statistics }) {
  const first = Date.parse(`${found.first_day}T00:00Z`);
  const ends = [wordDay(first), wordDay(first + (found.messages.length - 1) * dayMs)] as const;
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{title}</h2>
      <Charts areWide>
        {charts.map(({ counts, ...chart }) => (
          <Chart key={counts} {...chart} values={found[counts]} format={formatNumber} ends={ends} />
        ))}
      </Charts>
    </section>
  );
}
