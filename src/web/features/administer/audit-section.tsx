// Who did what to the organization and to what is not their own: a list by filters, and a page for each entry.
import { ScrollText, SearchX } from "lucide-react";
import { useState } from "react";
import type { AuditEntry, Subject, maxEntries as schemaMax } from "@/foundation/audit/schema.ts";
import { sameJson, useClient, useSelect } from "../../api/client.ts";
import { useLoaded } from "../../api/loaded.ts";
import { useKept } from "../../lib/kept.ts";
import { t } from "../../lib/texts.ts";
import { fullTime, shortTime } from "../../lib/times.ts";
import type { State } from "../../state/state.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { Loading } from "../../ui/loading.tsx";
import { PersonFilter } from "../../ui/person-filter.tsx";
import { hashOf, type Route } from "../../ui/routes/route.ts";
import { type Column, Table } from "../../ui/table.tsx";
import { showFailure } from "../../ui/toasts.tsx";
import css from "./audit-section.module.css";
import { nameEvent } from "./audit-words.ts";

interface Entries {
  entries: AuditEntry[];
}

const pageSize = 100;
const maxEntries: typeof schemaMax = 1000;

const kindNames: Readonly<Record<Subject, string>> = {
  realm: t("Organization"),
  user: t("Person"),
  bot: t("Bot"),
  group: t("Group"),
  channel: t("Channel"),
  topic: t("Topic"),
  folder: t("Folder"),
  invitation: t("Invitation|audit log"),
  linkifier: t("Linkifier"),
  playground: t("Playground"),
  emoji: t("Emoji"),
  profile_field: t("Profile field"),
  domain: t("Domain"),
  default_channel_group: t("Group of channels for new people"),
  message: t("Message|audit log"),
  file: t("File|audit log"),
  report: t("Report|audit log"),
  export: t("Export"),
  mail: t("Mail|audit log"),
  webhook: t("Webhook"),
  server: t("Server|audit log"),
};
const kinds = Object.keys(kindNames) as Subject[];

export function AuditSection({ path: [id] }: { path: readonly string[] }) {
  return id === undefined ? (
    <AuditList />
  ) : (
    <EntryPage key={id} id={/^\d{1,15}$/.test(id) ? Number(id) : 0} />
  );
}

interface Filters {
  person: number | null;
  /** Whether the person acted, or it was done to them. */
  part: "by" | "about_user_id";
  kind: Subject | "";
  /** Days: "2026-11-21"; empty for any. */
  since: string;
  until: string;
}

const noFilters: Filters = { person: null, part: "by", kind: "", since: "", until: "" };

/** The beginning of a day where the reader is, so many days later. */
function startOf(day: string, later: number): number | undefined {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return day === "" ? undefined : Math.floor(new Date(year, month - 1, date + later).getTime() / 1000);
}

const paramsOf = ({ person, part, kind, since, until }: Filters) => ({
  ...(person === null ? {} : { [part]: person }),
  ...(kind === "" ? {} : { kind }),
  since: startOf(since, 0),
  until: startOf(until, 1),
});

function AuditList() {
  const { api } = useClient();
  const isTwentyFour = useSelect(({ user_settings }) => user_settings.twenty_four_hour_time);
  const [filters, setFilters] = useKept("audit filters", noFilters);
  // As many as were shown when the person left for an entry.
  const [count, setCount] = useKept("audit count", pageSize);
  const [limit] = useState(Math.min(count, maxEntries));
  const params = paramsOf(filters);
  const newest = useLoaded<Entries>("/audit_log", { params: { ...params, limit } });
  const [older, setOlder] = useState<Older | null>(null);
  const [isLoading, setLoading] = useState(false);
  const found = newest.value?.entries ?? null;
  const known = older !== null && older.after === found ? older : null;
  const rows = found && known ? [...found, ...known.entries] : found;
  const last = rows?.at(-1);
  const mayBeMore = known ? known.mayBeMore : found?.length === limit;
  const change = (to: Partial<Filters>) => {
    setFilters({ ...filters, ...to });
    setCount(pageSize);
  };
  const showOlder = () => {
    if (!found || !rows || !last) return;
    setLoading(true);
    api
      .get<Entries>("/audit_log", { ...params, limit: pageSize, before: last.id })
      .then(({ entries }) => {
        setOlder({
          after: found,
          entries: [...(known?.entries ?? []), ...entries],
          mayBeMore: entries.length === pageSize,
        });
        setCount(rows.length + entries.length);
      }, showFailure)
      .finally(() => setLoading(false));
  };
  const isFiltered = Object.values(params).some((one) => one !== undefined);
  return (
    <>
      <Table
        label={t("Audit log")}
        rows={rows}
        problem={newest.problem}
        again={newest.again}
        keyOf={({ id }) => id}
        nameOf={({ event }) => nameEvent(event)}
        linkOf={({ id }) => hashOf({ view: "organization", section: "audit", path: [String(id)] })}
        columns={columnsOf(isTwentyFour)}
        filters={<FilterFields filters={filters} onChange={change} />}
        empty={
          isFiltered ? (
            <EmptyState
              icon={SearchX}
              title={t("Nothing found")}
              action={<Button onClick={() => change(noFilters)}>{t("Show everything")}</Button>}
            />
          ) : (
            <EmptyState icon={ScrollText} title={t("No entries yet")} />
          )
        }
      />
      {rows && rows.length > 0 && mayBeMore ? (
        <div className={css.buttons}>
          <Button busy={isLoading} onClick={showOlder}>
            {t("Show older entries")}
          </Button>
        </div>
      ) : null}
    </>
  );
}

interface Older {
  /** The newest ones, before which these were. */
  after: readonly AuditEntry[];
  entries: readonly AuditEntry[];
  mayBeMore: boolean;
}

const columnsOf = (isTwentyFour: boolean): Column<AuditEntry>[] => [
  { id: "what", title: t("What happened"), show: ({ event }) => nameEvent(event) },
  { id: "who", title: t("Who|did it"), show: (entry) => <Actor entry={entry} isRow /> },
  {
    id: "about",
    title: t("About what"),
    width: "minmax(0, 1.5fr)",
    show: (entry) => <AboutWhat entry={entry} isRow />,
  },
  {
    id: "when",
    title: t("When|it happened"),
    width: "110px",
    show: ({ at }) => <time title={fullTime(at, isTwentyFour)}>{shortTime(at, isTwentyFour)}</time>,
  },
];

interface FilterFieldsProps {
  filters: Filters;
  onChange: (to: Partial<Filters>) => void;
}

function FilterFields({ filters: { person, part, kind, since, until }, onChange }: FilterFieldsProps) {
  return (
    <div className={css.filters}>
      <Select<Subject | "">
        label={t("What it is about")}
        value={kind}
        choices={[
          { value: "", label: t("Everything") },
          ...kinds.map((value) => ({ value, label: kindNames[value] })),
        ]}
        onChange={(to) => onChange({ kind: to })}
      />
      <PersonFilter
        person={person}
        part={part}
        parts={[
          { value: "by", label: t("What they did") },
          { value: "about_user_id", label: t("What was done to them or theirs") },
        ]}
        onChange={onChange}
      />
      <TextField
        type="date"
        label={t("From this day")}
        value={since}
        onChange={(to) => onChange({ since: to })}
      />
      <TextField
        type="date"
        label={t("Until this day")}
        value={until}
        onChange={(to) => onChange({ until: to })}
      />
    </div>
  );
}

interface OfEntry {
  entry: AuditEntry;
  /** In a row, whose links the arrow keys skip. */
  isRow?: boolean;
}

function Actor({ entry: { actor_id, actor_name }, isRow = false }: OfEntry) {
  if (actor_id === null) return t("The server itself");
  return (
    <LinkTo to={{ view: "person", user: actor_id }} isRow={isRow}>
      {actor_name ?? t("Somebody")}
    </LinkTo>
  );
}

function AboutWhat({ entry, isRow = false }: OfEntry) {
  const { about, person_id, person_name } = entry;
  const kind = kindNames[about.kind];
  const to = useSelect((state) => routeOf(state, entry), sameJson);
  const name = about.name === null || about.kind === "realm" ? kind : `${kind}: ${about.name}`;
  return (
    <>
      {to === null ? (
        name
      ) : (
        <LinkTo to={to} isRow={isRow}>
          {name}
        </LinkTo>
      )}
      {person_id === null ? null : (
        <>
          {" · "}
          <LinkTo to={{ view: "person", user: person_id }} isRow={isRow}>
            {person_name ?? t("Somebody")}
          </LinkTo>
        </>
      )}
    </>
  );
}

function LinkTo({ to, isRow, children }: { to: Route; isRow: boolean; children: string }) {
  return (
    <a href={hashOf(to)} tabIndex={isRow ? -1 : undefined} className={css.link}>
      {children}
    </a>
  );
}

const sectionsOf: Partial<Record<Subject, string>> = {
  realm: "general",
  invitation: "invitations",
  emoji: "emoji",
  folder: "folders",
  domain: "joining",
  default_channel_group: "joining",
  profile_field: "profile-fields",
  linkifier: "linkifiers",
  playground: "playgrounds",
  export: "exports",
};

/** Where one sees what an entry is about; null where nothing is left of it, or it has no place. */
function routeOf({ users, streams, subscriptions, groups }: State, { about }: AuditEntry): Route | null {
  const { kind, id } = about;
  const section = sectionsOf[kind];
  if (section !== undefined) return { view: "organization", section };
  if (id === null) return null;
  if (kind === "report") return { view: "organization", section: "reports", path: [String(id)] };
  if (kind === "user" || kind === "bot") return users[id] ? { view: "person", user: id } : null;
  if (kind === "channel")
    return (streams[id] ?? subscriptions[id]) ? { view: "channels", channel: id } : null;
  if (kind === "group") return groups[id] ? { view: "groups", group: id } : null;
  return null;
}

function EntryPage({ id }: { id: number }) {
  const isTwentyFour = useSelect(({ user_settings }) => user_settings.twenty_four_hour_time);
  const found = useLoaded<Entries>("/audit_log", { params: { before: id + 1, limit: 1 } });
  return (
    <>
      <p className={css.back}>
        <a href={hashOf({ view: "organization", section: "audit" })}>{t("Audit log")}</a>
      </p>
      <Loading of={found}>
        {({ entries: [entry] }) =>
          entry?.id === id ? (
            <>
              <h2 className={css.title}>{nameEvent(entry.event)}</h2>
              <dl className={css.facts}>
                <dt>{t("When|it happened")}</dt>
                <dd>{fullTime(entry.at, isTwentyFour)}</dd>
                <dt>{t("Who|did it")}</dt>
                <dd>
                  <Actor entry={entry} />
                </dd>
                <dt>{t("Program")}</dt>
                <dd>{entry.client}</dd>
                <dt>{t("About what")}</dt>
                <dd>
                  <AboutWhat entry={entry} />
                </dd>
              </dl>
              {Object.keys(entry.details).length > 0 ? <Details details={entry.details} /> : null}
            </>
          ) : (
            <EmptyState icon={SearchX} title={t("There is no such entry")} />
          )
        }
      </Loading>
    </>
  );
}

/** What changed, in the server's own words, which are English. */
function Details({ details }: Pick<AuditEntry, "details">) {
  return (
    <>
      <h3 className={css.title}>{t("What changed")}</h3>
      <dl className={css.facts} lang="en" dir="ltr">
        {Object.entries(details).map(([name, text]) => (
          <div key={name} className={css.pair}>
            <dt>{name}</dt>
            <dd dir="auto">{text}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
