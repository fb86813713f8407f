// Metrics for monitoring programs: their tokens, the table that the rules and the dashboard are made from, and when programs
// outside last answered.
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { setMailServer } from "@/foundation/mail/host.ts";
import { botTypes } from "@/foundation/permissions/schema.ts";
import { setServerOptions } from "@/foundation/realm-administration/actions.ts";
import { makeToken, revokeToken } from "@/operations/metrics/actions.ts";
import { listTokens } from "@/operations/metrics/queries.ts";
import { allMetrics } from "@/operations/metrics/table.ts";
import { createBot } from "@/outside/bots/actions.ts";
import { readMetrics } from "../../console/metrics.ts";
import { jsonHere, runHere } from "../support/command-line.ts";
import { openDatabaseOf } from "../support/database.ts";
import { cleanUp, confab, newFolder, newOrganization, type Server, serve } from "../support/executable.ts";
import { runJob } from "../support/jobs.ts";
import { servePlain } from "../support/plain-server.ts";
import { pushService } from "../support/push-receiver.ts";
import type { Json } from "../support/requests.ts";
import { startMailServer } from "../support/smtp.ts";
import { type World, world } from "../support/world.ts";

const ends: (() => void)[] = [];
afterAll(async () => {
  await cleanUp();
  for (const end of ends) end();
});

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const docs = join(import.meta.dir, "..", "..", "docs", "monitoring");

describe("the table of metrics", () => {
  test("is what /metrics returns, in its order; what has no value is left out", async () => {
    const text = await (await world().as("ada").request("/metrics")).text();
    const found = [...text.matchAll(/^# HELP (\w+) (.*)\n# TYPE \w+ (\w+)$/gm)].map((one) => one.slice(1));
    const absent =
      /^confab_cluster_|^confab_backup_age_|^confab_disk_free_|^confab_certificate_(remaining|lifetime)_/;
    expect(found).toEqual(
      allMetrics.filter(({ name }) => !absent.test(name)).map(({ name, help, type }) => [name, help, type]),
    );
  });

  test("names nothing in its alerts and diagrams that it does not hold", () => {
    const known = new Set(allMetrics.map(({ name }) => name));
    const queries = allMetrics.flatMap(({ panel, alerts = [] }) => [
      ...(panel?.queries.map(({ query }) => query) ?? []),
      ...alerts.map(({ expression }) => expression),
    ]);
    const named = queries.flatMap((query) => query.match(/\bconfab_\w+/g) ?? []);
    expect(
      named.map((name) => name.replace(/_(bucket|sum|count)$/, "")).filter((name) => !known.has(name)),
    ).toEqual([]);
    expect(allMetrics.filter(({ panel }) => !panel).map(({ name }) => name)).toEqual([]);
    const alerts = allMetrics.flatMap(({ alerts = [] }) => alerts.map(({ name }) => name));
    expect(new Set(alerts).size).toBe(alerts.length);
  });

  test.each([
    ["reference/metrics.md", ["reference", "metrics"]],
    ["monitoring/confab.rules.yml", ["metrics", "rules"]],
    ["monitoring/dashboard.json", ["metrics", "dashboard"]],
  ])("docs/%s is what it is now ('npm run generate' writes it)", async (file, command) => {
    const { stdout } = await runHere(command);
    expect(await Bun.file(join(docs, "..", file)).text()).toBe(stdout);
    expect(stdout).not.toContain("undefined");
  });

  test("is a dashboard whose diagrams do not overlap, each with a query", async () => {
    const { panels } = (await Bun.file(join(docs, "dashboard.json")).json()) as Json;
    const places = new Set<string>();
    for (const { gridPos, type, targets } of panels) {
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(places).not.toContain(`${x} ${y}`);
          places.add(`${x} ${y}`);
        }
      if (type !== "row") expect(targets[0].expr).toContain("confab_");
    }
    expect(new Set(panels.map(({ id }: Json) => id)).size).toBe(panels.length);
  });
});

describe("a token of a monitoring program", () => {
  test("opens the metrics and nothing else, until it is revoked", async () => {
    const { data } = await newOrganization();
    const { token } = await jsonHere<{ token: string }>([
      "metrics",
      "make-token",
      "prometheus",
      "--data",
      data,
    ]);
    expect(token).toMatch(/^\w{32}$/);
    const server = await serve(data);
    const status = async (path: string, given = String(token)) =>
      (await fetch(server.url + path, bearer(given))).status;
    const answer = await fetch(`${server.url}/metrics`, bearer(String(token)));
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      expect.stringContaining("text/plain; version=0.0.4"),
    ]);
    expect(await answer.text()).toContain("confab_healthy 1\n");
    for (const path of [
      "/metrics/queues",
      "/metrics/log",
      "/metrics/history",
      "/api/v1/users/me",
      "/api/v1/users",
    ])
      expect([path, await status(path)]).toEqual([path, 401]);
    expect(await status("/metrics", "wrong")).toBe(401);
    expect((await fetch(`${server.url}/metrics`)).status).toBe(401);

    const stored = openDatabaseOf(data).query("SELECT name, hash FROM metrics_tokens").all();
    expect(stored).toEqual([{ name: "prometheus", hash: expect.any(Uint8Array) }]);
    expect(await jsonHere(["metrics", "tokens", "--data", data])).toEqual([
      { name: "prometheus", made_at: expect.any(Number) },
    ] as never);

    const refused = await runHere(["metrics", "revoke-token", "prometheus", "--data", data]);
    expect([refused.status, await status("/metrics")]).toEqual([2, 200]);
    await jsonHere(["metrics", "revoke-token", "prometheus", "--yes", "--data", data]);
    expect(await status("/metrics")).toBe(401);
    const entries = await jsonHere<Json[]>(["audit", "--kind", "server", "--data", data]);
    expect(entries.map(({ event, data: facts }) => [event, facts])).toEqual([
      ["metrics_token_revoked", { name: "prometheus" }],
      ["metrics_token_made", { name: "prometheus" }],
    ]);
    expect(JSON.stringify(entries) + server.printed().stderr).not.toContain(String(token));
  });

  test("is made and revoked by administrators, once under each name", async () => {
    const w = world();
    const { token } = await makeToken(w.ctx("ada"), "one");
    const tokens = () => listTokens(w.ctx("ada")).map(({ name }) => name);
    await expect(makeToken(w.ctx("ada"), "one")).rejects.toThrow("There is a token 'one' already.");
    await expect(revokeToken(w.ctx("ada"), "two")).rejects.toThrow("There is no token 'two'.");
    await expect(makeToken(w.ctx("moss"), "two")).rejects.toThrow("Must be an organization administrator");
    await expect(revokeToken(w.ctx("moss"), "one")).rejects.toThrow("Must be an organization administrator");
    expect(() => listTokens(w.ctx("moss"))).toThrow("Must be an organization administrator");
    expect(tokens()).toEqual(["one"]);

    const ask = (header: string, path = "/metrics") =>
      w.anonymous.request(path, { headers: { authorization: header } });
    expect((await ask(`bearer  ${token}`)).status).toBe(200);
    for (const wrong of [`Bearer ${token}x`, "Bearer", `Basic ${token}`, token])
      expect([wrong, (await ask(wrong)).status]).toEqual([wrong, 401]);
    expect(((await (await ask("Bearer x")).json()) as Json).msg).toBe(
      "This token opens no metrics: it is wrong, or was revoked.",
    );
    expect((await ask(`Bearer ${token}`, "/metrics/nodes")).status).toBe(401);
    await revokeToken(w.ctx("ada"), "one");
    expect([tokens(), (await ask(`Bearer ${token}`)).status]).toEqual([[], 401]);
  });

  test("has a name without blanks, and there are at most a hundred", async () => {
    const w = world();
    const { stderr, status } = await runHere(["metrics", "make-token", "a b", "--data", newFolder()]);
    expect([status, stderr]).toEqual([2, expect.stringContaining("NAME: a name of letters, digits")]);
    for (let n = 0; n < 100; n++) await makeToken(w.ctx("ada"), `t${n}`);
    await expect(makeToken(w.ctx("ada"), "more")).rejects.toThrow("There can be at most 100 tokens.");
  });
});

/** The values of a metric by their service. */
async function services(w: World, name: string): Promise<Record<string, number>> {
  const found = readMetrics(await (await w.as("ada").request("/metrics")).text()).get(name) ?? [];
  return Object.fromEntries(found.map(({ labels, value }) => [labels.service, value]));
}

const ages = async (w: World) => ({
  answer: await services(w, "confab_service_answer_age_seconds"),
  failure: await services(w, "confab_service_failure_age_seconds"),
  waiting: await services(w, "confab_service_waiting"),
});

describe("the age of the last answer", () => {
  test("of the mail server counts refusals, and not that it is away", async () => {
    const w = world();
    const mails = await startMailServer();
    ends.push(() => mails.close());
    setMailServer(w.app.env, { url: "smtp://127.0.0.1:1", from: "noreply@chat.example.com" });
    await setServerOptions(w.app.system, { sends_mail: true });
    const invite = (email: string) => w.as("mel").post("/invites", { invitee_emails: email, stream_ids: [] });
    expect(await ages(w)).toEqual({ answer: {}, failure: {}, waiting: { mail: 0, push: 0, webhooks: 0 } });
    await invite("ann@example.org");
    await runJob(w, "mail");
    w.clock.advance(20);
    expect(await ages(w)).toMatchObject({ answer: {}, failure: { mail: 20 }, waiting: { mail: 1 } });

    setMailServer(w.app.env, { url: mails.url, from: "noreply@chat.example.com" });
    mails.refusals.push("450 busy");
    await invite("bob@example.org");
    await runJob(w, "mail");
    w.clock.advance(5);
    expect(await ages(w)).toMatchObject({ answer: { mail: 5 }, failure: { mail: 25 } });

    // Of several answers within ten seconds, the first is noted.
    await invite("eve@example.org");
    await runJob(w, "mail");
    expect(mails.taken).toHaveLength(1);
    w.clock.advance(1);
    expect((await ages(w)).answer).toEqual({ mail: 6 });
  });

  test("of webhooks and of push services is that of any of them", async () => {
    const w = world();
    await setServerOptions(w.app.system, { webhook_networks: "127.0.0.1" });
    let status = 503;
    const hook = await servePlain(() => ({ status, body: "{}" }));
    ends.push(() => hook.stop());
    const { user: bot } = await createBot(w.ctx("mel"), {
      full_name: "Hook",
      short_name: "hook",
      bot_type: botTypes.outgoingWebhook,
      payload_url: `http://127.0.0.1:${hook.port}/`,
    });
    const call = async () => {
      await w.as("mel").post("/messages", { type: "direct", to: [bot.user_id], content: "Hi" });
      await runJob(w, "webhooks");
    };
    await call();
    w.clock.advance(3);
    expect(await ages(w)).toMatchObject({ answer: {}, failure: { webhooks: 3 }, waiting: { webhooks: 1 } });
    status = 200;
    await call();
    w.clock.advance(4);
    expect(await ages(w)).toMatchObject({ answer: { webhooks: 4 }, failure: { webhooks: 7 } });

    await runJob(w, "web-push");
    const { public_key } = (await w.as("max").get("/users/me/web_push")).body;
    const service = await pushService(() => public_key);
    ends.push(() => service.stop());
    await w.as("max").post("/users/me/web_push", { ...service.browser() });
    const push = async () => {
      await w.as("mel").post("/messages", { type: "direct", to: [w.user("max").id], content: "Hi" });
      await runJob(w, "web-push");
    };
    service.status = 500;
    await push();
    w.clock.advance(2);
    expect(await ages(w)).toMatchObject({ failure: { push: 2 }, waiting: { push: 1 } });
    service.status = 201;
    await push();
    expect((await ages(w)).answer).toMatchObject({ push: 0 });
  });

  test("and that of the last backup survive a restart", async () => {
    const { data } = await newOrganization();
    const { token } = await jsonHere<{ token: string }>([
      "metrics",
      "make-token",
      "prometheus",
      "--data",
      data,
    ]);
    const read = async ({ url }: Server) =>
      readMetrics(await (await fetch(`${url}/metrics`, bearer(String(token)))).text());
    const before = await serve(data);
    expect((await read(before)).has("confab_backup_age_seconds")).toBe(false);
    expect(await confab(["backup", join(newFolder(), "b.tar.gz"), "--data", data])).toMatchObject({
      status: 0,
    });
    expect((await read(before)).get("confab_backup_age_seconds")?.[0]?.value).toBeGreaterThanOrEqual(0);
    await before.end("SIGTERM");
    const database = openDatabaseOf(data);
    database.run("INSERT INTO last_answers (service, answered_at) VALUES ('mail', 1)");
    database.close();
    const after = await read(await serve(data));
    expect(after.get("confab_backup_age_seconds")?.[0]?.value).toBeGreaterThanOrEqual(0);
    expect(after.get("confab_service_answer_age_seconds")?.[0]?.value).toBeGreaterThan(1e9);
    expect(after.get("confab_disk_free_bytes")?.[0]?.value).toBeGreaterThan(0);
  });
});
