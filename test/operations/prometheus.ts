// The alert rules and the dashboard in a real Prometheus: `npm run test:monitoring`.
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { allMetrics } from "@/operations/metrics/table.ts";
import { natsBinary } from "../cluster/machines.ts";
import { Trio } from "../cluster/trio.ts";
import { call, cleanUp, confab, json, newFolder, newOrganization, serve } from "../support/executable.ts";
import { freePort } from "../support/ports.ts";
import type { Json } from "../support/requests.ts";
import { startMailServer } from "../support/smtp.ts";
import { until } from "../support/waiting.ts";

const root = join(import.meta.dir, "..", "..");
const rules = join(root, "docs", "monitoring", "confab.rules.yml");
const found = Bun.spawnSync(["node", join(root, ".ci", "prometheus.mjs")]);
const [prometheus = "", promtool = ""] = found.stdout.toString().trim().split("\n");
const isHere = found.exitCode === 0;
if (!isHere) {
  console.error(
    `LEFT OUT: nobody tried the alert rules and the dashboard: ${found.stderr.toString().trim()}.`,
  );
}

const folder = mkdtempSync(join(tmpdir(), "confab-prometheus-"));
const ends: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
  await cleanUp();
  rmSync(folder, { recursive: true, force: true });
});

const alerts = allMetrics.flatMap((row) => row.alerts ?? []);
const server = 'job="confab",instance="chat:9900"';

/** For each alert, series of one value a minute, in promtool's notation: where it fires after `at`, and where it never does. */
const cases: Record<string, { at: string; fires: Record<string, string>; rests: Record<string, string> }> = {
  ConfabDown: {
    at: "5m",
    fires: { [`up{${server}}`]: "1 0x10" },
    rests: { [`up{${server}}`]: "1 0 1x10" },
  },
  ConfabFailing: {
    at: "5m",
    fires: { [`confab_healthy{${server}}`]: "1 0x10" },
    rests: { [`confab_healthy{${server}}`]: "1x10" },
  },
  ConfabRestarts: {
    at: "30m",
    fires: { [`confab_start_time_seconds{${server}}`]: "0+10x40" },
    rests: { [`confab_start_time_seconds{${server}}`]: "10x20 20x20" },
  },
  ConfabErrors: {
    at: "20m",
    fires: {
      [`confab_requests_total{${server},operation="send-message",status="500"}`]: "0+10x40",
      [`confab_requests_total{${server},operation="send-message",status="200"}`]: "0+100x40",
    },
    rests: {
      [`confab_requests_total{${server},operation="send-message",status="500"}`]: "0+1x40",
      [`confab_requests_total{${server},operation="send-message",status="400"}`]: "0+90x40",
      [`confab_requests_total{${server},operation="send-message",status="200"}`]: "0+100x40",
    },
  },
  ConfabGuessedPasswords: {
    at: "40m",
    fires: { [`confab_requests_total{${server},operation="sign-in",status="401"}`]: "0+60x60" },
    rests: {
      [`confab_requests_total{${server},operation="sign-in",status="401"}`]: "0+6x60",
      [`confab_requests_total{${server},operation="get-own-user",status="401"}`]: "0+600x60",
    },
  },
  ConfabSlow: {
    at: "30m",
    fires: {
      [`confab_request_duration_seconds_bucket{${server},operation="send-message",le="1"}`]: "0+9x60",
      [`confab_request_duration_seconds_bucket{${server},operation="send-message",le="2.5"}`]: "0+10x60",
      [`confab_request_duration_seconds_bucket{${server},operation="send-message",le="+Inf"}`]: "0+10x60",
    },
    rests: {
      [`confab_request_duration_seconds_bucket{${server},operation="send-message",le="1"}`]: "0+10x60",
      [`confab_request_duration_seconds_bucket{${server},operation="send-message",le="2.5"}`]: "0+10x60",
      [`confab_request_duration_seconds_bucket{${server},operation="send-message",le="+Inf"}`]: "0+10x60",
      [`confab_request_duration_seconds_bucket{${server},operation="get-messages",le="1"}`]: "0x60",
      [`confab_request_duration_seconds_bucket{${server},operation="get-messages",le="+Inf"}`]: "0+10x60",
    },
  },
  ConfabLogGrows: {
    at: "40m",
    fires: { [`confab_wal_bytes{${server}}`]: "2000000000x60" },
    rests: { [`confab_wal_bytes{${server}}`]: "2000000000x20 5000000x40" },
  },
  ConfabDiskFull: {
    at: "10m",
    fires: { [`confab_disk_free_bytes{${server}}`]: "900000000x20" },
    rests: { [`confab_disk_free_bytes{${server}}`]: "2000000000x20" },
  },
  ConfabDiskFills: {
    at: "8h",
    fires: { [`confab_disk_free_bytes{${server}}`]: "50000000000-50000000x600" },
    rests: { [`confab_disk_free_bytes{${server}}`]: "50000000000-1000000x600" },
  },
  ConfabBackupOld: {
    at: "2h",
    fires: { [`confab_backup_age_seconds{${server}}`]: "172801+60x200" },
    // Another node of a cluster has a newer one.
    rests: {
      [`confab_backup_age_seconds{${server}}`]: "172801+60x200",
      'confab_backup_age_seconds{job="confab",instance="other:9900"}': "60+60x200",
    },
  },
  ConfabNoBackup: {
    at: "25h",
    fires: { [`confab_build_info{${server},version="1"}`]: "1x1600" },
    rests: {
      [`confab_build_info{${server},version="1"}`]: "1x1600",
      [`confab_backup_age_seconds{${server}}`]: "60+60x1600",
    },
  },
  ConfabBackupFails: {
    at: "10m",
    fires: { [`confab_backup_failures{${server}}`]: "2x20" },
    rests: { [`confab_backup_failures{${server}}`]: "1x20" },
  },
  ConfabCertificateExpires: {
    at: "2h",
    fires: {
      [`confab_certificate_remaining_seconds{${server}}`]: "1500000-60x200",
      [`confab_certificate_lifetime_seconds{${server}}`]: "7776000x200",
    },
    rests: {
      [`confab_certificate_remaining_seconds{${server}}`]: "2592000-60x200",
      [`confab_certificate_lifetime_seconds{${server}}`]: "7776000x200",
    },
  },
  ConfabCertificateFails: {
    at: "10m",
    fires: { [`confab_certificate_failures{${server}}`]: "3x20" },
    rests: { [`confab_certificate_failures{${server}}`]: "2x20" },
  },
  ConfabWaiting: {
    at: "40m",
    fires: { [`confab_service_waiting{${server},service="mail"}`]: "1001x60" },
    rests: { [`confab_service_waiting{${server},service="mail"}`]: "1001x20 3x40" },
  },
  ConfabUnanswered: {
    at: "40m",
    fires: {
      [`confab_service_failure_age_seconds{${server},service="mail"}`]: "10x60",
      [`confab_service_failure_age_seconds{${server},service="push"}`]: "10x60",
      [`confab_service_answer_age_seconds{${server},service="push"}`]: "600+60x60",
    },
    rests: {
      [`confab_service_failure_age_seconds{${server},service="mail"}`]: "600+60x60",
      [`confab_service_answer_age_seconds{${server},service="mail"}`]: "500+60x60",
      [`confab_service_answer_age_seconds{${server},service="push"}`]: "500+60x60",
    },
  },
  ConfabWithoutLeader: {
    at: "5m",
    fires: {
      [`confab_cluster_leads{${server}}`]: "0x10",
      'confab_cluster_leads{job="confab",instance="other:9900"}': "0x10",
    },
    rests: {
      [`confab_cluster_leads{${server}}`]: "0x10",
      'confab_cluster_leads{job="confab",instance="other:9900"}': "1x10",
    },
  },
  ConfabNodeBehind: {
    at: "10m",
    fires: { [`confab_cluster_lag{${server}}`]: "1001x20" },
    rests: { [`confab_cluster_lag{${server}}`]: "1001x2 0x20" },
  },
  ConfabNodeCutOff: {
    at: "5m",
    fires: { [`confab_cluster_log_unknown_seconds{${server}}`]: "1 0+60x10" },
    // While NATS elects its own leaders, every node waits.
    rests: { [`confab_cluster_log_unknown_seconds{${server}}`]: "1x3 12 1 1x10" },
  },
  ConfabElections: {
    at: "60m",
    fires: { [`confab_cluster_elections_total{${server}}`]: "0+1x90" },
    rests: { [`confab_cluster_elections_total{${server}}`]: "1x30 2x60" },
  },
};

const nats = `${server},server="http://n1:8222"`;
const other = 'job="confab",instance="other:9900"';
Object.assign(cases, {
  ConfabNodeMissing: {
    at: "10m",
    fires: {
      [`confab_cluster_node_unseen_seconds{${server},node="c"}`]: "0+60x20",
      [`confab_cluster_node_unseen_seconds{${other},node="c"}`]: "30+60x20",
    },
    // A node that is cut off sees nobody; the others see each other.
    rests: {
      [`confab_cluster_node_unseen_seconds{${server},node="c"}`]: "0+60x20",
      [`confab_cluster_node_unseen_seconds{${other},node="c"}`]: "30x20",
    },
  },
  ConfabNatsSilent: {
    at: "5m",
    fires: { [`confab_cluster_nats_fault{${nats},fault="silent"}`]: "0 1x20" },
    rests: {
      [`confab_cluster_nats_fault{${nats},fault="silent"}`]: "0 1 0x20",
      [`confab_cluster_nats_fault{${nats},fault="behind"}`]: "1x20",
    },
  },
  ConfabNatsUnfit: {
    at: "5m",
    fires: { [`confab_cluster_nats_fault{${nats},fault="unfit"}`]: "0 1x20" },
    rests: { [`confab_cluster_nats_fault{${nats},fault="unfit"}`]: "0x20" },
  },
  ConfabNatsBehind: {
    at: "10m",
    fires: { [`confab_cluster_nats_fault{${nats},fault="behind"}`]: "0 1x20" },
    rests: { [`confab_cluster_nats_fault{${nats},fault="behind"}`]: "0 1x3 0x20" },
  },
  ConfabStoreFills: {
    at: "20m",
    fires: {
      [`confab_cluster_store_bytes{${nats},store="log"}`]: "70+1x30",
      [`confab_cluster_store_room_bytes{${nats},store="log"}`]: "85x30",
    },
    rests: {
      [`confab_cluster_store_bytes{${nats},store="log"}`]: "70x30",
      [`confab_cluster_store_room_bytes{${nats},store="log"}`]: "100x30",
    },
  },
  ConfabMachineCertificateExpires: {
    at: "2h",
    fires: { [`confab_cluster_certificate_remaining_seconds{${server}}`]: "5000000-60x200" },
    rests: { [`confab_cluster_certificate_remaining_seconds{${server}}`]: "6000000-60x200" },
  },
} satisfies typeof cases);

/** Runs promtool; returns its status with what it printed. */
function tool(...args: string[]): [number, string] {
  const { exitCode, stdout, stderr } = Bun.spawnSync([promtool, ...args]);
  return [exitCode, stdout.toString() + stderr.toString()];
}

/** A file for promtool: with these series, so many alerts of a name fire at a time. JSON is YAML, too. */
function trial(
  name: string,
  { at, series, firing }: { at: string; series: Record<string, string>; firing: number },
) {
  return {
    rule_files: [rules],
    evaluation_interval: "1m",
    tests: [
      {
        interval: "1m",
        input_series: Object.entries(series).map(([one, values]) => ({ series: one, values })),
        promql_expr_test: [
          {
            // Counted, so that the test need not repeat labels and texts.
            expr: `count(ALERTS{alertname="${name}",alertstate="firing"}) or vector(0)`,
            eval_time: at,
            exp_samples: [{ labels: "{}", value: firing }],
          },
        ],
      },
    ],
  };
}

describe.skipIf(!isHere)("the alert rules", () => {
  test("are right for promtool", () => {
    const [status, said] = tool("check", "rules", rules);
    expect([status, said]).toEqual([0, expect.stringContaining(`SUCCESS: ${alerts.length} rules found`)]);
  });

  test("are all tried here", () => {
    expect(Object.keys(cases).toSorted()).toEqual(alerts.map(({ name }) => name).toSorted());
  });

  test.each(Object.keys(cases))("%s fires when it must, and only then", (name) => {
    const { at, fires, rests } = cases[name]!;
    const path = join(folder, `${name}.json`);
    // Of mail and of push.
    const firing = name === "ConfabUnanswered" ? 2 : 1;
    for (const outcome of [
      { at, series: fires, firing },
      { at, series: rests, firing: 0 },
    ]) {
      writeFileSync(path, JSON.stringify(trial(name, outcome)));
      expect(tool("test", "rules", path)).toEqual([0, expect.stringContaining("SUCCESS")]);
    }
  });
});

type Series = Map<string, number>;

/** The metrics of nodes as they are, by series. */
async function scrapedFrom(
  nodes: readonly { url: string; instance: string }[],
  token: string,
): Promise<Series> {
  const found: Series = new Map();
  for (const { url, instance } of nodes) {
    const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    for (const [, name, , labels, value] of (await answer.text()).matchAll(
      /^(confab_cluster_\w+)(\{(.*)\})? (\S+)$/gm,
    ))
      found.set(`${name}{job="confab",instance="${instance}"${labels ? `,${labels}` : ""}}`, Number(value));
  }
  return found;
}

/** Above its usual height, such an age grows by a minute each minute; below, it rises and falls. */
const usualAges = { confab_cluster_node_unseen_seconds: 65, confab_cluster_log_unknown_seconds: 10 };

/** The alerts about nodes that fire if it goes on for half an hour as from one look to the next, which took so many seconds. */
function firing(before: Series, after: Series, seconds: number): string[] {
  const growthOf = (name: string, value: number) => {
    const age = Object.entries(usualAges).find(([start]) => name.startsWith(start));
    if (age) return value > age[1] ? 60 : 0;
    return name.includes("_total{") ? ((value - (before.get(name) ?? value)) * 60) / seconds : 0;
  };
  const series = Object.fromEntries(
    [...after].map(([name, value]) => [name, `${value}+${growthOf(name, value)}x40`]),
  );
  const ofNodes = alerts.filter(({ expression }) => expression.includes("confab_cluster_"));
  const path = join(folder, "real.json");
  return ofNodes.flatMap(({ name }) => {
    writeFileSync(path, JSON.stringify(trial(name, { at: "30m", series, firing: 0 })));
    return tool("test", "rules", path)[0] === 0 ? [] : [name];
  });
}

const natsProgram = natsBinary("nobody fired the alerts about nodes in a real cluster");

describe.skipIf(!isHere || !natsProgram)("the alerts about nodes, in a real cluster,", () => {
  const trio = new Trio(natsProgram ?? "", {});
  let token: string;
  ends.push(() => trio.end());
  const folderOf = (at: number) => trio.folders[at] as string;
  const look = (...nodes: number[]) =>
    scrapedFrom(
      nodes.map((at) => ({ url: trio.url(at), instance: trio.names[at] as string })),
      token,
    );
  /** Looks at these nodes until a series has a value; then says what fires if it goes on so. */
  const firingOnce = async (nodes: number[], isSo: (series: Series) => boolean) => {
    let [before, at] = [await look(...nodes), performance.now()];
    for (;;) {
      await Bun.sleep(1_000);
      const after = await look(...nodes);
      const seconds = (performance.now() - at) / 1_000;
      if (isSo(after)) return firing(before, after, seconds);
      [before, at] = [after, performance.now()];
    }
  };
  const valuesOf = (series: Series, start: string) =>
    [...series].flatMap(([name, value]) => (name.startsWith(start) ? [value] : []));
  const faultsOf = (series: Series, fault: string) =>
    [...series].filter(([name, value]) => name.includes(`fault="${fault}"`) && value === 1).length;

  test("rest while all is well", async () => {
    await trio.begin();
    const made = await json(["metrics", "make-token", "prometheus", "--data", folderOf(0)]);
    token = String(made.token);
    const isSeen = (series: Series) =>
      valuesOf(series, "confab_cluster_node_unseen_seconds").length === 6 &&
      valuesOf(series, "confab_cluster_nats_fault").length === 27;
    expect(await firingOnce([0, 1, 2], isSeen)).toEqual([]);
  });

  test("fire when the lead changes again and again", async () => {
    const [before, at] = [await look(0, 1, 2), performance.now()];
    for (let n = 0; n < 6; n++) {
      const leader = await trio.leader();
      await json(["node", "drain", "--data", folderOf(leader)]);
      await json(["node", "undrain", "--data", folderOf(leader)]);
    }
    const found = firing(before, await look(0, 1, 2), (performance.now() - at) / 1_000);
    expect(found).toContain("ConfabElections");
    expect(found).not.toContain("ConfabWithoutLeader");
  });

  test("fire when a node is gone, a nats-server hangs, and a store fills", async () => {
    const leader = await trio.leader();
    const [gone = 0, kept = 0] = [0, 1, 2].filter((one) => one !== leader);
    await trio.kill(gone);
    trio.servers[2]?.send("SIGSTOP");
    const found = await firingOnce([kept, leader], (series) => {
      const ages = [...series].filter(
        ([name]) => name.includes(`unseen_seconds`) && name.includes(`node="${trio.names[gone]}"`),
      );
      return faultsOf(series, "silent") === 2 && ages.every(([, age]) => age > 65);
    });
    expect(found).toContain("ConfabNodeMissing");
    expect(found).toContain("ConfabNatsSilent");
    expect(found).not.toContain("ConfabNodeCutOff");
    expect(found).not.toContain("ConfabWithoutLeader");
    await limitLog();
    const full = await firingOnce([kept, leader], (series) =>
      [...series.keys()].some(
        (name) => name.startsWith("confab_cluster_store_bytes") && name.includes('"log"'),
      ),
    );
    expect(full).toContain("ConfabStoreFills");
  });

  /** Leaves the log a tenth more room than it takes up. */
  async function limitLog(): Promise<void> {
    const nc = await connect({ servers: trio.servers.map(({ url }) => url) });
    try {
      const manager = await jetstreamManager(nc);
      const { state } = await manager.streams.info("CONFAB_confab_LOG");
      await manager.streams.update("CONFAB_confab_LOG", { max_bytes: Math.ceil(1.1 * state.bytes) });
    } finally {
      await nc.close();
    }
  }
});

/** Diagrams that have nothing to show for a server on its own that works, behind a proxy. */
const mayBeEmpty = [
  "Since the last failure",
  "Certificate valid for",
  "Lifetime of the certificate",
  "Tries to get a certificate that failed in a row",
];

describe.skipIf(!isHere)("Prometheus", () => {
  test("scrapes a server with a token, takes the rules, and answers every query of the dashboard", async () => {
    const mails = await startMailServer();
    ends.push(() => mails.close());
    const { data, owner } = await newOrganization();
    const { token } = await json(["metrics", "make-token", "prometheus", "--data", data]);
    expect(await confab(["backup", join(newFolder(), "b.tar.gz"), "--data", data])).toMatchObject({
      status: 0,
    });
    const chat = await serve(data, ["--smtp-url", mails.url, "--mail-from", "chat@example.com"]);
    await call(chat, owner, ["POST", "/invites"], { invitee_emails: "ann@example.org", stream_ids: "[]" });
    await until(() => mails.taken.length > 0, "the invitation is sent");

    const tokenFile = join(folder, "token");
    writeFileSync(tokenFile, String(token));
    const config = {
      global: { scrape_interval: "1s", evaluation_interval: "1s" },
      rule_files: [rules],
      scrape_configs: [
        {
          job_name: "confab",
          authorization: { credentials_file: tokenFile },
          static_configs: [{ targets: [`127.0.0.1:${chat.port}`] }],
        },
      ],
    };
    const file = join(folder, "prometheus.yml");
    writeFileSync(file, JSON.stringify(config));
    expect(tool("check", "config", file)).toEqual([0, expect.stringContaining("SUCCESS")]);

    const port = await freePort();
    const child = Bun.spawn(
      [
        prometheus,
        `--config.file=${file}`,
        `--storage.tsdb.path=${join(folder, "data")}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdout: "ignore", stderr: "pipe" },
    );
    ends.push(() => {
      child.kill();
      return child.exited;
    });
    const ask = async (path: string): Promise<Json> => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`);
      return (await answer.json()) as Json;
    };
    const query = (text: string) => ask(`query?query=${encodeURIComponent(text)}`);
    const results = async (text: string): Promise<Json[]> => (await query(text)).data?.result ?? [];
    const isUp = async () =>
      (await results('count_over_time(up{job="confab"}[1h]) > 3').catch(() => [])).length > 0;
    const message = { type: "direct", to: JSON.stringify([owner.email]), content: "Hi" };
    await until(
      async () => {
        await call(chat, owner, ["POST", "/messages"], message);
        return isUp();
      },
      "Prometheus has scraped the server a few times",
      300,
    );
    expect(await results('up{job="confab"}')).toMatchObject([{ value: [expect.any(Number), "1"] }]);

    const { data: groups } = await until(async () => {
      const answer = await ask("rules");
      const [group] = answer.data.groups;
      return group?.rules.every((rule: Json) => rule.health !== "unknown") ? answer : null;
    }, "Prometheus has evaluated all rules");
    const states = groups.groups[0].rules.map((rule: Json) => [rule.name, rule.health, rule.lastError ?? ""]);
    expect(states).toEqual(alerts.map(({ name }) => [name, "ok", ""]));

    const { panels } = (await Bun.file(join(root, "docs", "monitoring", "dashboard.json")).json()) as Json;
    const diagrams = panels.filter(({ type }: Json) => type !== "row");
    expect(diagrams.length).toBeGreaterThan(20);
    for (const { title, targets } of diagrams) {
      for (const { expr } of targets) {
        const text = expr
          .replaceAll("$__rate_interval", "1m")
          .replaceAll("$job", "confab")
          .replaceAll("$instance", ".*");
        const isCluster = text.includes("confab_cluster_");
        const answer = await query(text);
        expect([title, answer.status, answer.error ?? ""]).toEqual([title, "success", ""]);
        if (isCluster || mayBeEmpty.includes(title)) continue;
        expect([title, answer.data.result.length > 0]).toEqual([title, true]);
      }
    }
  });
});
