// What monitoring programs get: alert rules of Prometheus, a dashboard of Grafana, and a page that describes both.
import { type Alert, metricsTable, type Panel } from "./table.ts";

const alerts: readonly Alert[] = metricsTable.flatMap(({ rows }) => rows.flatMap((row) => row.alerts ?? []));

/** A file of alert rules. Every text is quoted as in JSON, which is YAML, too. */
export function alertRules(): string {
  return [
    "# Alerts of Confab for Prometheus, whose job must be called confab. Generated: 'confab metrics rules' prints this file.",
    "groups:",
    "  - name: confab",
    "    rules:",
    ...alerts.flatMap(({ name, expression, after, severity, summary, advice }) => [
      `      - alert: ${name}`,
      `        expr: ${JSON.stringify(expression)}`,
      `        for: ${after}`,
      "        labels:",
      `          severity: ${severity}`,
      "        annotations:",
      `          summary: ${JSON.stringify(summary)}`,
      `          description: ${JSON.stringify(advice)}`,
    ]),
    "",
  ].join("\n");
}

const columns = 24;
const [width, height] = [8, 7];
const source = { type: "prometheus", uid: "$datasource" };

/** A dashboard as Grafana imports it; menus choose the data source, the job and the servers. */
export function dashboard(): Record<string, unknown> {
  return {
    title: "Confab",
    uid: "confab",
    tags: ["confab"],
    schemaVersion: 39,
    editable: true,
    refresh: "30s",
    time: { from: "now-6h", to: "now" },
    templating: {
      list: [
        { name: "datasource", label: "Data source", type: "datasource", query: "prometheus" },
        menu("job", "Job", "label_values(confab_build_info, job)"),
        menu("instance", "Server", 'label_values(confab_build_info{job=~"$job"}, instance)'),
      ],
    },
    panels: numberPanels(sectionsBelowEachOther()),
  };
}

function menu(name: string, label: string, query: string): object {
  return {
    ...{ name, label, type: "query", datasource: source, query: { query, refId: name }, definition: query },
    ...{ refresh: 2, sort: 1, multi: true, includeAll: true, allValue: ".*" },
    current: { text: ["All"], value: ["$__all"] },
  };
}

interface Placed {
  gridPos: { x: number; y: number; w: number; h: number };
}

function sectionsBelowEachOther(): Placed[] {
  let y = 0;
  return metricsTable.flatMap(({ section, rows }) => {
    const title = { type: "row", title: section, collapsed: false, panels: [] };
    const head = { ...title, gridPos: { x: 0, y, w: columns, h: 1 } };
    const top = y + 1;
    const panels = rows.flatMap((row) => row.panel ?? []).map((panel, at) => diagram(panel, at, top));
    y = top + height * Math.ceil(panels.length / (columns / width));
    return [head, ...panels];
  });
}

function diagram({ title, unit, queries }: Panel, at: number, top: number): Placed {
  const perLine = columns / width;
  const [x, y] = [(at % perLine) * width, top + Math.floor(at / perLine) * height];
  return {
    ...{ type: "timeseries", title, datasource: source },
    ...{ fieldConfig: { defaults: { unit, min: 0 }, overrides: [] } },
    options: {
      legend: { displayMode: "list", placement: "bottom" },
      tooltip: { mode: "multi", sort: "desc" },
    },
    targets: queries.map(({ query, legend }, nth) => ({
      ...{ datasource: source, refId: String.fromCharCode(65 + nth) },
      ...{ expr: query, legendFormat: legend, editorMode: "code", range: true },
    })),
    gridPos: { x, y, w: width, h: height },
  } as Placed;
}

function numberPanels(panels: readonly Placed[]): object[] {
  return panels.map((panel, at) => ({ id: at + 1, ...panel }));
}

/** A page of Markdown that lists all metrics and alerts. */
export function monitoringPage(): string {
  return [
    "# Metrics and alerts",
    "This page is generated from the table of metrics: `confab reference metrics` prints it. Do not edit it; `npm run docs` writes it into docs/reference.",
    "What `GET /metrics` tells, and when [the alert rules](../monitoring/confab.rules.yml) fire. [Monitoring](../monitoring.md) says how to use it.",
    ...metricsTable.flatMap(({ section, rows }) => [
      `## ${section}`,
      table(
        ["metric", "type", "labels", "what it is"],
        rows.map(({ name, type, labels = [], help }) => [
          `\`${name}\``,
          type,
          labels.map((label) => `\`${label}\``).join(", "),
          help,
        ]),
      ),
    ]),
    "## Alerts",
    ...alerts.flatMap(({ name, expression, after, severity, summary, advice }) => [
      `### ${name}`,
      `${severity}${after === "0m" ? "" : `, after ${after}`}. ${summary.replaceAll(/\{\{ \$(?:labels\.)?(\w+)[^}]*\}\}/g, "*$1*")}`,
      advice,
      `\`\`\`promql\n${expression}\n\`\`\``,
    ]),
  ].join("\n\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}
