// Certificates that the server gets by itself, from a small authority of the tests.
import { afterEach, describe, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect } from "node:http2";
import { createConnection, createServer } from "node:net";
import { connect as connectTls } from "node:tls";
import type { LogFields } from "@/kernel/lib/log.ts";
import { silentLog } from "@/kernel/lib/log.ts";
import { setChallenge } from "@/operations/certificates/actions.ts";
import { beginCertificates, type OwnCertificate } from "@/operations/certificates/host.ts";
import { challengePort } from "@/operations/certificates/port.ts";
import { obtainIfDue } from "@/operations/certificates/running.ts";
import { certificateSettings, challengePath, usualDirectory } from "@/operations/certificates/schema.ts";
import { readServerState } from "@/operations/metrics/queries.ts";
import { serve as serveApp } from "@/server.ts";
import { type AcmeOptions, type AcmeReply, acmeServer, problem } from "../support/acme.ts";
import { signedCertificate } from "../support/certificate.ts";
import { openDatabaseOf } from "../support/database.ts";
import { cleanUp, confab, newFolder, newOrganization } from "../support/executable.ts";
import { runJob } from "../support/jobs.ts";
import { serveFetch } from "../support/plain-server.ts";
import { freePort } from "../support/ports.ts";
import { until } from "../support/waiting.ts";
import { world } from "../support/world.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await cleanUp();
});

const domain = "chat.example.com";
const day = 86_400;
const patience = { requestMs: 60_000, workMs: 60_000, pauseMs: 1 };

type Given = Partial<AcmeOptions> & { ca?: string; directory?: string; patience?: typeof patience };

async function scene(given: Given = {}) {
  const w = world();
  const httpPort = await freePort();
  const authority = await acmeServer({ httpPort, now: () => w.clock.now(), ...given });
  ends.push(() => authority.stop());
  const plan = { domain, directory: given.directory ?? authority.directory, ca: given.ca };
  const begin = (): Promise<OwnCertificate> =>
    beginCertificates(w.app.env, {
      plan,
      host: "127.0.0.1",
      port: httpPort,
      site: `https://${domain}`,
      log: silentLog,
      patience: given.patience ?? patience,
    });
  const own = await begin();
  ends.push(() => own.close());
  const job = (): Promise<LogFields | undefined> => obtainIfDue(w.ctx("system"));
  return {
    ...w,
    authority,
    own,
    begin,
    httpPort,
    job,
    stored: () => certificateSettings.read(w.app.env),
    get: (path: string, init: RequestInit = {}) =>
      fetch(`http://127.0.0.1:${httpPort}${path}`, { redirect: "manual", ...init }),
    /** Runs the job, which fails; returns what was noted. */
    async failing() {
      await expect(job()).rejects.toThrow("There is no new certificate");
      return certificateSettings.read(w.app.env).failed;
    },
  };
}

function shownBy(port: number): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, servername: domain, rejectUnauthorized: false };
    const socket = connectTls(options, () => {
      resolve(new X509Certificate(socket.getPeerCertificate().raw));
      socket.end();
    });
    socket.once("error", reject);
  });
}

/** Where a path leads that is sent as it is, byte by byte. */
function locationOf(port: number, path: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = createConnection({ host: "127.0.0.1", port }, () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${domain}\r\n\r\n`),
    );
    socket.on("data", (part) => {
      text += part;
    });
    socket.once("close", () => resolve(/^location: (.*)\r$/im.exec(text)?.[1]));
    socket.once("error", reject);
  });
}

describe("a server with a domain", () => {
  test("gets a certificate, renews it when a third of its time is left, and keeps connections", async () => {
    const s = await scene();
    const server = await serveApp(s.app, {
      host: "127.0.0.1",
      port: 0,
      log: silentLog,
      certificate: s.own.certificate,
    });
    ends.push(() => server.stop());
    const isServed = async () => {
      await runJob(s, "served-certificate");
      return shownBy(server.port);
    };
    const olive = s.ctx("olive");
    expect((await isServed()).subject).toBe("CN=No certificate yet");
    expect(readServerState(olive).certificate).toEqual({
      expires_at: null,
      failed_tries: 0,
      problem: null,
      retry_at: null,
    });

    expect(await s.job()).toMatchObject({ obtained: true, domain });
    const first = await isServed();
    expect([first.subject, first.subjectAltName]).toEqual([`CN=${domain}`, `DNS:${domain}`]);
    expect(s.stored()).toMatchObject({ challenge: null, failed: null, obtained: { domain } });
    const expires_at = s.clock.now() + 90 * day;
    expect(readServerState(olive).certificate).toMatchObject({ expires_at, problem: null });
    const metrics = await (await s.as("ada").request("/metrics")).text();
    expect(metrics).toContain(`\nconfab_certificate_remaining_seconds ${90 * day}\n`);
    expect(metrics).toContain(`\nconfab_certificate_lifetime_seconds ${90 * day + 60}\n`);
    expect(metrics).toContain("\nconfab_certificate_failures 0\n");

    const session = connect(`https://127.0.0.1:${server.port}`, { rejectUnauthorized: false });
    ends.push(() => session.destroy());
    const ask = () =>
      new Promise((resolve, reject) => {
        const request = session.request({ ":path": "/api/v1/server_settings" });
        request.once("response", (headers) => resolve(headers[":status"]));
        request.once("error", reject).resume();
      });
    expect(await ask()).toBe(200);
    s.clock.advance(59 * day);
    expect(await s.job()).toBeUndefined();
    s.clock.advance(1.5 * day);
    const { account } = s.stored();
    expect(await s.job()).toMatchObject({ obtained: true });
    const second = await isServed();
    expect(second.serialNumber).not.toBe(first.serialNumber);
    expect(await ask()).toBe(200);
    expect(s.stored().account).toBe(account);
    expect(s.authority.issued).toEqual([domain, domain]);
  });

  test("answers the authority at its HTTP port, and leads everybody else to HTTPS once there is a certificate", async () => {
    const s = await scene();
    const early = await s.get("/some/page", { headers: { "accept-language": "de" } });
    expect([early.status, early.headers.get("retry-after")]).toEqual([503, "60"]);
    const page = await early.text();
    expect(page).toContain('<html lang="de"');
    expect(page).toContain("noch kein Zertifikat");
    expect((await s.get("/.well-known/acme-challenge/unknown")).status).toBe(404);

    await s.job();
    const led = await s.get("/some/page?a=b", { method: "POST", body: "secret" });
    expect([led.status, led.headers.get("location")]).toEqual([308, `https://${domain}/some/page?a=b`]);
    const other = await s.get("/x", { headers: { host: "evil.example" } });
    expect(other.headers.get("location")).toBe(`https://${domain}/x`);
    expect((await s.get("/.well-known/acme-challenge/unknown")).status).toBe(404);
    const told = (path: string) => locationOf(s.httpPort, path);
    expect(await told('/a"b')).toBe(`https://${domain}/a%22b`);
    expect(await told("//evil.example/x")).toBe(`https://${domain}//evil.example/x`);
    expect(await told("//")).toBe(`https://${domain}//`);
  });

  test("answers 500 at its HTTP port where it fails, and listens once however often it is opened", async () => {
    const w = world();
    const port = await freePort();
    const fail = () => {
      throw new Error("The disk is gone.");
    };
    const options = { host: "127.0.0.1", port, site: `https://${domain}`, isNode: false, log: silentLog };
    const door = challengePort(w.app.env, { ...options, hasCertificate: fail });
    ends.push(() => door.close());
    const warnings: string[] = [];
    const note = (warning: Error) => void warnings.push(warning.name);
    process.on("warning", note);
    ends.push(() => process.off("warning", note));
    for (let i = 0; i < 12; i++) expect(await door.open()).toBeNull();
    for (let i = 0; i < 2; i++) expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(500);
    expect(warnings).toEqual([]);
  });

  test("on a node, waits for a question that the leader has not told it of yet", async () => {
    const w = world();
    const port = await freePort();
    const options = { host: "127.0.0.1", port, site: `https://${domain}`, isNode: true, log: silentLog };
    const door = challengePort(w.app.env, { ...options, hasCertificate: () => false });
    ends.push(() => door.close());
    expect(await door.open()).toBeNull();
    const answering = fetch(`http://127.0.0.1:${port}${challengePath}abc`);
    await setChallenge(w.ctx("system"), { token: "abc", answer: "abc.print" });
    expect(await (await answering).text()).toBe("abc.print");
    expect((await fetch(`http://127.0.0.1:${port}${challengePath}guessed`)).status).toBe(404);
  });

  test("goes on where the authority refuses nonces, or has proof of the domain already", async () => {
    const s = await scene({
      misbehave: (step, times) =>
        step === "order" && times < 4 ? problem("badNonce", "Try again", 400) : undefined,
    });
    expect(await s.job()).toMatchObject({ obtained: true });
    expect(s.authority.steps.filter((step) => step === "order")).toHaveLength(4);
  });

  const unreachable: AcmeReply = { status: 200, body: "<html>A hotel's network</html>" };
  test.each<[string, Given["misbehave"], string, string]>([
    [
      "a directory that is none",
      (step) => (step === "directory" ? unreachable : undefined),
      "There is no ACME directory at http://localhost:",
      "acme_directory",
    ],
    [
      "an account that must be made elsewhere",
      (step) => (step === "account" ? problem("externalAccountRequired", "Use EAB") : undefined),
      "only to accounts that were made on its site: Use EAB.",
      "another authority",
    ],
    [
      "an order without the form of one",
      (step) =>
        step === "order"
          ? { status: 201, headers: { location: "http://x/1" }, body: { status: "pend" } }
          : undefined,
      "gives an answer that is not one of ACME.",
      "proxy",
    ],
    [
      "an account at an address that is no URL",
      (step) =>
        step === "account"
          ? { status: 201, headers: { location: "/account/1" }, body: { status: "valid" } }
          : undefined,
      "gives an answer that is not one of ACME.",
      "proxy",
    ],
    [
      "an order that became invalid",
      (step) =>
        step === "order-state"
          ? {
              body: {
                status: "invalid",
                authorizations: ["http://x/1"],
                finalize: "http://x/2",
                error: { type: "urn:ietf:params:acme:error:caa", detail: "Forbidden" },
              },
            }
          : undefined,
      `A CAA record in DNS forbids this authority to issue certificates for ${domain}: Forbidden.`,
      "that record",
    ],
    [
      "half an answer",
      (step) => (step === "authorization" ? { body: '{"status":"val' } : undefined),
      "gives an answer that is not one of ACME.",
      "proxy",
    ],
    [
      "a name that DNS does not have",
      (step, n) =>
        step === "authorization" && n > 1
          ? {
              body: {
                status: "invalid",
                challenges: [
                  {
                    type: "http-01",
                    url: "http://x/1",
                    error: { type: "urn:ietf:params:acme:error:dns", detail: "NXDOMAIN\u001b[31m" },
                  },
                ],
              },
            }
          : undefined,
      `The authority does not find ${domain} in DNS: NXDOMAIN [31m.`,
      "A and AAAA records",
    ],
    [
      "a fault of its own",
      (step) => (step === "finalize" ? problem("serverInternal", "Sorry", 500) : undefined),
      "The authority has a fault of its own: Sorry.",
      "tries again",
    ],
    [
      "a domain that it refuses",
      (step) => (step === "order" ? problem("rejectedIdentifier", "Policy forbids") : undefined),
      `issues no certificates for ${domain}: Policy forbids.`,
      "Check the domain",
    ],
    [
      "nonsense instead of a certificate",
      (step) => (step === "certificate" ? { body: "-----BEGIN" } : undefined),
      "gave something that is not a certificate.",
      "acme_directory",
    ],
    [
      "an error without a form",
      (step) => (step === "account" ? { status: 502, body: "Bad gateway" } : undefined),
      "The authority refuses: localhost:",
      "tries again",
    ],
  ])("says plainly what is wrong: %s", async (_, misbehave, reason, remedy) => {
    const s = await scene({ misbehave });
    const failed = await s.failing();
    expect(failed).toMatchObject({ count: 1, is_limit: false, retry_at: s.clock.now() + 60 });
    expect([failed?.reason, failed?.remedy]).toEqual([
      expect.stringContaining(reason),
      expect.stringContaining(remedy),
    ]);
    expect(s.stored().challenge).toBeNull();
    const steps = s.authority.steps.length;
    expect(await s.job()).toBeUndefined();
    expect(s.authority.steps).toHaveLength(steps);
  });

  test("pauses longer after each failure, and shows the owners", async () => {
    let isWell = false;
    const misbehave: Given["misbehave"] = (step) =>
      step === "order" && !isWell ? problem("caa", "CAA forbids") : undefined;
    const s = await scene({ misbehave });
    for (const [n, minutes] of [1, 4, 16, 64, 256, 360, 360].entries()) {
      const failed = await s.failing();
      expect(failed).toMatchObject({ count: n + 1, retry_at: s.clock.now() + minutes * 60 });
      s.clock.advance(minutes * 60);
    }
    expect(readServerState(s.ctx("olive")).certificate).toMatchObject({
      failed_tries: 7,
      problem: `A CAA record in DNS forbids this authority to issue certificates for ${domain}: CAA forbids.`,
      retry_at: s.clock.now(),
    });
    isWell = true;
    await s.job();
    expect(s.stored().failed).toBeNull();
  });

  test("waits as long as the authority wants, also when the server is started again", async () => {
    let isWell = false;
    const limited = {
      ...problem("rateLimited", "Too many certificates", 429),
      headers: { "retry-after": "7200" },
    };
    const s = await scene({ misbehave: (step) => (step === "order" && !isWell ? limited : undefined) });
    expect(await s.failing()).toMatchObject({
      reason: `The authority takes no more requests for ${domain} for now: Too many certificates.`,
      retry_at: s.clock.now() + 7200,
      is_limit: true,
    });
    s.own.close();
    const again = await s.begin();
    ends.push(() => again.close());
    isWell = true;
    s.clock.advance(7199);
    await again.renew(s.ctx("system"));
    expect(s.stored().obtained).toBeNull();
    s.clock.advance(1);
    expect(await s.job()).toMatchObject({ obtained: true });
  });

  test("tries at once after a start or a signal, but not in a loop", async () => {
    let isWell = false;
    const s = await scene({
      misbehave: (step) => (step === "order" && !isWell ? problem("dns", "") : undefined),
    });
    await s.failing();
    s.clock.advance(60);
    await s.failing();
    isWell = true;
    s.clock.advance(59);
    await s.own.renew(s.ctx("system"));
    expect(s.stored().obtained).toBeNull();
    s.clock.advance(1);
    await s.own.renew(s.ctx("system"));
    expect(s.stored().obtained).not.toBeNull();
  });

  test("says that the authority does not answer, or refuses the connection", async () => {
    const silent = await scene({
      misbehave: (step) => (step === "order" ? "never" : undefined),
      patience: { ...patience, requestMs: 500 },
    });
    expect((await silent.failing())?.reason).toMatch(
      /^The authority's server, localhost:\d+, does not answer in time\.$/,
    );
    const gone = await scene({ directory: `http://127.0.0.1:${await freePort()}/directory` });
    expect((await gone.failing())?.reason).toMatch(
      /^The authority's server, 127\.0\.0\.1:\d+, refuses the connection\.$/,
    );
  });

  test("pauses between its questions, even if the authority asks for no pause", async () => {
    const pending = { headers: { "retry-after": "0" }, body: { status: "pending", challenges: [] } };
    const s = await scene({
      misbehave: (step, times) => (step === "authorization" && times > 1 ? pending : undefined),
      patience: { ...patience, workMs: 200, pauseMs: 50 },
    });
    expect((await s.failing())?.reason).toBe("The authority has not finished its work in time.");
    expect(s.authority.steps.filter((step) => step === "authorization").length).toBeLessThan(10);
  });

  test("trusts an organization's own authority by its certificate alone", async () => {
    const { cert, key, ca } = await signedCertificate(newFolder(), "own");
    const tls = { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") };
    const distrusted = await scene({ tls });
    expect(await distrusted.failing()).toMatchObject({
      reason: expect.stringContaining("is not signed by one of acme_ca"),
      remedy: expect.stringContaining("acme_ca"),
    });
    const trusted = await scene({ tls, ca: readFileSync(ca, "utf8") });
    expect(await trusted.job()).toMatchObject({ obtained: true });
  });

  test("asks the authority nothing while another program has the HTTP port, and takes it once it is free", async () => {
    const s = await scene();
    s.own.close();
    const other = createServer();
    await until(
      () =>
        new Promise<boolean>((resolve) => {
          other.once("error", () => resolve(false));
          other.listen(s.httpPort, "127.0.0.1", () => resolve(true));
        }),
      "the port is free",
    );
    expect(await s.failing()).toMatchObject({
      reason: `Another program on this machine uses port ${s.httpPort}, where the authority must be answered.`,
    });
    expect(s.authority.steps).toEqual([]);
    await new Promise((resolve) => other.close(resolve));
    s.clock.advance(60);
    expect(await s.job()).toMatchObject({ obtained: true });
  });

  test("a different server at the domain is told from a closed port", async () => {
    const other = await freePort();
    const closed = await scene({ httpPort: other });
    expect((await closed.failing())?.reason).toStartWith(
      `The authority cannot connect to port 80 of ${domain}: Connection refused.`,
    );
    const foreign = await serveFetch(() => new Response("hi"), other);
    ends.push(() => foreign.stop());
    const wrong = await scene({ httpPort: other });
    expect((await wrong.failing())?.reason).toStartWith(`A different server answers at http://${domain}:`);
  });
});

test("without a domain, nothing is asked of any authority", async () => {
  const w = world();
  expect(await runJob(w, "certificate")).toEqual([]);
  expect(certificateSettings.read(w.app.env)).toMatchObject({ account: null, obtained: null, failed: null });
  expect(usualDirectory).toStartWith("https://acme-v02.api.letsencrypt.org/");
});

test("the doctor says why there is no certificate, and what helps", async () => {
  const data = newFolder();
  await newOrganization(data);
  const at = Date.UTC(2026, 10, 28, 12) / 1000;
  const failed = { count: 2, at, retry_at: at + 240, reason: "No port.", remedy: "Open it." };
  const noted = async (is_limit: boolean) => {
    const database = openDatabaseOf(data);
    database.run(
      "INSERT OR REPLACE INTO settings (scope, owner_id, name, value) VALUES ('certificates', 0, 'failed', ?)",
      [JSON.stringify({ ...failed, is_limit })],
    );
    database.close();
    const { findings } = JSON.parse((await confab(["doctor", "--json", "--data", data])).stdout);
    return findings.find(({ check }: { check: string }) => check === "Certificate");
  };
  expect(await noted(false)).toEqual({
    check: "Certificate",
    verdict: "problem",
    finding:
      "The last 2 tries to get one failed, at 2026-11-28 12:00 UTC: No port. The next one is at 2026-11-28 12:04 UTC. There is none yet.",
    remedy: "Open it. 'systemctl reload confab' (SIGHUP) tries at once.",
  });
  expect(await noted(true)).toMatchObject({ remedy: "Open it." });
});

describe("confab serve --domain", () => {
  test.each([
    [["--domain", "https://chat.example.com"], 2, "a domain must be a host name without scheme or port"],
    [["--domain", "203.0.113.7"], 2, "a domain must be a host name without scheme or port"],
    [["--domain", "*.example.com"], 2, "a domain must be a host name without scheme or port"],
    [["--domain", domain, "--tls-cert", "a", "--tls-key", "b"], 2, "leave --tls-cert and --tls-key out"],
    [
      ["--domain", domain, "--acme-ca", "/absent.pem"],
      1,
      "/absent.pem cannot be read: there is no such file.",
    ],
    [
      [
        "--domain",
        domain,
        ...["--cluster", "nats://n1", "--node", "a", "--node-url", "http://a", "--nats-unchecked"],
      ],
      2,
      "--domain goes without --cluster",
    ],
    [["--domain", domain, "--dev"], 1, "--dev lets anyone in"],
    [["--domain", domain, "--http-port", "0"], 2, "a port must be a number from 1 to 65535"],
  ])("refuses %p", async (args, status, sentence) => {
    const refused = await confab(["serve", "--data", newFolder(), ...args]);
    expect([refused.status, refused.stderr]).toEqual([status, expect.stringContaining(sentence)]);
  });
});
