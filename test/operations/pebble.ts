// Certificates from a real ACME authority with its faults on: `npm run test:acme`.
import { afterEach, describe, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { silentLog } from "@/kernel/lib/log.ts";
import { beginCertificates } from "@/operations/certificates/host.ts";
import { obtainIfDue } from "@/operations/certificates/running.ts";
import { certificateSettings } from "@/operations/certificates/schema.ts";
import { signedCertificate } from "../support/certificate.ts";
import { cleanUp, confab, newFolder, serve } from "../support/executable.ts";
import { freePorts } from "../support/ports.ts";
import { until } from "../support/waiting.ts";
import { world } from "../support/world.ts";

const found = Bun.spawnSync(["node", join(import.meta.dir, "..", "..", ".ci", "pebble.mjs")]);
const [pebble = "", challtestsrv = ""] = found.stdout.toString().trim().split("\n");
const isHere = found.exitCode === 0;
if (!isHere) {
  console.error(
    `LEFT OUT: nobody tried certificates from a real authority: ${found.stderr.toString().trim()}.`,
  );
}

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await cleanUp();
});

const domain = "chat.example.com";

function started(command: string[], env: Record<string, string> = {}): void {
  const child = Bun.spawn(command, { env: { ...process.env, ...env }, stdout: "ignore", stderr: "ignore" });
  ends.push(async () => {
    child.kill();
    await child.exited;
  });
}

interface Faults {
  env?: Record<string, string>;
  isBound?: boolean;
}

/** An authority that looks for every domain on this machine. */
async function authority({ env, isBound = false }: Faults = {}) {
  const [port = 0, management = 0, httpPort = 0, dns = 0, dnsManagement = 0, tlsPort = 0] =
    await freePorts(6);
  const folder = newFolder();
  const { cert, key, ca } = await signedCertificate(folder, "pebble");
  const config = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: cert,
    privateKey: key,
    httpPort,
    tlsPort,
    externalAccountBindingRequired: isBound,
    retryAfter: { authz: 1, order: 1 },
  };
  writeFileSync(join(folder, "pebble.json"), JSON.stringify({ pebble: config }));
  const at = `127.0.0.1:${dns}`;
  const noServers = ["-http01", "", "-https01", "", "-tlsalpn01", ""];
  started([
    challtestsrv,
    "-dns01",
    at,
    "-management",
    `127.0.0.1:${dnsManagement}`,
    "-defaultIPv6",
    "",
    ...noServers,
  ]);
  started([pebble, "-config", join(folder, "pebble.json"), "-dnsserver", at], {
    PEBBLE_VA_NOSLEEP: "1",
    ...env,
  });
  const directory = `https://127.0.0.1:${port}/dir`;
  const pem = readFileSync(ca, "utf8");
  await until(
    () =>
      fetch(directory, { tls: { ca: pem } }).then(
        ({ ok }) => ok,
        () => false,
      ),
    "Pebble answers",
  );
  return { directory, ca, pem, httpPort };
}

async function scene(faults: Faults = {}, isAnswered = true) {
  const { directory, pem, httpPort } = await authority(faults);
  const w = world();
  // Pebble has the machine's clock.
  w.clock.step(Math.floor(Date.now() / 1000) - w.clock.now());
  const [other = 0] = await freePorts(1);
  const own = await beginCertificates(w.app.env, {
    plan: { domain, directory, ca: pem },
    host: "127.0.0.1",
    port: isAnswered ? httpPort : other,
    site: `https://${domain}`,
    log: silentLog,
    patience: { requestMs: 60_000, workMs: 60_000, pauseMs: 20 },
  });
  ends.push(() => own.close());
  return { w, job: () => obtainIfDue(w.ctx("system")), stored: () => certificateSettings.read(w.app.env) };
}

describe.skipIf(!isHere)("with Pebble", () => {
  test("the executable gets a certificate, and the doctor says until when", async () => {
    const { directory, ca, httpPort } = await authority();
    const data = newFolder();
    const given = ["--domain", domain, "--host", "127.0.0.1", "--http-port", String(httpPort)];
    const server = await serve(data, [...given, "--acme-directory", directory, "--acme-ca", ca], {
      isSecure: true,
    });
    const said = async () => (await confab(["doctor", "--data", data])).stdout;
    await until(
      async () => (await said()).includes(`The one for ${domain} is valid until`),
      () => `the certificate is there: ${server.printed().stderr}`,
      500,
    );
    expect(await server.end("SIGTERM")).toBe(0);
  });

  test("half of all nonces are refused, and a renewal uses the same account", async () => {
    const s = await scene({ env: { PEBBLE_WFE_NONCEREJECT: "50", PEBBLE_AUTHZREUSE: "0" } });
    let failures = 0;
    for (let renewals = 0; renewals < 3; ) {
      const { obtained } = s.stored();
      try {
        expect(await s.job()).toMatchObject({ obtained: true });
        renewals++;
        const { cert, expires_at } = s.stored().obtained ?? { cert: "", expires_at: 0 };
        expect(new X509Certificate(cert).checkHost(domain)).toBe(domain);
        expect(cert).not.toBe(obtained?.cert ?? "");
        await s.w.app.env.db.write(s.w.ctx("system"), (tx) =>
          certificateSettings.write(tx, "obtained", {
            ...(s.stored().obtained as NonNullable<ReturnType<typeof s.stored>["obtained"]>),
            valid_from: s.w.clock.now() - 90 * 86_400,
            expires_at: Math.min(expires_at, s.w.clock.now() + 86_400),
          }),
        );
      } catch (error) {
        // Five refusals in a row are a failed try.
        if (++failures > 10) throw error;
        expect(s.stored().failed?.reason).toContain("The authority refuses:");
      }
      s.w.clock.advance(6 * 3600);
    }
  });

  test("a proof from an earlier order is used again", async () => {
    const s = await scene({ env: { PEBBLE_WFE_NONCEREJECT: "0", PEBBLE_AUTHZREUSE: "100" } });
    expect(await s.job()).toMatchObject({ obtained: true });
    await s.w.app.env.db.write(s.w.ctx("system"), (tx) => certificateSettings.write(tx, "obtained", null));
    s.w.clock.advance(60);
    expect(await s.job()).toMatchObject({ obtained: true });
  });

  test("a closed port, and an account that must be made elsewhere, are named", async () => {
    const closed = await scene({ env: { PEBBLE_WFE_NONCEREJECT: "0" } }, false);
    await expect(closed.job()).rejects.toThrow(`The authority cannot connect to port 80 of ${domain}:`);
    const bound = await scene({ env: { PEBBLE_WFE_NONCEREJECT: "0" }, isBound: true });
    await expect(bound.job()).rejects.toThrow("only to accounts that were made on its site");
  });
});
