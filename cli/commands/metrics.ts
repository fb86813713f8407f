import { z } from "zod";
import { makeToken, revokeToken } from "@/operations/metrics/actions.ts";
import { alertRules, dashboard } from "@/operations/metrics/host.ts";
import { listTokens } from "@/operations/metrics/queries.ts";
import { metricsToken, tokenName } from "@/operations/metrics/schema.ts";
import { operand } from "../args.ts";
import { command, standalone } from "../command.ts";
import { confirm, yes } from "../confirm.ts";
import { table, timeText } from "../output.ts";

const name = operand("NAME", tokenName, "what it is called here, such as the program that gets it");

export default [
  command({
    name: "metrics make-token",
    summary: "Make a token by which a monitoring program reads the metrics",
    about:
      "Makes a token that opens GET /metrics as 'Authorization: Bearer TOKEN', and nothing else, and prints it. It is shown this " +
      "once: only its hash is stored. It works until it is revoked, also if its maker leaves. docs/monitoring.md shows how Prometheus gets it.",
    examples: ["confab metrics make-token prometheus > /etc/prometheus/confab.token"],
    args: { name },
    result: z.object({ name: z.string(), token: z.string() }),
    run: async (ctx, { name }) => ({ name, ...(await makeToken(ctx, name)) }),
    print: ({ token }) => token,
  }),

  command({
    name: "metrics tokens",
    isUnaudited: true,
    summary: "List the tokens of monitoring programs",
    about:
      "Lists the tokens that open GET /metrics, by name. The tokens themselves are not shown. Times are UTC.",
    examples: ["confab metrics tokens"],
    args: {},
    result: z.array(metricsToken),
    run: (ctx) => listTokens(ctx),
    print: (tokens) =>
      tokens.length === 0
        ? "There are no tokens."
        : table(
            ["NAME", "MADE"],
            tokens.map((one) => [one.name, timeText(one.made_at)]),
          ),
  }),

  command({
    name: "metrics revoke-token",
    summary: "Revoke a token of a monitoring program",
    about: "Revokes a token: the program that has it reads no metrics from now on.",
    examples: ["confab metrics revoke-token prometheus --yes"],
    args: { name, yes },
    result: z.object({ name: z.string() }),
    run: async (ctx, { name, yes }) => {
      const note = "The program that has it reads no metrics afterwards.";
      if (listTokens(ctx).some((one) => one.name === name))
        await confirm({ does: "revokes", count: [1, "token"], names: [name], note }, yes);
      await revokeToken(ctx, name);
      return { name };
    },
    print: ({ name }) => `The token '${name}' is revoked.`,
  }),

  standalone({
    name: "metrics rules",
    isApart: true,
    summary: "Print alert rules for Prometheus",
    about:
      "Prints a file of alert rules for Prometheus, as YAML: those of this version, for a job called confab. They are in " +
      "docs/monitoring, too.",
    examples: ["confab metrics rules > /etc/prometheus/confab.rules.yml"],
    args: {},
    result: z.object({ rules: z.string() }),
    run: ({ show }) => show(alertRules()),
    json: (rules) => ({ rules }),
    print: (rules: string) => rules.trimEnd(),
  }),

  standalone({
    name: "metrics dashboard",
    isApart: true,
    summary: "Print a dashboard for Grafana",
    about:
      "Prints a dashboard that Grafana imports, as JSON: the diagrams of this version's metrics. It is in docs/monitoring, too.",
    examples: ["confab metrics dashboard > confab.json"],
    args: {},
    result: z.record(z.string(), z.unknown()),
    run: ({ show }) => show(dashboard()),
    json: (one) => one,
    print: (one: Record<string, unknown>) => JSON.stringify(one, null, 2),
  }),
];
