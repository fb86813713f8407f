// Grafana, Alertmanager, Sentry, Slack's incoming webhooks, and any JSON.
import type { Fixture } from "./fixture.ts";

const alert = {
  status: "firing",
  labels: { alertname: "DiskFull", instance: "db-1", severity: "critical" },
  annotations: {
    summary: "The disk of db-1 is 95 % full",
    description: "It fills in 2 hours.",
    runbook_url: "https://run.example/disk",
  },
  startsAt: "2026-11-22T10:00:00Z",
  endsAt: "0001-01-01T00:00:00Z",
  generatorURL: "https://prometheus.example/graph?g0.expr=disk",
  fingerprint: "abc",
};
const resolved = { ...alert, status: "resolved", endsAt: "2026-11-22T11:00:00Z" };
const grouped = {
  receiver: "chat",
  groupLabels: { alertname: "DiskFull" },
  commonLabels: { alertname: "DiskFull" },
  commonAnnotations: {},
  externalURL: "https://alerts.example",
  version: "4",
  groupKey: "{}",
};

const alertmanager: Fixture[] = [
  {
    sender: "alertmanager",
    what: "firing",
    headers: {},
    payload: { ...grouped, status: "firing", alerts: [alert, resolved], truncatedAlerts: 2 },
  },
  {
    sender: "alertmanager",
    what: "resolved",
    headers: {},
    payload: { ...grouped, status: "resolved", alerts: [resolved] },
  },
];

const grafana: Fixture[] = [
  {
    sender: "grafana",
    what: "firing",
    headers: {},
    payload: {
      ...grouped,
      status: "firing",
      state: "alerting",
      title: "[FIRING:1] DiskFull",
      message: "**Firing**",
      alerts: [
        {
          ...alert,
          valueString: "[ var='A' value=95 ]",
          dashboardURL: "https://grafana.example/d/1",
          panelURL: "https://grafana.example/d/1?viewPanel=2",
          silenceURL: "https://grafana.example/silence",
        },
      ],
    },
  },
  {
    sender: "grafana",
    what: "resolved",
    headers: {},
    payload: { ...grouped, status: "resolved", alerts: [resolved] },
  },
  ...["alerting", "ok", "no_data", "pending", "paused"].map((state) => ({
    sender: "grafana",
    what: `rule ${state}`,
    headers: {},
    payload: {
      ruleName: "Disk",
      ruleUrl: "https://grafana.example/d/1",
      state,
      message: "Look at it",
      title: `[${state}] Disk`,
      evalMatches: [{ metric: "used", value: 95 }],
      imageUrl: "https://grafana.example/1.png",
    },
  })),
];

const issue = {
  id: "1",
  shortId: "ENGINE-1",
  title: "TypeError: no pump",
  culprit: "pump.start",
  level: "error",
  project: { slug: "engine" },
  web_url: "https://sentry.example/issues/1",
};
const event = {
  event_id: "e",
  title: issue.title,
  culprit: "pump.start",
  level: "error",
  web_url: "https://sentry.example/issues/1/events/e",
  project_slug: "engine",
};
const actor = { id: 1, name: "Ada", type: "user" };
const sentryPosts: [resource: string, action: string, data: Record<string, unknown>][] = [
  ["installation", "created", { installation: { organization: { slug: "acme" } } }],
  ["installation", "deleted", { installation: { organization: { slug: "acme" } } }],
  ["issue", "created", { issue }],
  ["issue", "resolved", { issue }],
  ["issue", "assigned", { issue: { ...issue, assignedTo: { name: "Bob", email: "bob@example.com" } } }],
  ["issue", "archived", { issue }],
  ["issue", "unresolved", { issue }],
  ["error", "created", { error: event }],
  ["comment", "created", { comment: "Seen since Monday.", issue_id: 1, project_slug: "engine" }],
  ["comment", "updated", { comment: "Seen since Sunday.", issue_id: 1, project_slug: "engine" }],
  ["comment", "deleted", { comment: "Seen since Sunday.", issue_id: 1, project_slug: "engine" }],
  ["event_alert", "triggered", { event, triggered_rule: "Many errors" }],
  [
    "metric_alert",
    "critical",
    {
      description_text: "1000 events in the last 10 minutes",
      description_title: "Critical: Errors",
      web_url: "https://sentry.example/alerts/1",
      metric_alert: { alert_rule: { name: "Errors" } },
    },
  ],
  [
    "metric_alert",
    "warning",
    {
      description_text: "500 events",
      description_title: "Warning: Errors",
      web_url: "https://sentry.example/alerts/1",
      metric_alert: { alert_rule: { name: "Errors" } },
    },
  ],
  [
    "metric_alert",
    "resolved",
    {
      description_text: "10 events",
      description_title: "Resolved: Errors",
      web_url: "https://sentry.example/alerts/1",
      metric_alert: { alert_rule: { name: "Errors" } },
    },
  ],
  ["seer", "root_cause_completed", { group_id: 1 }],
];

const sentry: Fixture[] = [
  ...sentryPosts.map(([resource, action, data]) => ({
    sender: "sentry",
    what: `${resource}.${action}`,
    headers: { "sentry-hook-resource": resource },
    payload: { action, actor, data, installation: { uuid: "u" } },
  })),
  {
    sender: "sentry",
    what: "plug-in",
    headers: {},
    payload: {
      project: "engine",
      project_slug: "engine",
      culprit: "pump.start",
      level: "error",
      url: "https://sentry.example/1",
      message: "TypeError",
      event: { title: "TypeError: pump" },
    },
  },
];

const text = (value: string) => ({ type: "mrkdwn", text: value });
const slack: Fixture[] = [
  [
    "text",
    {
      text: "Deploy of *engine* by <@U1|ada>: <https://ci.example/1|build 7> _done_ ~late~ `a*b` &lt;3 <!here> <#C1|ops>\n• one\n> quoted",
    },
  ],
  ["code", { text: "Log:\n```line <b>\n*not bold*```\nend" }],
  [
    "attachments",
    {
      username: "Deploys",
      text: "",
      attachments: [
        {
          pretext: "New *release*",
          author_name: "ada",
          author_link: "https://ci.example/ada",
          title: "1.0",
          title_link: "https://ci.example/1.0",
          text: "Ready",
          fields: [{ title: "Stage", value: "production", short: true }],
          footer: "CI",
          image_url: "https://ci.example/1.png",
          fallback: "1.0 is ready",
          actions: [{ type: "button", text: "Open", url: "https://ci.example/open" }],
        },
      ],
    },
  ],
  ["fallback alone", { attachments: [{ fallback: "1.0 is ready" }] }],
  [
    "blocks",
    {
      text: "for notifications",
      blocks: [
        { type: "header", text: { type: "plain_text", text: "Release *1.0*" } },
        {
          type: "section",
          text: text("*Stage*: production"),
          fields: [text("*By*\nada"), text("*At*\nnoon")],
          accessory: {
            type: "button",
            text: { type: "plain_text", text: "Open" },
            url: "https://ci.example/1",
          },
        },
        { type: "divider" },
        {
          type: "context",
          elements: [
            { type: "image", image_url: "https://ci.example/a.png", alt_text: "ada" },
            text("by ada"),
          ],
        },
        {
          type: "actions",
          elements: [
            {
              type: "button",
              text: { type: "plain_text", text: "Roll back" },
              url: "https://ci.example/back",
            },
            { type: "button", text: { type: "plain_text", text: "No link" } },
          ],
        },
        {
          type: "image",
          image_url: "https://ci.example/1.png",
          alt_text: "graph",
          title: { type: "plain_text", text: "Load" },
        },
        {
          type: "video",
          title: { type: "plain_text", text: "Demo" },
          title_url: "https://ci.example/v",
          video_url: "https://ci.example/v.mp4",
        },
        { type: "markdown", text: "**bold** @**all**" },
        {
          type: "table",
          rows: [
            [
              { type: "raw_text", text: "Host" },
              { type: "raw_text", text: "Load" },
            ],
            [
              { type: "raw_text", text: "db|1" },
              { type: "raw_text", text: "9" },
            ],
          ],
        },
      ],
    },
  ],
  [
    "rich text",
    {
      blocks: [
        {
          type: "rich_text",
          elements: [
            {
              type: "rich_text_section",
              elements: [
                { type: "text", text: "Hi ", style: { bold: true } },
                { type: "user", user_id: "U1" },
                { type: "text", text: ", see " },
                { type: "link", url: "https://ci.example", text: "CI" },
                { type: "emoji", name: "tada" },
                { type: "text", text: "a_b", style: { code: true } },
                { type: "broadcast", range: "here" },
                { type: "channel", channel_id: "C1" },
              ],
            },
            {
              type: "rich_text_list",
              style: "ordered",
              indent: 0,
              elements: [
                { type: "rich_text_section", elements: [{ type: "text", text: "one" }] },
                {
                  type: "rich_text_section",
                  elements: [{ type: "text", text: "two", style: { italic: true, strike: true } }],
                },
              ],
            },
            { type: "rich_text_preformatted", elements: [{ type: "text", text: "x = 1" }] },
            { type: "rich_text_quote", elements: [{ type: "text", text: "so they say" }] },
          ],
        },
      ],
    },
  ],
  ["nothing", { text: " " }],
].map(([what, payload]) => ({ sender: "slack_incoming", what: what as string, headers: {}, payload }));

const json: Fixture[] = [
  {
    sender: "json",
    what: "object",
    headers: {},
    payload: { build: { name: "Nightly ```", ok: true }, list: [1, null] },
  },
  { sender: "json", what: "text", headers: {}, payload: "just text" },
];

export const others: Fixture[] = [...alertmanager, ...grafana, ...sentry, ...slack, ...json];
