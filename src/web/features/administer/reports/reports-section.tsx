// Reports of messages: a list by filters, and a page for each, on which moderators decide.
import { Flag, FlagOff, SearchX } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Report, ReportType } from "@/messaging/reports/schema.ts";
import { useClient, useSelect } from "../../../api/client.ts";
import { useLoaded } from "../../../api/loaded.ts";
import { useKept } from "../../../lib/kept.ts";
import { t } from "../../../lib/texts.ts";
import { fullTime, shortTime } from "../../../lib/times.ts";
import { nameOf } from "../../../state/selectors.ts";
import type { State } from "../../../state/state.ts";
import { Tag } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Select } from "../../../ui/field.tsx";
import { PersonFilter } from "../../../ui/person-filter.tsx";
import { hashOf } from "../../../ui/routes/route.ts";
import { type Column, Table } from "../../../ui/table.tsx";
import { reportReasons } from "../../message/report-reasons.ts";
import type { SectionProps } from "../../settings/sectioned.tsx";
import { DismissMany } from "./decide-dialogs.tsx";
import { ReportPage } from "./report-page.tsx";
import css from "./reports.module.css";
import { stateOf, whyOf } from "./words.ts";

export function ReportsSection({ path: [id] }: SectionProps) {
  return id === undefined ? (
    <ReportList />
  ) : (
    <ReportPage key={id} id={/^\d{1,15}$/.test(id) ? Number(id) : 0} />
  );
}

interface Filters {
  state: "open" | "handled" | "all";
  reason: ReportType | "";
  person: number | null;
  /** Whether the person wrote what was reported, or reported it. */
  part: "reported_id" | "reporter_id";
}

const noFilters: Filters = { state: "all", reason: "", person: null, part: "reported_id" };
const pageSize = 100;
/** As many as the server lists at once: others are found by filters. */
const most = 1000;

const paramsOf = ({ state, reason, person, part }: Filters) => ({
  ...(state === "all" ? {} : { is_handled: state === "handled" }),
  ...(reason === "" ? {} : { report_type: reason }),
  ...(person === null ? {} : { [part]: person }),
});

function ReportList() {
  const isTwentyFour = useSelect(({ user_settings }) => user_settings.twenty_four_hour_time);
  const { store } = useClient();
  // Drawn again with the names of people who have come since.
  useSelect((state) => state.users);
  const [filters, setFilters] = useKept<Filters>("reports filters", { ...noFilters, state: "open" });
  const [count, setCount] = useKept("reports count", pageSize);
  const found = useLoaded<{ reports: Report[] }>("/reports", {
    params: { ...paramsOf(filters), limit: count },
    renewOn: ["reports_changed"],
  });
  const rows = useLast(found.value?.reports ?? null, JSON.stringify(filters));
  const [dismissing, setDismissing] = useState<Marked | null>(null);
  const change = (to: Partial<Filters>) => {
    setFilters({ ...filters, ...to });
    setCount(pageSize);
  };
  const state = store.get();
  const isFiltered = Object.keys(paramsOf(filters)).length > 0;
  return (
    <>
      <Table
        label={t("Reports")}
        rows={rows}
        problem={found.problem}
        again={found.again}
        keyOf={({ id }) => id}
        nameOf={({ reported_id }) => t("Message of {name}", { name: nameOf(state, reported_id) })}
        linkOf={({ id }) => hashOf({ view: "organization", section: "reports", path: [String(id)] })}
        columns={columnsOf(state, isTwentyFour)}
        actions={(marked, unmark) => [
          { label: t("Dismiss …"), icon: FlagOff, onSelect: () => setDismissing({ marked, unmark }) },
        ]}
        filters={<FilterFields filters={filters} onChange={change} />}
        empty={
          isFiltered ? (
            <EmptyState
              icon={filters.state === "open" ? Flag : SearchX}
              title={filters.state === "open" ? t("No open reports") : t("Nothing found")}
              action={<Button onClick={() => change(noFilters)}>{t("Show everything")}</Button>}
            />
          ) : (
            <EmptyState icon={Flag} title={t("Nothing was reported")}>
              {t("What people report to the moderators is listed here.")}
            </EmptyState>
          )
        }
      />
      {rows && rows.length >= count && count < most ? (
        <div className={css.buttons}>
          <Button busy={found.isLoading} onClick={() => setCount(Math.min(count + pageSize, most))}>
            {t("Show older reports")}
          </Button>
        </div>
      ) : null}
      {dismissing ? (
        <DismissMany
          reports={dismissing.marked}
          onClose={() => {
            setDismissing(null);
            dismissing.unmark();
          }}
        />
      ) : null}
    </>
  );
}

interface Marked {
  marked: readonly Report[];
  unmark: () => void;
}

/** While more rows of the same filters are loaded, those that were there before. */
function useLast(rows: Report[] | null, filters: string): Report[] | null {
  const last = useRef<{ filters: string; rows: Report[] } | null>(null);
  useEffect(() => {
    if (rows) last.current = { filters, rows };
  }, [rows, filters]);
  return rows ?? (last.current?.filters === filters ? last.current.rows : null);
}

const columnsOf = (state: State, isTwentyFour: boolean): Column<Report>[] => [
  {
    id: "message",
    title: t("Message|that was reported"),
    width: "minmax(0, 2fr)",
    show: (one) => (
      <span className={css.excerpt} dir="auto">
        {one.excerpt === "" ? <span className={css.quiet}>{t("No longer kept")}</span> : one.excerpt}
      </span>
    ),
  },
  { id: "of", title: t("Written by"), show: ({ reported_id }) => <bdi>{nameOf(state, reported_id)}</bdi> },
  { id: "why", title: t("Reason"), show: ({ report_type }) => whyOf(report_type) },
  {
    id: "by",
    title: t("Reported by"),
    show: ({ reporter_id }) => <bdi>{nameOf(state, reporter_id)}</bdi>,
    inNarrow: false,
  },
  {
    id: "state",
    title: t("State"),
    show: (one) => <Tag text={stateOf(one)} look={one.handled_at === null ? "warn" : "good"} />,
  },
  {
    id: "when",
    title: t("When|it happened"),
    width: "110px",
    show: ({ reported_at }) => (
      <time title={fullTime(reported_at, isTwentyFour)}>{shortTime(reported_at, isTwentyFour)}</time>
    ),
  },
];

const states: readonly { value: Filters["state"]; label: string }[] = [
  { value: "open", label: t("Open reports") },
  { value: "handled", label: t("Handled reports") },
  { value: "all", label: t("All reports") },
];

interface FilterFieldsProps {
  filters: Filters;
  onChange: (to: Partial<Filters>) => void;
}

function FilterFields({ filters: { state, reason, person, part }, onChange }: FilterFieldsProps) {
  return (
    <div className={css.filters}>
      <Select label={t("State")} value={state} choices={states} onChange={(to) => onChange({ state: to })} />
      <Select<ReportType | "">
        label={t("Reason")}
        value={reason}
        choices={[{ value: "", label: t("All reasons") }, ...reportReasons]}
        onChange={(to) => onChange({ reason: to })}
      />
      <PersonFilter
        person={person}
        part={part}
        parts={[
          { value: "reported_id", label: t("Whose messages were reported") },
          { value: "reporter_id", label: t("Who reported them") },
        ]}
        onChange={onChange}
      />
    </div>
  );
}
