// Pages that were opened at the address of a cluster's node and go to another node: where they may go, and how the session goes on
// there. That a browser does so: test/web/elsewhere.test.ts.
import { describe, expect, test } from "bun:test";
import { deactivateUser } from "@/foundation/accounts/actions.ts";
import { announceNodes } from "@/foundation/sessions/host.ts";
import { nodeStarted } from "@/operations/nodes/host.ts";
import { memoryCluster } from "../support/memory-cluster.ts";
import type { Json } from "../support/requests.ts";
import { until } from "../support/waiting.ts";
import { givePassword, password, signedIn, type WebClient, webClient } from "../support/web-session.ts";
import { type World, world } from "../support/world.ts";

const [first, second, third] = [1, 2, 3].map((n) => `http://10.0.0.${n}:9900`) as [string, string, string];
const nodes = [first, second, third];
const strangers = [null, "null", "http://10.0.0.9:9900", "https://10.0.0.1:9900", "http://chat.example.com"];
const page = { accept: "text/html" };
const day = 86_400;

async function atNode(): Promise<World> {
  const w = world({ site: first, followsHost: true });
  announceNodes(w.app.system, () => nodes);
  await givePassword(w, "mel");
  return w;
}

const bootOf = (html: string) =>
  JSON.parse(/<script type="application\/json" id="boot">(.*?)<\/script>/.exec(html)?.[1] ?? "null");
const policyOf = ({ headers }: { headers: Headers }) => headers.get("content-security-policy") ?? "";

async function secretOf(browser: WebClient): Promise<string> {
  const { status, body } = await browser.ask("POST", "/json/users/me/sessions/handovers");
  expect(status).toBe(200);
  return body.secret;
}

interface Handing {
  token?: string;
  origin?: string | null;
  fragment?: string;
  kept?: Json;
}

let made = 0;
const newToken = () => String(++made).padStart(64, "t");

const headersOf = (origin: string | null) => ({
  ...page,
  "sec-fetch-site": "cross-site",
  ...(origin !== null && { origin }),
});

/** As a page of the first node asks another one. */
function trade(w: World, secret: string, { token = newToken(), origin = first }: Handing = {}) {
  const other = webClient(w.app, { site: second });
  return other.ask("POST", "/login/handover", { secret, token }, { headers: headersOf(origin) });
}

/** As the form of such a page does it, in the same browser at another address. */
function arriveAt(browser: WebClient, handing: Handing) {
  const { token = newToken(), origin = first, fragment = "#inbox", kept = {} } = handing;
  return browser.ask("POST", "/login/arrival", { token, fragment, kept }, { headers: headersOf(origin) });
}

async function goTo(w: World, secret: string, handing: Handing = {}, to?: WebClient) {
  const token = newToken();
  const asked = await trade(w, secret, { token, ...handing });
  return asked.status === 200
    ? arriveAt(to ?? webClient(w.app, { site: second }), { token, ...handing })
    : asked;
}

const names = (browser: WebClient) => [...browser.cookies.keys()].toSorted();
const isIn = async (browser: WebClient) => (await browser.ask("GET", "/json/users/me")).status === 200;

describe("get-client-page", () => {
  test("says where a page may go from a node's own address, and its policy allows no other place", async () => {
    const w = await atNode();
    const asked = await webClient(w.app, { site: second }).ask("GET", "/", {}, { headers: page });
    expect(bootOf(asked.body).other_nodes).toEqual([third, first]);
    expect(policyOf(asked)).toContain(`connect-src 'self' ${third} ${first};`);
    expect(policyOf(asked)).toContain(`form-action 'self' ${third} ${first};`);
  });

  test("says nothing behind a name or a proxy, on a server that has a name, and on a single one", async () => {
    const w = await atNode();
    const named = world({ site: first });
    announceNodes(named.app.system, () => nodes);
    const forwarded = { ...page, "x-forwarded-for": "198.51.100.7" };
    for (const [app, site, headers] of [
      [w.app, "http://chat.example.com:9900", page],
      [w.app, "http://10.0.0.9:9900", page],
      [w.app, first, forwarded],
      [named.app, first, page],
      [world({ site: first, followsHost: true }).app, first, page],
    ] as const) {
      const asked = await webClient(app, { site }).ask("GET", "/", {}, { headers });
      expect(bootOf(asked.body).other_nodes).toEqual([]);
      expect(policyOf(asked)).toContain("connect-src 'self';");
      expect(asked.body).not.toContain("10.0.0.3");
    }
  });
});

describe("make-handover", () => {
  test("is for browsers that are signed in, at the address of a node", async () => {
    const w = await atNode();
    const path = "/users/me/sessions/handovers";
    expect((await w.as("mel").post(path)).body.msg).toContain("Only browsers that are signed in");
    expect((await webClient(w.app).ask("POST", `/json${path}`)).status).toBe(401);
    const alone = world({ site: first });
    await givePassword(alone, "mel");
    const refused = await (await signedIn(alone, "mel")).ask("POST", `/json${path}`);
    expect([refused.status, refused.body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(alone.app.env.db.all("SELECT * FROM session_handovers")).toEqual([]);
  });

  test("stores hashes, and some of each session", async () => {
    const w = await atNode();
    const browser = await signedIn(w, "mel");
    const oldest = await secretOf(browser);
    for (let n = 0; n < 20; n++) await secretOf(browser);
    const newest = await secretOf(browser);
    expect(newest).toMatch(/^[A-Za-z0-9]{64}$/);
    const rows = w.app.env.db.all<Json>("SELECT hex(hash) AS hash, token_hash FROM session_handovers");
    expect(rows).toHaveLength(20);
    expect(JSON.stringify(rows)).not.toContain(newest);
    expect((await goTo(w, oldest)).status).toBe(410);
    expect((await goTo(w, newest)).status).toBe(200);
  });
});

describe("follow-handover", () => {
  test("goes on with the session at another node, where the page was, with what was being written", async () => {
    const w = await atNode();
    const before = await signedIn(w, "mel");
    const there = webClient(w.app, { site: second });
    const kept = { "draft 9 dm 4": '{"text":"</script><b>half"}', "not sent 9": "[]" };
    const fragment = "#narrow/channel/1-launch/topic/a.20b";
    const { status, headers, body } = await goTo(w, await secretOf(before), { fragment, kept }, there);
    expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
    const given = /id="arriving">(.*?)<\/script>/.exec(body)?.[1] ?? "";
    expect(JSON.parse(given)).toEqual({ fragment, kept });
    expect(given).not.toContain("<");
    expect(policyOf({ headers })).toMatch(
      /^default-src 'none'; script-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );

    expect(names(there)).toEqual(["csrftoken", "sessionid"]);
    expect(there.cookies.get("sessionid")).not.toBe(before.cookies.get("sessionid"));
    const sent = { type: "direct", to: [w.user("max").id], content: "still here" };
    expect((await there.ask("POST", "/json/messages", sent)).status).toBe(200);
    // It is one session: the first address works again once its node does, and nobody seems to have signed in.
    const { sessions } = (await there.ask("GET", "/json/users/me/sessions")).body;
    expect(sessions).toMatchObject([{ is_current: true, device: "Firefox on Linux" }]);
    expect(await isIn(before)).toBe(true);
  });

  test("lasts no longer than the session, which ends at all nodes at once", async () => {
    const w = await atNode();
    const before = await signedIn(w, "mel");
    const there = webClient(w.app, { site: second });
    await goTo(w, await secretOf(before), {}, there);
    expect((await there.ask("POST", "/logout")).status).toBe(200);
    expect([await isIn(there), await isIn(before)]).toEqual([false, false]);
    expect(w.app.env.db.all("SELECT * FROM session_handovers")).toEqual([]);

    const again = await signedIn(w, "mel");
    await goTo(w, await secretOf(again), {}, there);
    w.clock.advance(13 * day);
    expect(await isIn(there)).toBe(true);
    w.clock.advance(14 * day);
    expect(await isIn(there)).toBe(false);
  });

  test("lets each tab go by its own secret, and all others of a browser stay", async () => {
    const w = await atNode();
    const before = await signedIn(w, "mel");
    const secrets = [await secretOf(before), await secretOf(before)];
    const there = webClient(w.app, { site: second });
    const elsewhere = webClient(w.app, { site: third });
    expect((await goTo(w, secrets[0] ?? "", {}, there)).status).toBe(200);
    expect((await goTo(w, secrets[1] ?? "", {}, elsewhere)).status).toBe(200);
    expect([await isIn(there), await isIn(elsewhere), await isIn(before)]).toEqual([true, true, true]);

    const { body } = await there.ask("DELETE", "/json/users/me/sessions");
    expect(body.ended).toBe(0);
    expect([await isIn(there), await isIn(elsewhere), await isIn(before)]).toEqual([true, false, false]);
  });

  const endings: Record<string, (w: World, browser: WebClient, secret: string) => Promise<unknown>> = {
    "was used": (w, _, secret) => goTo(w, secret),
    "is of a session that was signed out": (_w, browser) => browser.ask("POST", "/logout"),
    "is older than its session": async (w) => w.clock.advance(14 * day),
    "is of somebody who was deactivated": (w) => deactivateUser(w.ctx("ada"), w.user("mel").id),
    "is of a session that a new password ended": (_w, browser) =>
      browser.ask("PATCH", "/json/settings", { old_password: password, new_password: `${password} 2` }),
    "is of a browser that another one signed out": async (w) => {
      const other = await signedIn(w, "mel");
      await other.ask("DELETE", "/json/users/me/sessions");
    },
  };

  test("refuses in the same words whatever is wrong", async () => {
    const answers: unknown[] = [];
    const refused = async (w: World, secret: string, handing?: Handing) => {
      const { status, headers, body } = await trade(w, secret, handing);
      expect([status, headers.getSetCookie()]).toEqual([410, []]);
      answers.push(body);
    };
    for (const end of Object.values(endings)) {
      const w = await atNode();
      const browser = await signedIn(w, "mel");
      const secret = await secretOf(browser);
      await end(w, browser, secret);
      await refused(w, secret);
    }
    const w = await atNode();
    const mels = await signedIn(w, "mel");
    const secret = await secretOf(mels);
    await refused(w, "wrong");
    for (const origin of strangers) await refused(w, secret, { origin });
    const token = newToken();
    expect((await trade(w, await secretOf(mels), { token })).status).toBe(200);
    await refused(w, secret, { token });
    expect(new Set(answers.map((body) => JSON.stringify(body))).size).toBe(1);
    // The secret itself still works.
    expect((await trade(w, secret)).status).toBe(200);
  });

  test("is answered again to the page that got no answer, and may be read by pages of the nodes alone", async () => {
    const w = await atNode();
    const secret = await secretOf(await signedIn(w, "mel"));
    const token = newToken();
    for (let n = 0; n < 3; n++) {
      const { status, headers } = await trade(w, secret, { token });
      expect([status, headers.get("access-control-allow-origin"), headers.get("vary")]).toEqual([
        200,
        first,
        "origin",
      ]);
    }
    expect((await trade(w, secret)).status).toBe(410);
    expect((await arriveAt(webClient(w.app, { site: second }), { token })).status).toBe(200);
    for (const origin of strangers)
      expect((await trade(w, "wrong", { origin })).headers.get("access-control-allow-origin")).toBeNull();
  });

  test("works once for two that use it at the same time", async () => {
    const w = await atNode();
    const secret = await secretOf(await signedIn(w, "mel"));
    const both = await Promise.all([trade(w, secret), trade(w, secret)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 410]);
  });

  test("limits wrong ones, and never the right one", async () => {
    const w = await atNode();
    const secret = await secretOf(await signedIn(w, "mel"));
    for (let n = 0; n < 30; n++) expect((await trade(w, String(n))).status).toBe(410);
    expect((await trade(w, "31")).status).toBe(429);
    expect((await goTo(w, secret)).status).toBe(200);
  });
});

describe("arrive", () => {
  test("signs nobody in by another token or for another site, and says so in the same words", async () => {
    const w = await atNode();
    const mels = await signedIn(w, "mel");
    const token = newToken();
    expect((await trade(w, await secretOf(mels), { token })).status).toBe(200);
    const kept = { "draft 9 x": "secret text" };
    const answers: unknown[] = [];
    const refused = async (handing: Handing) => {
      const there = webClient(w.app, { site: second });
      const { status, body } = await arriveAt(there, { token, kept, ...handing });
      expect([status, names(there)]).toEqual([410, []]);
      answers.push(body);
    };
    await refused({ token: newToken() });
    await refused({ token: `${mels.cookies.get("sessionid")}`.padEnd(64, "x") });
    for (const origin of strangers) await refused({ origin });
    await mels.ask("POST", "/logout");
    await refused({});
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('<a href="/login#inbox">Sign in</a>');
    expect(answers[0]).not.toContain("secret text");
  });

  test("takes drafts and unsent messages along, and leads to no other site", async () => {
    const w = await atNode();
    const token = newToken();
    expect((await trade(w, await secretOf(await signedIn(w, "mel")), { token })).status).toBe(200);
    const arriving = async (handing: Handing) =>
      (await arriveAt(webClient(w.app, { site: second }), { token, ...handing })).status;
    for (const handing of [
      { kept: { token: "x" } },
      { kept: { "draft 9": 7 } },
      { kept: [] },
      { fragment: "//example.com" },
      { fragment: "inbox" },
      { fragment: "#a b" },
      { fragment: `#${"x".repeat(4_000)}` },
      { token: "short" },
    ])
      expect(await arriving(handing)).toBe(400);
    expect(await arriving({ kept: { "draft 9 x": "x".repeat(70_000) } })).toBe(413);
    expect(await arriving({ fragment: "" })).toBe(200);
  });
});

test("the nodes of a cluster know where people reach each other, and a page goes from one to the other", async () => {
  const cluster = await memoryCluster(2, { hosts: ["127.0.0.1", "127.0.0.2"] });
  const [a, b] = cluster.nodes as [(typeof cluster.nodes)[0], (typeof cluster.nodes)[0]];
  try {
    // What a node says when it starts.
    nodeStarted.send(b.app.system, {});
    const boot = async (node: typeof a) => bootOf(await (await node.ask(null, "GET", "/")).text());
    const others = async (node: typeof a) => (await boot(node)).other_nodes as string[];
    await until(
      async () => (await others(a)).length + (await others(b)).length === 2,
      "each knows the other",
    );
    expect([await others(a), await others(b)]).toEqual([[b.url], [a.url]]);
    expect((await a.call(cluster.olive, "GET", "/metrics/nodes")).nodes).toMatchObject([
      { site: a.url },
      { site: b.url },
    ]);
    const link = await a.loginLink(cluster.olive.email);
    const browser = webClient(b.reached);
    expect((await browser.ask("POST", link)).status).toBe(200);
    const { secret } = (await browser.ask("POST", "/json/users/me/sessions/handovers")).body;

    const there = webClient(a.reached);
    const token = newToken();
    const asked = { headers: headersOf(b.url) };
    expect((await there.ask("POST", "/login/handover", { secret, token }, asked)).status).toBe(200);
    expect((await arriveAt(there, { token, origin: b.url })).status).toBe(200);
    expect((await there.ask("GET", "/json/users/me")).body.delivery_email).toBe(cluster.olive.email);
  } finally {
    await cluster.close();
  }
});
