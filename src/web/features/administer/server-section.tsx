// The server as its owners see it: what it is doing, whether all is well, and its log. Nothing is changed from here.
import { CircleAlert, CircleCheck, Info, RotateCw, Send } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import type { Finding } from "@/operations/diagnosis/schema.ts";
import type { MetricsHistory, SampleField, ServerState } from "@/operations/metrics/schema.ts";
import type { ClusterState, KnownNode } from "@/operations/nodes/schema.ts";
import type { LogPage } from "@/operations/server-log/schema.ts";
import { useClient, useSelect } from "../../api/client.ts";
import { useLoaded, useRenewed } from "../../api/loaded.ts";
import { reasonOf } from "../../api/request.ts";
import { formatBytes, formatNumber } from "../../lib/amounts.ts";
import { locale, t } from "../../lib/texts.ts";
import { clockTime, duration, fullTime } from "../../lib/times.ts";
import { Button } from "../../ui/button.tsx";
import { Chart, Charts } from "../../ui/chart.tsx";
import { Select } from "../../ui/field.tsx";
import { Loading } from "../../ui/loading.tsx";
import { showFailure, showToast } from "../../ui/toasts.tsx";
import css from "./server-section.module.css";

export function ServerSection() {
  return (
    <>
      <Now />
      <History />
      <Checks />
      <Nodes />
      <Log />
    </>
  );
}

/** A time that has passed, in one unit, at least a second: "3 hours". */
function formatAge(seconds: number): string {
  const unit = [86_400, 3600, 60].find((one) => seconds >= one) ?? 1;
  return duration(Math.max(1, Math.round(seconds / unit)) * unit);
}

const serviceNames = {
  mail: t("Mail server"),
  push: t("Services of notifications"),
  webhooks: t("Webhooks of bots"),
} as const;

function Now() {
  const state = useRenewed(useLoaded<ServerState>("/metrics/server"));
  const isTwentyFour = useSelect(({ user_settings }) => user_settings.twenty_four_hour_time);
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Now|the server")}</h2>
      <Loading of={state}>
        {(now) => (
          <>
            <dl className={css.facts}>
              <Fact name={t("Version")}>{now.version}</Fact>
              <Fact name={t("Running since")}>{fullTime(now.started_at, isTwentyFour)}</Fact>
              <Fact name={t("Memory")}>{formatBytes(now.memory_bytes)}</Fact>
              <Fact name={t("Database")}>{formatBytes(now.database_bytes + now.write_ahead_log_bytes)}</Fact>
              <Fact name={t("Free disk space")}>
                {now.free_bytes === null ? t("Unknown") : formatBytes(now.free_bytes)}
              </Fact>
              <Fact name={t("People online")}>{formatNumber(now.online)}</Fact>
              <Fact name={t("Open clients")}>{formatNumber(now.open_queues)}</Fact>
              <Fact name={t("Last backup")} isBad={now.last_backup_age === null}>
                {now.last_backup_age === null
                  ? t("None was made on this machine")
                  : t("{time} ago", { time: formatAge(now.last_backup_age) })}
              </Fact>
              {now.backup_problem === null ? null : (
                <Fact name={t("Scheduled backups")} isBad>
                  {t("{count, plural, one {The last one failed} other {The last # failed}}: {reason}", {
                    count: now.failed_backups,
                    reason: now.backup_problem,
                  })}
                </Fact>
              )}
              {now.certificate === null ? null : (
                <Fact name={t("Certificate")} isBad={now.certificate.expires_at === null}>
                  {now.certificate.expires_at === null
                    ? t("None yet|a certificate")
                    : t("Valid until {time}", { time: fullTime(now.certificate.expires_at, isTwentyFour) })}
                </Fact>
              )}
              {now.certificate?.problem == null ? null : (
                <Fact name={t("Getting a certificate")} isBad>
                  {t(
                    "{count, plural, one {The last try failed} other {The last # tries failed}}: {reason} The next one is at {time}.",
                    {
                      count: now.certificate.failed_tries,
                      reason: now.certificate.problem,
                      time: fullTime(now.certificate.retry_at ?? 0, isTwentyFour),
                    },
                  )}
                </Fact>
              )}
              {now.services.map((one) => (
                <Fact key={one.service} name={serviceNames[one.service]}>
                  {wordService(one, now.sends_mail)}
                </Fact>
              ))}
            </dl>
            {now.sends_mail ? <TestMail /> : null}
          </>
        )}
      </Loading>
    </section>
  );
}

function wordService(
  { service, waiting, answer_age, failure_age }: ServerState["services"][number],
  sendsMail: boolean,
): string {
  if (service === "mail" && !sendsMail) return t("This server sends no mail");
  const hasFailed = failure_age !== null && (answer_age === null || failure_age < answer_age);
  const last = hasFailed
    ? t("failed {time} ago", { time: formatAge(failure_age) })
    : answer_age === null
      ? t("not needed so far")
      : t("answered {time} ago", { time: formatAge(answer_age) });
  return waiting === 0
    ? last
    : t("{last}, {count, plural, one {# waits} other {# wait}}", { last, count: waiting });
}

function Fact({ name, isBad = false, children }: { name: string; isBad?: boolean; children: string }) {
  return (
    <div className={css.fact}>
      <dt>{name}</dt>
      <dd className={isBad ? css.bad : undefined}>{children}</dd>
    </div>
  );
}

function TestMail() {
  const { api } = useClient();
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const send = () => {
    setSending(true);
    setProblem(null);
    api
      .post<{ recipient: string; problem: string | null }>("/mail/test")
      .then(({ recipient, problem: said }) => {
        setProblem(said);
        if (said === null)
          showToast({ text: t("The mail server took a mail to {address}.", { address: recipient }) });
      }, showFailure)
      .finally(() => setSending(false));
  };
  return (
    <>
      <div className={css.buttons}>
        <Button icon={Send} busy={isSending} onClick={send}>
          {t("Send me a test mail")}
        </Button>
      </div>
      {problem === null ? null : (
        <p className={css.bad} role="alert">
          {t("The mail server {problem}.", { problem })}
        </p>
      )}
    </>
  );
}

interface Charted {
  field: SampleField;
  title: string;
  format: (value: number) => string;
}

const milliseconds = (value: number) =>
  new Intl.NumberFormat(locale, { style: "unit", unit: "millisecond", maximumFractionDigits: 1 }).format(
    value,
  );

const charted: readonly Charted[] = [
  { field: "messages", title: t("Messages a minute"), format: formatNumber },
  { field: "requests", title: t("Requests a minute"), format: formatNumber },
  { field: "send_p99", title: t("Time to send, 99 of 100"), format: milliseconds },
  { field: "memory_bytes", title: t("Memory"), format: formatBytes },
  { field: "online", title: t("People online"), format: formatNumber },
  { field: "queues", title: t("Open clients"), format: formatNumber },
];

function History() {
  // The server measures once a minute.
  const history = useRenewed(useLoaded<MetricsHistory>("/metrics/history"), 60);
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("The last 24 hours")}</h2>
      <Loading of={history}>
        {({ fields, minutes }) =>
          minutes.length < 2 ? (
            <p className={css.quiet}>
              {t("There is nothing to draw yet: the server measures once a minute.")}
            </p>
          ) : (
            <Charts>
              {charted.map(({ field, title, format }) => {
                const column = fields.indexOf(field);
                return (
                  <Chart
                    key={field}
                    title={title}
                    values={minutes.map((one) => one[column] ?? 0)}
                    format={format}
                  />
                );
              })}
            </Charts>
          )
        }
      </Loading>
    </section>
  );
}

const verdicts = {
  problem: { icon: CircleAlert, word: t("Problem"), rank: 0 },
  warning: { icon: CircleAlert, word: t("Warning"), rank: 1 },
  note: { icon: Info, word: t("Note"), rank: 2 },
  well: { icon: CircleCheck, word: t("Fine"), rank: 3 },
} as const;

function Checks() {
  const { api } = useClient();
  const [findings, setFindings] = useState<readonly Finding[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const look = useCallback(() => {
    setFindings(null);
    setProblem(null);
    api.post<{ document: { findings: Finding[] } }>("/command", { command: "doctor", given: {} }).then(
      ({ document }) => setFindings(document.findings),
      (error: unknown) => setProblem(reasonOf(error)),
    );
  }, [api]);
  useEffect(look, [look]);
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Checks")}</h2>
      <Loading of={{ value: findings, problem, again: look }}>
        {(all) => (
          <>
            <ul className={css.findings}>
              {all
                .toSorted((a, b) => verdicts[a.verdict].rank - verdicts[b.verdict].rank)
                .map(({ check, verdict, finding, remedy }) => {
                  const { icon: Icon, word } = verdicts[verdict];
                  return (
                    <li key={check} className={css[verdict]}>
                      <Icon size={16} strokeWidth={1.5} role="img" aria-label={word} />
                      {/* The server's own words, which are English. */}
                      <div lang="en" dir="ltr">
                        <b>{check}</b> {finding}
                        {remedy ? <p className={css.quiet}>{remedy}</p> : null}
                      </div>
                    </li>
                  );
                })}
            </ul>
            <div className={css.buttons}>
              <Button icon={RotateCw} onClick={look}>
                {t("Look again")}
              </Button>
            </div>
          </>
        )}
      </Loading>
    </section>
  );
}

/** Nothing where the server is not one of several. */
function Nodes() {
  const { value } = useRenewed(useLoaded<ClusterState>("/metrics/nodes"));
  if (!value) return null;
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Nodes")}</h2>
      <dl className={css.facts}>
        {value.nodes.map((one) => (
          <Fact key={one.node} name={one.node} isBad={one.state === null}>
            {wordNode(one, value.leader)}
          </Fact>
        ))}
      </dl>
    </section>
  );
}

function wordNode({ node, state, lag, last_seen }: KnownNode, leader: string | null): string {
  if (state === null) return t("not seen for {time}", { time: formatAge(Date.now() / 1000 - last_seen) });
  if (state.is_draining) return t("hands its work to the others");
  if (state.is_joining) return t("gets a copy of the data");
  if (state.is_waiting) return t("waits for the others to be updated");
  if (node === leader) return t("leads");
  if (lag === null) return t("it is not known how far behind");
  return t("{lag, plural, =0 {up to date} one {# change behind} other {# changes behind}}", { lag });
}

const levels = [
  { value: "info", label: t("Everything") },
  { value: "warn", label: t("Warnings and errors") },
  { value: "error", label: t("Errors") },
];

function Log() {
  const [level, setLevel] = useState("warn");
  const log = useRenewed(useLoaded<LogPage>("/metrics/log", { params: { level, limit: 200 } }));
  const isTwentyFour = useSelect(({ user_settings }) => user_settings.twenty_four_hour_time);
  return (
    <section className={css.group}>
      <h2 className={css.groupTitle}>{t("Log")}</h2>
      <Select label={t("What it shows")} value={level} choices={levels} onChange={setLevel} />
      <Loading of={log}>
        {({ lines }) =>
          lines.length === 0 ? (
            <p className={css.quiet}>
              {t("Nothing of this kind has happened since the server was started.")}
            </p>
          ) : (
            <ol className={css.log} lang="en" dir="ltr">
              {lines.toReversed().map(({ id, time, level: of, event, fields }) => (
                <li key={id} className={of === "info" ? undefined : css[of]}>
                  <time dateTime={time}>{clockTime(Date.parse(time) / 1000, isTwentyFour)}</time>{" "}
                  <b>{event}</b>{" "}
                  {Object.entries(fields)
                    .map(([name, value]) => `${name}=${value}`)
                    .join(" ")}
                </li>
              ))}
            </ol>
          )
        }
      </Loading>
    </section>
  );
}
