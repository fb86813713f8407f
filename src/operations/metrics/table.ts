// Every metric: how it is read, what the dashboard shows of it, and when it alerts. /metrics, docs/monitoring and the commands
// `confab metrics rules` and `confab metrics dashboard` are made from this table.

import { type NatsStore, natsFaults } from "@/operations/nodes/host.ts";
import type { Labels, Metric } from "./exposition.ts";
import type { ServerFigures as Read } from "./figures.ts";

/** What metrics are read from. */
interface Figures extends Read {
  isHealthy: boolean;
}

export interface MetricRow {
  name: string;
  help: string;
  type: Metric["type"];
  /** The names of its labels. */
  labels?: readonly string[];
  /** One value, a sample for each set of labels, or null where there is none. */
  read(figures: Figures): Metric["samples"] | number | null;
  panel?: Panel;
  alerts?: readonly Alert[];
}

/** A diagram of the dashboard. */
export interface Panel {
  title: string;
  /** As Grafana names units. */
  unit: string;
  queries: readonly { query: string; legend: string }[];
}

export interface Alert {
  name: string;
  /** In PromQL; the alert fires while it has a result. */
  expression: string;
  /** For how long before it fires. */
  after: string;
  severity: "critical" | "warning";
  summary: string;
  advice: string;
}

/** What the dashboard's menus have chosen. */
const chosen = 'job=~"$job",instance=~"$instance"';
const perSecond = (metric: string, more = "") => `rate(${metric}{${chosen}${more}}[$__rate_interval])`;
const here = "{{instance}}";
const panelOf = (title: string, unit: string, query: string, legend = here): Panel => ({
  title,
  unit,
  queries: [{ query, legend }],
});
const asItIs = (title: string, unit: string, metric: string): Panel =>
  panelOf(title, unit, `${metric}{${chosen}}`);

export const metricsTable: readonly { section: string; rows: readonly MetricRow[] }[] = [
  {
    section: "Server",
    rows: [
      {
        name: "confab_build_info",
        help: "The running version.",
        type: "gauge",
        labels: ["version"],
        read: ({ version }) => [{ labels: { version }, value: 1 }],
        panel: panelOf(
          "Version",
          "none",
          `sum by (instance, version) (confab_build_info{${chosen}})`,
          "{{instance}} {{version}}",
        ),
        alerts: [
          {
            name: "ConfabDown",
            expression: 'up{job="confab"} == 0',
            after: "2m",
            severity: "critical",
            summary: "Confab at {{ $labels.instance }} does not answer.",
            advice:
              "The server is stopped, cannot be reached, or refuses the token. 'confab health' tells at the machine; 'systemctl status confab' and the log tell why.",
          },
        ],
      },
      {
        name: "confab_healthy",
        help: "1 if the server works, 0 if /health answers that it does not.",
        type: "gauge",
        read: ({ isHealthy }) => Number(isHealthy),
        panel: asItIs("Healthy", "bool", "confab_healthy"),
        alerts: [
          {
            name: "ConfabFailing",
            expression: "confab_healthy == 0",
            after: "2m",
            severity: "critical",
            summary: "Confab at {{ $labels.instance }} runs and does not work.",
            advice:
              "'confab health' says what is wrong: most often a full disk, or a database that cannot be written to.",
          },
        ],
      },
      {
        name: "confab_start_time_seconds",
        help: "When the server started, in UNIX seconds.",
        type: "gauge",
        read: ({ startedAt }) => startedAt,
        panel: panelOf("Running for", "s", `time() - confab_start_time_seconds{${chosen}}`),
        alerts: [
          {
            name: "ConfabRestarts",
            expression: "changes(confab_start_time_seconds[1h]) > 3",
            after: "0m",
            severity: "warning",
            summary: "Confab at {{ $labels.instance }} has started {{ $value }} times within an hour.",
            advice: "Its log, or that of systemd, says why it ended: often memory that ran out.",
          },
        ],
      },
      {
        name: "confab_resident_memory_bytes",
        help: "Memory used by the process.",
        type: "gauge",
        read: ({ memoryBytes }) => memoryBytes,
        panel: asItIs("Memory", "bytes", "confab_resident_memory_bytes"),
      },
    ],
  },
  {
    section: "Requests",
    rows: [
      {
        name: "confab_requests_total",
        help: "Requests answered, by operation and HTTP status.",
        type: "counter",
        labels: ["operation", "status"],
        read: ({ counters }) =>
          [...counters.requests].flatMap(([operation, byStatus]) =>
            [...byStatus].map(([status, value]) => ({ labels: { operation, status }, value })),
          ),
        panel: panelOf(
          "Requests",
          "reqps",
          `sum by (status) (${perSecond("confab_requests_total")})`,
          "{{status}}",
        ),
        alerts: [
          {
            name: "ConfabErrors",
            expression:
              'sum by (job, instance) (rate(confab_requests_total{status=~"5.."}[5m])) > 0.05 * sum by (job, instance) (rate(confab_requests_total[5m]))',
            after: "5m",
            severity: "critical",
            summary: "Confab at {{ $labels.instance }} fails to answer more than one request in twenty.",
            advice:
              "The log has an error for each, with its operation. 'confab doctor' looks for known causes.",
          },
          {
            name: "ConfabGuessedPasswords",
            expression:
              'sum by (job, instance) (rate(confab_requests_total{operation=~"fetch-api-key|sign-in",status=~"4.."}[10m])) > 0.5',
            after: "10m",
            severity: "warning",
            summary: "Somebody guesses passwords at Confab at {{ $labels.instance }}.",
            advice:
              "Confab slows guesses down by itself. The log has the addresses they come from; docs/fail2ban.md shows how to shut those out.",
          },
        ],
      },
      {
        name: "confab_request_duration_seconds",
        help: "Time from request to response by operation, without event polls; send-message is the send latency.",
        type: "histogram",
        labels: ["operation"],
        read: ({ counters }) =>
          [...counters.durations].map(([operation, value]) => ({ labels: { operation }, value })),
        panel: {
          title: "Time until a message is sent",
          unit: "s",
          queries: [0.5, 0.99].map((part) => ({
            query: `histogram_quantile(${part}, sum by (le) (${perSecond("confab_request_duration_seconds_bucket", ',operation="send-message"')}))`,
            legend: `${part * 100} %`,
          })),
        },
        alerts: [
          {
            name: "ConfabSlow",
            expression:
              'histogram_quantile(0.99, sum by (job, instance, le) (rate(confab_request_duration_seconds_bucket{operation="send-message"}[5m]))) > 1',
            after: "10m",
            severity: "warning",
            summary:
              "Sending a message takes longer than a second at {{ $labels.instance }}, for one message in a hundred.",
            advice:
              "Most often the disk is slow or busy, or other programs use the processor. The console's Server screen lists the slowest operations.",
          },
        ],
      },
      {
        name: "confab_commit_size",
        help: "Writes per commit, each of which flushes to disk once.",
        type: "histogram",
        read: ({ counters }) => [{ value: counters.commitSizes }],
        panel: {
          title: "Commits",
          unit: "ops",
          queries: [
            { query: perSecond("confab_commit_size_count"), legend: "commits" },
            { query: perSecond("confab_commit_size_sum"), legend: "writes" },
          ],
        },
      },
      {
        name: "confab_event_queues",
        help: "Open event queues.",
        type: "gauge",
        read: ({ queues }) => queues.open,
        panel: asItIs("Event queues", "short", "confab_event_queues"),
      },
      {
        name: "confab_event_queue_bytes",
        help: "Approximate memory used by event queues.",
        type: "gauge",
        read: ({ queues }) => queues.bytes,
        panel: asItIs("Memory of event queues", "bytes", "confab_event_queue_bytes"),
      },
    ],
  },
  {
    section: "People and messages",
    rows: [
      {
        name: "confab_users_online",
        help: "People whose clients recently reported their presence.",
        type: "gauge",
        read: ({ online }) => online,
        panel: asItIs("People online", "short", "confab_users_online"),
      },
      {
        name: "confab_users",
        help: "Active people.",
        type: "gauge",
        read: ({ counts }) => counts.users,
        panel: asItIs("People", "short", "confab_users"),
      },
      {
        name: "confab_bots",
        help: "Active bots.",
        type: "gauge",
        read: ({ counts }) => counts.bots,
        panel: asItIs("Bots", "short", "confab_bots"),
      },
      {
        name: "confab_channels",
        help: "Channels that are not archived.",
        type: "gauge",
        read: ({ counts }) => counts.channels,
        panel: asItIs("Channels", "short", "confab_channels"),
      },
      {
        name: "confab_last_message_id",
        help: "ID of the newest message.",
        type: "gauge",
        read: ({ counts }) => counts.last_message_id,
        panel: panelOf(
          "Messages a minute",
          "short",
          `60 * deriv(confab_last_message_id{${chosen}}[$__rate_interval])`,
        ),
      },
    ],
  },
  {
    section: "Storage",
    rows: [
      {
        name: "confab_database_bytes",
        help: "Size of the database file.",
        type: "gauge",
        read: ({ sizes }) => sizes.database,
        panel: asItIs("Database", "bytes", "confab_database_bytes"),
      },
      {
        name: "confab_wal_bytes",
        help: "Size of the write-ahead log.",
        type: "gauge",
        read: ({ sizes }) => sizes.wal,
        panel: asItIs("Write-ahead log", "bytes", "confab_wal_bytes"),
        alerts: [
          {
            name: "ConfabLogGrows",
            expression: "confab_wal_bytes > 1e9",
            after: "30m",
            severity: "warning",
            summary:
              "The write-ahead log of Confab at {{ $labels.instance }} is {{ $value | humanize1024 }}B large.",
            advice:
              "Another program keeps the database open and reads an old state of it, for instance a copy by sqlite3. End that program.",
          },
        ],
      },
      {
        name: "confab_disk_free_bytes",
        help: "What is left of the disk that holds the database.",
        type: "gauge",
        read: ({ freeBytes }) => freeBytes,
        panel: asItIs("Free on the disk", "bytes", "confab_disk_free_bytes"),
        alerts: [
          {
            name: "ConfabDiskFull",
            expression: "confab_disk_free_bytes < 1e9",
            after: "5m",
            severity: "critical",
            summary: "The disk of Confab at {{ $labels.instance }} has {{ $value | humanize1024 }}B left.",
            advice:
              "When it is full, nobody can send anything. Delete what is not needed, or enlarge the disk.",
          },
          {
            name: "ConfabDiskFills",
            expression: "predict_linear(confab_disk_free_bytes[6h], 2 * 86400) < 0",
            after: "1h",
            severity: "warning",
            summary:
              "The disk of Confab at {{ $labels.instance }} will be full within two days, if it goes on like this.",
            advice:
              "'confab stats' shows how large the database and the files are; other programs may fill the disk, too.",
          },
        ],
      },
      {
        name: "confab_backup_age_seconds",
        help: "Seconds since the last backup, by 'confab backup' or by the schedule; absent if none was made.",
        type: "gauge",
        read: ({ backupAge }) => backupAge,
        panel: asItIs("Age of the last backup", "s", "confab_backup_age_seconds"),
        alerts: [
          {
            name: "ConfabBackupOld",
            expression: "min by (job) (confab_backup_age_seconds) > 2 * 86400",
            after: "1h",
            severity: "critical",
            summary: "The last backup of Confab is {{ $value | humanizeDuration }} old.",
            advice:
              "'confab doctor' says why the schedule made none, or the log of confab-backup.service ('journalctl -u confab-backup').",
          },
          {
            name: "ConfabNoBackup",
            expression:
              "count by (job) (confab_build_info) unless count by (job) (confab_backup_age_seconds)",
            after: "1d",
            severity: "warning",
            summary: "Nobody has made a backup of Confab here.",
            advice:
              "docs/backup.md shows how the server makes them by itself. A backup made by other means is not counted.",
          },
        ],
      },
      {
        name: "confab_backup_failures",
        help: "How many scheduled backups in a row have failed; 0 if the last one did not, or none is scheduled.",
        type: "gauge",
        read: ({ failedBackups }) => failedBackups?.count ?? 0,
        panel: asItIs("Backups that failed in a row", "short", "confab_backup_failures"),
        alerts: [
          {
            name: "ConfabBackupFails",
            expression: "max by (job) (confab_backup_failures) >= 2",
            after: "5m",
            severity: "critical",
            summary: "The last {{ $value }} scheduled backups of Confab failed.",
            advice: "'confab doctor' says why, and docs/backup.md what to do.",
          },
        ],
      },
      {
        name: "confab_certificate_remaining_seconds",
        help: "For how long the certificate of the https address is valid; absent without TLS, and before the first certificate.",
        type: "gauge",
        read: ({ certificate: { validity }, now }) => validity && validity.expires_at - now,
        panel: asItIs("Certificate valid for", "s", "confab_certificate_remaining_seconds"),
        alerts: [
          {
            name: "ConfabCertificateExpires",
            expression: "confab_certificate_remaining_seconds / confab_certificate_lifetime_seconds < 0.2",
            after: "1h",
            severity: "critical",
            summary:
              "The certificate of Confab at {{ $labels.instance }} should have been renewed: {{ $value | humanizePercentage }} of its time is left.",
            advice:
              "'confab doctor' says why the server does not get one by itself; otherwise, look at what renews it.",
          },
        ],
      },
      {
        name: "confab_certificate_lifetime_seconds",
        help: "For how long in total the certificate of the https address is valid.",
        type: "gauge",
        read: ({ certificate: { validity } }) => validity && validity.expires_at - validity.valid_from,
        panel: asItIs("Lifetime of the certificate", "s", "confab_certificate_lifetime_seconds"),
      },
      {
        name: "confab_certificate_failures",
        help: "How many tries in a row to get a certificate have failed; 0 if the last one did not, or the server gets none by itself.",
        type: "gauge",
        read: ({ certificate: { failed } }) => failed?.count ?? 0,
        panel: asItIs(
          "Tries to get a certificate that failed in a row",
          "short",
          "confab_certificate_failures",
        ),
        alerts: [
          {
            name: "ConfabCertificateFails",
            expression: "max by (job) (confab_certificate_failures) >= 3",
            after: "5m",
            severity: "warning",
            summary: "The last {{ $value }} tries of Confab to get a certificate failed.",
            advice: "'confab doctor' says why, and what helps.",
          },
        ],
      },
    ],
  },
  {
    section: "Mail, notifications and webhooks",
    rows: [
      {
        name: "confab_service_waiting",
        help: "Mails, notifications of browsers (push) and calls of webhooks that wait for their turn or for a retry.",
        type: "gauge",
        labels: ["service"],
        read: ({ services }) =>
          services.map(({ service, waiting }) => ({ labels: { service }, value: waiting })),
        panel: panelOf("Waiting", "short", `confab_service_waiting{${chosen}}`, "{{service}}"),
        alerts: [
          {
            name: "ConfabWaiting",
            expression: "max by (job, service) (confab_service_waiting) > 1000",
            after: "30m",
            severity: "warning",
            summary: "More than a thousand wait to leave Confab: {{ $labels.service }}.",
            advice:
              "'confab mail list' shows the mails, and what the mail server answered; the console shows calls of webhooks, too.",
          },
        ],
      },
      {
        name: "confab_service_answer_age_seconds",
        help: "Seconds since the mail server, a push service or a webhook last answered, also if it refused; known to within ten seconds, absent before the first answer.",
        type: "gauge",
        labels: ["service"],
        read: ({ services }) => agesOf(services, "answerAge"),
        panel: panelOf(
          "Since the last answer",
          "s",
          `confab_service_answer_age_seconds{${chosen}}`,
          "{{service}}",
        ),
      },
      {
        name: "confab_service_failure_age_seconds",
        help: "Seconds since the mail server, a push service or a webhook last did not answer, or answered with a fault of its own; absent before the first time.",
        type: "gauge",
        labels: ["service"],
        read: ({ services }) => agesOf(services, "failureAge"),
        panel: panelOf(
          "Since the last failure",
          "s",
          `confab_service_failure_age_seconds{${chosen}}`,
          "{{service}}",
        ),
        alerts: [
          {
            name: "ConfabUnanswered",
            expression:
              "min by (job, service) (confab_service_failure_age_seconds) unless min by (job, service) (confab_service_answer_age_seconds) <= min by (job, service) (confab_service_failure_age_seconds)",
            after: "30m",
            severity: "warning",
            summary: "For half an hour, nothing that Confab called has answered: {{ $labels.service }}.",
            advice:
              "mail: 'confab mail list' quotes the mail server. webhooks: the console shows the calls. push: this server may not reach the push services of browsers.",
          },
        ],
      },
    ],
  },
  {
    section: "Cluster",
    rows: [
      {
        name: "confab_cluster_leads",
        help: "1 on the node that leads, 0 on the others.",
        type: "gauge",
        read: ({ node }) => (node ? Number(node.leads) : null),
        panel: asItIs("Leads", "bool", "confab_cluster_leads"),
        alerts: [
          {
            name: "ConfabWithoutLeader",
            expression: "max by (job) (confab_cluster_leads) == 0",
            after: "1m",
            severity: "critical",
            summary: "No node of Confab leads, so nobody can write.",
            advice: "'confab cluster status' shows the nodes and the nats-servers; most of these must run.",
          },
        ],
      },
      {
        name: "confab_cluster_position",
        help: "The newest entry of the log that this node's database holds.",
        type: "gauge",
        read: ({ node }) => node?.position ?? null,
        panel: asItIs("Position in the log", "short", "confab_cluster_position"),
      },
      {
        name: "confab_cluster_lag",
        help: "Entries of the log that this node has heard of but not applied; absent while it hears nothing.",
        type: "gauge",
        read: ({ node }) => node?.lag ?? null,
        panel: asItIs("Entries behind", "short", "confab_cluster_lag"),
        alerts: [
          {
            name: "ConfabNodeBehind",
            expression: "confab_cluster_lag > 1000",
            after: "5m",
            severity: "warning",
            summary: "The node {{ $labels.instance }} of Confab is {{ $value }} entries behind the others.",
            advice: "Its disk or processor may be too slow, or busy with something else.",
          },
        ],
      },
      {
        name: "confab_cluster_log_unknown_seconds",
        help: "For how long this node has not known the log's end, or not had all of the log up to there; usually about one second.",
        type: "gauge",
        read: ({ node }) => node?.unknownSeconds ?? null,
        panel: asItIs("Log unknown for", "s", "confab_cluster_log_unknown_seconds"),
        alerts: [
          {
            name: "ConfabNodeCutOff",
            expression: "confab_cluster_log_unknown_seconds > 10",
            after: "30s",
            severity: "critical",
            summary:
              "The node {{ $labels.instance }} of Confab has not been able to follow the log for {{ $value | humanizeDuration }}.",
            advice:
              "Its /health answers 503, and after a minute (reads_without_log) it answers nobody. It does not reach the nats-servers, or most of these do not work: 'confab cluster status' and its log tell. With a full disk, it cannot take what the log has.",
          },
        ],
      },
      {
        name: "confab_cluster_appends_total",
        help: "Entries that this node appended to the log.",
        type: "counter",
        read: ({ node }) => node?.appended ?? null,
        panel: panelOf("Appends", "ops", perSecond("confab_cluster_appends_total")),
      },
      {
        name: "confab_cluster_append_seconds_total",
        help: "Time until the log acknowledged them.",
        type: "counter",
        read: ({ node }) => node?.appendSeconds ?? null,
        panel: panelOf(
          "Time of an append",
          "s",
          `${perSecond("confab_cluster_append_seconds_total")} / ${perSecond("confab_cluster_appends_total")}`,
        ),
      },
      {
        name: "confab_cluster_appends_refused_total",
        help: "Entries that the log did not take.",
        type: "counter",
        read: ({ node }) => node?.refused ?? null,
        panel: panelOf("Refused appends", "ops", perSecond("confab_cluster_appends_refused_total")),
      },
      {
        name: "confab_cluster_elections_total",
        help: "How often this node became the leader.",
        type: "counter",
        read: ({ node }) => node?.elections ?? null,
        panel: panelOf(
          "Elections",
          "short",
          `increase(confab_cluster_elections_total{${chosen}}[$__rate_interval])`,
        ),
        alerts: [
          {
            name: "ConfabElections",
            expression: "sum by (job) (increase(confab_cluster_elections_total[1h])) > 5",
            after: "0m",
            severity: "warning",
            summary: "The leader of Confab's nodes has changed {{ $value | humanize }} times within an hour.",
            advice: "The network between the nodes and the nats-servers breaks, or a node is too slow.",
          },
        ],
      },
      {
        name: "confab_cluster_node_unseen_seconds",
        help: "Seconds since another node of the cluster was last seen; it is looked for each minute. A node that was removed has none.",
        type: "gauge",
        labels: ["node"],
        read: ({ node, now }) =>
          node?.others.map((one) => ({
            labels: { node: one.node },
            value: Math.max(0, now - one.seenAt),
          })) ?? null,
        panel: panelOf(
          "Other nodes not seen for",
          "s",
          `min by (job, node) (confab_cluster_node_unseen_seconds{${chosen}})`,
          "{{node}}",
        ),
        alerts: [
          {
            name: "ConfabNodeMissing",
            expression: "min by (job, node) (confab_cluster_node_unseen_seconds) > 180",
            after: "1m",
            severity: "warning",
            summary:
              "No other node of Confab has seen the node {{ $labels.node }} for {{ $value | humanizeDuration }}.",
            advice:
              "Start it, or see what keeps it: the loss of another machine could now stop all writes. If it is gone for good, 'confab cluster replace' or 'confab cluster remove'.",
          },
        ],
      },
      {
        name: "confab_cluster_nats_fault",
        help: "1 if a nats-server, by its monitoring address, has this fault: it does not answer (silent), is too old or does not sync each entry (unfit), or has lacked entries for a minute (behind). It is looked at each minute.",
        type: "gauge",
        labels: ["server", "fault"],
        read: ({ node }) =>
          node?.nats.flatMap(({ server, fault }) =>
            natsFaults.map((one) => ({ labels: { server, fault: one }, value: Number(one === fault) })),
          ) ?? null,
        panel: panelOf(
          "Faults of nats-servers",
          "bool",
          `max by (job, server, fault) (confab_cluster_nats_fault{${chosen}})`,
          "{{server}} {{fault}}",
        ),
        alerts: [
          {
            name: "ConfabNatsSilent",
            expression: 'max by (job, server) (confab_cluster_nats_fault{fault="silent"}) == 1',
            after: "2m",
            severity: "warning",
            summary: "The nats-server of Confab at {{ $labels.server }} does not answer.",
            advice:
              "Start it, or see what keeps it: without one more of the three, nobody can write. 'confab doctor' says how each is.",
          },
          {
            name: "ConfabNatsUnfit",
            expression: 'max by (job, server) (confab_cluster_nats_fault{fault="unfit"}) == 1',
            after: "2m",
            severity: "critical",
            summary: "The nats-server of Confab at {{ $labels.server }} has settings that can lose messages.",
            advice:
              "'confab doctor' says which. Change them, and restart that nats-server; the others go on meanwhile.",
          },
          {
            name: "ConfabNatsBehind",
            expression: 'max by (job, server) (confab_cluster_nats_fault{fault="behind"}) == 1',
            after: "5m",
            severity: "warning",
            summary:
              "The nats-server of Confab at {{ $labels.server }} stays behind the others, so the log has one copy less.",
            advice:
              "Restart that nats-server; where Confab runs it, by a restart of its node. The others go on meanwhile.",
          },
        ],
      },
      {
        name: "confab_cluster_store_bytes",
        help: "What is stored at a nats-server: in all, or in one stream that has a limit (log, files).",
        type: "gauge",
        labels: ["server", "store"],
        read: ({ node }) => storesOf(node, ({ bytes }) => bytes),
        panel: panelOf(
          "In the stores of nats-servers",
          "bytes",
          `max by (job, server, store) (confab_cluster_store_bytes{${chosen}})`,
          "{{server}} {{store}}",
        ),
      },
      {
        name: "confab_cluster_store_room_bytes",
        help: "How much such a store may hold.",
        type: "gauge",
        labels: ["server", "store"],
        read: ({ node }) => storesOf(node, ({ roomBytes }) => roomBytes),
        panel: panelOf(
          "Used of the stores of nats-servers",
          "percentunit",
          `max by (job, server, store) (confab_cluster_store_bytes{${chosen}} / confab_cluster_store_room_bytes{${chosen}})`,
          "{{server}} {{store}}",
        ),
        alerts: [
          {
            name: "ConfabStoreFills",
            expression:
              "max by (job, server, store) (confab_cluster_store_bytes / confab_cluster_store_room_bytes) > 0.8",
            after: "10m",
            severity: "warning",
            summary:
              "The store ({{ $labels.store }}) of the nats-server of Confab at {{ $labels.server }} is {{ $value | humanizePercentage }} full.",
            advice:
              "A full log refuses every write, and full files every upload. all: make room on its disk, or enlarge max_file_store. log: take the limit of its stream away. files: delete what is not needed ('confab files largest'), or move to an S3 store (docs/cluster.md).",
          },
        ],
      },
      {
        name: "confab_cluster_certificate_remaining_seconds",
        help: "For how long the certificates are valid by which the machines know each other, where Confab made them.",
        type: "gauge",
        read: ({ node, now }) =>
          node && node.certificateEndsAt !== null ? node.certificateEndsAt - now : null,
        panel: asItIs(
          "Certificates of machines valid for",
          "s",
          "confab_cluster_certificate_remaining_seconds",
        ),
        alerts: [
          {
            name: "ConfabMachineCertificateExpires",
            expression: "confab_cluster_certificate_remaining_seconds < 60 * 86400",
            after: "1h",
            severity: "critical",
            summary:
              "The certificates by which the machine of Confab at {{ $labels.instance }} is known to the others end in {{ $value | humanizeDuration }}.",
            advice:
              "Without them, the machines cannot talk to each other. Let a new machine take the place of each, one after the other: 'confab cluster replace'.",
          },
        ],
      },
    ],
  },
];

export const allMetrics: readonly MetricRow[] = metricsTable.flatMap(({ rows }) => rows);

function storesOf(node: Figures["node"], read: (store: NatsStore) => number): Metric["samples"] | null {
  const samples = node?.nats.flatMap(({ server, stores }) =>
    stores.map((one) => ({ labels: { server, store: one.store }, value: read(one) })),
  );
  return samples ?? null;
}

function agesOf(services: Figures["services"], which: "answerAge" | "failureAge"): Metric["samples"] {
  return services.flatMap(({ service, [which]: value }) => {
    const labels: Labels = { service };
    return value === null ? [] : [{ labels, value }];
  });
}

/** The metrics as they are now; those without a value are left out. */
export function metricsFrom(figures: Figures): Metric[] {
  return allMetrics.flatMap(({ name, help, type, read }) => {
    const found = read(figures);
    const samples = typeof found === "number" ? [{ value: found }] : (found ?? []);
    return found === null ? [] : [{ name, help, type, samples }];
  });
}
